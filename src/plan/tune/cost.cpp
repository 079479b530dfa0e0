// Predicts the seconds of a plan: flops and memory traffic of its passes, messages of its exchanges.
#include "plan/tune/cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "exchange/strategy.hpp"
#include "plan/schedule/traffic.hpp"
#include "transform/engine/lane_dft_tables.hpp"

namespace weft {

namespace {

constexpr double word = sizeof(double);

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

// --- passes --------------------------------------------------------------------------------------------------------

// The ratio of the time of a line to that of a smooth length nearby: large primes have stages of their own.
double awkwardness(double n) {
  const auto per_flop = [](index_t length) {
    const auto points = static_cast<double>(length);
    return lane_cost(length) / (points * std::log2(points));
  };
  index_t smooth = 2;
  while (smooth < static_cast<index_t>(n)) smooth *= 2;
  return std::max(1.0, per_flop(static_cast<index_t>(n)) / per_flop(smooth));
}

// Flops of one direction, and the seconds that they take.
void add_transforms(const Schedule& schedule, const PassPlan& pass, const MachineModel& machine, StepCost& cost) {
  Extents local = largest_box(pass.before);
  int width = pass.width_before;
  for (const int axis : pass.axes) {
    const AxisTransform& transform = schedule.axes[static_cast<std::size_t>(axis)];
    const double lines = static_cast<double>(local.product()) / static_cast<double>(std::max<index_t>(local[axis], 1));
    const double n = static_cast<double>(std::max<index_t>(transform.length, 2));
    const bool complex_lines = width == 2;
    // Zeros in the second half of a padded line save the first of its log2 n levels.
    const bool padded = is_fourier(transform.kind) && transform.count < transform.length;
    // An axis without a transform has an elimination and a substitution.
    const bool differences = transform.kind == Kind::none;
    const double levels =
        differences ? 2 : std::log2(padded ? static_cast<double>(std::max<index_t>(transform.count, 2)) : n);
    const double flops = lines * (complex_lines ? 5 : 2.5) * n * levels;
    cost.flops += flops;
    cost.arithmetic += flops * machine.line_t_c(complex_lines, n) * (differences ? 1 : awkwardness(n));
    local[axis] = transform.modes;
    if (is_fourier(transform.kind)) width = 2;
  }
}

// The planes between two fused axes, in one direction.
void add_planes(const Schedule& schedule, const PassPlan& pass, std::size_t bytes_per_real, StepCost& cost) {
  if (pass.axes.size() < 2) return;
  const AxisTransform& first = schedule.axes[static_cast<std::size_t>(pass.axes[0])];
  const int width = is_fourier(first.kind) ? 2 : pass.width_before;
  Extents middle = largest_box(pass.before);
  middle[pass.axes[0]] = first.modes;
  const double element = width * static_cast<double>(bytes_per_real);
  cost.plane_bytes = static_cast<double>(middle[pass.axes[0]] * middle[pass.axes[1]]) * element;
  cost.through_planes = static_cast<double>(middle.product()) * element;
}

StepCost pass_cost(const Schedule& schedule, std::size_t i, const Conditions& conditions, const MachineModel& machine,
                   Work work) {
  const PassPlan& pass = schedule.passes[i];
  const bool turns = work == Work::solve && i + 1 == schedule.passes.size();
  const double ways = work == Work::forward ? 1 : 2;
  const double before = bytes_of(pass.before, pass.width_before, conditions.bytes_per_real),
               after = bytes_of(pass.after, pass.width_after, conditions.bytes_per_real);
  StepCost cost;
  add_transforms(schedule, pass, machine, cost);
  const double real_speed = static_cast<double>(conditions.bytes_per_real) / word;  // lanes hold more of shorter reals
  cost.flops *= ways;
  cost.arithmetic *= ways * real_speed / conditions.node_map.threads;
  cost.memory_bytes = turns ? 2 * before : ways * (before + after);
  if (conditions.software.memory) {
    const double touched = turns ? before : before + after;
    cost.memory = cost.memory_bytes / 2 / word / conditions.node_map.threads *
                  machine.copy_seconds(touched / conditions.node_map.threads, conditions.node_map.busy_cores());
  }
  const auto [less, more] = std::minmax(cost.arithmetic, cost.memory);
  cost.computing = more + (1 - machine.hidden_memory) * less;
  if (!conditions.software.memory) return cost;
  // Planes may exceed a core's cache, and their data are not prefetched.
  add_planes(schedule, pass, conditions.bytes_per_real, cost);
  cost.through_planes *= ways;
  cost.computing += cost.through_planes / word / conditions.node_map.threads *
                    machine.plane_seconds(cost.plane_bytes, conditions.node_map.busy_cores());
  return cost;
}

// --- exchanges -----------------------------------------------------------------------------------------------------

// An exchange of one line of a process grid, seen from one rank.
struct LineTraffic {
  LineExchange line;
  double near_peers = 1;  // ranks of its line on its node, including itself
  double held = 0;        // bytes
  double inside() const { return line.block * (near_peers - 1); }
  double between() const { return line.block * (line.peers - near_peers); }
  double sent() const { return line.block * (line.peers - 1); }
  bool one_node() const { return near_peers >= line.peers; }
};

// The distance between the ranks of a line along a process axis is the product of the later dimensions of the grid.
LineTraffic line_traffic(const ExchangePlan& plan, const Conditions& conditions) {
  const ProcessGrid& grid = plan.near.grid();
  LineTraffic traffic;
  traffic.line.ranks = conditions.node_map.ranks;
  traffic.line.node_ranks = conditions.node_map.node_ranks;
  traffic.line.peers = grid[plan.process_axis];
  for (int axis = plan.process_axis + 1; axis < grid.dims(); axis++) traffic.line.stride *= grid[axis];
  traffic.near_peers = near_peers(grid, plan.process_axis, traffic.line.node_ranks);
  traffic.held = std::max(bytes_of(plan.near, plan.width, conditions.bytes_per_real),
                          bytes_of(plan.far, plan.width, conditions.bytes_per_real));
  traffic.line.block = traffic.held / traffic.line.peers;
  return traffic;
}

double stages_of(int ranks) { return std::ceil(std::log2(static_cast<double>(ranks))); }

double barrier_seconds(int ranks, const MachineModel& machine) { return 2 * stages_of(ranks) * machine.inside.t_s; }

// Adds copies around messages, and messages to other nodes: the longer time of the rank and of the slowest link.
class ExchangeModel {
 public:
  ExchangeModel(const LineTraffic& traffic, const Conditions& conditions, const MachineModel& machine)
      : t_(traffic), conditions_(conditions), machine_(machine) {}

