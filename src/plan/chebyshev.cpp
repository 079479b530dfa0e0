// The points of Gauss and Lobatto, and the weights of Clenshaw and Curtis.
#include "weft/chebyshev.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "base/number.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

void check_points(index_t n, double a, double b) {
  require(n >= 2, "n: " + std::to_string(n) + " given; at least 2 points are needed, one at each end");
  require(std::isfinite(a) && std::isfinite(b) && a < b,
          "a, b: " + number("%.6g", a) + " and " + number("%.6g", b) + " given; they must be finite, with a < b");
}

}  // namespace

// Computed by sines, so that points are symmetric about the middle to the last bit.
std::vector<double> chebyshev_points(index_t n, double a, double b) {
  check_points(n, a, b);
  const double middle = a / 2 + b / 2, half = b / 2 - a / 2;
  std::vector<double> points;
  for (index_t j = 0; j < n; j++) {
    const double angle = std::numbers::pi * static_cast<double>(2 * j - (n - 1)) / static_cast<double>(2 * (n - 1));
    points.push_back(middle + half * std::sin(angle));
  }
  points.front() = a;
  points.back() = b;
  return points;
}

std::vector<double> chebyshev_weights(index_t n, double a, double b) {
  check_points(n, a, b);
  const index_t intervals = n - 1;
  std::vector<double> cosines;
  for (index_t j = 0; j < intervals; j++)
    cosines.push_back(std::cos(2 * std::numbers::pi * static_cast<double>(j) / static_cast<double>(intervals)));
  std::vector<double> weights;
  for (index_t j = 0; j < n; j++) {
    double sum = 1;
    for (index_t k = 1; 2 * k <= intervals; k++) {
      const double share = (2 * k == intervals ? 1.0 : 2.0) / static_cast<double>(4 * k * k - 1);
      sum -= share * cosines[static_cast<std::size_t>(j * k % intervals)];
    }
    const double both = j == 0 || j == intervals ? 1 : 2;
    weights.push_back(sum * both / static_cast<double>(intervals) * (b / 2 - a / 2));
  }
  return weights;
}

}  // namespace weft
