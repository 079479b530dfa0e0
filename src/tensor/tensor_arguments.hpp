// Checks of the arguments of tensor transforms, and defaults for omitted ones.
#pragma once

#include <array>

#include "weft/comm.hpp"
#include "weft/tensor.hpp"

namespace weft {

/// Throws Error on every rank alike if an argument differs between ranks or is not allowed. Collective.
void check_tensor_arguments(const Comm& comm, const Extents& shape, Kind kind, const TensorOptions& options);
/// The given mesh, or the most cubic mesh of all ranks, with the longest axis first.
ProcessGrid tensor_mesh(const std::vector<int>& asked, int ranks);
/// Throws Error unless there is a number of ranks for each of 3 axes, with a product of at most all ranks.
void check_tensor_mesh(const std::vector<int>& mesh, int ranks);

}  // namespace weft
