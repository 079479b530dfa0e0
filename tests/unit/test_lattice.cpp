// The lattice kernels against the difference equations that define them, known constants and their far fields.
#include "weft/green.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "../error_text.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using testing::error_text;
using testing::mentions;

constexpr int most = 80;  ///< the largest index that these tests ask for
constexpr double h = 0.25;
constexpr GreenAxis spectral{false, h};
constexpr GreenAxis convolved{true, h, most};

/// A polynomial in y_0, y_1, y_2: coefficients and exponents.
struct Monomial {
  double factor;
  std::array<int, 3> exponents;
};
using Operator = std::vector<Monomial>;

/// factor times the sum of y_a^i y_b^j over ordered or unordered pairs of different axes, or of y_a^i for j = 0.
void add_sum(Operator& target, double factor, int i, int j, int axes) {
  for (std::size_t a = 0; a < static_cast<std::size_t>(axes); ++a) {
    for (std::size_t b = 0; b < static_cast<std::size_t>(axes); ++b) {
      if ((j == 0 && b > 0) || (j > 0 && (a == b || (i == j && b < a)))) continue;
      Monomial term{factor, {}};
      term.exponents[a] = i;
      if (j > 0) term.exponents[b] = j;
      target.push_back(term);
    }
  }
}

/// The stencils as their authors give them: difference operators of order 2 to 8, and the compact ones.
struct Stencil {
  std::string name;
  Operator p, q{{1, {0, 0, 0}}};

  Stencil(std::string kernel, int axes) : name(std::move(kernel)) {
    add_sum(p, 1, 1, 0, axes);
    const char order = name[name.size() - (name[0] == 'l' ? 1 : 2)];
    if (name[0] == 'l') {
      if (order >= '4') add_sum(p, 1.0 / 12, 2, 0, axes);
      if (order >= '6') add_sum(p, 1.0 / 90, 3, 0, axes);
      if (order >= '8') add_sum(p, 1.0 / 560, 4, 0, axes);
      return;
    }
    add_sum(p, -1.0 / 6, 1, 1, axes);
    if (order == '6' && axes == 3) p.push_back({1.0 / 30, {1, 1, 1}});
    if (name.back() == 'l') return;
    add_sum(q, -1.0 / 12, 1, 0, axes);
    if (order == '4') return;
    add_sum(q, 1.0 / 90, 1, 1, axes);
    add_sum(q, -1.0 / 240, 2, 0, axes);
  }
};

const std::vector<std::string> names{"lgf2", "lgf4", "lgf6", "lgf8", "mehr4l", "mehr6l", "mehr4f", "mehr6f"};

using Index = std::array<int, 3>;
using LatticeFunction = std::function<double(const Index&)>;

/// y^exponents applied to a function at n; `y` holds numbers for axes that are not differenced, NaN for the others.
double applied(const LatticeFunction& g, const Index& n, std::array<int, 3> exponents, const std::array<double, 3>& y) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (exponents[a] == 0) continue;
    --exponents[a];
    if (!std::isnan(y[a])) return y[a] * applied(g, n, exponents, y);
    Index left = n, right = n;
    --left[a];
    ++right[a];
    return 2 * applied(g, n, exponents, y) - applied(g, left, exponents, y) - applied(g, right, exponents, y);
  }
  return g(n);
}

double applied(const Operator& op, const LatticeFunction& g, const Index& n, const std::array<double, 3>& y) {
  double sum = 0;
  for (const Monomial& term : op) sum += term.factor * applied(g, n, term.exponents, y);
  return sum;
}

