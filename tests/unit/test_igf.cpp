// The kernel igf against closed forms of the means over cells, and against integrals over the widths of Gaussians.
#include <gtest/gtest.h>

#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "weft/green.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using Real = long double;
using Triple = std::array<double, 3>;

/// igf for the first d axes of `spacing` and one spectral axis where d < 3; for d = 3 the wavenumber is a screening.
double value(int d, const Triple& spacing, const Triple& offset, double k) {
  std::vector<GreenAxis> axes;
  std::vector<double> place;
  for (int a = 0; a < d; a++) {
    axes.push_back({true, spacing[static_cast<std::size_t>(a)]});
    place.push_back(offset[static_cast<std::size_t>(a)]);
  }
  if (d < 3) {
    axes.push_back({false, 1});
    place.push_back(k);
  }
  return make_kernel("igf", axes, d == 3 ? k : 0)->value(place);
}

/// Sum over the corners of a cell of +- primitive(corner), by its volume.
template <class Primitive>
double by_corners(int d, const Triple& spacing, const Triple& offset, const Primitive& primitive) {
  Real sum = 0, volume = 1;
  for (int a = 0; a < d; a++) volume *= spacing[static_cast<std::size_t>(a)];
  for (int corner = 0; corner < 1 << d; corner++) {
    std::array<Real, 3> at{};
    Real sign = 1;
    for (int a = 0; a < d; a++) {
      const auto i = static_cast<std::size_t>(a);
      const Real side = (corner >> a & 1) == 1 ? 1 : -1;
      at[i] = Real(offset[i]) + side * Real(spacing[i]) / 2;
      sign *= side;
    }
    sum += sign * primitive(at[0], at[1], at[2]);
  }
  return static_cast<double>(sum / volume);
}

/// d^3/dx dy dz of it is -1/(4 pi r) (Qiang et al. 2006, eq. 6).
Real space_primitive(Real x, Real y, Real z) {
  const Real r = std::hypot(x, y, z);
  const auto log_term = [&](Real a, Real b, Real c) { return b * c * std::asinh(a / std::hypot(b, c)); };
  const auto angle_term = [&](Real a, Real b, Real c) { return a * a / 2 * std::atan(b * c / (a * r)); };
  return -(log_term(x, y, z) + log_term(y, z, x) + log_term(z, x, y) - angle_term(x, y, z) - angle_term(y, z, x) -
           angle_term(z, x, y)) /
         (4 * std::numbers::pi_v<Real>);
}

/// d^2/dx dy of it is ln(r)/(2 pi).
Real plane_primitive(Real x, Real y, Real) {
  return (x * y * (std::log(x * x + y * y) - 3) + x * x * std::atan(y / x) + y * y * std::atan(x / y)) /
         (4 * std::numbers::pi_v<Real>);
}

/// Mean over a cell of the kernel for k > 0 (d = 3: k >= 0): the kernel is -int_0^inf exp(-k^2 t) times Gaussians of
/// variance 2 t, whose means over a cell are differences of error functions. The trapezoidal rule in ln t converges as
/// exp(-pi^2/step), the strip of the integrand having the half width pi/2.
double by_gaussians(int d, const Triple& spacing, const Triple& offset, double k) {
  constexpr double step = 0.25;
  double sum = 0;
  for (double u = -80; u < 90; u += step) {
    const double t = std::exp(u);
    double product = std::exp(-k * k * t) * t;
    for (int a = 0; a < d; a++) {
      const auto i = static_cast<std::size_t>(a);
      const double low = (offset[i] - spacing[i] / 2) / (2 * std::sqrt(t));
      const double high = (offset[i] + spacing[i] / 2) / (2 * std::sqrt(t));
      product *= (low > 0 ? std::erfc(low) - std::erfc(high) : std::erf(high) - std::erf(low)) / (2 * spacing[i]);
    }
    sum += product;
  }
  return -step * sum;
}

constexpr Triple cube{0.25, 0.25, 0.25}, brick{0.5, 0.125, 0.25};

/// Offsets in cells: the origin, neighbours, both sides of the change from fluxes to points, far ones.
constexpr Triple offsets[]{{0, 0, 0},  {1, 0, 0},  {0, 1, 0},  {0, 0, 1},    {1, 1, 1}, {2, 2, 0}, {2, 2, 1},
                           {3, 0, 0},  {0, 3, 0},  {0, 12, 0}, {4, 3, 0},    {5, 0, 1}, {8, 1, 0}, {15, 3, 2},
                           {0, 20, 0}, {0, 0, 33}, {40, 7, 2}, {64, 64, 64}, {3, 90, 1}};

Triple place(const Triple& cells, const Triple& spacing) {
  return {cells[0] * spacing[0], cells[1] * spacing[1], cells[2] * spacing[2]};
}

