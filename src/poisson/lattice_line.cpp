// Partial fractions in y = 4 sin^2(w/2) along one axis.
#include "poisson/lattice_line.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace weft {

namespace {

/// The sum over the other axes up to which the nearest pole is separated; the poles of lgf4 and lgf8 meet at 3.0 and
/// 3.2. Above it all poles decay at least as fast as exp(-fast_decay n), below it all but the nearest one.
constexpr double separation = 2;
constexpr double fast_decay = 1.3;

/// Points of the trapezoidal rule for parts that decay as exp(-fast_decay n), and the number of indices kept: the
/// aliases, exp(-fast_decay (points - kept)), and the omitted values are below 1e-18.
constexpr int points = 64, kept = 33;

/// cos(2 pi k n / points) times the weight of point k, for k = 0 .. points/2.
const std::vector<double>& cosine_table() {
  static const std::vector<double> table = [] {
    std::vector<double> all;
    for (int k = 0; k <= points / 2; ++k)
      for (int n = 0; n < kept; ++n)
        all.push_back((k == 0 || k == points / 2 ? 1.0 : 2.0) / points *
                      std::cos(2 * std::numbers::pi * (k * n % points) / points));
    return all;
  }();
  return table;
}

/// s > 0 with `rest` + sum_j powers[j] (-s)^(j+1) = 0, the pole nearest to 0, for rest < separation: Newton's iteration
/// from s = rest, below the root of this function, which falls and is convex up to there.
double nearest_pole(const LatticeSymbol& symbol, double rest) {
  double s = rest;
  for (int i = 0; i < 50; ++i) {
    const auto& p = symbol.powers;
    const double slope = p[0] - s * (2 * p[1] - s * (3 * p[2] - s * 4 * p[3]));
    const double step = (rest + symbol.along_axis(-s)) / slope;
    s += step;
    if (std::abs(step) <= 1e-16 * s) break;
  }
  return s;
}

/// The quotient of a polynomial (ascending coefficients, without its constant term) by y + s: Horner's scheme.
std::array<double, 4> divided(const std::array<double, 4>& coefficients, double s) {
  std::array<double, 4> quotient{};
  for (std::size_t j = 4; j-- > 0;) quotient[j] = coefficients[j] - (j < 3 ? s * quotient[j + 1] : 0);
  return quotient;
}

double horner(const std::array<double, 4>& coefficients, double y) {
  return coefficients[0] + y * (coefficients[1] + y * (coefficients[2] + y * coefficients[3]));
}

/// Adds the function whose symbol is f(y), which is analytic in a wide strip.
template <class Symbol>
void add_by_quadrature(const Symbol& f, std::span<double> values) {
  const std::vector<double>& cosine = cosine_table();
  const std::size_t count = std::min<std::size_t>(values.size(), kept);
  for (int k = 0; k <= points / 2; ++k) {
    const double factor = f(4 * std::pow(std::sin(std::numbers::pi * k / points), 2));
    const double* row = cosine.data() + static_cast<std::size_t>(k) * kept;
    for (std::size_t n = 0; n < count; ++n) values[n] += factor * row[n];
  }
}

/// 1/(a + b y), whose inverse is ratio^n / root with root = sqrt(a (a + 4 b)) and ratio = 2 b/(a + 2 b + root); b may
/// be zero or negative, a + 4 b is positive.
struct Fraction {
  double a, b, root;

  Fraction(const LatticeSymbol& symbol, double y2, double y3)
      : a(y2 + y3 + symbol.pairs * y2 * y3),
        b(1 + symbol.pairs * (y2 + y3) + symbol.triple * y2 * y3),
        root(std::sqrt(a * (a + 4 * b))) {}

  /// -log(ratio) for b > 0, exact where ratio is near 1.
  double rate() const { return std::log1p((a + root) / (2 * b)); }

  void fill(std::span<double> values) const {
    std::fill(values.begin(), values.end(), 0.0);
    const double decay = b > 0 ? rate() : 0, ratio = 2 * b / (a + 2 * b + root);
    for (std::size_t n = 0; n < values.size(); ++n) {
      const auto distance = static_cast<double>(n);
      if (distance * decay > lattice_negligible) break;
      if (a > 0)
        values[n] = (b > 0 ? std::exp(-distance * decay) : std::pow(ratio, distance)) / root;
      else
        values[n] = -distance / 2;
    }
  }
};

/// q0 + q1 y + q2 y^2 as differences of an even function that is two entries longer than `values`.
void apply_weights(std::vector<double> g, double q0, double q1, double q2, std::span<double> values) {
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = q0 * g[n];
  double factor = q1;
  for (std::size_t round = 1; round <= 2; ++round) {
    std::vector<double> difference(g.size() - 1);
    for (std::size_t n = 0; n < difference.size(); ++n)
      difference[n] = (g[n] - g[n == 0 ? 1 : n - 1]) + (g[n] - g[n + 1]);
    g = std::move(difference);
    for (std::size_t n = 0; n < values.size(); ++n) values[n] += factor * g[n];
    factor = q2;
  }
}

}  // namespace

// rest + sum_j powers[j] y^(j+1) = (y + s) R(y), and 1/((y + s) R(y)) = 1/(R(-s) (y + s)) - T(y)/(R(y) R(-s)) with T =
// (R(y) - R(-s))/(y + s): no difference of large numbers occurs, however small s is.
void separable_line(const LatticeSymbol& symbol, double rest, std::span<double> values) {
  const bool second_order = symbol.powers[1] == 0;
  std::fill(values.begin(), values.end(), 0.0);
  if (rest >= separation && !second_order) {
    add_by_quadrature([&](double y) { return 1 / (rest + symbol.along_axis(y)); }, values);
    return;
  }
  const double s = second_order ? rest : nearest_pole(symbol, rest);
  const std::array<double, 4> r = divided(symbol.powers, s);
  const std::array<double, 4> t = divided({r[1], r[2], r[3], 0}, s);
  const double at_pole = horner(r, -s), rate = 2 * std::asinh(std::sqrt(s) / 2), scale = std::sqrt(s * (s + 4));
  if (!second_order) add_by_quadrature([&](double y) { return -horner(t, y) / (horner(r, y) * at_pole); }, values);
  for (std::size_t n = 0; n < values.size(); ++n) {
    const auto distance = static_cast<double>(n);
    if (distance * rate > lattice_negligible) break;
    values[n] += (s > 0 ? std::exp(-distance * rate) / scale : -distance / 2) / at_pole;
  }
}

void lattice_line(const LatticeSymbol& symbol, double b, double c, std::span<double> values) {
  if (symbol.separable()) {
    separable_line(symbol, symbol.along_axis(b) + symbol.along_axis(c), values);
    return;
  }
  const Fraction fraction(symbol, b, c);
  if (symbol.q_sum == 0) {
    fraction.fill(values);
    return;
  }
  std::vector<double> longer(values.size() + 2);
  fraction.fill(longer);
  apply_weights(std::move(longer), symbol.q({0, b, c}), symbol.q_sum + symbol.q_pairs * (b + c), symbol.q_squares,
                values);
}

double lattice_decay(const LatticeSymbol& symbol, double b, double c) {
  if (!symbol.separable()) {
    const Fraction fraction(symbol, b, c);
    return fraction.b > 0 ? std::min(fraction.rate(), fast_decay) : fast_decay;
  }
  const double rest = symbol.along_axis(b) + symbol.along_axis(c);
  if (rest >= separation) return fast_decay;
  return std::min(2 * std::asinh(std::sqrt(nearest_pole(symbol, rest)) / 2), fast_decay);
}

}  // namespace weft
