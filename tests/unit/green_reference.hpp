// What the tests of kernels share: kernels at one point, and integrals by Gauss-Legendre panels.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "poisson/special.hpp"
#include "weft/green.hpp"

namespace weft::testing {

/// A kernel with d convolved axes of spacing h and one spectral axis.
inline std::vector<GreenAxis> axes_of(int d, double h) {
  std::vector<GreenAxis> axes(static_cast<std::size_t>(std::min(d, 2)), GreenAxis{true, h});
  axes.push_back({d == 3, h});
  return axes;
}

/// Its value at distance r for the wavenumber k; for d = 3 the wavenumber is a screening.
inline double radial_value(const Kernel& kernel, int d, double h, double r, double k) {
  std::vector<double> place(static_cast<std::size_t>(std::min(d, 2)) + 1, 0.0);
  place[0] = d > 0 ? r : k;
  if (d == 1 || d == 2) place.back() = k;
  return make_kernel(kernel, axes_of(d, h), d == 3 ? k : 0)->value(place);
}

/// int f over [ends.front(), ends.back()] by 200 nodes between each two ends.
template <class Function>
double integral(const std::vector<double>& ends, const Function& f) {
  static const Quadrature rule = gauss_legendre(200);
  double sum = 0;
  for (std::size_t panel = 1; panel < ends.size(); panel++) {
    const double middle = (ends[panel] + ends[panel - 1]) / 2, half = (ends[panel] - ends[panel - 1]) / 2;
    for (std::size_t i = 0; i < rule.nodes.size(); i++)
      sum += half * rule.weights[i] * f(middle + half * rule.nodes[i]);
  }
  return sum;
}

/// G(r) - G(0) for d = 1 and 2, and G(r) for d = 3, of the kernel with the transform -zeta(q)/(q^2 + k^2), from its
/// Fourier integral over the shells |q| between `ends`.
template <class Function>
double fourier_integral(int d, double r, double k, const std::vector<double>& ends, const Function& zeta) {
  using std::numbers::pi;
  return integral(ends, [&](double q) {
    const double symbol = -zeta(q) / (q * q + k * k), half = std::sin(q * r / 2);
    if (d == 1) return -2 * half * half * symbol / pi;
    if (d == 2) return (j0(q * r) - 1) * q * symbol / (2 * pi);
    return (r > 0 ? std::sin(q * r) / (q * r) : 1) * q * q * symbol / (2 * pi * pi);
  });
}

}  // namespace weft::testing
