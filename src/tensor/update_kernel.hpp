// The kernels of local updates: the BLAS, or own kernels.
#pragma once

#include <string>
#include <vector>

#include "weft/comm.hpp"

namespace weft {

/// blas: matrix products of the BLAS. own: the dense kernels of this processor's instruction set
/// (src/transform/kernels).
enum class UpdateKernel { blas, own };

/// The name in explain() and benchmarks: "OpenBLAS SkylakeX", "own avx512".
std::string kernel_name(UpdateKernel kernel);

/// The value of the environment variable WEFT_TENSOR_KERNEL (auto, blas, own); auto if it is not set.
std::string asked_update_kernel();
/// The kernels that local updates may use, own kernels last: both for auto if every rank has a BLAS. Throws Error on
/// every rank alike for an unknown value, and Error (Fault::resource) if the BLAS was requested and a rank has none.
/// Collective.
std::vector<UpdateKernel> usable_update_kernels(const Comm& comm);
/// The kernels that local updates may use in this process alone.
std::vector<UpdateKernel> usable_update_kernels();

}  // namespace weft