  StepCost cost() const {
    switch (conditions_.strategy) {
      case Strategy::automatic:
        return t_.one_node() ? shared() : messages(Strategy::alltoallv);
      case Strategy::shared:
        return t_.one_node() ? shared() : impossible();
      case Strategy::hierarchical:
        return conditions_.node_map.one_node() || conditions_.node_map.node_ranks == 1 ? impossible() : hierarchical();
      case Strategy::multistage:
        return multistage();
      default:
        return messages(conditions_.strategy);
    }
  }

 private:
  static StepCost impossible() {
    StepCost cost;
    cost.possible = false;
    return cost;
  }

  StepCost shared() const {
    StepCost cost;
    add_shared(cost);
    cost.latency = barrier_seconds(t_.line.peers, machine_);
    return cost;
  }

  void add_shared(StepCost& cost) const {
    cost.shared_bytes = t_.inside();
    cost.inside += cost.shared_bytes / word * machine_.shared_t_a;
  }

  void add_copies(StepCost& cost) const {
    const Software& software = conditions_.software;
    cost.copied_bytes = software.sent_copies * t_.sent() + software.held_copies * t_.held;
    cost.copying = cost.copied_bytes / word / conditions_.node_map.threads *
                   machine_.copy_seconds(2 * t_.held, conditions_.node_map.busy_cores());
  }

  void add_inside(StepCost& cost, double bytes, double share) const {
    cost.inside_bytes += bytes;
    cost.inside += conditions_.software.sends * bytes / word * machine_.inside.t_w / share;
    cost.messages += conditions_.chunks * (t_.near_peers - 1);
    cost.latency += conditions_.software.starts * conditions_.chunks * (t_.near_peers - 1) * machine_.inside.t_s;
  }

  // A measured speed also holds for a link that ranks share.
  void add_between(StepCost& cost, Strategy strategy) const {
    const double share = machine_.strategy_times(strategy).speed, link_share = machine_.measured(strategy) ? share : 1;
    const double starts = conditions_.chunks * (t_.line.peers - t_.near_peers);
    cost.between_bytes = t_.between();
    cost.link = most_loaded_link(t_.line, machine_.network);
    cost.network = std::max(conditions_.software.sends * t_.between() / word * machine_.between.t_w / share,
                            link_seconds(cost.link.bytes_per_link()) / link_share);
    cost.messages += starts;
    cost.latency += conditions_.software.starts * starts * machine_.between.t_s;
  }

  double link_seconds(double bytes) const { return machine_.network.link > 0 ? bytes / machine_.network.link : 0; }

  StepCost messages(Strategy strategy) const {
    StepCost cost;
    add_copies(cost);
    add_inside(cost, t_.inside(), row_of(strategy).packs_messages() ? 1 : machine_.datatype_share);
    add_between(cost, strategy);
    return cost;
  }

