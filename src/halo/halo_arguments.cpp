// Checks of the arguments of a halo, and the texts of their errors.
#include "halo/halo_arguments.hpp"

#include "exchange/coverage.hpp"
#include "exchange/message_limit.hpp"
#include "exchange/sharing.hpp"
#include "plan/run/border.hpp"

namespace weft {

namespace {

constexpr index_t most_bytes = index_t{1} << 62, most_periods = 8;

// Entry i of a list that has a single entry for all, or one entry for each.
template <class Entry>
const Entry& entry(const std::vector<Entry>& list, int i) {
  return list[list.size() == 1 ? 0 : static_cast<std::size_t>(i)];
}

void check_count(const std::string& name, std::size_t given, int wanted, const std::string& each) {
  require(given == 1 || given == static_cast<std::size_t>(wanted),
          name + ": " + std::to_string(given) + " entries were given; give one for all, or one per " + each + ", " +
              std::to_string(wanted));
}

// Throws Error unless the product of the factors is below 2^62, each being at least 0.
void check_size(const std::string& name, const Extents& factors, index_t unit) {
  index_t left = most_bytes / unit;
  for (const index_t factor : factors) {
    require(factor <= left, name + ": an array of " + to_string(factors) +
                                " elements has more than 2^62 bytes; "
                                "give fewer");
    left = factor > 0 ? left / factor : left;
  }
}

void check_shape(const Extents& shape, const HaloProblem& problem) {
  require(shape.dims() >= 1, "shape: it has no axes; give 1 to 6");
  for (const index_t points : shape)
    require(points >= 0, "shape: " + to_string(shape) + " is not allowed; give at least 0 points per axis");
  check_size("shape", shape, bytes_of(problem.element));
}

void check_lists(const Extents& shape, const HaloProblem& problem) {
  const int dims = shape.dims();
  require(problem.components >= 1 && problem.components <= 4096,
          "components: " + std::to_string(problem.components) + " is not allowed; give 1 to 4096");
  check_count("width", problem.width.size(), dims, "axis");
  check_count("centring", problem.centring.size(), dims, "axis");
  check_count("boundary", problem.boundary.size(), problem.components, "component");
  for (const std::vector<Boundary>& of_component : problem.boundary)
    check_count("boundary", of_component.size(), dims, "axis");
}

void check_axis(const HaloAxis& axis, const HaloWidth& width, int number) {
  const std::string of_axis = " of axis " + std::to_string(number) + ": ";
  check(axis.boundary, number);
  require(axis.centring != Centring::chebyshev,
          "centring" + of_axis + "chebyshev given; layers show points of equal distances, use cell or node");
  const index_t most = most_periods * axis.points;
  for (const index_t layers : {width.lower, width.upper})
    require(layers >= 0 && layers <= most, "width" + of_axis + std::to_string(layers) +
                                               " layers are not allowed; give 0 to " + std::to_string(most) + ", " +
                                               std::to_string(most_periods) + " times the points of the axis");
  const bool shows = width.lower + width.upper > 0 && axis.boundary != Boundary(End::unbounded);
  require(!shows || axis.centring == Centring::cell || axis.points >= 2,
          "shape" + of_axis +
              "one point, whose mirror or period has none between nodes; give at least 2 points, or "
              "centring cell");
}

std::string to_text(const Extents& shape, const HaloProblem& problem) {
  std::string text = to_string(shape) + ", " + std::to_string(problem.components) + " components, " +
                     to_string(problem.element) + ", width";
  for (const HaloWidth& width : problem.width)
    text += " (" + std::to_string(width.lower) + ", " + std::to_string(width.upper) + ")";
  text += ", boundary";
  for (const std::vector<Boundary>& of_component : problem.boundary) {
    for (const Boundary& boundary : of_component) text += " " + to_string(boundary);
    text += ";";
  }
  for (const Centring centring : problem.centring) text += " " + to_string(centring);
  return text;
}

std::string to_text(const HaloOptions& options) {
  return "node_ranks " + std::to_string(options.node_ranks) + ", message_limit " +
         std::to_string(message_limit(options.message_limit)) + ", shared_memory_limit " +
         std::to_string(options.shared_memory_limit);
}

RedistributionOptions as_redistribution(const HaloOptions& options) {
  RedistributionOptions result;
  result.threads = options.threads;
  result.node_ranks = options.node_ranks;
  result.message_limit = options.message_limit;
  result.shared_memory_limit = options.shared_memory_limit;
  return result;
}

void check_values(const Extents& shape, const HaloProblem& problem) {
  check_shape(shape, problem);
  check_lists(shape, problem);
  const std::vector<HaloWidth> widths = halo_widths(shape, problem);
  for (const std::vector<HaloAxis>& axes : halo_axes(shape, problem))
    for (int axis = 0; axis < shape.dims(); axis++)
      check_axis(axes[static_cast<std::size_t>(axis)], widths[static_cast<std::size_t>(axis)], axis);
  Extents padded = shape;  // no rank has more
  for (int axis = 0; axis < shape.dims(); axis++) {
    const HaloWidth& width = widths[static_cast<std::size_t>(axis)];
    padded[axis] += width.lower + width.upper;
  }
  check_size("width", padded, bytes_of(problem.element) * problem.components);
}

}  // namespace

void check_halo(const Comm& comm, const Extents& shape, const Box& owned, const HaloProblem& problem,
                const HaloOptions& options) {
  std::string of_options;
  comm.together([&] {
    check_values(shape, problem);
    check_options(as_redistribution(options));
    of_options = to_text(options);
  });
  comm.require_same("the halo", to_text(shape, problem));
  comm.require_same("options", of_options);
  require(check_user_boxes(comm, "owned", owned, shape),
          "owned: no rank gives a box; give every rank its part of the array");
}

std::vector<std::vector<HaloAxis>> halo_axes(const Extents& shape, const HaloProblem& problem) {
  std::vector<std::vector<HaloAxis>> axes;
  for (int component = 0; component < problem.components; component++) {
    axes.emplace_back();
    for (int axis = 0; axis < shape.dims(); axis++)
      axes.back().push_back(
          {shape[axis], entry(entry(problem.boundary, component), axis), entry(problem.centring, axis)});
  }
  return axes;
}

std::vector<HaloWidth> halo_widths(const Extents& shape, const HaloProblem& problem) {
  std::vector<HaloWidth> widths;
  widths.reserve(static_cast<std::size_t>(shape.dims()));
  for (int axis = 0; axis < shape.dims(); axis++) widths.push_back(entry(problem.width, axis));
  return widths;
}

}  // namespace weft
