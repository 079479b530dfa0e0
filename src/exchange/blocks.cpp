// Which box of the global array goes from whom to whom in an exchange.
#include "exchange/exchange.hpp"

namespace weft {

std::vector<Block> exchange_blocks(const ExchangePlan& plan, int rank) {
  const Box near = plan.near.box(rank), far = plan.far.box(rank);
  std::vector<Block> blocks;
  for (int peer = 0; peer < plan.near.grid()[plan.process_axis]; peer++) {
    const int other = plan.near.grid().neighbour(rank, plan.process_axis, peer);
    blocks.push_back({peer, intersect(near, plan.far.box(other)), intersect(far, plan.near.box(other))});
  }
  return blocks;
}

}  // namespace weft
