// Counts the elements and bytes that exchanges send.
#include "plan/schedule/traffic.hpp"

#include <algorithm>

#include "exchange/message_schedule.hpp"

namespace weft {

namespace {

// Elements that stay in place if `neighbours` consecutive ranks form one place. Along its line a place keeps the part
// of the near axis that it owns after the exchange, and the part of the far axis that it owned before it.
index_t kept(const ExchangePlan& plan, int neighbours) {
  const Extents& extents = plan.near.extents();
  const int ranks = plan.near.grid()[plan.process_axis];
  const Partition near(extents[plan.near_axis], ranks, plan.near.scheme()),
      far(extents[plan.far_axis], ranks, plan.near.scheme());
  index_t pairs = 0;
  for (int first = 0; first < ranks; first += neighbours) {
    const int end = std::min(first + neighbours, ranks);
    pairs += (near.first(end) - near.first(first)) * (far.first(end) - far.first(first));
  }
  for (int axis = 0; axis < extents.dims(); axis++)
    if (axis != plan.near_axis && axis != plan.far_axis) pairs *= extents[axis];
  return pairs;
}

// The bytes of the blocks of one line of the process axis, from coordinate to coordinate. Ranks of a line differ only
// in the parts of two axes.
class LineBlocks {
 public:
  LineBlocks(const ExchangePlan& plan, int rank, std::size_t bytes_per_real)
      : near_(part_of(plan, plan.near_axis)),
        far_(part_of(plan, plan.far_axis)),
        bytes_(plan.width * static_cast<index_t>(bytes_per_real)) {
    const Extents extents = plan.near.box(rank).extents();
    for (int axis = 0; axis < extents.dims(); axis++)
      if (axis != plan.near_axis && axis != plan.far_axis) bytes_ *= extents[axis];
  }

  index_t bytes(int sender, int receiver) const {
    return far_.range(sender).size() * near_.range(receiver).size() * bytes_;
  }

 private:
  static Partition part_of(const ExchangePlan& plan, int axis) {
    return {plan.near.extents()[axis], plan.near.grid()[plan.process_axis], plan.near.scheme()};
  }

  Partition near_, far_;
  index_t bytes_;
};

// The distance between consecutive ranks of a line.
int line_stride(const ProcessGrid& grid, int process_axis) {
  int stride = 1;
  for (int axis = process_axis + 1; axis < grid.dims(); axis++) stride *= grid[axis];
  return stride;
}

}  // namespace

int near_peers(const ProcessGrid& grid, int process_axis, int node_ranks) {
  const int distance = line_stride(grid, process_axis);
  const int ranks = grid[process_axis];
  return node_ranks == 0 ? ranks : std::clamp((node_ranks + distance - 1) / distance, 1, ranks);
}

Traffic traffic_of(const ExchangePlan& plan, int node_ranks) {
  if (plan.process_axis < 0) return {};
  const index_t elements = plan.near.extents().product();
  const int neighbours = near_peers(plan.near.grid(), plan.process_axis, node_ranks);
  return {(elements - kept(plan, 1)) * plan.width, (elements - kept(plan, neighbours)) * plan.width};
}

Traffic traffic_of(const Schedule& schedule, int node_ranks) {
  Traffic traffic;
  for (const ExchangePlan& plan : schedule.exchanges) traffic += traffic_of(plan, node_ranks);
  return traffic;
}

bool lines_share_nodes(const ExchangePlan& plan, int node_ranks) {
  const ProcessGrid& grid = plan.near.grid();
  const int ranks = grid.size(), stride = line_stride(grid, plan.process_axis), peers = grid[plan.process_axis];
  if (node_ranks >= ranks) return true;
  if (index_t{peers - 1} * stride >= node_ranks) return false;
  for (int first = 0; first < ranks; first += peers * stride)
    for (int begin = first; begin < first + stride; begin++)
      if (begin / node_ranks != (begin + (peers - 1) * stride) / node_ranks) return false;
  return true;
}

PeerTraffic peer_traffic(const ExchangePlan& plan, int rank, std::size_t bytes_per_real,
                         const std::function<bool(int)>& is_near) {
  PeerTraffic traffic;
  if (plan.process_axis < 0) return traffic;
  const ProcessGrid& grid = plan.near.grid();
  const LineBlocks blocks(plan, rank, bytes_per_real);
  const int own = grid.coordinate(rank, plan.process_axis);
  for (int peer = 0; peer < grid[plan.process_axis]; peer++) {
    if (peer == own) continue;
    const index_t bytes = blocks.bytes(own, peer);
    traffic.least = traffic.peers == 0 ? bytes : std::min(traffic.least, bytes);
    traffic.most = std::max(traffic.most, bytes);
    traffic.peers++;
    traffic.all += bytes;
    if (is_near(grid.neighbour(rank, plan.process_axis, peer))) continue;
    traffic.far_peers++;
    traffic.between += bytes;
  }
  return traffic;
}

// In stage k a rank passes on all blocks whose distance has the bit k. Such a block has already moved by the lower bits
// of its distance.
index_t multistage_bytes(const ExchangePlan& plan, int rank, std::size_t bytes_per_real) {
  if (plan.process_axis < 0) return 0;
  const int peers = plan.near.grid()[plan.process_axis];
  const int own = plan.near.grid().coordinate(rank, plan.process_axis);
  const LineBlocks blocks(plan, rank, bytes_per_real);
  index_t bytes = 0;
  for (int distance = 1; distance < peers; distance++)
    for (int bit = 1; bit <= distance; bit *= 2) {
      if ((distance & bit) == 0) continue;
      const int sender = ring_rank(own, -(distance & (bit - 1)), peers);
      bytes += blocks.bytes(sender, ring_rank(sender, distance, peers));
    }
  return bytes;
}

}  // namespace weft
