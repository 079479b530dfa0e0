// Kernels at offsets that no grid has, which displaced points have: near the origin and across it, against integrals.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "error_text.hpp"
#include "green_reference.hpp"
#include "weft/green.hpp"

namespace weft {
namespace {

using namespace testing;
using std::numbers::pi;

constexpr double h = 0.1;

TEST(DisplacedKernels, Hej0IsTheIntegralOverItsWaves) {
  const std::vector<double> ends{0, 1, 7, pi / h};
  // 3 / K = 0.955 h is where the form of the kernel changes.
  for (const int dimension : {2, 3})
    for (const double k : {0.0, 7.0})
      for (const double r : {1e-12, 1e-3 * h, 0.4 * h, 0.954 * h, 0.956 * h, 1.4 * h}) {
        const double origin = dimension == 2 ? radial_value("hej0", 2, h, 0, k) : 0;
        const double expected = fourier_integral(dimension, r, k, ends, [](double) { return 1.0; });
        EXPECT_NEAR(radial_value("hej0", dimension, h, r, k), origin + expected, 1e-13) << dimension << " " << r;
      }
}

TEST(DisplacedKernels, SmoothedKernelsKeepTheirDigitsNearTheOrigin) {
  const double k = 3, s = 2 * h;
  const auto zeta = [&](double q) {
    const double half = (q * q + k * k) * s * s / 2;
    return std::exp(-half) * (1 + half);
  };
  // Both sides of the distance s/1000, and where the difference of exponentials would have lost its digits.
  for (const double r : {1e-11, 1e-5 * s, 0.99e-3 * s, 1.01e-3 * s, 0.2 * s})
    EXPECT_NEAR(radial_value("hej4", 3, h, r, k) / fourier_integral(3, r, k, {0, 4 / s, 12 / s}, zeta), 1, 1e-12) << r;
}

TEST(DisplacedKernels, Chat2IsThatOfAUniformBallWithinIt) {
  const double radius = std::cbrt(3 / (4 * pi)) * h;
  for (const double part : {1e-9, 0.3, 0.999999}) {
    const double r = part * radius;
    EXPECT_NEAR(radial_value("chat2", 3, h, r, 0) * (8 * pi * std::pow(radius, 3)) / (r * r - 3 * radius * radius), 1,
                1e-14);
  }
  EXPECT_DOUBLE_EQ(radial_value("chat2", 3, h, 1.01 * radius, 0), -1 / (4 * pi * 1.01 * radius));
}

TEST(DisplacedKernels, IgfIsTheMeanOverACellWhereverTheOriginIs) {
  for (const double k : {0.0, 4.0})
    for (const double x : {0.3 * h, 0.5 * h, 0.7 * h}) {
      const auto kernel = [&](double y) { return k == 0 ? std::abs(y) / 2 : -std::exp(-k * std::abs(y)) / (2 * k); };
      const double expected = integral({x - h / 2, std::max(x - h / 2, 0.0), x + h / 2}, kernel) / h;
      EXPECT_NEAR(radial_value("igf", 1, h, x, k) / expected, 1, 1e-12) << x << " " << k;
    }
  // Half a cell from the origin along two axes the cell ends there: a quarter of a cell of twice the size around it.
  const double log_mean = std::log(std::sqrt(2.0) * h) - 1.5 + pi / 4;
  EXPECT_NEAR(make_kernel("igf", axes_of(2, h))->value(std::vector<double>{h / 2, h / 2, 0}) * 2 * pi / log_mean, 1,
              1e-13);
}

TEST(DisplacedKernels, LatticesHaveWholeCells) {
  std::vector<GreenAxis> axes{{true, h, 8, 3 * h}, {true, h, 8, 0}};
  EXPECT_NO_THROW(make_kernel("lgf2", axes));
  axes[0].shift = 3.25 * h;
  EXPECT_TRUE(mentions(error_text([&] { make_kernel("lgf2", axes); }), "shift of axis 0", "3.25 cells",
                       "whole cells (0.3 is nearest)"));
}

}  // namespace
}  // namespace weft