TEST(Igf, IsTheMeanOverTheCellInSpace) {
  for (const Triple& h : {cube, brick}) {
    for (const Triple& cells : offsets) {
      const Triple x = place(cells, h);
      const double expected = by_corners(3, h, x, space_primitive), r = std::hypot(x[0], x[1], x[2]);
      // The corner formula loses r^3 over the volume of the cell in digits, of which long double has three more.
      const double tolerance = 1e-15 + 1e-19 * std::pow(r, 3) / (h[0] * h[1] * h[2]);
      EXPECT_NEAR(value(3, h, x, 0) / expected, 1, 4 * tolerance) << x[0] << " " << x[1] << " " << x[2];
    }
  }
  EXPECT_NEAR(value(3, {1, 1, 1}, {}, 0), -0.18940053870923706, 4e-16);
}

/// Mean of -1/(4 pi r) over a far cell. With a pole 10 widths away, a rule of 15 points leaves about 40^-30 = 1e-48.
Real by_points(const Triple& spacing, const Triple& offset) {
  const auto over = [&](std::size_t axis, const auto& f) {
    return boost::math::quadrature::gauss<Real, 15>::integrate(
        [&](Real t) { return f(Real(offset[axis]) + t * Real(spacing[axis]) / 2); }, Real(-1), Real(1));
  };
  const Real sum = over(0, [&](Real x) {
    return over(1, [&](Real y) { return over(2, [&](Real z) { return 1 / std::sqrt(x * x + y * y + z * z); }); });
  });
  return -sum / (32 * std::numbers::pi_v<Real>);
}

// Series of all their numbers of orders meet here, where they begin and where they end.
TEST(Igf, FarCellsAreKnownToRounding) {
  for (const Triple& h : {cube, brick}) {
    const double diagonal = std::hypot(h[0], h[1], h[2]);
    for (const double cells : {7.0, 7.7, 7.9, 12.1, 12.6, 23.0, 23.7, 60.0, 62.0, 200.0, 1000.0}) {
      for (const Triple& towards : {Triple{1, 0, 0}, Triple{0, 1, 0}, Triple{0.6, 0.8, 0}, Triple{0.48, 0.64, 0.6}}) {
        Triple x;
        for (std::size_t a = 0; a < 3; a++) x[a] = std::round(cells * diagonal * towards[a] / h[a]) * h[a];
        const Real expected = by_points(h, x);
        EXPECT_NEAR(static_cast<double>(value(3, h, x, 0) / expected), 1, 1e-15) << x[0] << " " << x[1] << " " << x[2];
      }
    }
  }
}

TEST(Igf, IsTheMeanOverTheCellInThePlane) {
  for (const Triple& h : {cube, brick}) {
    for (const Triple& cells : offsets) {
      const Triple x = place(cells, h);
      EXPECT_NEAR(value(2, h, x, 0), by_corners(2, h, x, plane_primitive), 2e-15) << x[0] << " " << x[1];
    }
  }
  EXPECT_NEAR(value(2, cube, {}, 0), (pi - 6 + 2 * std::log(0.25 * 0.25 / 2)) / (8 * pi), 1e-15);
}

TEST(Igf, IsTheMeanOverTheCellForEveryWavenumber) {
  for (const int d : {1, 2, 3}) {
    for (const double k : {0.5, 3.0, 9.0, 30.0}) {
      for (const Triple& h : {cube, brick}) {
        for (const Triple& cells : offsets) {
          const Triple x = place(cells, h);
          // Relative to the value at the origin, the largest. Differences of error functions at t = 1/k^2 lose
          // 1/(k h) <= 16 in digits.
          EXPECT_NEAR(value(d, h, x, k), by_gaussians(d, h, x, k), 1e-14 * std::abs(value(d, h, {}, k)))
              << d << " k " << k << " at " << x[0] << " " << x[1] << " " << x[2];
        }
      }
    }
  }
}

TEST(Igf, SmallWavenumbersLoseNoDigits) {
  const double k = 1e-9, constant = (std::log(k / 2) + std::numbers::egamma) / (2 * pi);
  for (const Triple& cells : {offsets[0], offsets[1], offsets[10]}) {
    const Triple x = place(cells, brick);
    EXPECT_NEAR(value(3, brick, x, k), value(3, brick, x, 0) + k / (4 * pi), 1e-15) << x[0];
    EXPECT_NEAR(value(2, brick, x, k), value(2, brick, x, 0) + constant, 4e-15) << x[0];
    EXPECT_NEAR(value(1, brick, x, k), -1 / (2 * k) + value(1, brick, x, 0), 2.3e-16 / k) << x[0];
  }
}

TEST(Igf, OneAxisWithoutWavenumber) {
  EXPECT_DOUBLE_EQ(value(1, cube, {}, 0), 0.25 / 8);
  EXPECT_DOUBLE_EQ(value(1, cube, {0.75, 0, 0}, 0), 0.375);
}

TEST(Igf, IsExactWithoutConvolvedAxes) {
  EXPECT_DOUBLE_EQ(value(0, cube, {}, 4), -1.0 / 16);
  EXPECT_EQ(value(0, cube, {}, 0), 0);
}

}  // namespace
}  // namespace weft
