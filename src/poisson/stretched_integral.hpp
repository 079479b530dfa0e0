// Integrals near a branch point or a pole.
#pragma once

#include <algorithm>
#include <cmath>

#include "poisson/special.hpp"

namespace weft {

/// int_low^high f(y) dy for an f with branch points or poles at +- i c. With y = c sinh(t) they are at Im t = pi/2, so
/// panels of length up to 2 with 20 nodes have an error of (pi/2 + sqrt(1 + (pi/2)^2))^-40 = 3e-22.
template <class Function>
double stretched_integral(double c, double low, double high, const Function& f) {
  static const Quadrature rule = gauss_legendre(20);
  const double first = std::asinh(low / c), last = std::asinh(high / c);
  const int panels = std::max(1, static_cast<int>(std::ceil((last - first) / 2)));
  const double half = (last - first) / (2 * panels);
  double sum = 0;
  for (int panel = 0; panel < panels; panel++) {
    for (std::size_t i = 0; i < rule.nodes.size(); i++) {
      const double t = first + half * (2 * panel + 1 + rule.nodes[i]);
      sum += rule.weights[i] * c * std::cosh(t) * f(c * std::sinh(t));
    }
  }
  return half * sum;
}

}  // namespace weft
