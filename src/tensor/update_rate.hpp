// How long local updates take here, measured: for benchmarks and for the choice between their ways.
#pragma once

#include <array>

#include "tensor/tensor_pipeline.hpp"

namespace weft {

/// Which axes to fold, and which of `kernels` multiply: what is measured to be fastest, in the time of the slowest
/// rank. Where folding was asked for or not, nothing is measured and the last of the kernels taken, so that every run
/// gives the same bits. Collective.
template <class Real>
UpdateWays choose_ways(const Comm& comm, const TensorShape& shape, Folding asked,
                       const std::vector<UpdateKernel>& kernels, int threads);

}  // namespace weft
