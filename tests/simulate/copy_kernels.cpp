// Plain copies in place of the library's vector kernels. Every simulated rank has a copy of the program, and these few
// lines keep it small; what they copy is the same.
#include <cstring>

#include "transform/chosen_kernels.hpp"

namespace weft {

namespace {

template <class Real>
void transpose(const MatrixCopy<Real>& copy) {
  for (std::int64_t i = 0; i < copy.rows; i++)
    for (std::int64_t j = 0; j < copy.columns; j++)
      for (int k = 0; k < copy.width; k++)
        copy.to[j * copy.to_step + i * copy.width + k] = copy.from[i * copy.from_step + j * copy.width + k];
}

template <class Real>
void stream(const Real* from, Real* to, std::int64_t count, std::ptrdiff_t) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(Real));
}

}  // namespace

template <class Real>
const LaneKernels<Real>& lane_kernels() {
  static const LaneKernels<Real> kernels = [] {
    LaneKernels<Real> copies{};
    copies.isa = "plain";
    copies.lanes = 1;
    copies.fence = [] {};
    copies.transpose = transpose<Real>;
    copies.stream = stream<Real>;
    return copies;
  }();
  return kernels;
}

template const LaneKernels<double>& lane_kernels<double>();
template const LaneKernels<float>& lane_kernels<float>();

}  // namespace weft
