// The boxes of the global array that go from rank to rank in an exchange.
#include <algorithm>

#include "exchange/exchange_plan.hpp"

namespace weft {

namespace {

// The indices of a range that belong to a chunk. Along the contiguous axis chunks are whole batches of lines if there
// are enough of them.
Range chunk_of(Range range, int chunk, int chunks, bool contiguous) {
  constexpr index_t batch = 16;
  const index_t unit = contiguous && range.size() >= batch * chunks ? batch : 1;
  const index_t units = (range.size() + unit - 1) / unit;
  const auto border = [&](int i) { return std::min(range.lo + units * i / chunks * unit, range.hi); };
  return {border(chunk), border(chunk + 1)};
}

}  // namespace

Box exchange_block(const ExchangePlan& plan, int sender, int receiver, int chunk) {
  const Box near = plan.near.box(sender), far = plan.far.box(receiver);
  Box block = intersect(near, far);
  if (plan.chunks > 1) {
    const int axis = plan.chunk_axis;
    const Range divided = axis == plan.near_axis ? far[axis] : near[axis];
    block[axis] = intersect(block[axis], chunk_of(divided, chunk, plan.chunks, axis == block.dims() - 1));
  }
  return block;
}

std::vector<Block> exchange_blocks(const ExchangePlan& plan, int rank, int chunk) {
  std::vector<Block> blocks;
  for (int peer = 0; peer < plan.near.grid()[plan.process_axis]; peer++) {
    const int other = plan.near.grid().neighbour(rank, plan.process_axis, peer);
    blocks.push_back({peer, exchange_block(plan, rank, other, chunk), exchange_block(plan, other, rank, chunk)});
  }
  return blocks;
}

}  // namespace weft
