// The candidates of a search for the fastest plan: all combinations of open choices, ordered by estimate.
#include "plan/tune/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "exchange/strategy.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

constexpr std::size_t most_grids = 8;
constexpr int most_process_axes = 3;
const std::vector<int> chunk_counts{1, 2, 4};
const std::vector<int> send_batches{0, 1};

bool contains(const std::vector<Strategy>& list, Strategy strategy) {
  return std::find(list.begin(), list.end(), strategy) != list.end();
}

std::string names(const std::vector<Strategy>& list) {
  std::string text;
  for (const Strategy strategy : list) text += (text.empty() ? "" : ", ") + to_string(strategy);
  return text.empty() ? "none" : text;
}

bool has_exchange(const Schedule& schedule) {
  return std::any_of(schedule.exchanges.begin(), schedule.exchanges.end(),
                     [](const ExchangePlan& plan) { return plan.moves(); });
}

// A rank that sends to a single other rank cannot throttle its sends.
bool has_several_peers(const Schedule& schedule) {
  return std::any_of(schedule.exchanges.begin(), schedule.exchanges.end(),
                     [](const ExchangePlan& plan) { return plan.moves() && plan.near.grid()[plan.process_axis] > 2; });
}

bool has_fused_pass(const Schedule& schedule) {
  return std::any_of(schedule.passes.begin(), schedule.passes.end(),
                     [](const PassPlan& pass) { return pass.axes.size() > 1; });
}

// A grid that does not fit the axes is not a candidate.
std::optional<Schedule> possible_schedule(const ScheduleInput& input, const PlanOptions& options, int ranks) {
  try {
    return planned_schedule(input, options, ranks);
  } catch (const Error&) {
    return std::nullopt;
  }
}

class Enumeration {
 public:
  Enumeration(const ScheduleInput& input, const PlanOptions& given, const NodeMap& node_map, std::size_t bytes_per_real,
              const MachineModel& machine)
      : input_(input), given_(given), node_map_(node_map), bytes_per_real_(bytes_per_real), machine_(machine) {}

  std::vector<Candidate> with(const std::vector<Strategy>& strategies) {
    for (const std::vector<int>& grid : grids()) {
      PlanOptions options = given_;
      options.grid = grid;
      add_fusions(options, strategies);
    }
    return std::move(found_);
  }

 private:
  double estimate(const Schedule& schedule, Strategy strategy, int chunks) const {
    return predicted(schedule, {node_map_, bytes_per_real_, strategy, chunks, {}}, machine_, Work::pair).seconds();
  }

