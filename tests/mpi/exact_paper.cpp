// The three validation cases of the FLUPS paper (Balty, Chatelain and Gillis, 2023, appendix B).
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "mpi/exact_solutions.hpp"
#include "weft/error.hpp"

namespace weft::exact {

namespace {

using std::numbers::pi;

/// A value and its second derivative.
struct Jet {
  double value = 0;
  double second = 0;
};

/// sign b((x - centre)/half) with b(s) = exp(10 (1 - 1/(1 - s^2))), 0 for |s| >= 1. The paper omits the cut-off,
/// without which the printed formula grows to 4e10 outside.
Jet bump(double x, double centre, double half, double sign = 1) {
  constexpr double steepness = 10;
  const double s2 = std::pow((x - centre) / half, 2);
  if (s2 >= 1) return {};
  const double q = 1 - s2;
  const double b = sign * std::exp(steepness * (1 - 1 / q));
  const double curvature =
      4 * steepness * steepness * s2 / std::pow(q, 4) - 2 * steepness / (q * q) - 8 * steepness * s2 / std::pow(q, 3);
  return {b, curvature * b / (half * half)};
}

Jet operator+(const Jet& a, const Jet& b) { return {a.value + b.value, a.second + b.second}; }

using Factors = std::array<Jet, 3>;

Factors case_a(double x, double y, double z, double length) {
  const auto wave = [length](double value, double k) { return Jet{value, -k * k / (length * length) * value}; };
  return {wave(std::cos(pi * x / length), pi), wave(std::sin(2.5 * pi * y / length), 2.5 * pi),
          wave(std::sin(8 * pi * z / length), 8 * pi)};
}

Factors case_b(double x, double y, double z, double length) {
  const double half = length / 2;
  return {bump(x, half, half), bump(y, half, half), bump(z, half, half)};
}

Factors case_c(double x, double y, double z, double length) {
  const double half = length / 2;
  return {bump(x, 0.7 * length, half) + bump(x, 1.3 * length, half), bump(y, half, half),
          bump(z, 0.3 * length, half) + bump(z, -0.3 * length, half, -1)};
}

double laplacian(const Factors& f) {
  return f[0].second * f[1].value * f[2].value + f[0].value * f[1].second * f[2].value +
         f[0].value * f[1].value * f[2].second;
}

}  // namespace

std::vector<Boundary> paper_boundaries(char name) {
  if (name == 'A') return {End::even, {End::odd, End::even}, End::periodic};
  if (name == 'B') return {End::unbounded, End::unbounded, End::unbounded};
  require(name == 'C', std::string("name: unknown case '") + name + "'; use A, B or C");
  return {{End::unbounded, End::even}, End::unbounded, {End::odd, End::unbounded}};
}

ExactCase paper_case(char name, double length) {
  const int convolved = paper_boundaries(name)[1] == Boundary(End::unbounded) ? 3 : 0;
  const auto factors = name == 'A' ? case_a : (name == 'B' ? case_b : case_c);
  ExactCase result;
  result.rhs = [=](double x, double y, double z) { return laplacian(factors(x, y, z, length)); };
  result.solution = [=](double x, double y, double z) {
    const Factors f = factors(x, y, z, length);
    return f[0].value * f[1].value * f[2].value;
  };
  result.leading = [=, rhs = result.rhs](double x, double y, double z) {
    return chat2_leading(convolved, true) * rhs(x, y, z);
  };
  return result;
}

}  // namespace weft::exact
