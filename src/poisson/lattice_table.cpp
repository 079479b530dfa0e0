// The tables of three dimensions near the origin.
#include <cmath>
#include <numbers>

#include "poisson/lattice_near.hpp"

namespace weft {

namespace {

using std::numbers::pi;

/// The integral over 0 < t < inf is taken with t = exp(u - exp(-(u + 2))), by the trapezoidal rule in u: t B^3 falls
/// off doubly exponentially on the left, as exp(-u/2) on the right, and is analytic for |Im u| < pi/2, so the error is
/// exp(-pi^2/step) = 1e-17.
constexpr double step = 0.25, first_u = -5.75;

struct TimeNode {
  double t, weight;
};

/// Nodes up to t = 1e11 r^2, from where the sum is that of (4 pi t)^(-3/2) to 1e-17.
std::vector<TimeNode> time_nodes(int near) {
  std::vector<TimeNode> nodes;
  const double last = std::log(1e11 * 3 * near * near);
  for (int k = 0; first_u + k * step < last; ++k) {
    const double u = first_u + k * step, inner = std::exp(-(u + 2)), t = std::exp(u - inner);
    nodes.push_back({t, step * t * (1 + inner)});
  }
  return nodes;
}

double time_tail(const TimeNode& last) {
  const double ratio = std::exp(-step / 2);
  return last.weight * std::pow(4 * pi * last.t, -1.5) * ratio / (1 - ratio);
}

/// B(n, t) for n = 0 .. near by the trapezoidal rule over the angle. B(n, t) is below 1e-18 for n > 20 + 13 sqrt(t), so
/// that many points leave no alias; exp(-t p) below 1e-20 is omitted.
std::vector<double> heat_kernel(const LatticeSymbol& symbol, double t, int near) {
  std::vector<double> kernel(static_cast<std::size_t>(near) + 1);
  const double intervals = std::ceil((20 + 13 * std::sqrt(t) + near) / 2 + 1);
  for (double k = 0; k <= intervals; ++k) {
    const double angle = pi * k / intervals;
    const double exponent = t * symbol.along_axis(4 * std::pow(std::sin(angle / 2), 2));
    if (exponent > 46) break;
    const double weight = (k > 0 && k < intervals ? 1 : 0.5) * std::exp(-exponent) / intervals;
    for (std::size_t n = 0; n < kernel.size(); ++n) kernel[n] += weight * std::cos(static_cast<double>(n) * angle);
  }
  return kernel;
}

}  // namespace

std::vector<double> lattice_heat_table(const LatticeSymbol& symbol, int near) {
  const auto row = static_cast<std::size_t>(near) + 1;
  const std::vector<TimeNode> nodes = time_nodes(near);
  std::vector<double> table(row * row * row, time_tail(nodes.back()));
  for (const TimeNode& node : nodes) {
    const std::vector<double> kernel = heat_kernel(symbol, node.t, near);
    for (std::size_t i = 0; i < row; ++i)
      for (std::size_t j = 0; j < row; ++j) {
        const double factor = node.weight * kernel[i] * kernel[j];
        for (std::size_t k = 0; k < row; ++k) table[(i * row + j) * row + k] += factor * kernel[k];
      }
  }
  return table;
}

namespace {

/// A field that is even about index 0 along each axis and known beyond index extent - 1.
struct Cube {
  std::size_t extent;
  std::vector<double> values;

