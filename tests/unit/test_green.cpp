// The kernel chat2 against independent quadrature and known constants.
#include "weft/green.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "../error_text.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using testing::error_text;
using testing::mentions;

constexpr GreenAxis spectral{false, 1};
GreenAxis convolved(double spacing) { return {true, spacing}; }

double value(const std::vector<GreenAxis>& axes, const std::vector<double>& coordinates) {
  return make_kernel("chat2", axes)->value(coordinates);
}

/// Composite Simpson rule with an even number of intervals.
double simpson(const std::function<double(double)>& f, double low, double high, int intervals) {
  const double h = (high - low) / intervals;
  double sum = f(low) + f(high);
  for (int i = 1; i < intervals; ++i) sum += (i % 2 == 1 ? 4 : 2) * f(low + i * h);
  return sum * h / 3;
}

/// K0(x) = int_0^inf exp(-x cosh t) dt (DLMF 10.32.9) by the trapezoidal rule, which converges geometrically for this
/// even integrand: error exp(-pi^2/step) where it is a plateau (small x), exp(-2 pi^2/(x step^2)) where it is a
/// Gaussian of width 1/sqrt(x); both are below 1e-23 here.
double bessel_k0(double x) {
  const double step = std::min(1.0 / 6, 0.6 / std::sqrt(x));
  double sum = std::exp(-x) / 2;
  for (int i = 1; x * (std::cosh(i * step) - 1) < 745; ++i) sum += std::exp(-x * std::cosh(i * step));
  return sum * step;
}

/// Mean over a disc of radius R of -K0(k r)/(2 pi). r = R t^4 makes the integrand t^7 K0, whose fourth derivative is
/// bounded by a few 1e3, so 4000 intervals leave 1e3 (1/4000)^4 / 180 = 2e-14.
double disc_mean(double radius, double k) {
  const auto integrand = [&](double t) {
    const double r = radius * std::pow(t, 4);
    return t > 0 ? bessel_k0(k * r) * r * 4 * radius * std::pow(t, 3) : 0.0;
  };
  return -simpson(integrand, 0, 1, 4000) * 2 / (radius * radius) / (2 * pi);
}

/// Mean of ln(r)/(2 pi) over a x b: in polar coordinates the radial integral is R^2 (ln R - 1/2)/2, and the angles
/// below and above the corner are smooth on their own.
double rectangle_mean(double a, double b) {
  const auto radial = [](double r) { return r * r * (std::log(r) - 0.5) / 2; };
  const double corner = std::atan2(b, a);
  const double low = simpson([&](double t) { return radial(a / 2 / std::cos(t)); }, 0, corner, 2000);
  const double high = simpson([&](double t) { return radial(b / 2 / std::sin(t)); }, corner, pi / 2, 2000);
  return 4 * (low + high) / (a * b) / (2 * pi);
}

TEST(Green, ThreeConvolvedAxes) {
  const std::vector<GreenAxis> cube(3, convolved(0.25));
  EXPECT_DOUBLE_EQ(value(cube, {0.25, 0.5, 0.5}), -1 / (4 * pi * 0.75));
  EXPECT_NEAR(value(cube, {0, 0, 0}) * 0.25, -0.19241736577956334, 1e-15);
  const std::vector<GreenAxis> box{convolved(0.1), convolved(0.2), convolved(0.4)};
  const double radius = std::cbrt(3 * 0.1 * 0.2 * 0.4 / (4 * pi));
  // Mean of -1/(4 pi r) over the sphere; the integrand r is linear, so Simpson's rule is exact.
  const double mean = -simpson([](double r) { return r; }, 0, radius, 2) * 3 / std::pow(radius, 3) / (4 * pi);
  EXPECT_NEAR(value(box, {0, 0, 0}), mean, 4e-16 * std::abs(mean));
}

TEST(Green, ThreeConvolvedAxesWithScreening) {
  const std::vector<GreenAxis> box{convolved(0.1), convolved(0.2), convolved(0.4)};
  const double volume = 0.1 * 0.2 * 0.4, radius = std::cbrt(3 * volume / (4 * pi));
  for (const double k : {1e-9, 1e-3, 0.5, 5.0, 8.0, 40.0}) {
    const auto kernel = make_kernel("chat2", box, k);
    EXPECT_NEAR(kernel->value(std::array{0.1, 0.2, 0.2}) * 4 * pi * 0.3, -std::exp(-k * 0.3), 1e-15);
    // Mean of -exp(-k r)/(4 pi r) over the sphere. With z = k R Simpson's rule errs by 3 z^2 400^-4/180, and the mean
    // of t exp(-z t) exceeds 1/(2 + 2 z + z^2).
    const double mean = -simpson([&](double r) { return r * std::exp(-k * r); }, 0, radius, 400) / volume;
    const double z = k * radius, tolerance = 1e-15 + 6.6e-13 * z * z * (2 + 2 * z + z * z);
    EXPECT_NEAR(kernel->value(std::array{0.0, 0.0, 0.0}) / mean, 1, tolerance) << k;
  }
}

