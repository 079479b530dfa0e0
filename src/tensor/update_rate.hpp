// Measures the times of local updates, for benchmarks and for the choice of folding and kernels.
#pragma once

#include <array>

#include "tensor/tensor_pipeline.hpp"

namespace weft {

/// The axes to fold and the kernel among `kernels`, by the shortest measured time of the slowest rank. If the user has
/// fixed the folding, nothing is measured and the last kernel is taken, so that every run gives the same bits.
/// Collective.
template <class Real>
UpdateWays choose_ways(const Comm& comm, const TensorShape& shape, Folding asked,
                       const std::vector<UpdateKernel>& kernels, int threads);

}  // namespace weft
