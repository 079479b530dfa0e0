// Builds schedules: the cuts of the axes, the fused passes, and the exchanges.
#include "plan/schedule/schedule.hpp"

#include <algorithm>
#include <utility>

#include "plan/schedule/traffic.hpp"
#include "weft/error.hpp"

namespace weft {

std::vector<int> cutting_sequence(const ScheduleInput& input) {
  const auto holds = [](const std::vector<int>& axes, int axis) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  };
  std::vector<int> sequence = input.order, single;
  for (int axis = static_cast<int>(input.axes.size()) - 1; axis >= 0; axis--)
    if (!holds(input.order, axis) && !holds(input.batch_axes, axis))
      (input.axes[static_cast<std::size_t>(axis)].points == 1 ? single : sequence).push_back(axis);
  sequence.insert(sequence.begin() + (input.order.empty() ? 0 : 1), single.begin(), single.end());
  return sequence;
}

namespace {

Extents points_of(const std::vector<AxisTransform>& axes) {
  Extents extents;
  for (const AxisTransform& axis : axes) extents.push_back(axis.points);
  return extents;
}

// Process axis j cuts the j-th axis from the end of the sequence. In a padded problem the second and the last axis are
// swapped: a slab is then exchanged before the data grow for the second time, and a pencil does the larger one of its
// two exchanges along the last process axis, whose ranks are consecutive and so share nodes. A process axis without an
// array axis has all data on coordinate 0.
Layout physical_layout(const ScheduleInput& input) {
  std::vector<int> sequence = cutting_sequence(input);
  if (input.padded) std::swap(sequence[1], sequence.back());
  const std::size_t free_axes = input.order.empty() ? sequence.size() : sequence.size() - 1;
  std::vector<int> cut;
  for (int j = 0; j < input.grid.dims(); j++) {
    // In a padded problem the last two axes are fused if one rank holds both.
    const bool undivided = input.padded && j > 0 && input.grid[j] == 1;
    const bool possible = static_cast<std::size_t>(j) < free_axes && !undivided;
    require(possible || input.grid[j] == 1 || free_axes == 0,
            "grid: " + to_string(input.grid) + " has more dimensions than there are axes to cut (" +
                std::to_string(free_axes) + "); give at most that many");
    cut.push_back(possible && input.grid[j] > 1 ? sequence[sequence.size() - 1 - static_cast<std::size_t>(j)]
                                                : Layout::uncut);
  }
  return {points_of(input.axes), input.grid, cut, input.scheme};
}

class Builder {
 public:
  explicit Builder(const ScheduleInput& input) : input_(input), width_(input.width) {
    schedule_.axes = input.axes;
    schedule_.components = input.components;
    schedule_.physical = layout_ = physical_layout(input);
    schedule_.width_physical = input.width;
  }

  Schedule build() {
    for (std::size_t i = 0; i < input_.order.size(); i++) {
      const int axis = input_.order[i];
      const int process_axis = layout_.process_axis(axis);
      if (i > 0 && process_axis != Layout::uncut) {
        add_exchange(process_axis, input_.order[i - 1], axis);
      } else if (i > 0 && fits_last_pass(axis)) {
        extend_last_pass(axis);
        continue;
      } else if (i > 1 && input_.padded) {
        extend_last_pass(axis);
        plane_by_plane(schedule_.exchanges.back());
        continue;
      } else if (i > 0) {
        schedule_.exchanges.push_back({-1, layout_, layout_, input_.order[i - 1], axis, width_});
      }
      add_pass(axis);
    }
    schedule_.spectral = layout_;
    schedule_.width_spectral = width_;
    if (input_.chunks > 1)
      for (std::size_t i = 0; i < schedule_.exchanges.size(); i++) cut_in_chunks(i);
    return std::move(schedule_);
  }

 private:
  const AxisTransform& transform(int axis) const { return input_.axes[static_cast<std::size_t>(axis)]; }

  void add_exchange(int process_axis, int near_axis, int far_axis) {
    const Layout near = layout_;
    layout_ = layout_.with_cut(process_axis, near_axis);
    schedule_.exchanges.push_back({process_axis, near, layout_, near_axis, far_axis, width_});
  }

