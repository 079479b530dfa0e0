// Distributions of an array between two steps of a tensor transform: the partition of every axis, and its mesh axis.
#pragma once

#include <array>
#include <vector>

#include "tensor/axis_partition.hpp"
#include "weft/layout.hpp"

namespace weft {

/// One array axis on one mesh axis. Its shares may be shifted along that axis: a rank whose coordinate on the mesh axis
/// `skewed_by` is c holds the share `skew[c]` places after its own. Cannon's algorithm begins with such a shift.
struct AxisDistribution {
  AxisPartition partition;
  int mesh_axis = 0;
  int skewed_by = -1;
  std::vector<int> skew;

  const AxisShare& share(const ProcessGrid& mesh, int rank) const;
};

/// An array over the mesh: the block of a rank is the product of its shares, in C order.
using TensorLayout = std::array<AxisDistribution, 3>;

/// The local extents of a rank.
Extents extents(const TensorLayout& distribution, const ProcessGrid& mesh, int rank);

}  // namespace weft
