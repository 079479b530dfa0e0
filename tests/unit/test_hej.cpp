// The kernels hej2 to hej10 against the Fourier integral of their transform and the published polynomials.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "../error_text.hpp"
#include "green_reference.hpp"

namespace weft {
namespace {

using namespace testing;
using std::numbers::pi;

constexpr std::array<int, 5> orders{2, 4, 6, 8, 10};

Kernel hej(int order) { return {"hej" + std::to_string(order)}; }

/// What the kernel of an order leaves of a mode, for smoothing length 1.
double zeta(int order, double q2) {
  double term = 1, sum = 0;
  for (int n = 0; n < order / 2; n++) {
    sum += term;
    term *= q2 / 2 / (n + 1);
  }
  return std::exp(-q2 / 2) * sum;
}

/// Without wavenumber G(0) is not defined by the integral (it diverges) but by the far field; otherwise it is.
double origin(int order, int d, double k) {
  if (k > 0) {
    // zeta falls below 1e-25 at q = 12; the poles at +- i k are 1/24 and more of the interval away from it.
    return integral({0, 1, 12}, [&](double q) {
      return -zeta(order, q * q + k * k) / (q * q + k * k) * (d == 1 ? 1 / pi : q / (2 * pi));
    });
  }
  double harmonic = 0, product = 1;
  for (int n = 1; n < order / 2; n++) {
    harmonic += 1.0 / n;
    product *= (2 * n - 1) / (2.0 * n);
  }
  if (d == 1) return product / std::sqrt(2 * pi);
  return (std::log(std::numbers::sqrt2) - std::numbers::egamma / 2) / (2 * pi) - harmonic / (4 * pi);
}

TEST(Hej, IsTheFourierIntegralOfItsTransform) {
  for (const int order : orders) {
    for (const int d : {1, 2, 3}) {
      for (const double k : {0.0, 0.5, 3.0, 9.0}) {
        for (const double r : {0.0, 0.5, 1.0, 1.5, 2.5, 4.0, 8.5, 9.5, 12.0}) {
          const double expected =
              (d < 3 ? origin(order, d, k) : 0) +
              fourier_integral(d, r, k, {0, 1, 12}, [&](double q) { return zeta(order, q * q + k * k); });
          // Rounding of sums of 400 terms whose moduli add up to 2 at most.
          EXPECT_NEAR(radial_value(hej(order), d, 0.5, r, k), expected, 1e-14)
              << order << " d " << d << " k " << k << " r " << r;
        }
      }
    }
  }
}

TEST(Hej, SmallWavenumbersLoseNoDigits) {
  // d = 3: G0(r; k) = G0(r; 0) + k/(4 pi) + O(k^2).
  for (const double k : {1e-8, 1e-12}) {
    for (const double r : {0.0, 0.5, 2.0}) {
      EXPECT_NEAR(radial_value("hej6", 3, 0.5, r, k), radial_value("hej6", 3, 0.5, r, 0) + k / (4 * pi), 4e-16) << r;
    }
    // d = 2: K0(z) = -ln(z/2) - gamma + O(z^2 ln z), 1e-14 for z = 2e-8.
    const double constant = (std::log(k / 2) + std::numbers::egamma) / (2 * pi);
    for (const double r : {0.0, 0.5, 2.0}) {
      EXPECT_NEAR(radial_value("hej6", 2, 0.5, r, k), radial_value("hej6", 2, 0.5, r, 0) + constant, 4e-15) << r;
    }
    // d = 1: -1/(2 k) + |x|/2, to the last place of 1/(2 k).
    EXPECT_NEAR(radial_value("hej6", 1, 0.5, 2, k), -1 / (2 * k) + radial_value("hej6", 1, 0.5, 2, 0), 2.3e-16 / k);
  }
}

/// The polynomials Q of the kernels without wavenumber, in powers of rho^2.
struct Polynomials {
  int order;
  std::array<double, 4> space, plane, line;
};
constexpr Polynomials polynomials[]{
    {2, {}, {}, {1}},
    {4, {1}, {1.0 / 2}, {1.0 / 2}},
    {6, {7.0 / 4, -1.0 / 4}, {3.0 / 4, -1.0 / 8}, {3.0 / 8, 1.0 / 8}},
    {8, {19.0 / 8, -2.0 / 3, 1.0 / 24}, {11.0 / 12, -7.0 / 24, 1.0 / 48}, {5.0 / 16, 1.0 / 4, -1.0 / 48}},
    {10,
     {187.0 / 64, -233.0 / 192, 29.0 / 192, -1.0 / 192},
     {25.0 / 24, -23.0 / 48, 13.0 / 192, -1.0 / 384},
     {35.0 / 128, 47.0 / 128, -23.0 / 384, 1.0 / 384}},
};

TEST(Hej, HasThePublishedPolynomials) {
  const double h = 0.25, s = 2 * h;
  for (const Polynomials& row : polynomials) {
    const Kernel kernel = hej(row.order);
    for (int j = 1; j < 12; j++) {
      const double r = j * h, rho = r / s, bell = std::exp(-rho * rho / 2), step = std::erf(rho / std::numbers::sqrt2);
      const auto sum = [&](const std::array<double, 4>& c) {
        return c[0] + rho * rho * (c[1] + rho * rho * (c[2] + rho * rho * c[3]));
      };
      const double space = -(rho * sum(row.space) * bell / std::sqrt(2 * pi) + step) / (4 * pi * r);
      const double plane = (std::log(r) + exponential_integral(rho * rho / 2) / 2 - sum(row.plane) * bell) / (2 * pi);
      const double line = r / 2 * step + s / std::sqrt(2 * pi) * sum(row.line) * bell;
      EXPECT_NEAR(radial_value(kernel, 3, h, r, 0), space, 1e-15) << row.order << " " << j;
      EXPECT_NEAR(radial_value(kernel, 2, h, r, 0), plane, 1e-15) << row.order << " " << j;
      EXPECT_NEAR(radial_value(kernel, 1, h, r, 0), line, 1e-15) << row.order << " " << j;
    }
  }
}

TEST(Hej, IsTheTransformItselfWithoutConvolvedAxes) {
  for (const int order : orders) {
    EXPECT_EQ(radial_value(hej(order), 0, 0.5, 0, 0), 0);
    EXPECT_NEAR(radial_value(hej(order), 0, 0.5, 0, 3), -zeta(order, 9) / 9, 1e-17);
  }
}

TEST(Hej, AlphaIsTheSmoothingLengthInSpacings) {
  Kernel wide = "hej4";
  wide.alpha = 4;
  for (const int d : {1, 2, 3}) {
    EXPECT_NEAR(radial_value(wide, d, 0.25, 1.5, 0.5), radial_value("hej4", d, 0.5, 1.5, 0.5), 1e-16) << d;
  }
}

TEST(Hej, RefusesUnequalSpacings) {
  const std::vector<GreenAxis> axes{{true, 0.1}, {true, 0.1}, {false, 0.2}};
  const std::string text = error_text([&] { make_kernel("hej4", axes); });
  EXPECT_TRUE(mentions(text, "hej4", "same spacing", "0.1", "0.2", "truncated"));
  EXPECT_TRUE(mentions(error_text([&] { make_kernel("hej0", axes); }), "hej0", "same spacing"));
}

}  // namespace
}  // namespace weft
