// The lattice kernels against the difference equations that define them, known constants and their far fields.
#include "weft/green.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "../error_text.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using testing::error_text;
using testing::mentions;

constexpr int most = 60;  ///< the largest index of a block
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

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A kernel on a block of a lattice, divided by the factor that makes it g, and how well it solves P g = Q delta there.
class Sampled {
 public:
  /// `wavenumbers` has one entry per axis, NaN along those that are convolved and sampled at 0 .. most.
  Sampled(std::string name, const std::vector<double>& wavenumbers, double factor)
      : stencil_(std::move(name), static_cast<int>(wavenumbers.size())), axes_(wavenumbers.size()) {
    GreenGrid grid;
    std::vector<GreenAxis> axes;
    for (std::size_t a = 0; a < axes_; ++a) {
      const bool sampled = std::isnan(wavenumbers[a]);
      axes.push_back(sampled ? convolved : spectral);
      grid.coordinates.emplace_back(1, wavenumbers[a]);
      y_[a] = 4 * std::pow(std::sin(wavenumbers[a] * h / 2), 2);
      if (!sampled) continue;
      grid.coordinates.back().clear();
      for (int n = 0; n <= most; ++n) grid.coordinates.back().push_back(n * h);
    }
    values_.resize(static_cast<std::size_t>(grid.size()));
    make_kernel(stencil_.name, axes)->sample(grid, values_.data(), 1);
    for (double& value : values_) value /= factor;
  }

  double operator()(const Index& n) const {
    std::size_t place = 0;
    for (std::size_t a = 0; a < axes_; ++a)
      if (std::isnan(y_[a])) place = place * (most + 1) + static_cast<std::size_t>(std::abs(n[a]));
    return values_[place];
  }

  /// P g - Q delta at n.
  double residual(const Index& n) const {
    const LatticeFunction g = [this](const Index& at) { return (*this)(at); };
    const LatticeFunction delta = [](const Index& at) { return at == Index{0, 0, 0} ? 1.0 : 0.0; };
    return applied(stencil_.p, g, n, y_) - applied(stencil_.q, delta, n, y_);
  }

 private:
  Stencil stencil_;
  std::size_t axes_;
  std::array<double, 3> y_{};
  std::vector<double> values_;
};

/// Near the origin, about the end of the table (index 32) and beyond it. The weights of a stencil add up to less than
/// 40 in modulus, values of g near the origin are at most 0.3 and have an error of a few units in their last place.
TEST(Lattice, ThreeAxesSatisfyTheDifferenceEquations) {
  for (const std::string& name : names) {
    const Sampled g(name, {none, none, none}, -1 / h);
    for (const Index& n :
         {Index{0, 0, 0}, Index{1, 0, 0}, Index{1, 1, 0}, Index{2, 0, 0}, Index{1, 2, 3}, Index{7, 0, 12},
          Index{32, 0, 0}, Index{33, 1, 0}, Index{29, 0, 0}, Index{30, 32, 34}, Index{50, 30, 3}}) {
      EXPECT_NEAR(g.residual(n), 0, 40 * 0.3 * 1e-15) << name << " " << n[0] << " " << n[1] << " " << n[2];
    }
  }
}

/// Values up to 1 with a few units of rounding, weights up to 27.
TEST(Lattice, TwoAxesSatisfyTheDifferenceEquations) {
  for (const std::string& name : names) {
    const Sampled g(name, {none, none}, -1);
    for (const Index& n : {Index{0, 0, 0}, Index{1, 0, 0}, Index{1, 1, 0}, Index{0, 2, 0}, Index{7, 12, 0},
                           Index{32, 0, 0}, Index{1, 33, 0}, Index{34, 32, 0}, Index{50, 3, 0}}) {
      EXPECT_NEAR(g.residual(n), 0, 27 * 1e-15) << name << " " << n[0] << " " << n[1];
    }
  }
}