  // The user's grid, or the best by estimate.
  std::vector<std::vector<int>> grids() const {
    if (!given_.grid.empty()) return {given_.grid};
    std::vector<std::pair<double, std::vector<int>>> ranked;
    const int most = std::clamp(static_cast<int>(input_.axes.size()) - 1, 1, most_process_axes);
    for (const std::vector<int>& grid : factorisations(node_map_.ranks, most)) {
      PlanOptions options = given_;
      options.grid = grid;
      const auto schedule = possible_schedule(input_, options, node_map_.ranks);
      if (schedule) ranked.emplace_back(estimate(*schedule, Strategy::alltoallv, 1), grid);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::vector<int>> best;
    for (std::size_t i = 0; i < std::min(ranked.size(), most_grids); i++) best.push_back(ranked[i].second);
    return best;
  }

  void add_fusions(PlanOptions options, const std::vector<Strategy>& strategies) {
    const Schedule schedule = planned_schedule(input_, options, node_map_.ranks);
    add_strategies(options, schedule, strategies);
    if (!options.fuse || !has_fused_pass(schedule)) return;
    options.fuse = false;
    add_strategies(options, planned_schedule(input_, options, node_map_.ranks), strategies);
  }

  void add_strategies(PlanOptions options, const Schedule& schedule, const std::vector<Strategy>& strategies) {
    if (!has_exchange(schedule)) {
      options.chunks = std::max(options.chunks, 1);
      found_.push_back({options, estimate(schedule, options.strategy, 1)});
      return;
    }
    for (const Strategy strategy : strategies) {
      options.strategy = strategy;
      for (const int chunks : chunks_of(strategy)) {
        options.chunks = chunks;
        add_batches(options, schedule, estimate(schedule, strategy, chunks));
      }
    }
  }

  // The estimate does not depend on batches, so the search tries them in this order.
  void add_batches(PlanOptions options, const Schedule& schedule, double seconds) {
    if (!std::isfinite(seconds)) return;
    for (const int batch : batches_of(options.strategy, schedule)) {
      options.send_batch = batch;
      found_.push_back({options, seconds});
    }
  }

  // Without messages there is nothing to cut.
  std::vector<int> chunks_of(Strategy strategy) const {
    const bool sends = strategy != Strategy::shared && !(strategy == Strategy::automatic && node_map_.one_node());
    if (!chooses_chunks(given_)) return {given_.chunks};
    return sends ? chunk_counts : std::vector<int>{1};
  }

  // If at most one message is pending, messages start one by one anyway.
  std::vector<int> batches_of(Strategy strategy, const Schedule& schedule) const {
    const bool open = given_.send_batch == 0 && given_.max_pending != 1;
    return open && row_of(strategy).throttles_sends && has_several_peers(schedule)
               ? send_batches
               : std::vector<int>{given_.send_batch};
  }

  const ScheduleInput& input_;
  const PlanOptions& given_;
  const NodeMap& node_map_;
  std::size_t bytes_per_real_;
  const MachineModel& machine_;
  std::vector<Candidate> found_;
};

// In place on one node all ranks work in one array, or `automatic` gives the reason why not: messages would take more
// memory.
std::vector<Strategy> strategies_of(const PlanOptions& given, const TuneFilter& filter, const NodeMap& node_map) {
  if (given.strategy != Strategy::automatic || (given.in_place && node_map.one_node())) return {given.strategy};
  std::vector<Strategy> left;
  for (const Strategy strategy : all_strategies()) {
    const bool wanted = filter.include.empty() || contains(filter.include, strategy);
    if (wanted && !contains(filter.exclude, strategy) &&
        (given.wire == Wire::same || row_of(strategy).packs_messages()))
      left.push_back(strategy);
  }
  return left;
}

std::vector<Candidate> in_rounds(std::vector<Candidate> all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.estimate < b.estimate; });
  std::map<Strategy, int> seen;
  std::map<std::pair<int, std::size_t>, Candidate> ranked;
  for (std::size_t i = 0; i < all.size(); i++) ranked[{seen[all[i].options.strategy]++, i}] = std::move(all[i]);
  std::transform(ranked.begin(), ranked.end(), all.begin(), [](auto& entry) { return std::move(entry.second); });
  return all;
}

}  // namespace

bool chooses_chunks(const PlanOptions& options) {
  return options.chunks == 0 ||
         (options.chunks == 1 && options.strategy == Strategy::automatic && options.effort != Effort::estimate);
}

std::vector<std::vector<int>> factorisations(int ranks, int most) {
  std::vector<std::vector<int>> result{{ranks}};
  if (most < 2) return result;
  for (int first = 1; first < ranks; first++) {
    if (ranks % first != 0) continue;
    for (std::vector<int> rest : factorisations(ranks / first, most - 1)) {
      rest.insert(rest.begin(), first);
      result.push_back(std::move(rest));
    }
  }
  return result;
}

std::vector<Candidate> candidates(const ScheduleInput& input, const PlanOptions& given, const TuneFilter& filter,
                                  const NodeMap& node_map, std::size_t bytes_per_real, const MachineModel& machine) {
  const std::vector<Strategy> strategies = strategies_of(given, filter, node_map);
  std::vector<Candidate> found = Enumeration(input, given, node_map, bytes_per_real, machine).with(strategies);
  require(!found.empty(), "include, exclude: no strategy is left that is possible on " +
                              std::to_string(node_map.ranks) + " ranks, " + std::to_string(node_map.node_ranks) +
                              " a node (included: " + (filter.include.empty() ? "all" : names(filter.include)) +
                              "; excluded: " + names(filter.exclude) + "); allow one more, such as alltoallv");
  return in_rounds(std::move(found));
}

}  // namespace weft
