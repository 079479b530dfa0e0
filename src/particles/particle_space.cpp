// Places of particles, and checks of a mesh.
#include "particles/particle_space.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "particles/spline.hpp"

namespace weft {

namespace {

// Beyond this limit doubles are too far apart to distinguish points.
constexpr double most_place = 0x1p52;
constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();

template <class Entry>
const Entry& entry(const std::vector<Entry>& list, int i) {
  return list[list.size() == 1 ? 0 : static_cast<std::size_t>(i)];
}

void check_count(const std::string& name, std::size_t given, int axes) {
  require(given == 1 || given == static_cast<std::size_t>(axes),
          name + ": " + std::to_string(given) + " entries were given; give one for all axes, or one per axis, " +
              std::to_string(axes));
}

// The number as a text that preserves all bits.
std::string exact_text(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

void check_periodic_nodes(const ParticleAxis& axis, Centring centring, int number) {
  require(!axis.periodic || centring == Centring::cell,
          "centring of axis " + std::to_string(number) + ": " + to_string(centring) +
              " was given for a periodic axis, whose last point would repeat the first and share its particles; "
              "give cell, and an array without that point");
}

}  // namespace

void check_particles(const Extents& shape, const ParticleProblem& problem) {
  const int axes = shape.dims();
  require(axes >= 1 && axes <= most_particle_axes,
          "shape: a mesh for particles has 1 to 3 axes, " + std::to_string(axes) + " were given");
  require(problem.order >= 1 && problem.order <= largest_spline_order,
          "order: " + std::to_string(problem.order) +
              " is not allowed; give 1 (nearest point), 2 (CIC), 3 (TSC), 4 "
              "(PCS), up to 8");
  require(problem.margin >= 0 && problem.margin <= 1024,
          "margin: " + std::to_string(problem.margin) + " is not allowed; give 0 to 1024 points");
  check_count("spacing", problem.spacing.size(), axes);
  check_count("origin", problem.origin.size(), axes);
  check_count("boundary", problem.boundary.size(), axes);
  check_count("centring", problem.centring.size(), axes);
  for (const double spacing : problem.spacing)
    require(spacing > 0 && std::isfinite(spacing),
            "spacing: " + exact_text(spacing) + " is not allowed; give the distance of points, above 0");
  for (const double origin : problem.origin)
    require(std::isfinite(origin), "origin: " + exact_text(origin) + " is not a number");
  const std::vector<ParticleAxis> all = particle_axes(shape, problem);
  for (int axis = 0; axis < axes; axis++)
    check_periodic_nodes(all[static_cast<std::size_t>(axis)], entry(problem.centring, axis), axis);
}

std::string to_text(const ParticleProblem& problem) {
  std::string text = "order " + std::to_string(problem.order) + ", margin " + std::to_string(problem.margin);
  for (const double spacing : problem.spacing) text += ", spacing " + exact_text(spacing);
  for (const double origin : problem.origin) text += ", origin " + exact_text(origin);
  if (problem.reversed) text += ", reversed";
  return text;
}

HaloProblem particle_halo(const ParticleProblem& problem, Element element) {
  HaloProblem halo;
  // A cloud reaches half its order to either side of its nearest point. A cloud of odd order that lies midway between
  // points reaches one point farther.
  halo.width = {{problem.order / 2 + problem.margin, (problem.order + 1) / 2 + problem.margin}};
  halo.boundary = {problem.boundary};
  halo.centring = problem.centring;
  halo.element = element;
  return halo;
}

std::vector<ParticleAxis> particle_axes(const Extents& shape, const ParticleProblem& problem) {
  std::vector<ParticleAxis> axes;
  for (int i = 0; i < shape.dims(); i++) {
    const Boundary& boundary = entry(problem.boundary, i);
    const double half = entry(problem.centring, i) == Centring::cell ? 0.5 : 0.0, cloud = 0.5 * problem.order - 1;
    ParticleAxis axis{entry(problem.origin, i), entry(problem.spacing, i), shape[i]};
    axis.periodic = boundary.left == End::periodic;
    axis.least = boundary.left == End::unbounded ? cloud : -half;
    axis.most = static_cast<double>(shape[i] - 1) + (boundary.right == End::unbounded ? -cloud : half);
    axes.push_back(axis);
  }
  return axes;
}

double place_of(const ParticleAxis& axis, double coordinate) {
  double place = (coordinate - axis.origin) / axis.spacing;
  if (!axis.periodic) return place >= axis.least && place <= axis.most ? place : nowhere;
  const auto period = static_cast<double>(axis.points);
  if (!(std::abs(place) < most_place)) return nowhere;
  place -= period * static_cast<double>(floor_of((place + 0.5) / period));
  // Rounding may yield the upper end itself.
  return place < period - 0.5 ? place : place - period;
}

index_t nearest_point(const ParticleAxis& axis, double place) {
  return std::clamp<index_t>(floor_of(place + 0.5), 0, std::max<index_t>(axis.points - 1, 0));
}

double place_near(const ParticleAxis& axis, double place, Range range) {
  const auto nearest = [&](double at) { return floor_of(at + 0.5); };
  if (!axis.periodic) return range.contains(nearest_point(axis, place)) ? place : nowhere;
  const auto period = static_cast<double>(axis.points);
  for (const double other : {place, place - period, place + period})
    if (range.contains(nearest(other))) return other;
  return nowhere;
}

}  // namespace weft