/// From a wavenumber for which g reaches over thousands of points to the largest one there is; values as above.
TEST(Lattice, TwoAxesAndAWavenumberSatisfyTheDifferenceEquations) {
  for (const std::string& name : names) {
    for (const double k : {0.02, 0.5, 3.0, 6.0, 7.7, 9.0, pi / h}) {
      const Sampled g(name, {none, k, none}, -1);
      for (const Index& n : {Index{0, 0, 0}, Index{1, 0, 0}, Index{1, 0, 1}, Index{0, 0, 2}, Index{7, 0, 12},
                             Index{32, 0, 0}, Index{1, 0, 33}, Index{50, 0, 30}}) {
        EXPECT_NEAR(g.residual(n), 0, 40 * 2e-15) << name << " " << k << ": " << n[0] << " " << n[2];
      }
    }
  }
}

/// Values are at most 1/(2 k h) (50 here), and |n|/2 without wavenumbers; both sides of where poles meet, 3 h^-2.
TEST(Lattice, OneAxisSatisfiesTheDifferenceEquations) {
  for (const std::string& name : names) {
    for (const double k : {0.0, 0.04, 1.0, 5.0, 6.5, 7.0, 9.0, pi / h}) {
      const Sampled g(name, {k, none, k / 2}, -h);
      for (const int n : {0, 1, 2, 3, 10, 33, 50}) {
        EXPECT_NEAR(g.residual({0, n, 0}), 0, 40 * 50 * 1e-16) << name << " " << k << ": " << n;
      }
    }
  }
}

double value(const std::string& name, const std::vector<GreenAxis>& axes, const std::vector<double>& coordinates) {
  return make_kernel(name, axes)->value(coordinates);
}

/// Watson's integral (Glasser and Zucker, PNAS 74, 1977), the energy of one bond, and McCrea and Whipple's values.
TEST(Lattice, KnownValuesOfTheSecondOrderStencil) {
  const std::vector<GreenAxis> space(3, convolved), plane(2, convolved);
  const double origin = value("lgf2", space, {0, 0, 0}) * -h;
  EXPECT_NEAR(origin, 0.252731009858663, 1e-15);
  EXPECT_NEAR(origin + value("lgf2", space, {0, h, 0}) * h, 1.0 / 6, 1e-15);
  const double centre = value("lgf2", plane, {0, 0});
  EXPECT_NEAR(centre, (std::log(h) - std::numbers::egamma - 1.5 * std::log(2.0)) / (2 * pi), 1e-15);
  EXPECT_NEAR(value("lgf2", plane, {h, 0}) - centre, 0.25, 1e-15);
  EXPECT_NEAR(value("lgf2", plane, {h, h}) - centre, 1 / pi, 1e-15);
  // exp(-2 n asinh(sqrt(c)/2)) / sqrt(c (c + 4)) with c = 1/2 + ... at k h = 1.
  const double c = 4 * std::pow(std::sin(0.5), 2);
  EXPECT_NEAR(value("lgf2", {convolved, spectral}, {3 * h, 1 / h}),
              -h * std::exp(-6 * std::asinh(std::sqrt(c) / 2)) / std::sqrt(c * (c + 4)), 1e-16);
}

/// The free-space kernels with their additive constants, up to the anisotropy of the stencils, which is at most (h/r)^2
/// over pi, here 3e-7 of 1/r.
TEST(Lattice, FarFieldsAreThoseOfFreeSpace) {
  for (const std::string& name : names) {
    const double x = 800 * h, y = 600 * h, r = 1000 * h;
    EXPECT_NEAR(value(name, {convolved, convolved, convolved}, {x, y, 0}) * r, -1 / (4 * pi), 1e-6 / pi) << name;
    EXPECT_NEAR(value(name, {convolved, convolved}, {x, y}), std::log(r) / (2 * pi), 1e-6 / pi) << name;
    const std::vector<GreenAxis> line{{true, h, 100}, spectral};
    EXPECT_NEAR(value(name, line, {100 * h, 0}), 50 * h, 1e-14) << name;
  }
}

