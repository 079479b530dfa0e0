// The kernel truncated against quadrature of what it is the transform of, and the half periods that it asks for.
#include <gtest/gtest.h>

#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "weft/green.hpp"

namespace weft {
namespace {

using std::numbers::pi;

constexpr GreenAxis spectral{false, 1};

/// Integral from 0 to R of an oscillation of wavenumber s with a root or logarithm at 0, which r = R t^4 takes away: 30
/// points for each of 16 pieces, at most 16 radians long.
double integral(double radius, const std::function<double(double)>& f) {
  const auto in_t = [&](double t) { return f(radius * std::pow(t, 4)) * 4 * radius * std::pow(t, 3); };
  double sum = 0;
  for (int i = 0; i < 16; i++)
    sum += boost::math::quadrature::gauss<double, 30>::integrate(in_t, i / 16.0, (i + 1) / 16.0);
  return sum;
}

/// The transform over d axes of -1/(4 pi r), ln(r)/(2 pi), |x|/2 or, for k > 0, -exp(-kr)/(4 pi r), -K0(kr)/(2 pi),
/// -exp(-k|x|)/(2k), within the distance R. Along a single axis s is a multiple of pi/R: but for s = 0 the constant 1/k
/// has no transform.
double transform(int d, double radius, double s, double k) {
  return integral(radius, [=](double r) {
    const double t = s * r;
    switch (d) {
      case 3:
        return -r * std::exp(-k * r) * (t > 0 ? std::sin(t) / t : 1);
      case 2:
        return r * j0(t) * (k > 0 ? -boost::math::cyl_bessel_k(0, k * r) : std::log(r));
      default:
        return std::cos(t) * (k > 0 ? -(s > 0 ? std::expm1(-k * r) : std::exp(-k * r)) / k : r);
    }
  });
}

/// Axes whose corners are R = d^(1/2) apart, the first d of them convolved.
std::vector<GreenAxis> axes_of(int d) {
  std::vector<GreenAxis> axes(static_cast<std::size_t>(d), GreenAxis{true, 1.0 / 16, 16});
  axes.resize(3, spectral);
  return axes;
}

TEST(Truncated, IsTheTransformOfTheKernelWithinTheLargestDistance) {
  for (const int d : {1, 2, 3}) {
    const std::vector<GreenAxis> axes = axes_of(d);
    const double radius = std::sqrt(d);
    for (const double screening : {0.0, 1e-7, 0.01, 1.0, 7.0, 60.0}) {
      const auto kernel = make_kernel("truncated", axes, screening);
      for (const int m : {0, 1, 2, 5, 16}) {
        const double s = pi * m / (d == 1 ? 1.0 : 1.375);
        const double expected = transform(d, radius, s, screening);
        const std::array<double, 3> at{s, 0, 0};
        EXPECT_NEAR(kernel->value(at), expected, 1e-14 * std::max(1.0, std::abs(expected)))
            << "d = " << d << ", s = " << s << ", k = " << screening;
      }
    }
  }
}

TEST(Truncated, WavenumbersAndScreeningCountAlike) {
  for (const int d : {0, 1, 2}) {
    const auto screened = make_kernel("truncated", axes_of(d), 3);
    const auto plain = make_kernel("truncated", axes_of(d));
    const double s = d > 0 ? pi : 0;
    EXPECT_DOUBLE_EQ(screened->value(std::array{s, 0.0, 4.0}), plain->value(std::array{s, 0.0, 5.0})) << d;
  }
  EXPECT_EQ(make_kernel("truncated", axes_of(0))->value(std::array{0.0, 0.0, 0.0}), 0);
}

TEST(Truncated, ForgetsTheRadiusWhereScreeningIsStrong) {
  for (const int d : {0, 1, 2, 3}) {
    const auto kernel = make_kernel("truncated", axes_of(d), 2000);
    EXPECT_DOUBLE_EQ(kernel->value(std::array{0.0, 0.0, 0.0}), -1 / 4e6) << d;
    const double s = d > 0 ? 8 * pi : 0;
    EXPECT_DOUBLE_EQ(kernel->value(std::array{s, 0.0, 0.0}), -1 / (4e6 + s * s)) << d;
  }
}

/// Half periods of a problem with so many cells per unit of length, and the extents D of its axes; 0 is spectral.
std::vector<index_t> half_periods(index_t cells, const std::vector<index_t>& extents) {
  std::vector<GreenAxis> axes;
  for (const index_t extent : extents)
    axes.push_back({extent > 0, 1.0 / static_cast<double>(cells), std::max(extent, index_t{1}) * cells});
  return make_kernel("truncated", axes)->half_periods();
}

TEST(Truncated, HalfPeriodsKeepImagesOutAndAreFast) {
  using Lengths = std::vector<index_t>;
  // (R + D) / 2: 1.366 N, 1.207 N with two convolved axes, and exactly 80 and 64 for N = 32, D = (2, 1, 2).
  EXPECT_EQ(half_periods(32, {1, 1, 1}), (Lengths{45, 45, 45}));
  EXPECT_EQ(half_periods(64, {1, 1, 1}), (Lengths{90, 90, 90}));
  EXPECT_EQ(half_periods(128, {1, 1, 1}), (Lengths{180, 180, 180}));
  EXPECT_EQ(half_periods(32, {2, 1, 2}), (Lengths{80, 64, 80}));
  EXPECT_EQ(half_periods(128, {2, 1, 2}), (Lengths{320, 256, 320}));
  EXPECT_EQ(half_periods(100, {1, 0, 1}), (Lengths{125, 0, 125}));
  EXPECT_EQ(half_periods(37, {0, 2, 0}), (Lengths{0, 74, 0}));  // R = D: no longer period, fast or not
  EXPECT_EQ(half_periods(10, {0, 0, 0}), (Lengths{0, 0, 0}));
  EXPECT_EQ(half_periods(1, {1, 1, 1}), (Lengths{2, 2, 2}));
}

/// 1 x 1 x `times`, the last axis convolved as the others.
std::vector<GreenAxis> long_box(index_t cells, double times) {
  const double h = 1 / static_cast<double>(cells);
  return {{true, h, cells}, {true, h, cells}, {true, times * h, cells}};
}

TEST(Truncated, LongBoxesNeedNoMoreModesThanTheSolver) {
  using Lengths = std::vector<index_t>;
  EXPECT_EQ(make_kernel("truncated", long_box(16, 4))->half_periods(), (Lengths{45, 45, 18}));  // 7 times as many
  for (const double times : {10.0, 300.0, 1e6})
    EXPECT_EQ(make_kernel("truncated", long_box(16, times))->half_periods(), (Lengths{16, 16, 16})) << times;
  const std::vector<GreenAxis> tall{{true, 1.0 / 16, 16}, {false, 1}, {true, 40.0 / 16, 16}};
  EXPECT_EQ(make_kernel("truncated", tall)->half_periods(), (Lengths{16, 0, 16}));
}

/// int 1/r over the box |x| < a, |y| < b, |z| < c.
double mean_inverse(double a, double b, double c) {
  const double d = std::hypot(a, b, c);
  const auto edge = [](double x, double y, double z) { return x * y * std::asinh(z / std::hypot(x, y)); };
  const auto face = [d](double x, double y, double z) { return x * x / 2 * std::atan(y * z / (x * d)); };
  return 8 * (edge(a, b, c) + edge(b, c, a) + edge(c, a, b) - face(a, b, c) - face(b, c, a) - face(c, a, b));
}

TEST(Truncated, IntegralOverALongBox) {
  for (const double times : {10.0, 300.0, 1e6}) {
    const double value = make_kernel("truncated", long_box(16, times))->value(std::array{0.0, 0.0, 0.0});
    EXPECT_NEAR(value / (-mean_inverse(1, 1, times) / (4 * pi)), 1, 1e-14) << times;
  }
  // ln(r)/(2 pi) over |x| < a, |y| < b
  const double a = 1, b = 40;
  const std::vector<GreenAxis> plane{{true, a / 16, 16}, {true, b / 16, 16}};
  const double mean =
      std::log(std::hypot(a, b)) - 1.5 + a / (2 * b) * std::atan(b / a) + b / (2 * a) * std::atan(a / b);
  EXPECT_NEAR(make_kernel("truncated", plane)->value(std::array{0.0, 0.0}) / (4 * a * b * mean / (2 * pi)), 1, 1e-14);
}

/// A wave across the box, whose kernel has decayed long before the faces: -1/(s^2 + k^2).
TEST(Truncated, StrongScreeningForgetsTheFaces) {
  for (const double s : {0.0, 5 * pi}) {
    const std::array at{s, 0.0, s / 300};
    const double k2 = 2000.0 * 2000 + s * s * (1 + 1 / 9e4);
    EXPECT_NEAR(make_kernel("truncated", long_box(16, 300), 2000)->value(at) * -k2, 1, 1e-14) << s;
  }
}

/// What a rank samples does not depend on what else it samples.
TEST(Truncated, PartsOfLongBoxesHaveTheBitsOfTheWhole) {
  const std::vector<GreenAxis> axes{{true, 1.0 / 8, 8}, {false, 1}, {true, 60.0 / 8, 8}};
  const auto kernel = make_kernel("truncated", axes, 0.25);
  GreenGrid whole{{{}, {0, 0.01, 3}, {}}};
  for (int m = 0; m <= 8; m++) {
    whole.coordinates[0].push_back(pi * m);
    whole.coordinates[2].push_back(pi * m / 60);
  }
  std::vector<double> values(static_cast<std::size_t>(whole.size()));
  kernel->sample(whole, values.data(), 2);
  std::size_t at = 0;
  for (const double x : whole.coordinates[0])
    for (const double y : whole.coordinates[1])
      for (const double z : whole.coordinates[2]) EXPECT_EQ(kernel->value(std::array{x, y, z}), values[at++]);
}

}  // namespace
}  // namespace weft
