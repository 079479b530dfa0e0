// Pieces and runs of a block: plain index arithmetic.
#include "io/blocks.hpp"

#include <algorithm>

#include "weft/error.hpp"

namespace weft::io {
namespace {

int first_long_axis(const Box& block) {
  int axis = 0;
  while (axis + 1 < block.dims() && block[axis].size() <= 1) ++axis;
  return axis;
}

void split(const Box& block, index_t most, std::vector<Box>& list) {
  if (block.size() <= most) {
    list.push_back(block);
    return;
  }
  const int axis = first_long_axis(block);
  const Range range = block[axis];
  const index_t thickness = std::max<index_t>(1, most / (block.size() / range.size()));
  for (index_t lo = range.lo; lo < range.hi; lo += thickness) {
    Box part = block;
    part[axis] = {lo, std::min(range.hi, lo + thickness)};
    split(part, most, list);
  }
}

// The last axis that a run does not cover completely. All axes after it are complete.
int run_axis(const Extents& global, const Box& block) {
  int axis = global.dims() - 1;
  while (axis > 0 && block[axis].size() == global[axis]) --axis;
  return axis;
}

}  // namespace

std::vector<Box> pieces(const Box& block, index_t most) {
  std::vector<Box> list;
  if (!block.empty()) split(block, most, list);
  return list;
}

void for_each_run(const Extents& global, const Box& block, index_t most,
                  const std::function<void(index_t first, index_t count)>& run) {
  if (block.empty()) return;
  const Extents strides = c_strides(global);
  const int inner = run_axis(global, block);
  const index_t length = block[inner].size() * strides[inner];
  Extents index = block.lower();
  while (true) {
    index_t first = 0;
    for (int axis = 0; axis < global.dims(); ++axis) first += index[axis] * strides[axis];
    for (index_t done = 0; done < length; done += most) run(first + done, std::min(most, length - done));
    int axis = inner - 1;
    while (axis >= 0 && ++index[axis] == block[axis].hi) {
      index[axis] = block[axis].lo;
      --axis;
    }
    if (axis < 0) return;
  }
}

void check_block(const Extents& global, const Box& block) {
  const bool inside = block.dims() == global.dims() && (block.empty() || intersect(block, Box(global)) == block);
  require(inside, "the block " + to_string(block) + " does not lie within the array of " + to_string(global) +
                      " points; give a box of its axes and ranges");
}

}  // namespace weft::io