/// -h^2 Q/P at three wavenumbers that are not special, and what happens to the mean.
TEST(Lattice, NoConvolvedAxisGivesTheSymbol) {
  const std::vector<double> w{0.7 / h, 1.9 / h, 3.0 / h};
  std::array<double, 3> y{};
  for (std::size_t a = 0; a < 3; ++a) y[a] = 4 * std::pow(std::sin(w[a] * h / 2), 2);
  const LatticeFunction one = [](const Index&) { return 1.0; };
  for (const std::string& name : names) {
    const Stencil stencil(name, 3);
    const double expected = -h * h * applied(stencil.q, one, {}, y) / applied(stencil.p, one, {}, y);
    EXPECT_NEAR(value(name, {spectral, spectral, spectral}, w), expected, 1e-16) << name;
    EXPECT_EQ(value(name, {spectral, spectral, spectral}, {0, 0, 0}), 0) << name;
  }
}

/// The symbols against -1/w^2 for halved wavenumbers: orders 2, 4, 6, 8, the compact ones along a direction that is
/// special to none of them. Without weights these err by h^2/12 whatever the wavenumber.
TEST(Lattice, OrdersOfTheSymbols) {
  const auto error = [](const std::string& name, double scale) {
    const std::vector<double> w{0.3 * scale / h, 0.5 * scale / h, 0.7 * scale / h};
    const double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    return value(name, {spectral, spectral, spectral}, w) * square + 1;
  };
  const std::vector<std::pair<std::string, double>> orders{{"lgf2", 2},   {"lgf4", 4},   {"lgf6", 6},   {"lgf8", 8},
                                                           {"mehr4f", 4}, {"mehr6f", 6}, {"mehr4l", 2}, {"mehr6l", 2}};
  for (const auto& [name, order] : orders)
    EXPECT_NEAR(std::log2(std::abs(error(name, 0.5) / error(name, 0.25))), order, 0.05) << name;
  for (const std::string name : {"mehr4l", "mehr6l"})
    EXPECT_NEAR(error(name, 0.01) / (0.01 * 0.01 * 0.83), -1.0 / 12, 1e-5) << name;
}

/// What a rank asks for depends on the number of ranks; the bits must not.
TEST(Lattice, ValuesDoNotDependOnTheBlock) {
  const auto list = [](bool sampled, int first, int last) {
    std::vector<double> x;
    for (int n = first; n < last; ++n) x.push_back(n * (sampled ? h : 0.3 * pi / h));
    return x;
  };
  for (const std::string& name : names) {
    for (const std::vector<GreenAxis>& axes : {std::vector<GreenAxis>{convolved, convolved, convolved},
                                               {convolved, spectral, convolved},
                                               {spectral, spectral, convolved},
                                               {spectral, spectral, spectral}}) {
      GreenGrid whole, part;
      for (const GreenAxis& axis : axes) {
        whole.coordinates.push_back(list(axis.convolved, 0, axis.convolved ? 37 : 4));
        part.coordinates.push_back(list(axis.convolved, 1, axis.convolved ? 36 : 3));
      }
      std::vector<double> all(static_cast<std::size_t>(whole.size())), some(static_cast<std::size_t>(part.size()));
      const auto kernel = make_kernel(name, axes);
      kernel->sample(whole, all.data(), 2);
      kernel->sample(part, some.data(), 1);
      std::vector<std::size_t> size, inner;
      for (const auto& x : whole.coordinates) size.push_back(x.size());
      for (const auto& x : part.coordinates) inner.push_back(x.size());
      std::vector<double> expected;
      for (std::size_t i = 1; i <= inner[0]; ++i)
        for (std::size_t j = 1; j <= inner[1]; ++j)
          for (std::size_t k = 1; k <= inner[2]; ++k) expected.push_back(all[(i * size[1] + j) * size[2] + k]);
      EXPECT_EQ(some, expected) << name;
    }
  }
}

TEST(Lattice, RefusesUnequalSpacingsAndScreening) {
  for (const std::string& name : names) {
    const auto spacing = error_text([&] { make_kernel(name, {convolved, {true, 0.5, 4}}); });
    EXPECT_TRUE(mentions(spacing, name, "0.25", "0.5", "chat2")) << spacing;
    const auto screening = error_text([&] { make_kernel(name, {convolved, convolved}, 1.5); });
    EXPECT_TRUE(mentions(screening, name, "1.5", "chat2")) << screening;
  }
}

}  // namespace
}  // namespace weft
