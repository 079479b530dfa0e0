// Weights of neighbours from parabolas. Walls are points whose values are eliminated.
#include "poisson/compact_rows.hpp"

#include <algorithm>
#include <cstddef>

namespace weft {

namespace {

constexpr std::size_t most_points = 3;

// Weights of values at positions t in the value and in the slope, at 0, of the polynomial through them.
struct Extrapolation {
  std::array<double, most_points> value{}, slope{};

  explicit Extrapolation(const std::vector<double>& t) {
    for (std::size_t i = 0; i < t.size(); i++) {
      value[i] = product(t, i, i);
      for (std::size_t m = 0; m < t.size(); m++)
        if (m != i) slope[i] += product(t, i, m) / (t[i] - t[m]);
    }
  }

 private:
  // The polynomial that is 1 at t[i] and 0 at the other positions, at 0, without the factor of t[skipped].
  static double product(const std::vector<double>& t, std::size_t i, std::size_t skipped) {
    double result = 1;
    for (std::size_t j = 0; j < t.size(); j++)
      if (j != i && j != skipped) result *= -t[j] / (t[i] - t[j]);
    return result;
  }
};

std::vector<double> in_mean_widths(const DomainAxis& axis) {
  std::vector<double> widths;
  widths.reserve(axis.widths.size());
  for (const double width : axis.widths) widths.push_back(width / axis.spacing());
  return widths;
}

bool is_cyclic(const DomainAxis& axis) { return axis.boundary.left == End::periodic; }

// Terms of a wall: f extrapolated to it, and the weights of f in its equation.
struct BesideWall {
  double distance;
  Extrapolation at_wall;
  std::array<double, most_points> integral{};
};

BesideWall beside_wall(const DomainAxis& axis, bool right) {
  std::vector<double> widths = in_mean_widths(axis), middles;
  if (right) std::reverse(widths.begin(), widths.end());
  double edge = 0;
  for (std::size_t i = 0; i < std::min(widths.size(), most_points); i++) {
    middles.push_back(edge + widths[i] / 2);
    edge += widths[i];
  }
  const double a = middles.front();
  BesideWall result{a, Extrapolation(middles)};
  for (std::size_t i = 0; i < most_points; i++)
    result.integral[i] = 5 * a / 12 * result.at_wall.value[i] + a * a / 12 * result.at_wall.slope[i];
  result.integral[0] += a / 12;
  return result;
}

// `weight`: the weight of the wall in the row beside it.
LaneWall<double> wall_of(const DomainAxis& axis, bool right, double weight) {
  const BesideWall beside = beside_wall(axis, right);
  const double a = beside.distance, robin = axis.robin[right ? 1 : 0] / axis.spacing();
  const bool odd = (right ? axis.boundary.right : axis.boundary.left) == End::odd;
  LaneWall<double> wall{};
  const auto set = [](double* polynomial, double first, double second) {
    polynomial[0] = first;
    polynomial[1] = second;
  };
  set(wall.given, 1, a * a / 12);
  if (odd) {
    set(wall.pivot, 1 + robin / a, a * a / 12 + 5 * a * robin / 12);
    set(wall.excess, 1, a * a / 12 + a * robin / 2);
  } else {
    set(wall.pivot, 1 / a, 5 * a / 12);
    set(wall.excess, 0, a / 2);
  }
  for (std::size_t i = 0; i < most_points; i++) {
    wall.moved[i] = (odd ? robin : 1) * beside.integral[i];
    wall.inner[i] = weight * beside.at_wall.value[i];
  }
  return wall;
}

}  // namespace

std::vector<double> cell_distances(const DomainAxis& axis) {
  const std::vector<double> widths = in_mean_widths(axis);
  std::vector<double> result{widths.front() / 2};
  for (std::size_t j = 1; j < widths.size(); j++) result.push_back((widths[j - 1] + widths[j]) / 2);
  result.push_back(widths.back() / 2);
  if (is_cyclic(axis)) result.front() = result.back() = (widths.front() + widths.back()) / 2;
  return result;
}

CompactWeights compact_weights(const DomainAxis& axis) {
  const std::vector<double> distances = cell_distances(axis);
  CompactWeights weights;
  for (std::size_t j = 0; j + 1 < distances.size(); j++) {
    const double a = distances[j], b = distances[j + 1];
    weights.before.push_back((a * a + a * b - b * b) / (12 * a));
    weights.after.push_back((b * b + a * b - a * a) / (12 * b));
    weights.middle.push_back((a + b) / 2 - weights.before.back() - weights.after.back());
  }
  weights.walls = {wall_of(axis, false, weights.before.front()), wall_of(axis, true, weights.after.back())};
  return weights;
}

std::vector<double> cell_weights(const DomainAxis& axis) {
  if (axis.order == 2) return in_mean_widths(axis);
  const CompactWeights rows = compact_weights(axis);
  std::vector<double> result = rows.middle;
  const std::size_t cells = result.size();
  for (std::size_t j = 0; j < cells; j++) {
    if (j > 0 || is_cyclic(axis)) result[(j + cells - 1) % cells] += rows.before[j];
    if (j + 1 < cells || is_cyclic(axis)) result[(j + 1) % cells] += rows.after[j];
  }
  for (std::size_t i = 0; i < std::min(cells, most_points) && !is_cyclic(axis); i++) {
    result[i] += rows.walls[0].inner[i] + beside_wall(axis, false).integral[i];
    result[cells - 1 - i] += rows.walls[1].inner[i] + beside_wall(axis, true).integral[i];
  }
  return result;
}

}  // namespace weft
