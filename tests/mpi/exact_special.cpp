// The potential of a Gaussian charge in one to three dimensions and the special functions that it needs.
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "mpi/exact_solutions.hpp"

namespace weft::exact {

namespace {

using std::numbers::pi;

/// Gauss-Legendre nodes and weights on (-1, 1), by Newton's method on the three-term recurrence.
constexpr int quadrature_nodes = 120;
using Rule = std::array<std::pair<double, double>, quadrature_nodes>;

Rule gauss_legendre() {
  Rule rule;
  const double n = quadrature_nodes;
  for (int i = 0; i < quadrature_nodes; ++i) {
    double x = std::cos(pi * (i + 0.75) / (n + 0.5));
    double slope = 0;
    for (int step = 0; step < 8; ++step) {  // quadratic convergence from three digits
      double p = 1;
      double before = 0;
      for (int j = 0; j < quadrature_nodes; ++j) {
        const double next = ((2.0 * j + 1) * x * p - j * before) / (j + 1);
        before = std::exchange(p, next);
      }
      slope = n * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    rule[static_cast<std::size_t>(i)] = {x, 2 / ((1 - x * x) * slope * slope)};
  }
  return rule;
}

/// Exponential integral E1(x), 0 where it underflows.
double e1(double x) { return x < 700 ? -std::expint(-x) : 0; }

double line_charge(double x, double k, double s) {
  const double t = x / s;
  const double gauss = std::exp(-t * t / 2);
  if (k <= 0) return x / 2 * std::erf(t / std::numbers::sqrt2) + s * gauss / std::sqrt(2 * pi);
  const double q = k * s;
  return -(std::exp(q * q / 2 - k * x) * std::erfc((q - t) / std::numbers::sqrt2) +
           scaled_erfc((q + t) / std::numbers::sqrt2) * gauss) /
         (4 * k);
}

double plane_charge(double r, double k, double s) {
  const double b = r * r / (2 * s * s);
  if (k > 0) {
    const double a = k * k * s * s / 2;
    return -std::exp(a) * hantush(a, b) / (4 * pi);
  }
  // ln r + E1(b)/2 has the limit (ln(2 s^2) - gamma)/2 with an error b/2.
  if (b < 1e-18) return (std::log(2 * s * s) - std::numbers::egamma) / (4 * pi);
  return (std::log(r) + e1(b) / 2) / (2 * pi);
}

// -1/(8 pi r) times the difference of exp(a^2 - 2 a b) erfc(a - b) and exp(a^2 + 2 a b) erfc(a + b), a = k s / sqrt(2),
// b = r / (sqrt(2) s), with exp(-b^2) taken out where the exponentials may overflow: -1/(2 pi r) times the derivative
// of the potential of a line.
double ball_charge(double r, double k, double s) {
  const double a = k * s / std::numbers::sqrt2, b = r / (std::numbers::sqrt2 * s);
  if (r <= 0) return -(std::sqrt(2 / pi) / s - k * scaled_erfc(a)) / (4 * pi);
  if (k <= 0) return -std::erf(b) / (4 * pi * r);
  const double near = a > b ? std::exp(-b * b) * scaled_erfc(a - b) : std::exp(a * a - 2 * a * b) * std::erfc(a - b);
  return -(near - std::exp(-b * b) * scaled_erfc(a + b)) / (8 * pi * r);
}

}  // namespace

double scaled_erfc(double x) {
  if (x < 25) {
    const double square = x * x;
    const double rounding = std::fma(x, x, -square);  // exp magnifies the rounding of x^2 by up to 600
    return std::exp(square) * (1 + rounding) * std::erfc(x);
  }
  // Asymptotic series; at x = 25 the terms fall by 1000 each, the eighth is below 1e-19.
  double term = 1;
  double sum = 1;
  for (int n = 1; n <= 8; ++n) {
    term *= -(2 * n - 1) / (2 * x * x);
    sum += term;
  }
  return sum / (x * std::sqrt(pi));
}

double hantush(double a, double b) {
  // t = e^u; outside these limits the exponent a t + b/t exceeds its least value 2 sqrt(ab) by more than 45.
  static const Rule rule = gauss_legendre();
  const double reach = 45 + 2 * std::sqrt(a * b);
  const double low = b > reach ? std::log(b / reach) : 0;
  const double high = std::log(reach / a);
  if (high <= low) return 0;
  double sum = 0;
  for (const auto& [x, weight] : rule) {
    const double t = std::exp((low + high) / 2 + (high - low) / 2 * x);
    sum += weight * std::exp(-a * t - b / t);
  }
  return sum * (high - low) / 2;
}

double charge_potential(int d, double r, double k, double s) {
  switch (d) {
    case 3:
      return ball_charge(r, k, s);
    case 2:
      return plane_charge(r, k, s);
    default:
      return line_charge(r, k, s);
  }
}

}  // namespace weft::exact