  // The axis that is cut into chunks is the longest one that both passes do not transform, so that both overlap with
  // the exchange (Ayala and Wang 2013, eq. 10). If a fused pass needs the whole axis, the axis that the exchange
  // gathers is cut, so that the pass before overlaps forward and the pass after it backward.
  void cut_in_chunks(std::size_t i) {
    ExchangePlan& plan = schedule_.exchanges[i];
    if (plan.process_axis < 0 || input_.grid[plan.process_axis] == 1) return;
    plan.chunks = input_.chunks;
    plan.chunk_axis = plan.far_axis;
    index_t longest = 1;
    for (int axis = 0; axis < plan.near.dims(); axis++) {
      const index_t extent = plan.near.box(0).extents()[axis];
      if (axis == plan.near_axis || axis == plan.far_axis || extent <= longest) continue;
      if (axis == 0 && !input_.components.empty()) continue;  // passes take components one by one
      if (has_axis(schedule_.passes[i], axis) || has_axis(schedule_.passes[i + 1], axis)) continue;
      plan.chunk_axis = axis;
      longest = extent;
    }
    // More parts than indices would give empty messages.
    plan.chunks = static_cast<int>(std::min<index_t>(plan.chunks, most_chunks(plan)));
  }
  // The largest number of indices that a rank has along the axis that is cut into chunks.
  static index_t most_chunks(const ExchangePlan& plan) {
    const index_t extent = plan.near.extents()[plan.chunk_axis];
    const int process_axis = plan.near.process_axis(plan.chunk_axis);
    const index_t ranks = process_axis == Layout::uncut ? 1 : plan.near.grid()[process_axis];
    return std::max<index_t>((extent + ranks - 1) / ranks, 1);
  }
  static bool has_axis(const PassPlan& pass, int axis) {
    return std::find(pass.axes.begin(), pass.axes.end(), axis) != pass.axes.end();
  }

  // The plane between two fused passes: modes of the first axis, points of the second. One of them is the contiguous
  // axis, or a plane would touch a few bytes of each cache line.
  bool fits_last_pass(int axis) const {
    if (schedule_.passes.back().axes.size() != 1 || input_.padded) return false;
    const int first = schedule_.passes.back().axes[0], last = layout_.dims() - 1;
    return (first == last || axis == last) &&
           layout_.extents()[first] * layout_.extents()[axis] * width_ <= input_.plane_reals;
  }

  // The planes of two fused passes after an exchange lie one after the other.
  void plane_by_plane(ExchangePlan& plan) const {
    plan.memory_order = {plan.near_axis};
    for (int axis = 0; axis < layout_.dims(); axis++)
      if (axis != plan.near_axis) plan.memory_order.push_back(axis);
  }

  void transform_axis(int axis) {
    Extents extents = layout_.extents();
    extents[axis] = transform(axis).modes;
    layout_ = layout_.with_extents(extents);
    if (is_fourier(transform(axis).kind)) width_ = 2;
  }

  void extend_last_pass(int axis) {
    transform_axis(axis);
    PassPlan& pass = schedule_.passes.back();
    pass.axes.push_back(axis);
    pass.after = layout_;
    pass.width_after = width_;
  }

  void add_pass(int axis) {
    PassPlan pass{{axis}, layout_, layout_, width_, width_};
    transform_axis(axis);
    pass.after = layout_;
    pass.width_after = width_;
    schedule_.passes.push_back(std::move(pass));
  }

