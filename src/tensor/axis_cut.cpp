// Cuts of an axis.
#include "tensor/axis_cut.hpp"

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
AxisCut cut(index_t n, int parts, Share share) {
  const Partition partition(n, parts);
  AxisCut result;
  for (int part = 0; part < parts; part++) result.push_back(share(partition.range(part)));
  return result;
}

}  // namespace

index_t AxisShare::count() const {
  index_t count = 0;
  for (const Range& range : ranges) count += range.size();
  return count;
}

AxisCut cut_in_blocks(index_t n, int parts) {
  return cut(n, parts, [](Range block) { return AxisShare{{block}, {}, {}}; });
}

AxisCut cut_in_half(index_t n, int parts) {
  return cut(n / 2 + 1, parts, [n](Range block) { return pairs_of(n, block); });
}

AxisCut cut_in_pairs(index_t n, int parts) {
  AxisCut result = cut_in_half(n, parts);
  for (AxisShare& share : result)
    if (share.odd.size() > 0) share.ranges.push_back({n - share.odd.hi + 1, n - share.odd.lo + 1});
  return result;
}

}  // namespace weft
