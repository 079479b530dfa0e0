// Shapes and kinds of plans: checks, the order of transforms, positions of points.
#include "plan/schedule/plan_shape.hpp"

#include <algorithm>

#include "plan/arguments.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

// A c2c of a single point changes nothing: in plane problems on grids of three axes it would cost a pass.
bool is_identity(const AxisTransform& axis) { return axis.kind == Kind::c2c && axis.points == 1 && axis.length == 1; }

// Real-to-real axes, then r2c, then c2c; within each of these the last axis first. Transforms that change nothing are
// left out unless all do.
std::vector<int> transform_order(const std::vector<AxisTransform>& axes) {
  const auto group = [](Kind kind) { return is_real_to_real(kind) ? 0 : kind == Kind::r2c ? 1 : 2; };
  std::vector<int> order, identities;
  for (int wanted = 0; wanted < 3; wanted++)
    for (int axis = static_cast<int>(axes.size()) - 1; axis >= 0; axis--) {
      const AxisTransform& transform = axes[static_cast<std::size_t>(axis)];
      if (transform.kind == Kind::none || group(transform.kind) != wanted) continue;
      (is_identity(transform) ? identities : order).push_back(axis);
    }
  return order.empty() ? identities : order;
}

// Each batch axis must have no transform and be given once.
void check_batch_axes(const std::vector<int>& batch_axes, const std::vector<Kind>& kinds) {
  std::vector<bool> seen(kinds.size());
  for (const int axis : batch_axes) {
    const std::string given = "batch_axes: " + std::to_string(axis);
    require(axis >= 0 && axis < static_cast<int>(kinds.size()),
            given + " is not an axis of the array; give 0 to " + std::to_string(kinds.size() - 1));
    const auto a = static_cast<std::size_t>(axis);
    require(kinds[a] == Kind::none,
            given + " has the transform " + to_string(kinds[a]) + "; batch axes are of kind none, omit it");
    require(!seen[a], given + " is given twice; give it once");
    seen[a] = true;
  }
}

}  // namespace

std::string to_text(const std::vector<Kind>& kinds) {
  std::string text;
  for (const Kind kind : kinds) text += (text.empty() ? "" : ", ") + to_string(kind);
  return text;
}

std::vector<Kind> one_for_all(const Extents& shape, Kind kind) {
  std::vector<Kind> kinds(static_cast<std::size_t>(std::max(shape.dims(), 1)), kind == Kind::r2c ? Kind::c2c : kind);
  kinds.back() = kind;
  return kinds;
}

void check_shape(const Extents& shape, const std::vector<Kind>& kinds) {
  require(shape.dims() >= 1 && shape.dims() <= max_dims,
          "shape: an array has 1 to 6 axes, " + std::to_string(shape.dims()) + " were given");
  for (int axis = 0; axis < shape.dims(); axis++)
    require(shape[axis] >= 1, "shape: axis " + std::to_string(axis) + " has " + std::to_string(shape[axis]) +
                                  " points; give a whole number of at least 1");
  check_total("shape", shape);
  require(kinds.size() == static_cast<std::size_t>(shape.dims()),
          "kinds: " + std::to_string(kinds.size()) + " kinds for " + std::to_string(shape.dims()) +
              " axes; give one name for all axes or one per axis");
  int real_to_complex = 0, transformed = 0;
  for (const Kind kind : kinds) {
    real_to_complex += kind == Kind::r2c ? 1 : 0;
    transformed += kind == Kind::none ? 0 : 1;
  }
  require(real_to_complex <= 1, "kinds: r2c on " + std::to_string(real_to_complex) + " axes (" + to_text(kinds) +
                                    "); data are real only once, give c2c for the others");
  require(transformed > 0,
          "kinds: every axis is 'none', so there is nothing to transform; give at least one axis a transform, or, to "
          "move an array from some boxes to others alone, make a Redistribution (weft.Redistribution(from, to) in "
          "Python, weft_redistribution_create in C)");
}

ScheduleInput schedule_input(const Extents& shape, const std::vector<Kind>& kinds, std::size_t bytes_per_real,
                             const PlanOptions& options) {
  const std::vector<index_t>& modes = options.modes;
  require(modes.empty() || modes.size() == kinds.size(), "modes: " + std::to_string(modes.size()) + " entries for " +
                                                             std::to_string(kinds.size()) +
                                                             " axes; give one per axis, 0 for all modes, or none");
  check_batch_axes(options.batch_axes, kinds);
  ScheduleInput input;
  bool has_c2c = false, has_r2c = false;
  for (int axis = 0; axis < shape.dims(); axis++) {
    const Kind kind = kinds[static_cast<std::size_t>(axis)];
    has_c2c = has_c2c || kind == Kind::c2c;
    has_r2c = has_r2c || kind == Kind::r2c;
    const index_t kept = modes.empty() ? 0 : modes[static_cast<std::size_t>(axis)];
    input.axes.push_back(truncated_axis(kind, shape[axis], kept, axis));
  }
  input.order = transform_order(input.axes);
  input.width = has_c2c && !has_r2c ? 2 : 1;
  input.batch_axes = options.batch_axes;
  input.scheme = options.scheme;
  input.plane_reals = fusible_plane_reals(bytes_per_real);
  return input;
}

ScheduleInput checked_input(const Comm& comm, const Extents& shape, const std::vector<Kind>& kinds,
                            const PlanOptions& options, std::size_t bytes_per_real) {
  comm.require_same("shape", to_string(shape));
  comm.require_same("kinds", to_text(kinds));
  require_same_options(comm, options);
  ScheduleInput input;
  comm.together([&] {
    check_shape(shape, kinds);
    const int ranks = ranks_of(options, comm.size());
    check_options(options, ranks);
    require(options.output != Output::scrambled || kinds == std::vector<Kind>{Kind::c2c},
            "output: 'scrambled' is an order of the modes of a single c2c axis, the kinds are " + to_text(kinds) +
                "; give 'transposed' or 'natural'");
    input = schedule_input(shape, kinds, bytes_per_real, options);
    planned_schedule(input, options, ranks);
  });
  return input;
}

Schedule planned_schedule(ScheduleInput input, const PlanOptions& options, int ranks) {
  input.grid = grid_for(input, options, ranks);
  input.chunks = std::max(options.chunks, 1);
  if (!options.fuse) input.plane_reals = 0;
  return make_schedule(input);
}

}  // namespace weft
