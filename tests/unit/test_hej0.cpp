// The kernel hej0 against the Fourier integral over |q| < pi/h.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "green_reference.hpp"

namespace weft {
namespace {

using namespace testing;
using std::numbers::pi;

constexpr double h = 0.25;
constexpr double limit = pi / h;

/// G(0), from integrals of 1/(q^2 + k^2); without wavenumber from the far fields ln(r)/(2 pi) and |x|/2.
double origin(int d, double k) {
  if (d == 1) return k > 0 ? -std::atan(limit / k) / (pi * k) : 1 / (pi * limit);
  if (k > 0) return -std::log1p(limit * limit / (k * k)) / (4 * pi);
  return (std::log(2 / limit) - std::numbers::egamma) / (2 * pi);
}

TEST(Hej0, IsTheFourierIntegralOfASharpCutOff) {
  // Distances up to the diagonal of 64 x 64 cells: 283 radians, of which 200 nodes resolve half.
  for (const int d : {1, 2, 3}) {
    for (const double k : {0.0, 0.5, 3.0, 9.0, 40.0}) {
      for (const double cells : {0.0, 1.0, std::sqrt(2.0), 2.0, 3.0, 5.0, 9.0, 10.0, 30 / pi, 13.0, 40.0, 90.5}) {
        const double r = h * cells;
        const double expected = (d < 3 ? origin(d, k) : 0) +
                                fourier_integral(d, r, k, {0, 1, limit / 2, limit}, [](double) { return 1.0; });
        // Rounding of a sum of 600 terms, whose moduli add up to 10 at most for d = 1, of cosines of 283 radians.
        EXPECT_NEAR(radial_value("hej0", d, h, r, k), expected, 4e-14) << d << " k " << k << " cells " << cells;
      }
    }
  }
}

TEST(Hej0, SmallWavenumbersLoseNoDigits) {
  const double k = 1e-9;
  const double constant = (std::log(k / 2) + std::numbers::egamma) / (2 * pi);
  for (const double r : {0.0, h, 3 * h, 50 * h}) {
    EXPECT_NEAR(radial_value("hej0", 3, h, r, k), radial_value("hej0", 3, h, r, 0) + k / (4 * pi), 1e-15) << r;
    EXPECT_NEAR(radial_value("hej0", 2, h, r, k), radial_value("hej0", 2, h, r, 0) + constant, 1e-14) << r;
    EXPECT_NEAR(radial_value("hej0", 1, h, r, k), -1 / (2 * k) + radial_value("hej0", 1, h, r, 0), 2.3e-16 / k) << r;
  }
}

TEST(Hej0, StaysAccurateForStrongScreening) {
  // k >> pi/h: the mean of -1/k^2 (1 - q^2/k^2 + q^4/k^4) over the ball of modes.
  const double k = 1e4 * limit;
  const double volume = std::pow(limit, 3) / (6 * pi * pi);
  EXPECT_NEAR(radial_value("hej0", 3, h, 0, k) * k * k / volume, -1 + 3.0 / 5 * 1e-8, 1e-15);
  EXPECT_NEAR(radial_value("hej0", 2, h, h, 1e3), -limit * j1(pi) / (2 * pi * h) * 1e-6, 1e-9);
}

TEST(Hej0, IsExactWithoutConvolvedAxes) {
  EXPECT_DOUBLE_EQ(radial_value("hej0", 0, h, 0, 3), -1.0 / 9);
  EXPECT_EQ(radial_value("hej0", 0, h, 0, 0), 0);
}

TEST(Hej0, ManyWavenumbersGiveWhatEachGives) {
  const auto kernel = make_kernel("hej0", axes_of(2, h));
  GreenGrid grid;
  grid.coordinates = {{0, h, 2 * h, 3 * h}, {0, h}, {}};
  for (int i = 0; i < 150; i++) grid.coordinates[2].push_back(0.3 * i);
  std::vector<double> values(static_cast<std::size_t>(grid.size()));
  kernel->sample(grid, values.data(), 2);
  for (const std::size_t x : std::initializer_list<std::size_t>{0, 1, 3}) {
    for (const std::size_t k : std::initializer_list<std::size_t>{0, 1, 63, 64, 149}) {
      const double at[]{h * static_cast<double>(x), h, 0.3 * static_cast<double>(k)};
      EXPECT_EQ(values[(2 * x + 1) * 150 + k], kernel->value(at)) << x << " " << k;
    }
  }
}

}  // namespace
}  // namespace weft
