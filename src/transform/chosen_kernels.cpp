// Chooses the instruction set at run time. src/CMakeLists.txt writes instruction_sets.inc: for each instruction set of
// the build, best first, WEFT_INSTRUCTION_SET(its name, whether the processor has what it needs).
#include "transform/chosen_kernels.hpp"

#include <cstdlib>
#include <utility>

#include "weft/error.hpp"

namespace weft {

#define WEFT_INSTRUCTION_SET(isa, runs)            \
  namespace isa {                                  \
  extern const LaneKernels<double> kernels_double; \
  extern const LaneKernels<float> kernels_float;   \
  }
#include "instruction_sets.inc"
#undef WEFT_INSTRUCTION_SET

namespace {

using Variant = std::pair<const LaneKernels<double>*, const LaneKernels<float>*>;

std::vector<Variant> variants() {
  std::vector<Variant> result;
#define WEFT_INSTRUCTION_SET(isa, runs) \
  if (runs) result.emplace_back(&isa::kernels_double, &isa::kernels_float);
#include "instruction_sets.inc"
#undef WEFT_INSTRUCTION_SET
  return result;
}

Variant choose_variant() {
  const char* asked = std::getenv("WEFT_SIMD");
  for (const Variant& variant : variants())
    if (asked == nullptr || std::string(asked) == variant.first->isa) return variant;
  std::string allowed;
  for (const std::string& name : available_simd()) allowed += (allowed.empty() ? "" : ", ") + name;
  throw Error(Fault::argument, "WEFT_SIMD: '" + std::string(asked) + "' is not available here; use one of " + allowed);
}

}  // namespace

template <class Real>
const LaneKernels<Real>& lane_kernels() {
  static const Variant chosen = choose_variant();
  return *std::get<const LaneKernels<Real>*>(chosen);
}

template <class Real>
std::vector<const LaneKernels<Real>*> available_kernels() {
  std::vector<const LaneKernels<Real>*> result;
  for (const Variant& variant : variants()) result.push_back(std::get<const LaneKernels<Real>*>(variant));
  return result;
}

std::vector<std::string> available_simd() {
  std::vector<std::string> result;
  for (const Variant& variant : variants()) result.emplace_back(variant.first->isa);
  return result;
}

template const LaneKernels<double>& lane_kernels();
template const LaneKernels<float>& lane_kernels();
template std::vector<const LaneKernels<double>*> available_kernels();
template std::vector<const LaneKernels<float>*> available_kernels();

}  // namespace weft
