// What multiplies in a local update: the BLAS, or kernels of the library's own.
#pragma once

#include <string>
#include <vector>

#include "weft/comm.hpp"

namespace weft {

/// blas: matrix products of the BLAS. own: the dense kernels of this processor's instruction set
/// (src/transform/kernels).
enum class UpdateKernel { blas, own };

/// As it is called in explain() and benchmarks: "OpenBLAS SkylakeX", "own avx512".
std::string kernel_name(UpdateKernel kernel);

/// What the environment variable WEFT_TENSOR_KERNEL says (auto, blas, own), auto where there is none.
std::string asked_update_kernel();
/// The kernels that local updates may use here, own ones last: both for auto where every rank has a BLAS. Throws Error
/// on every rank alike for a value that is none, and (Fault::resource) where the BLAS was asked for and a rank has
/// none. Collective.
std::vector<UpdateKernel> usable_update_kernels(const Comm& comm);
/// The kernels that local updates may use in this process alone.
std::vector<UpdateKernel> usable_update_kernels();

}  // namespace weft
