// Explains plans and solvers for absent ranks.
#include "plan/run/explain_absent.hpp"

#include <algorithm>
#include <utility>

#include "base/wrap.hpp"
#include "exchange/sharing.hpp"
#include "plan/arguments.hpp"
#include "plan/line/line_shape.hpp"
#include "plan/run/in_place.hpp"
#include "plan/run/step_text.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "plan/tune/tuning_file.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

// The checks and choices of a plan before it makes a pipeline.
Tuning tuned_absent(const ScheduleInput& input, const PlanOptions& options, Work work, const AbsentRanks& ranks) {
  if (work == Work::pair) {
    const auto node_map = [&] { return ranks.node_map; };
    if (auto known = tuning_in_file(Comm(MPI_COMM_SELF), node_map, input, options, ranks.bytes_per_real))
      return *std::move(known);
  }
  Setting setting{ranks.node_map, ranks.machine, ranks.bytes_per_real};
  setting.one_node = options.node_ranks == 0 && ranks.node_map.one_node();
  return estimated(planned_schedule(input, options, ranks.node_map.ranks), options, work, setting);
}

class Explainer {
 public:
  Explainer(Schedule schedule, const PlanOptions& options, const AbsentRanks& ranks)
      : schedule_(std::move(schedule)), options_(options), ranks_(ranks), shares_array_(works_in_one_array()) {
    if (!shares_array_)
      for (const ExchangePlan& plan : schedule_.exchanges) found_.chunks = std::max(found_.chunks, plan.chunks);
    const Strategy strategy = shares_array_ ? Strategy::shared : options.strategy;
    predicted_ = predicted(schedule_, {ranks.node_map, ranks.bytes_per_real, strategy, found_.chunks, {}},
                           ranks.machine, Work::forward);
  }

  Explanation explain() {
    const ProcessGrid& grid = schedule_.physical.grid();
    for (int axis = 0; axis < grid.dims(); axis++) found_.grid.push_back(grid[axis]);
    found_.text = layouts_text(schedule_) + head();
    for (std::size_t i = 0; i < schedule_.passes.size(); i++) {
      found_.text += "  pass      " + pass_text(i) + "\n";
      if (i < schedule_.exchanges.size()) found_.text += "  exchange  " + exchange_text(i) + "\n";
    }
    if (shares_array_ && ranks_.node_map.ranks > 1) found_.strategy = "shared";
    if (found_.strategy.empty()) found_.strategy = "none";
    return std::move(found_);
  }

 private:
  // In place on one node all ranks work in one array.
  bool works_in_one_array() const {
    if (!options_.in_place) return false;
    check_in_place(schedule_);
    const Strategy asked = options_.strategy;
    if (ranks_.node_map.ranks == 1) return true;
    if (asked == Strategy::shared && !ranks_.node_map.one_node()) refuse_sharing(ranks_.node_map.ranks);
    return ranks_.node_map.one_node() && (asked == Strategy::automatic || asked == Strategy::shared);
  }

  [[noreturn]] static void refuse_sharing(int ranks) {
    throw Error(Fault::resource, impossible(Strategy::shared, no_common_node(ranks)));
  }

  std::string head() const {
    const NodeMap& node_map = ranks_.node_map;
    return std::to_string(node_map.ranks) + " ranks, " + std::to_string(node_map.threads) + " threads each, " +
           std::to_string(node_map.node_ranks) + " ranks a node; per direction, computed for rank " +
           std::to_string(ranks_.rank) + ":\n";
  }

  std::string pass_text(std::size_t i) const {
    const PassPlan& pass = schedule_.passes[i];
    Extents box = pass.before.box(ranks_.rank).extents();
    const index_t loaded = box.product() * pass.width_before,
                  stored = pass.after.box(ranks_.rank).size() * pass.width_after;
    std::string text;
    double flops = 0;
    for (const int axis : pass.axes) {
      const AxisTransform& transform = schedule_.axes[static_cast<std::size_t>(axis)];
      box[axis] = 1;
      const index_t lines = box.product();
      text += (text.empty() ? "" : " + ") + lines_text(axis, transform, lines);
      flops += lines_flops(transform, lines);
      box[axis] = transform.modes;
    }
    const double bytes = static_cast<double>(loaded + stored) * static_cast<double>(ranks_.bytes_per_real);
    return text + "; " + work_text(bytes, flops) + predicted_text(predicted_.passes[i]);
  }

  // The strategy that the plan would take for `automatic`, for the same reasons.
  Strategy strategy_of(const ExchangePlan& plan) const {
    const Strategy asked = options_.strategy;
    if (asked != Strategy::automatic && asked != Strategy::shared) return asked;
    if (lines_share_nodes(plan, ranks_.node_map.node_ranks)) return Strategy::shared;
    if (asked == Strategy::shared) refuse_sharing(plan.near.grid()[plan.process_axis]);
    return Strategy::alltoallv;
  }

  // Numbers sent in single precision take half of the bytes; numbers read in shared memory do not.
  index_t bytes_sent(const ExchangePlan& plan, Strategy strategy, const PeerTraffic& traffic) const {
    const bool narrow = options_.wire == Wire::single && strategy != Strategy::shared;
    const std::size_t real = narrow ? sizeof(float) : ranks_.bytes_per_real;
    if (strategy == Strategy::multistage) return multistage_bytes(plan, ranks_.rank, real);
    return traffic.all / static_cast<index_t>(ranks_.bytes_per_real) * static_cast<index_t>(real);
  }

