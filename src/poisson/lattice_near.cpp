// The table of two dimensions, and the store of tables and expansions.
#include "poisson/lattice_near.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <utility>

#include <boost/math/special_functions/legendre.hpp>

#include "poisson/lattice_line.hpp"

namespace weft {

namespace {

using std::numbers::pi;

struct Node {
  double place, weight;
};

/// The Gauss-Legendre rule on (0, pi).
std::vector<Node> gauss_nodes(int count) {
  std::vector<Node> nodes;
  for (const double zero : boost::math::legendre_p_zeros<double>(count)) {
    const double slope = boost::math::legendre_p_prime(count, zero);
    const double weight = pi / ((1 - zero * zero) * slope * slope);
    nodes.push_back({pi / 2 * (1 + zero), weight});
    if (zero > 0) nodes.push_back({pi / 2 * (1 - zero), weight});
  }
  return nodes;
}

/// With V(n, t) the solution of one axis for y = 4 sin^2(t/2) along the other, V = 1/(2 t) + O(1) at t = 0, and
///   g(i, j) = (1/pi) int_0^pi (cos(i t) V(j, t) - 1/(2 t)) dt + (ln(pi) + gamma)/(2 pi):
/// for the continuum, where V = exp(-j t)/(2 t), the integral from epsilon on is -(gamma + ln(epsilon r))/(2 pi). The
/// integrand is analytic on [0, pi]; with 80 points more than the waves need the error is below rounding.
std::vector<double> plane_table(const LatticeSymbol& symbol, int near) {
  const auto row = static_cast<std::size_t>(near) + 1;
  std::vector<double> table(row * row, (std::log(pi) + std::numbers::egamma) / (2 * pi));
  std::vector<double> line(row);
  for (const Node& node : gauss_nodes(80 + 2 * near)) {
    const double y = 4 * std::pow(std::sin(node.place / 2), 2);
    lattice_line(symbol, y, 0, line);
    for (std::size_t i = 0; i < row; ++i) {
      const double wave = std::cos(static_cast<double>(i) * node.place);
      for (std::size_t j = 0; j < row; ++j)
        table[i * row + j] += node.weight / pi * (wave * line[j] - 1 / (2 * node.place));
    }
  }
  return table;
}

}  // namespace

LatticeSpace::LatticeSpace(const LatticeSymbol& symbol, int dimension) : far_(symbol, dimension) {
  if (dimension == 2)
    table_ = plane_table(symbol, near);
  else
    table_ = symbol.separable() ? lattice_heat_table(symbol, near) : lattice_stencil_table(symbol, far_, near);
}

void LatticeSpace::line(long i, long j, std::span<const double> k, double* values) const {
  far_.line(static_cast<double>(i), static_cast<double>(j), k, near + 1, values);
  for (std::size_t at = 0; at < k.size(); ++at)
    if (is_near(i, j, std::lround(k[at]))) values[at] = table_at(i, j, std::lround(k[at]));
}

const LatticeSpace& lattice_space(const LatticeSymbol& symbol, int dimension) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, int>, std::unique_ptr<const LatticeSpace>> kept;
  const std::lock_guard lock(mutex);
  auto& space = kept[{symbol.name, dimension}];
  if (!space) space = std::make_unique<const LatticeSpace>(symbol, dimension);
  return *space;
}

}  // namespace weft