  const ScheduleInput& input_;
  Schedule schedule_;
  Layout layout_;
  int width_;
};

index_t parts(index_t n, int p) { return (n + p - 1) / p; }

// The largest part of n over p ranks.
double share(index_t n, int p) { return static_cast<double>(parts(n, p)) / static_cast<double>(n); }

// The grid for arrays of at least three axes with a `none` axis to cut. A forward and a backward transform of two
// passes sweep over memory four times, and an exchange costs at least one more sweep, so a grid with an exchange has to
// make the largest box smaller by that ratio.
ProcessGrid choose_batch_grid(const ScheduleInput& input, const std::vector<int>& sequence, int ranks) {
  constexpr double with_exchange = 5.0 / 4;
  const auto axis = [&](std::size_t from_end) -> const AxisTransform& {
    return input.axes[static_cast<std::size_t>(sequence[sequence.size() - from_end])];
  };
  const bool second_moves = sequence.size() < input.order.size() + 2;
  int best = ranks;
  double least = 2 * with_exchange;
  for (int first = ranks; first >= 1; first--) {
    if (ranks % first != 0) continue;
    const int second = ranks / first;
    double work = share(axis(1).points, first) * share(axis(2).points, second);
    if (second_moves && second > 1)
      work = with_exchange * std::max(work, share(axis(1).points, first) * share(axis(3).modes, second));
    if (work < least) {
      least = work;
      best = first;
    }
  }
  return best == ranks ? ProcessGrid({ranks}) : ProcessGrid({best, ranks / best});
}

// The grid for a padded problem with more ranks than a slab has planes. Among the grids whose busiest rank has at most
// a quarter more than in the best balanced grid, takes the one that sends least between nodes, then least in all.
ProcessGrid choose_padded_grid(ScheduleInput input, int ranks) {
  constexpr double allowed = 5.0 / 4;
  const auto axis = [&](std::size_t i) -> const AxisTransform& {
    return input.axes[static_cast<std::size_t>(input.order[i])];
  };
  const auto busiest = [&](int first, int second) {
    const double before = share(axis(1).points, first), after = share(axis(0).modes, first);
    return std::max(std::max(before, after) * share(axis(2).points, second), after * share(axis(1).modes, second));
  };
  double least = 1;
  for (int first = 1; first <= ranks; first++)
    if (ranks % first == 0) least = std::min(least, busiest(first, ranks / first));
  ProcessGrid best;
  Traffic fewest;
  for (int first = ranks; first >= 1; first--) {
    if (ranks % first != 0 || busiest(first, ranks / first) > allowed * least) continue;
    input.grid = ProcessGrid({first, ranks / first});
    const Traffic sent = traffic_of(make_schedule(input), input.node_ranks);
    if (best.dims() > 0 && std::pair(sent.between, sent.all) >= std::pair(fewest.between, fewest.all)) continue;
    best = input.grid;
    fewest = sent;
  }
  return best;
}

}  // namespace

int neighbour_axis(const PassPlan& pass, int axis) {
  if (pass.axes.size() > 1) return pass.axes[0] + pass.axes[1] - axis;
  const int last = pass.before.dims() - 1;
  return axis == last ? last - 1 : last;
}

Schedule make_schedule(const ScheduleInput& input) { return Builder(input).build(); }

int slab_of_modes(ScheduleInput input) {
  input.grid = ProcessGrid({2});
  return make_schedule(input).spectral.cut().front();
}

ProcessGrid choose_grid(const ScheduleInput& input, int ranks) {
  const std::vector<int> sequence = cutting_sequence(input);
  const std::size_t n = sequence.size();
  const auto points = [&](std::size_t i) { return input.axes[static_cast<std::size_t>(sequence[i])].points; };
  const auto modes = [&](std::size_t i) { return input.axes[static_cast<std::size_t>(sequence[i])].modes; };
  if (n < 3) return ProcessGrid({ranks});
  if (input.order.size() < n) return choose_batch_grid(input, sequence, ranks);
  // A slab cuts the last axis of the sequence first and its predecessor afterwards.
  const std::size_t cut_first = input.padded ? 1 : n - 1, cut_afterwards = input.padded ? 0 : n - 2;
  if (ranks <= std::min(points(cut_first), modes(cut_afterwards))) return ProcessGrid({ranks});
  if (input.padded) return choose_padded_grid(input, ranks);
  int best = ranks;
  index_t smallest = parts(points(n - 1), ranks) * points(n - 2);
  for (int first = ranks; first >= 1; first--) {
    if (ranks % first != 0) continue;
    const index_t box = parts(points(n - 1), first) * parts(points(n - 2), ranks / first);
    if (box < smallest || (box == smallest && std::abs(first - ranks / first) < std::abs(best - ranks / best))) {
      smallest = box;
      best = first;
    }
  }
  return ProcessGrid({best, ranks / best});
}

}  // namespace weft
