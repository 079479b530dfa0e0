// Chooses the instruction set at run time and computes twiddle factors and output order of lane transforms.
#include "lane_tables.hpp"

#include <cstdlib>

#include "roots.hpp"
#include "transform/simd/processor.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

struct Variant {
  bool runs;
  const LaneKernels<double>* kernels_double;
  const LaneKernels<float>* kernels_float;

  const char* name() const { return kernels_double->isa; }
};

std::vector<Variant> variants() {
  std::vector<Variant> result;
#if defined(WEFT_HAS_AVX)
  result.push_back({has_avx512(), &avx512::kernels_double, &avx512::kernels_float});
  result.push_back({has_avx2(), &avx2::kernels_double, &avx2::kernels_float});
#endif
  result.push_back({true, &baseline::kernels_double, &baseline::kernels_float});
  return result;
}

Variant choose_variant() {
  const char* asked = std::getenv("WEFT_SIMD");
  for (const Variant& variant : variants())
    if (variant.runs && (asked == nullptr || std::string(asked) == variant.name())) return variant;
  std::string allowed;
  for (const std::string& name : available_simd()) allowed += (allowed.empty() ? "" : ", ") + name;
  throw Error(Fault::argument, "WEFT_SIMD: '" + std::string(asked) + "' is not available here; use one of " + allowed);
}

const Variant& chosen_variant() {
  static const Variant variant = choose_variant();
  return variant;
}

}  // namespace

template <>
const LaneKernels<double>& lane_kernels<double>() {
  return *chosen_variant().kernels_double;
}
template <>
const LaneKernels<float>& lane_kernels<float>() {
  return *chosen_variant().kernels_float;
}

std::vector<std::string> available_simd() {
  std::vector<std::string> result;
  for (const Variant& variant : variants())
    if (variant.runs) result.emplace_back(variant.name());
  return result;
}

template <class Real>
LaneTables<Real>::LaneTables(index_t n, const std::vector<int>& radices) {
  index_t length = n;
  for (const int radix : radices) {
    add_stage(radix, length);
    length /= radix;
  }
  set_order();
  index_t butterflies = stages_.empty() ? 1 : 0;
  for (const LaneStage& stage : stages_) butterflies += n / stage.radix;
  plan_ = {n,
           static_cast<int>(stages_.size()),
           butterflies,
           static_cast<index_t>(order_.size()),
           stages_.data(),
           twiddles_.data(),
           order_.data(),
           block_of_.data()};
}

template <class Real>
void LaneTables<Real>::add_stage(int radix, index_t length) {
  const index_t count = length / radix;
  twiddles_.reserve(twiddles_.size() + static_cast<std::size_t>(2 * (length - count)));
  stages_.push_back({radix, length, count, static_cast<index_t>(twiddles_.size())});
  for (index_t p = 0; p < count; p++)
    for (int r = 1; r < radix; r++) push_root(twiddles_, p * r, length);
}

// Stage by stage, the place of a result in memory says which residue of the mode number it has.
template <class Real>
void LaneTables<Real>::set_order() {
  if (stages_.empty()) return;
  const LaneStage& first = stages_.front();
  const int last_radix = stages_.back().radix;
  order_.reserve(static_cast<std::size_t>(first.length / last_radix));
  for (index_t place = 0; place < first.length; place += last_radix) {
    index_t mode = 0, weight = 1, rest = place;
    for (const LaneStage& stage : stages_) {
      mode += weight * (rest / stage.count);
      rest %= stage.count;
      weight *= stage.radix;
    }
    order_.push_back(mode);
  }
  block_of_.resize(order_.size());
  for (std::size_t block = 0; block < order_.size(); block++)
    block_of_[static_cast<std::size_t>(order_[block])] = static_cast<index_t>(block);
}

template class LaneTables<double>;
template class LaneTables<float>;

}  // namespace weft
