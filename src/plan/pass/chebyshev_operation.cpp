// The recurrences of derivatives and integrals. Points go from left to right, the argument of the polynomials from 1 to
// -1, so both change the sign. Entries 0 and N of a dct1 are doubled relative to the other coefficients.
#include "plan/pass/chebyshev_operation.hpp"

#include <array>
#include <utility>

#include "transform/chosen_kernels.hpp"

namespace weft {

namespace {

/// One number per part and lane of a block, for as many as there can be.
template <class Real>
using LaneValues = std::array<Real, 2 * LineSet::most>;

}  // namespace

template <class Real>
void ChebyshevOperation<Real>::apply(const ModeLines<Real>& lines, Real* block) const {
  const index_t element = index_t{lines.width} * lane_kernels<Real>().lanes;
  if (order_ < 0) return integrate(block, element);
  for (int i = 0; i < order_; i++) differentiate(block, element);
}

// d[k] = d[k+2] + 2 (k+1) u[k+1], from the last coefficient down. Results overwrite coefficients no longer needed.
template <class Real>
void ChebyshevOperation<Real>::differentiate(Real* block, index_t element) const {
  LaneValues<Real> above{}, next{};  // of the derivative at k + 2 and k + 1
  LaneValues<Real> given{};          // of u at k + 1
  Real* last = block + intervals_ * element;
  for (index_t i = 0; i < element; i++) {
    given[static_cast<std::size_t>(i)] = last[i] / 2;
    last[i] = 0;
  }
  for (index_t k = intervals_ - 1; k >= 0; k--) {
    const Real factor = static_cast<Real>(2 * (k + 1)) / -half_;
    Real* here = block + k * element;
    for (index_t i = 0; i < element; i++) {
      const auto at = static_cast<std::size_t>(i);
      const Real mine = above[at] + factor * given[at];
      above[at] = std::exchange(next[at], mine);
      given[at] = std::exchange(here[i], mine);
    }
  }
}

// g[k] = (u[k-1] - u[k+1]) / 2k. At the points the polynomial of degree N + 1 equals that of degree N - 1. The value at
// the first point, where all polynomials are 1, is subtracted.
template <class Real>
void ChebyshevOperation<Real>::integrate(Real* block, index_t element) const {
  const index_t last = intervals_;
  LaneValues<Real> before{}, sum{};  // of u at k - 1
  for (index_t i = 0; i < element; i++) {
    before[static_cast<std::size_t>(i)] = block[i];
    block[last * element + i] /= 2;
  }
  const auto at_last = [&](index_t i) { return block[last * element + i]; };
  LaneValues<Real> top{};
  for (index_t i = 0; i < element; i++)
    top[static_cast<std::size_t>(i)] = at_last(i) * -half_ / static_cast<Real>(2 * (last + 1));
  for (index_t k = 1; k <= last; k++) {
    const Real factor = -half_ / static_cast<Real>(2 * k);
    Real* here = block + k * element;
    for (index_t i = 0; i < element; i++) {
      const auto at = static_cast<std::size_t>(i);
      const Real after = k == last ? Real(0) : here[element + i];
      Real mine = (before[at] - after) * factor;
      if (k == last - 1) mine += top[at];
      sum[at] += mine;
      before[at] = std::exchange(here[i], k == last ? 2 * mine : mine);
    }
  }
  for (index_t i = 0; i < element; i++) block[i] = -2 * sum[static_cast<std::size_t>(i)];
}

template class ChebyshevOperation<double>;
template class ChebyshevOperation<float>;

}  // namespace weft
