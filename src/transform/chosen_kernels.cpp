// Chooses the instruction set at run time.
#include "transform/chosen_kernels.hpp"

#include <cstdlib>

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

}  // namespace weft