/// P g - Q delta at n for the kernel G = factor g on `axes`; `wavenumbers` are NaN along convolved axes.
double residual(const Stencil& stencil, const std::vector<GreenAxis>& axes, const std::array<double, 3>& wavenumbers,
                double factor, const Index& n) {
  const auto kernel = make_kernel(stencil.name, axes);
  std::array<double, 3> y{};
  for (std::size_t a = 0; a < 3; ++a) y[a] = 4 * std::pow(std::sin(wavenumbers[a] * h / 2), 2);
  const LatticeFunction g = [&](const Index& at) {
    std::vector<double> x;
    for (std::size_t a = 0; a < axes.size(); ++a) x.push_back(axes[a].convolved ? std::abs(at[a]) * h : wavenumbers[a]);
    return kernel->value(x) / factor;
  };
  const LatticeFunction delta = [](const Index& at) { return at == Index{0, 0, 0} ? 1.0 : 0.0; };
  return applied(stencil.p, g, n, y) - applied(stencil.q, delta, n, y);
}

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Near the origin, about the end of the table (index 32) and beyond it. The stencils' weights add up to at most 40,
/// the values are at most 0.3 with a few units of rounding: 40 * 0.3 * 3e-16.
TEST(Lattice, ThreeAxesSatisfyTheDifferenceEquations) {
  const std::vector<GreenAxis> axes(3, convolved);
  for (const std::string& name : names) {
    const Stencil stencil(name, 3);
    for (const Index& n : {Index{0, 0, 0}, Index{1, 0, 0}, Index{1, 1, 0}, Index{2, 0, 0}, Index{1, 2, 3},
                           Index{7, 0, 12}, Index{32, 0, 0}, Index{33, 1, 0}, Index{30, 32, 34}, Index{50, 60, 3}}) {
      EXPECT_NEAR(residual(stencil, axes, {none, none, none}, -1 / h, n), 0, 4e-15)
          << name << " " << n[0] << " " << n[1] << " " << n[2];
    }
  }
}

/// Values up to 1.5, weights up to 25.
TEST(Lattice, TwoAxesSatisfyTheDifferenceEquations) {
  for (const std::string& name : names) {
    const Stencil stencil(name, 2);
    for (const Index& n : {Index{0, 0, 0}, Index{1, 0, 0}, Index{1, 1, 0}, Index{0, 2, 0}, Index{7, 12, 0},
                           Index{32, 0, 0}, Index{1, 33, 0}, Index{34, 32, 0}, Index{60, 3, 0}}) {
      EXPECT_NEAR(residual(stencil, {convolved, convolved}, {none, none, 0}, -1, n), 0, 2e-14)
          << name << " " << n[0] << " " << n[1];
    }
  }
}

/// From wavenumbers for which the lattice is short to the largest one there is.
TEST(Lattice, TwoAxesAndAWavenumberSatisfyTheDifferenceEquations) {
  for (const std::string& name : names) {
    const Stencil stencil(name, 3);
    for (const double k : {0.02, 0.5, 3.0, 6.0, 7.7, 9.0, pi / h}) {
      for (const Index& n : {Index{0, 0, 0}, Index{1, 0, 0}, Index{1, 0, 1}, Index{0, 0, 2}, Index{7, 0, 12},
                             Index{32, 0, 0}, Index{1, 0, 33}, Index{50, 0, 60}}) {
        EXPECT_NEAR(residual(stencil, {convolved, spectral, convolved}, {none, k, none}, -1, n), 0, 2e-14)
            << name << " " << k << ": " << n[0] << " " << n[2];
      }
    }
  }
}

/// Small wavenumbers have values up to 1/(2 k h): 50 for the first one.
TEST(Lattice, OneAxisSatisfiesTheDifferenceEquations) {
  for (const std::string& name : names) {
    const Stencil stencil(name, 3);
    for (const double k : {0.0, 0.04, 1.0, 5.0, 6.5, 7.0, 9.0, pi / h}) {
      for (const int n : {0, 1, 2, 3, 10, 33, 70}) {
        EXPECT_NEAR(residual(stencil, {spectral, convolved, spectral}, {k, none, k / 2}, -h, {0, n, 0}), 0, 2e-13)
            << name << " " << k << ": " << n;
      }
    }
  }
}

}  // namespace
}  // namespace weft