  StepCost hierarchical() const {
    StepCost cost;
    add_copies(cost);
    add_shared(cost);
    add_between(cost, Strategy::hierarchical);
    cost.latency += barrier_seconds(static_cast<int>(t_.near_peers), machine_);
    return cost;
  }

  // Every stage packs, sends and unpacks half of the data: stage k to the rank 2^k places after. In a group of
  // consecutive ranks, those ranks send out of the group whose receivers lie beyond its end.
  StepCost multistage() const {
    StepCost cost;
    add_copies(cost);
    const double half = t_.held / 2, stages = stages_of(t_.line.peers);
    for (int stage = 0; stage < static_cast<int>(stages); stage++) {
      const double distance = std::pow(2.0, stage) * t_.line.stride;
      const auto leaving = [&](double ranks) { return std::min(distance, ranks); };
      const double outside = t_.one_node() ? 0 : half * leaving(t_.line.node_ranks) / t_.line.node_ranks;
      cost.inside_bytes += half - outside;
      cost.between_bytes += outside;
      cost.inside += conditions_.software.sends * (half - outside) / word * machine_.inside.t_w;
      const double speed = machine_.strategy_times(Strategy::multistage).speed;
      double slowest = conditions_.software.sends * outside / word * machine_.between.t_w / speed;
      const auto take = [&](double ranks, double links) {
        if (t_.one_node()) return;
        const LinkLoad found{half * leaving(ranks), links, "stage"};
        if (found.bytes_per_link() > cost.link.bytes_per_link()) cost.link = found;
        slowest = std::max(slowest, link_seconds(found.bytes_per_link()));
      };
      take(t_.line.node_ranks, 1);
      for (const NodeGroup& group : machine_.network.groups)
        if (group.nodes * static_cast<double>(t_.line.node_ranks) < t_.line.ranks)
          take(group.nodes * static_cast<double>(t_.line.node_ranks), group.links);
      cost.network += slowest;
    }
    // The data are packed, sent and unpacked stage by stage.
    const double packed = 2 * stages * half;
    cost.copied_bytes += packed;
    cost.copying += packed / word * machine_.copy_seconds(2 * t_.held, conditions_.node_map.busy_cores());
    cost.messages = conditions_.chunks * stages;
    cost.latency =
        conditions_.software.starts * cost.messages * (t_.one_node() ? machine_.inside.t_s : machine_.between.t_s);
    return cost;
  }

  const LineTraffic& t_;
  const Conditions& conditions_;
  const MachineModel& machine_;
};

void take_twice(StepCost& cost) {
  for (double* part :
       {&cost.copied_bytes, &cost.shared_bytes, &cost.inside_bytes, &cost.between_bytes, &cost.link.bytes,
        &cost.messages, &cost.copying, &cost.inside, &cost.network, &cost.latency, &cost.hidden})
    *part *= 2;
}

}  // namespace

double StepCost::seconds() const {
  if (!possible) return std::numeric_limits<double>::infinity();
  return computing + copying + inside + network + latency - hidden;
}

double Prediction::pass_seconds() const {
  return std::accumulate(passes.begin(), passes.end(), 0.0,
                         [](double sum, const StepCost& cost) { return sum + cost.seconds(); });
}

double Prediction::exchange_seconds() const {
  return std::accumulate(exchanges.begin(), exchanges.end(), 0.0,
                         [](double sum, const StepCost& cost) { return sum + cost.seconds(); });
}

Prediction predicted(const Schedule& schedule, const Conditions& conditions, const MachineModel& machine, Work work) {
  Prediction prediction;
  for (std::size_t i = 0; i < schedule.passes.size(); i++)
    prediction.passes.push_back(pass_cost(schedule, i, conditions, machine, work));
  for (std::size_t i = 0; i < schedule.exchanges.size(); i++) {
    const ExchangePlan& plan = schedule.exchanges[i];
    StepCost& cost = prediction.exchanges.emplace_back();
    if (!plan.moves()) continue;
    cost = ExchangeModel(line_traffic(plan, conditions), conditions, machine).cost();
    if (work != Work::forward) take_twice(cost);
    // All but one of M chunks move while the passes on both sides work (Ayala and Wang 2013, eq. 10).
    const Strategy strategy = conditions.strategy == Strategy::automatic ? Strategy::alltoallv : conditions.strategy;
    const double beside = prediction.passes[i].seconds() + prediction.passes[i + 1].seconds();
    cost.hidden = std::min(machine.strategy_times(strategy).overlapped * cost.network, beside) *
                  (conditions.chunks - 1) / conditions.chunks;
  }
  return prediction;
}

}  // namespace weft
