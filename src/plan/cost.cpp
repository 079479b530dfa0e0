// Predicts the seconds of a plan: flops or memory traffic of its passes, messages of its exchanges.
#include "plan/cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft {

namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

// The extents of the largest box of a layout.
Extents largest_box(const Layout& layout) {
  Extents extents = layout.extents();
  for (int axis = 0; axis < layout.dims(); axis++) {
    const int process_axis = layout.process_axis(axis);
    if (process_axis == Layout::uncut) continue;
    const int parts = layout.grid()[process_axis];
    extents[axis] = (extents[axis] + parts - 1) / parts;
  }
  return extents;
}

double bytes_of(const Layout& layout, int width, std::size_t bytes_per_real) {
  return static_cast<double>(largest_box(layout).product()) * width * static_cast<double>(bytes_per_real);
}

double pass_seconds(const Schedule& schedule, const PassPlan& pass, std::size_t bytes_per_real, int threads,
                    const MachineRates& rates) {
  Extents local = largest_box(pass.before);
  double flops = 0;
  for (const int axis : pass.axes) {
    const AxisTransform& transform = schedule.axes[static_cast<std::size_t>(axis)];
    const double lines = static_cast<double>(local.product()) / static_cast<double>(std::max<index_t>(local[axis], 1));
    const double n = static_cast<double>(std::max<index_t>(transform.length, 2));
    flops += lines * (transform.kind == Kind::c2c || pass.width_before == 2 ? 5 : 2.5) * n * std::log2(n);
    local[axis] = transform.modes;
  }
  const double bytes =
      bytes_of(pass.before, pass.width_before, bytes_per_real) + bytes_of(pass.after, pass.width_after, bytes_per_real);
  return std::max(flops / (rates.flops * threads), bytes / rates.memory);
}

// What a rank sends in one exchange.
struct LineTraffic {
  double inside = 0, between = 0;  // seconds of the bytes
  int peers = 1;                   // ranks of the line, this one included
  int near_peers = 1;              // those on this node
  double memory = 0;               // seconds in which the rank's part is loaded and stored once
};

// The ranks of a line along a process axis lie as far apart as the later dimensions of the grid say.
LineTraffic traffic_of(const ExchangePlan& plan, std::size_t bytes_per_real, const Placement& placement,
                       const MachineRates& rates) {
  const ProcessGrid& grid = plan.near.grid();
  LineTraffic traffic;
  traffic.peers = grid[plan.process_axis];
  int distance = 1;
  for (int axis = plan.process_axis + 1; axis < grid.dims(); axis++) distance *= grid[axis];
  traffic.near_peers = std::clamp((placement.node_ranks + distance - 1) / distance, 1, traffic.peers);
  const double bytes =
      std::max(bytes_of(plan.near, plan.width, bytes_per_real), bytes_of(plan.far, plan.width, bytes_per_real));
  const double block = bytes / traffic.peers;
  traffic.inside = block * (traffic.near_peers - 1) / rates.inside;
  traffic.between = block * (traffic.peers - traffic.near_peers) / rates.between;
  traffic.memory = 2 * bytes / rates.memory;
  return traffic;
}

double stages_of(int ranks) { return std::ceil(std::log2(static_cast<double>(ranks))); }

// Seconds of an exchange, and those of them that can pass behind other work.
struct ExchangeCost {
  double seconds = 0, hidden = 0;
};

ExchangeCost barriers(int ranks, const MachineRates& rates) { return {2 * stages_of(ranks) * rates.latency_inside, 0}; }

ExchangeCost messages(const LineTraffic& t, double share, int chunks, const MachineRates& rates) {
  const double starts =
      chunks * ((t.near_peers - 1) * rates.latency_inside + (t.peers - t.near_peers) * rates.latency_between);
  return {(t.inside + t.between) / share + starts, rates.overlapped_share * t.between};
}

// Half of the data in every stage, packed and unpacked each time.
ExchangeCost multistage(const LineTraffic& t, int chunks, const MachineRates& rates) {
  const double latency = t.near_peers == t.peers ? rates.latency_inside : rates.latency_between;
  const double sent = (t.inside + t.between) * t.peers / std::max(t.peers - 1, 1) / 2;
  return {stages_of(t.peers) * (sent + t.memory + chunks * latency), rates.overlapped_share * t.between};
}

ExchangeCost hierarchical(const LineTraffic& t, int chunks, const MachineRates& rates) {
  LineTraffic far = t;
  far.inside = 0;
  const double starts = chunks * (t.peers - t.near_peers) * rates.latency_between;
  return {barriers(t.near_peers, rates).seconds + far.between + starts, rates.overlapped_share * t.between};
}

ExchangeCost exchange_cost(const LineTraffic& t, Strategy strategy, int chunks, const Placement& placement,
                           const MachineRates& rates) {
  const bool one_node = t.near_peers == t.peers;
  switch (strategy) {
    case Strategy::automatic:
      return one_node ? barriers(t.peers, rates) : messages(t, 1, chunks, rates);
    case Strategy::shared:
      return one_node ? barriers(t.peers, rates) : ExchangeCost{impossible, 0};
    case Strategy::hierarchical:
      if (placement.one_node() || placement.node_ranks == 1) return {impossible, 0};
      return hierarchical(t, chunks, rates);
    case Strategy::multistage:
      return multistage(t, chunks, rates);
    case Strategy::alltoallw:
    case Strategy::datatype:
      return messages(t, rates.datatype_share, chunks, rates);
    default:
      return messages(t, 1, chunks, rates);
  }
}

}  // namespace

Cost estimated_cost(const Schedule& schedule, std::size_t bytes_per_real, const Placement& placement, Strategy strategy,
                    int chunks, const MachineRates& rates) {
  std::vector<double> passes;
  Cost cost;
  for (const PassPlan& pass : schedule.passes) {
    passes.push_back(pass_seconds(schedule, pass, bytes_per_real, placement.threads, rates));
    cost.passes += passes.back();
  }
  for (std::size_t i = 0; i < schedule.exchanges.size(); i++) {
    const ExchangePlan& plan = schedule.exchanges[i];
    if (plan.process_axis < 0 || plan.near.grid()[plan.process_axis] == 1) continue;
    const ExchangeCost exchange =
        exchange_cost(traffic_of(plan, bytes_per_real, placement, rates), strategy, chunks, placement, rates);
    // Of M chunks all but one are under way while the passes on both sides work (Ayala and Wang 2013, eq. 10).
    const double hidden = std::min(exchange.hidden, passes[i] + passes[i + 1]) * (chunks - 1) / chunks;
    cost.exchanges += exchange.seconds - hidden;
  }
  return cost;
}

}  // namespace weft