TEST(Green, TwoConvolvedAxesWithoutWavenumber) {
  const std::vector<GreenAxis> square{convolved(0.125), convolved(0.125)};
  EXPECT_DOUBLE_EQ(value(square, {0.375, 0.5}), std::log(0.625) / (2 * pi));
  EXPECT_NEAR(value(square, {0, 0}), (pi - 6 + 2 * std::log(0.125 * 0.125 / 2)) / (8 * pi), 1e-15);
  const std::vector<GreenAxis> column{convolved(0.125), spectral, convolved(0.125)};
  EXPECT_DOUBLE_EQ(value(column, {0.375, 0, 0.5}), std::log(0.625) / (2 * pi));
  // Simpson's error with 2000 intervals over an angle of at most pi/2: 1e-12 times the fourth derivative, at most 1e2
  // here after division by the area.
  for (const auto& [a, b] : {std::pair{0.125, 0.125}, std::pair{0.1, 0.3}, std::pair{0.4, 0.1}}) {
    EXPECT_NEAR(value({convolved(a), convolved(b)}, {0, 0}), rectangle_mean(a, b), 1e-10);
  }
}

TEST(Green, TwoConvolvedAxesWithWavenumber) {
  const std::vector<GreenAxis> column{convolved(0.125), convolved(0.125), spectral};
  // r = 0.625 with k from where the logarithm rules to the end of the range of K0.
  for (const double k : {1e-3, 0.1, 1.0, 3.1, 3.3, 10.0, 100.0, 1000.0}) {
    const double expected = -bessel_k0(k * 0.625) / (2 * pi);
    // 625 units in the last place of the argument of the exponential.
    EXPECT_NEAR(value(column, {0.375, 0.5, k}) / expected, 1, 1e-13 * (1 + k)) << k;
    EXPECT_EQ(value(column, {0.375, 0.5, k}), value(column, {0.375, 0.5, -k}));
  }
  EXPECT_EQ(value(column, {300, 400, 100}), 0);
}

TEST(Green, OriginWithWavenumberIsTheMeanOverTheDisc) {
  const double h = 0.125;
  const double radius = h / std::sqrt(pi);
  for (const double z : {1e-4, 0.01, 0.5, 1.999, 2.001, 5.0, 50.0}) {  // both sides of the change of formula
    const double origin = value({convolved(h), spectral, convolved(h)}, {0, z / radius, 0});
    EXPECT_NEAR(origin, disc_mean(radius, z / radius), 1e-11) << z;
  }
  EXPECT_NEAR(value({convolved(h), convolved(h), spectral}, {0, 0, 1000 / radius}), -1 / (pi * 1e6), 1e-20);
  // Small k: (ln(kR/2) + gamma - 1/2)/(2 pi) with a relative error of (kR)^2, here at the smallest wavenumbers of a
  // grid of a million points, where 1 - z K1(z) has no digits left.
  const double tiny = value({convolved(h), convolved(h), spectral}, {0, 0, 1e-7 / radius});
  EXPECT_NEAR(tiny, (std::log(0.5e-7) + std::numbers::egamma - 0.5) / (2 * pi), 1e-13);
}

TEST(Green, OneConvolvedAxis) {
  EXPECT_DOUBLE_EQ(value({convolved(0.5), spectral, spectral}, {1.5, 0, 0}), 0.75);
  EXPECT_EQ(value({convolved(0.5), spectral, spectral}, {0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(value({spectral, convolved(0.5), spectral}, {3, 1.5, 4}), -std::exp(-7.5) / 10);
  EXPECT_DOUBLE_EQ(value({spectral, convolved(0.5)}, {-5, 0}), -0.1);
}

TEST(Green, NoConvolvedAxis) {
  EXPECT_DOUBLE_EQ(value({spectral, spectral, spectral}, {1, -2, 2}), -1.0 / 9);
  EXPECT_EQ(value({spectral, spectral, spectral}, {0, 0, 0}), 0);
  EXPECT_DOUBLE_EQ(value({spectral, spectral}, {3, 4}), -0.04);
}

TEST(Green, RefusesWhatIsNotAllowed) {
  const std::vector<GreenAxis> cube(3, convolved(1));
  for (const std::string& name : kernel_names()) EXPECT_EQ(error_text([&] { check_kernel(name); }), "no error");
  for (const char* name : {"chat2", "hej2", "hej4", "hej6", "hej8", "hej10", "hej0", "igf", "truncated"})
    EXPECT_EQ(std::count(kernel_names().begin(), kernel_names().end(), name), 1) << name;
  EXPECT_EQ(kernel_names().front(), "chat2");
  EXPECT_TRUE(mentions(error_text([&] { make_kernel("hej3", cube); }), "kernel", "hej3", "chat2"));
  EXPECT_TRUE(mentions(error_text([] { make_kernel("chat2", {}); }), "0 axes", "1 to 3"));
  EXPECT_TRUE(mentions(error_text([] { make_kernel("chat2", std::vector<GreenAxis>(4, spectral)); }), "4 axes"));
  for (const double spacing : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(mentions(error_text([&] { make_kernel("chat2", {convolved(spacing)}); }), "spacing", "positive"));
  }
}

}  // namespace
}  // namespace weft
