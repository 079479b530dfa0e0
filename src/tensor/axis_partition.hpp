// Cuts an axis of points or modes over the ranks of a mesh axis: in blocks, or in blocks of folded pairs.
#pragma once

#include <vector>

#include "weft/box.hpp"

namespace weft {

/// The part of an axis that one rank holds. Its points lie in memory in the order of `ranges`.
///
/// A folded share holds the pairs n and N-n of the points `even` (0 <= n <= N/2) in one place: cosines meet x(n) +
/// x(N-n) there, sines x(n) - x(N-n). The points 0 and, for even N, N/2 are their own partners and have no difference,
/// so `odd` is `even` without these. A half share holds the modes 0 .. N/2 of real data, whose partners are not stored.
struct AxisShare {
  std::vector<Range> ranges;
  Range even, odd;  ///< of the pairs; empty if the axis is not folded
  index_t count() const;
};

/// The shares of `parts` ranks.
using AxisPartition = std::vector<AxisShare>;

/// n points in blocks.
AxisPartition partition_in_blocks(index_t n, int parts);
/// The pairs of n points in blocks: two ranges per rank, so that every pair lies on one rank and no fold needs a
/// message. A single rank has all points in natural order.
AxisPartition partition_in_pairs(index_t n, int parts);
/// The n/2 + 1 modes of n real points in blocks that fit those of partition_in_pairs.
AxisPartition partition_half_spectrum(index_t n, int parts);

}  // namespace weft