  explicit Cube(std::size_t size) : extent(size), values(size * size * size) {}
  double& at(std::size_t i, std::size_t j, std::size_t k) { return values[(i * extent + j) * extent + k]; }
  double at(std::size_t i, std::size_t j, std::size_t k) const { return values[(i * extent + j) * extent + k]; }
};

/// Weights of the 27-point stencil of P by the number of axes along which a neighbour is one step away.
std::array<double, 4> stencil(const LatticeSymbol& symbol) {
  return {6 + 12 * symbol.pairs + 8 * symbol.triple, -1 - 4 * symbol.pairs - 4 * symbol.triple,
          symbol.pairs + 2 * symbol.triple, -symbol.triple};
}

double stencil_at(const Cube& field, const std::array<double, 4>& weights, std::size_t i, std::size_t j,
                  std::size_t k) {
  const auto step_from = [](std::size_t n, int s) { return s < 0 ? (n == 0 ? 1 : n - 1) : n + (s > 0 ? 1 : 0); };
  double sum = 0;
  for (int a = -1; a <= 1; ++a)
    for (int b = -1; b <= 1; ++b)
      for (int c = -1; c <= 1; ++c) {
        const int away = a * a + b * b + c * c;
        sum += weights[static_cast<std::size_t>(away)] * field.at(step_from(i, a), step_from(j, b), step_from(k, c));
      }
  return sum;
}

/// Q delta at the indices of one octant.
void add_source(const LatticeSymbol& symbol, Cube& cube) {
  const double edge = symbol.q_pairs, twice = symbol.q_squares;
  const double face = -symbol.q_sum - 4 * symbol.q_pairs - 4 * symbol.q_squares;
  cube.at(0, 0, 0) += 1 + 6 * symbol.q_sum + 12 * symbol.q_pairs + 18 * symbol.q_squares;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::array<std::size_t, 3> one{}, two{}, diagonal{1, 1, 1};
    one[axis] = 1;
    two[axis] = 2;
    diagonal[axis] = 0;
    cube.at(one[0], one[1], one[2]) += face;
    cube.at(two[0], two[1], two[2]) += twice;
    cube.at(diagonal[0], diagonal[1], diagonal[2]) += edge;
  }
}

/// Multiplies along each axis by a matrix: result(k) = sum_n matrix[k][n] field(n). The axes turn, so that after three
/// rounds they are in order again.
void multiply_axes(Cube& cube, const std::vector<double>& matrix) {
  const std::size_t n = cube.extent;
  for (int round = 0; round < 3; ++round) {
    Cube transformed(n);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t m = 0; m < n; ++m) {
        const double factor = matrix[k * n + m];
        for (std::size_t rest = 0; rest < n * n; ++rest)
          transformed.values[k * n * n + rest] += factor * cube.values[m * n * n + rest];
      }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t rest = 0; rest < n * n; ++rest) cube.values[rest * n + k] = transformed.values[k * n * n + rest];
  }
}

/// Solves P v = source where v is even about 0 and odd about `extent`: the cosines of (m + 1/2) pi n / extent are the
/// eigenfunctions of the stencil along each axis.
void solve_in_cube(const LatticeSymbol& symbol, Cube& cube) {
  const std::size_t n = cube.extent;
  std::vector<double> forward(n * n), backward(n * n), y(n);
  for (std::size_t m = 0; m < n; ++m) {
    const double angle = (static_cast<double>(m) + 0.5) * pi / static_cast<double>(n);
    y[m] = 4 * std::pow(std::sin(angle / 2), 2);
    for (std::size_t i = 0; i < n; ++i) {
      const double wave = std::cos(angle * static_cast<double>(i));
      forward[m * n + i] = (i == 0 ? 1 : 2) * wave / static_cast<double>(n);
      backward[i * n + m] = wave;
    }
  }
  multiply_axes(cube, forward);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) cube.at(i, j, k) /= symbol.p({y[i], y[j], y[k]});
  multiply_axes(cube, backward);
}

}  // namespace

std::vector<double> lattice_stencil_table(const LatticeSymbol& symbol, const LatticeFarField& far, int near) {
  const auto extent = static_cast<std::size_t>(near) + 1;
  Cube boundary(extent + 1);  // the expansion on the faces n = extent, zero inside
  for (std::size_t i = 0; i <= extent; ++i)
    for (std::size_t j = 0; j <= extent; ++j)
      for (std::size_t k = 0; k <= extent; ++k)
        if (i == extent || j == extent || k == extent)
          boundary.at(i, j, k) = far(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
  Cube cube(extent);
  const std::array<double, 4> weights = stencil(symbol);
  for (std::size_t i = 0; i < extent; ++i)
    for (std::size_t j = 0; j < extent; ++j)
      for (std::size_t k = 0; k < extent; ++k) cube.at(i, j, k) = -stencil_at(boundary, weights, i, j, k);
  add_source(symbol, cube);
  solve_in_cube(symbol, cube);
  return cube.values;
}

}  // namespace weft
