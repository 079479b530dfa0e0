// Cuts of an axis.
#include "tensor/axis_partition.hpp"

#include <algorithm>

#include "weft/partition.hpp"

namespace weft {

namespace {

// The pairs (n, N-n) of one rank.
AxisShare pairs_of(index_t points, Range even) {
  const index_t lo = std::max<index_t>(even.lo, 1);
  return {{even}, even, {lo, std::max(lo, std::min(even.hi, (points + 1) / 2))}};
}

template <class Share>
AxisPartition partition(index_t n, int parts, Share share) {
  const Partition partition(n, parts);
  AxisPartition result;
  for (int part = 0; part < parts; part++) result.push_back(share(partition.range(part)));
  return result;
}

}  // namespace

index_t AxisShare::count() const {
  index_t count = 0;
  for (const Range& range : ranges) count += range.size();
  return count;
}

AxisPartition partition_in_blocks(index_t n, int parts) {
  return partition(n, parts, [](Range block) { return AxisShare{{block}, {}, {}}; });
}

AxisPartition partition_half_spectrum(index_t n, int parts) {
  return partition(n / 2 + 1, parts, [n](Range block) { return pairs_of(n, block); });
}

AxisPartition partition_in_pairs(index_t n, int parts) {
  AxisPartition result = partition_half_spectrum(n, parts);
  for (AxisShare& share : result)
    if (share.odd.size() > 0) share.ranges.push_back({n - share.odd.hi + 1, n - share.odd.lo + 1});
  return result;
}

}  // namespace weft
