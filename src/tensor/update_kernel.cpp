// Chooses the kernels of products by the environment and the installed libraries.
#include "tensor/update_kernel.hpp"

#include <cstdlib>

#include "base/names.hpp"
#include "tensor/blas.hpp"
#include "transform/chosen_kernels.hpp"

namespace weft {

namespace {

constexpr const char* variable = "WEFT_TENSOR_KERNEL";

enum class Asked { automatic, blas, own };

Asked parse_asked() {
  static const Names<Asked> names{{Asked::automatic, "auto"}, {Asked::blas, "blas"}, {Asked::own, "own"}};
  return parse(names, variable, asked_update_kernel());
}

bool has_blas() {
  try {
    require_blas();
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::vector<UpdateKernel> kernels(Asked asked, bool blas) {
  if (asked == Asked::blas) return {UpdateKernel::blas};
  if (asked == Asked::own || !blas) return {UpdateKernel::own};
  return {UpdateKernel::blas, UpdateKernel::own};
}

}  // namespace

std::string kernel_name(UpdateKernel kernel) {
  return kernel == UpdateKernel::blas ? blas_kernel() : std::string("own ") + lane_kernels<double>().isa;
}

std::string asked_update_kernel() {
  const char* text = std::getenv(variable);
  return text == nullptr ? "auto" : text;
}

std::vector<UpdateKernel> usable_update_kernels(const Comm& comm) {
  comm.require_same(variable, asked_update_kernel());
  comm.together([] {
    if (parse_asked() == Asked::blas) require_blas();
  });
  const Asked asked = parse_asked();
  const bool blas = asked == Asked::automatic && comm.max(index_t{has_blas() ? 0 : 1}) == 0;
  return kernels(asked, blas);
}

std::vector<UpdateKernel> usable_update_kernels() {
  const Asked asked = parse_asked();
  if (asked == Asked::blas) require_blas();
  return kernels(asked, asked == Asked::automatic && has_blas());
}

}  // namespace weft
