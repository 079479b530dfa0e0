// Checks of what users pass to tensor transforms, and what is chosen where they leave it open.
#pragma once

#include <array>

#include "weft/comm.hpp"
#include "weft/tensor.hpp"

namespace weft {

/// Throws Error on every rank alike when an argument differs between ranks or is not allowed. Collective.
void check_tensor_arguments(const Comm& comm, const Extents& shape, Kind kind, const TensorOptions& options);
/// The mesh that was asked for, or the one of all ranks whose axes are most alike, the longest first.
ProcessGrid tensor_mesh(const std::vector<int>& asked, int ranks);
/// Throws Error unless there is one number of ranks for each of 3 axes, and not too many of them.
void check_tensor_mesh(const std::vector<int>& mesh, int ranks);

}  // namespace weft
