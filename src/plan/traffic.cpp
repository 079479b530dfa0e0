// Counts what exchanges send.
#include "plan/traffic.hpp"

#include <algorithm>

namespace weft {

namespace {

// Elements that stay where they are when `neighbours` ranks in a row are one place. Along its line a place keeps of the
// near axis what it owns behind the exchange, and of the far axis what it owned before it.
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

}  // namespace

int near_peers(const ProcessGrid& grid, int process_axis, int node_ranks) {
  int distance = 1;
  for (int axis = process_axis + 1; axis < grid.dims(); axis++) distance *= grid[axis];
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

}  // namespace weft
