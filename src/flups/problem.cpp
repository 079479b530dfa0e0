// Converts the conditions, lengths and enumerators of FLUPS to problems of Weft.
#include "flups/problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/number.hpp"
#include "poisson/field_space.hpp"
#include "poisson/problem.hpp"
#include "weft/error.hpp"

namespace weft::flups {

namespace {

std::size_t at(int direction) { return static_cast<std::size_t>(direction); }

std::string place(int direction) { return "[" + std::to_string(direction) + "]"; }

End end_of(FLUPS_BoundaryType type, const std::string& name) {
  switch (type) {
    case EVEN:
      return End::even;
    case ODD:
      return End::odd;
    case PER:
      return End::periodic;
    case UNB:
      return End::unbounded;
    default:
      throw Error(Fault::argument,
                  name + ": " + std::to_string(static_cast<int>(type)) +
                      " is not a condition here; give EVEN, ODD, PER or UNB, or NONE at both ends of a "
                      "direction of one point, for all components");
  }
}

// Whether the problem has this direction: a direction is NONE for all components or for none.
bool is_axis(const Topology& topology, Conditions bc, int direction) {
  const bool result = condition_of(bc, direction, 0).is_axis;
  for (int c = 1; c < topology.shape().components; c++)
    require(condition_of(bc, direction, c).is_axis == result,
            "bc" + place(direction) + ": NONE for some components; give it for all of them or for none");
  const int points = topology.shape().points[at(direction)];
  require(result || points == 1, "nglob" + place(direction) + ": " + std::to_string(points) +
                                     " points along a direction whose bc is NONE; give 1");
  return result;
}

DomainAxis axis_of(int points, int direction, const double* h, const double* length, FLUPS_CenterType centre) {
  require(centre == NODE_CENTER || centre == CELL_CENTER, "center_type" + place(direction) + ": " +
                                                              std::to_string(static_cast<int>(centre)) +
                                                              "; give NODE_CENTER or CELL_CENTER");
  DomainAxis axis;
  axis.centring = centre == CELL_CENTER ? Centring::cell : Centring::node;
  axis.cells = axis.centring == Centring::cell ? points : points - 1;
  axis.length = length[direction];
  require(axis.cells >= 1, "nglob" + place(direction) + ": 1 node makes no cell; give 2 or more, or NONE as bc");
  // Programs compute h with different rounding errors.
  const double made = h[direction] * static_cast<double>(axis.cells);
  require(std::abs(made - axis.length) <= 1e-9 * std::abs(axis.length),
          "h" + place(direction) + number(": %.17g times ", h[direction]) + std::to_string(axis.cells) + " cells is " +
              number("%.17g, but L is ", made) + number("%.17g", axis.length) + "; give h = L / cells");
  return axis;
}

// A direction that is NONE. Kernels may want its spacing to be that of the others, which nothing else depends on.
DomainAxis flat_axis(double spacing) {
  DomainAxis axis;
  axis.cells = 1;
  axis.length = spacing;
  axis.centring = Centring::cell;
  return axis;
}

constexpr std::array<std::pair<FLUPS_GreenType, const char*>, 15> kernels{{{CHAT_2, "chat2"},
                                                                           {LGF_2, "lgf2"},
                                                                           {HEJ_2, "hej2"},
                                                                           {HEJ_4, "hej4"},
                                                                           {HEJ_6, "hej6"},
                                                                           {HEJ_8, "hej8"},
                                                                           {HEJ_10, "hej10"},
                                                                           {HEJ_0, "hej0"},
                                                                           {LGF_4, "lgf4"},
                                                                           {LGF_6, "lgf6"},
                                                                           {LGF_8, "lgf8"},
                                                                           {MEHR_4L, "mehr4l"},
                                                                           {MEHR_6L, "mehr6l"},
                                                                           {MEHR_4F, "mehr4f"},
                                                                           {MEHR_6F, "mehr6f"}}};

constexpr std::array<std::pair<FLUPS_DiffType, Derivative>, 4> derivatives{
    {{SPE, Derivative::spectral}, {FD2, Derivative::second}, {FD4, Derivative::fourth}, {FD6, Derivative::sixth}}};

}  // namespace

Condition condition_of(Conditions bc, int direction, int component) {
  const FLUPS_BoundaryType left = bc[direction][0][component], right = bc[direction][1][component];
  if (left == NONE && right == NONE) return {false, End::periodic};
  const auto end = [&](FLUPS_BoundaryType type, int side) {
    return end_of(type, "bc" + place(direction) + place(side) + place(component));
  };
  const Boundary boundary{end(left, 0), end(right, 1)};
  require((boundary.left == End::periodic) == (boundary.right == End::periodic),
          "bc" + place(direction) + ": PER at one end of component " + std::to_string(component) +
              " only; give it at both ends, or at neither");
  return {true, boundary};
}

Problem problem_of(const Topology& topology, Conditions bc, const double h[3], const double length[3],
                   FLUPS_DiffType derivative, const FLUPS_CenterType centre[3]) {
  const Shape& shape = topology.shape();
  require(!shape.is_complex, "t: its numbers are complex; right-hand sides are real, give a real topology");
  const bool may_curl = derivative != NOD && shape.components == 3;
  Problem problem;
  std::vector<int> given;
  for (const int direction : topology.slowest_first()) {
    const bool has_ends = is_axis(topology, bc, direction);
    if (has_ends) given.push_back(direction);
    if (!has_ends && !may_curl) continue;
    problem.directions.push_back(direction);
    problem.axes.push_back(has_ends ? axis_of(shape.points[at(direction)], direction, h, length, centre[direction])
                                    : DomainAxis{});
  }
  require(given.size() >= 2, "bc: NONE along two directions or more; a problem has two or three directions");
  for (DomainAxis& axis : problem.axes)
    if (axis.cells == 0) axis = flat_axis(h[given.front()]);
  for (int c = 0; c < shape.components; c++) {
    std::vector<Boundary>& boundary = problem.boundary.emplace_back();
    for (const int direction : problem.directions) boundary.push_back(condition_of(bc, direction, c).boundary);
  }
  return problem;
}

std::vector<DomainAxis> Problem::domain(int component) const {
  std::vector<DomainAxis> domain = axes;
  for (std::size_t a = 0; a < axes.size(); a++) domain[a].boundary = boundary[at(component)][a];
  return domain;
}

PoissonProblem Problem::scalar(int component, const Kernel& kernel) const {
  PoissonProblem problem;
  problem.centring.clear();
  for (const DomainAxis& axis : axes) {
    problem.cells.push_back(axis.cells);
    problem.length.push_back(axis.length);
    problem.centring.push_back(axis.centring);
  }
  problem.boundary = boundary[at(component)];
  problem.kernel = kernel;
  return problem;
}

VectorProblem Problem::vector(const VectorPart& part, const Kernel& kernel, FLUPS_DiffType derivative) const {
  const PoissonProblem one = scalar(0, kernel);
  VectorProblem problem{one.cells, one.length, {}, one.centring, kernel, 0, derivative_of(derivative), true};
  for (const int component : component_order()) problem.boundary.push_back(part.boundary[at(component)]);
  return problem;
}

std::vector<VectorPart> Problem::vector_parts() const {
  require(components() == 3 && axes.size() == 3,
          "type: ROT of " + std::to_string(components()) + " components in " + std::to_string(axes.size()) +
              " directions; a curl is taken of 3 components (lda), by a solver with SPE, FD2, FD4 or FD6 as orderDiff");
  std::vector<VectorPart> parts;
  for (int c = 0; c < 3; c++) {
    std::vector<std::vector<Boundary>> field(3, boundary[at(c)]);
    for (std::size_t a = 0; a < axes.size(); a++)
      for (int other = 0; other < 3; other++)
        if ((other == directions[a]) != (c == directions[a])) field[at(other)][a] = flipped(boundary[at(c)][a]);
    const auto same =
        std::find_if(parts.begin(), parts.end(), [&](const VectorPart& p) { return p.boundary == field; });
    if (same == parts.end())
      parts.push_back({{c}, std::move(field)});
    else
      same->components.push_back(c);
  }
  return parts;
}

std::vector<int> Problem::component_order() const { return {directions.rbegin(), directions.rend()}; }

std::string to_text(const Problem& problem) {
  std::string text;
  for (int c = 0; c < problem.components(); c++)
    for (const DomainAxis& axis : problem.domain(c))
      text += number("%.17g ", axis.length) + to_string(axis.boundary) + " " + to_string(axis.centring) + "; ";
  return text;
}

std::string kernel_of(FLUPS_GreenType type) {
  for (const auto& [value, name] : kernels)
    if (value == type) return name;
  throw Error(Fault::argument, "type: " + std::to_string(static_cast<int>(type)) +
                                   " is not a Green's function; give one of CHAT_2 (0) ... MEHR_6F (14)");
}

Derivative derivative_of(FLUPS_DiffType type) {
  for (const auto& [value, derivative] : derivatives)
    if (value == type) return derivative;
  throw Error(Fault::argument,
              "orderDiff: " + std::to_string(static_cast<int>(type)) + "; a solver for ROT needs SPE, FD2, FD4 or FD6");
}

Three transform_directions(Conditions bc) {
  // Of a topology of axis 0, whose axes are the directions 2, 1, 0. The order does not depend on sizes.
  std::vector<int> directions;
  std::vector<DomainAxis> domain;
  for (int direction = 2; direction >= 0; direction--) {
    const Condition condition = condition_of(bc, direction, 0);
    if (!condition.is_axis) continue;
    directions.push_back(direction);
    domain.push_back({2, 1, condition.boundary, Centring::cell});
  }
  std::vector<int> order;
  for (const int axis : schedule_input(domain, sizeof(double)).order) order.push_back(directions[at(axis)]);
  for (int direction = 0; direction < 3; direction++)
    if (std::find(order.begin(), order.end(), direction) == order.end()) order.push_back(direction);
  return {order[0], order[1], order[2]};
}

}  // namespace weft::flups