  std::string exchange_text(std::size_t i) {
    const ExchangePlan& plan = schedule_.exchanges[i];
    const PeerTraffic traffic =
        peer_traffic(plan, ranks_.rank, ranks_.bytes_per_real, [this](int peer) { return is_near(peer); });
    if (shares_array_) {
      found_.bytes_sent += traffic.all;
      return in_place_text(plan) + predicted_text(predicted_.exchanges[i]);
    }
    if (!plan.moves()) return "none" + axes_text(plan) + sent_text(0) + predicted_text(predicted_.exchanges[i]);
    const Strategy strategy = strategy_of(plan);
    const index_t sent = bytes_sent(plan, strategy, traffic);
    found_.bytes_sent += sent;
    add_strategy(found_.strategy, to_string(strategy));
    std::string text = to_string(strategy) + axes_text(plan) + sent_text(sent) + peers_text(traffic);
    if (!ranks_.node_map.one_node()) text += between_text(traffic, sent);
    text += chunks_text(plan);
    const int peers = plan.near.grid()[plan.process_axis];
    if (strategy == Strategy::hierarchical)
      text += ", " + messages_between_nodes(traffic.far_peers, peers, options_.between_nodes);
    if (options_.strategy == Strategy::automatic && strategy != Strategy::shared)
      text += " (not shared: " + no_common_node(peers) + ")";
    return text + predicted_text(predicted_.exchanges[i]);
  }

  bool is_near(int peer) const { return peer / ranks_.node_map.node_ranks == ranks_.rank / ranks_.node_map.node_ranks; }

  Schedule schedule_;
  const PlanOptions& options_;
  const AbsentRanks& ranks_;
  bool shares_array_;
  Prediction predicted_;
  Explanation found_;
};

void check_absent(const PlanOptions& options, const AbsentRanks& ranks) {
  const NodeMap& node_map = ranks.node_map;
  require(ranks.rank >= 0 && ranks.rank < node_map.ranks, "rank: " + std::to_string(ranks.rank) + " is none of " +
                                                              std::to_string(node_map.ranks) + " ranks; give 0 to " +
                                                              std::to_string(node_map.ranks - 1));
  require(options.effort == Effort::estimate, "effort: '" + to_string(options.effort) +
                                                  "' times plans on ranks, and none are started; give 'estimate', or "
                                                  "make the plan and let it explain itself");
  require(options.output != Output::natural, "output: '" + to_string(options.output) +
                                                 "' is not explained without ranks; omit it, or make the plan and let "
                                                 "it explain itself");
}

// A long line is exchanged before its columns, between columns and rows, and after the rows unless scrambled. A line
// that goes forward and backward through a longer one is exchanged twice as often.
Explanation explain_line(const ScheduleInput& input, const PlanOptions& options, const AbsentRanks& ranks) {
  const int size = ranks.node_map.ranks;
  const Schedule schedule = line_schedule(input, size);
  const LongLine line = line_of(schedule, options).complex_line();
  const bool longer = !LineShape(line.n).is_balanced();
  const LineShape shape(longer ? line.chirp_length() : line.n);
  const index_t rows = Partition(shape.rows, size, line.scheme).range(ranks.rank).size(),
                columns = Partition(shape.columns, size, line.scheme).range(ranks.rank).size(),
                number_bytes = 2 * static_cast<index_t>(ranks.bytes_per_real);
  const index_t to_columns = rows * (shape.columns - columns) * number_bytes,
                to_rows = columns * (shape.rows - rows) * number_bytes;
  const bool scrambled = longer || line.order == LineOrder::scrambled;
  const auto step = [](const std::string& name, const std::string& what) { return "  " + name + what + "\n"; };
  const auto pass = [&](index_t length, index_t lines) {
    return step("pass      ", lines_text(0, whole_axis(Kind::c2c, length, 0), lines));
  };
  Explanation found;
  found.grid = {size};
  found.strategy = size == 1 ? "none" : "redistribution";
  found.bytes_sent = (longer ? 2 : 1) * (to_columns + to_rows + (scrambled ? 0 : to_columns));
  found.text = layouts_text(schedule) + "the line is a matrix of " + std::to_string(shape.rows) + " x " +
               std::to_string(shape.columns) + " complex numbers" +
               (longer ? ", for a convolution with a chirp: forward and backward through it\n" : "\n") +
               step("exchange  ", "rows -> columns" + sent_text(to_columns)) + pass(shape.rows, columns) +
               step("roots     ", "of unity, and a transposition") +
               step("exchange  ", "columns -> rows" + sent_text(to_rows)) + pass(shape.columns, rows);
  if (!scrambled)
    found.text += step("exchange  ", "rows -> columns, in the order of the modes" + sent_text(to_columns));
  return found;
}

}  // namespace

Explanation explain_absent(ScheduleInput input, const PlanOptions& options, Work work, const AbsentRanks& ranks) {
  check_absent(options, ranks);
  if (work == Work::pair && is_long_line(input, options)) return explain_line(input, options, ranks);
  const Tuning tuning = tuned_absent(input, options, work, ranks);
  Schedule schedule = planned_schedule(std::move(input), tuning.options, ranks.node_map.ranks);
  Explanation found = Explainer(std::move(schedule), tuning.options, ranks).explain();
  if (work == Work::solve) {
    found.bytes_sent *= 2;
    found.text += "  symbol    Green's function, multiplied inside the last pass; then all steps backward\n";
  }
  found.text = wrapped(found.text + summary(tuning));
  return found;
}

}  // namespace weft
