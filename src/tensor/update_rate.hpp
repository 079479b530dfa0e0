// How long local updates take here, measured: for benchmarks and for the choice of folding.
#pragma once

#include <array>

#include "tensor/tensor_pipeline.hpp"

namespace weft {

/// Which axes to fold: as asked, or those whose local updates are faster that way, in the time of the slowest rank.
/// Collective.
template <class Real>
std::array<bool, 3> choose_folding(const Comm& comm, const TensorShape& shape, Folding asked, int threads);

}  // namespace weft
