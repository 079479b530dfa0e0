// The exact solutions themselves: differential equation, symmetries, far field, and the theory of chat2's error.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "mpi/exact_solutions.hpp"
#include "mpi/poisson_support.hpp"
#include "weft/green.hpp"

namespace weft::exact {
namespace {

using std::numbers::pi;
using Point = std::array<double, 3>;

using testing::boundary_pairs;

std::string name(const std::vector<Boundary>& boundaries) {
  std::string text;
  for (const Boundary& b : boundaries) text += to_string(b) + " ";
  return text;
}

/// Sixth-order central second derivative along one axis.
double second_difference(const Function& f, const Point& x, std::size_t axis, double h) {
  constexpr std::array<double, 4> weight{-49.0 / 18, 1.5, -0.15, 1.0 / 90};
  double sum = weight[0] * f(x[0], x[1], x[2]);
  for (int step = 1; step <= 3; ++step) {
    for (const int sign : {-1, 1}) {
      Point y = x;
      y[axis] += sign * step * h;
      sum += weight[static_cast<std::size_t>(step)] * f(y[0], y[1], y[2]);
    }
  }
  return sum / (h * h);
}

constexpr std::array<Point, 4> places{{{0.41, 0.43, 0.55}, {0.1, 0.22, 0.31}, {0.62, 0.58, 0.44}, {0.93, 0.47, 0.71}}};

/// The shortest scale of the solutions is the width w = 0.055: the difference quotient with h = w/12 errs by
/// f8 h^6/560 with f8 <= 105 u/w^8, i.e. 1e-7 u/w^2, and rounding adds 1e-15 u/h^2, less. The scale of u in the test is
/// below 30 (three factors e), so 1e-3 absolute, against values of lap u of up to 1e3.
void expect_solves(const ExactCase& problem, const std::vector<Boundary>& boundaries) {
  for (const Point& x : places) {
    double laplacian = 0;
    for (std::size_t a = 0; a < boundaries.size(); ++a) laplacian += second_difference(problem.solution, x, a, 0.0045);
    EXPECT_NEAR(laplacian, problem.rhs(x[0], x[1], x[2]), 1e-3) << name(boundaries);
  }
}

/// Symmetries hold beyond the domain too, since all solutions are analytic: u(x0 - t) = +-u(x0 + t).
void expect_symmetric(const Function& f, const std::vector<Boundary>& boundaries, const std::vector<double>& lengths) {
  const Point x = places[0];
  for (std::size_t a = 0; a < boundaries.size(); ++a) {
    const auto at = [&](double position) {
      Point y = x;
      y[a] = position;
      return f(y[0], y[1], y[2]);
    };
    const double scale = 1e-13 * (1 + std::abs(at(0.3)) + std::abs(at(lengths[a] - 0.3)));
    for (const auto& [end, plane] : {std::pair{boundaries[a].left, 0.0}, std::pair{boundaries[a].right, lengths[a]}}) {
      if (end == End::even) {
        EXPECT_NEAR(at(plane - 0.3), at(plane + 0.3), scale) << name(boundaries);
      }
      if (end == End::odd) {
        EXPECT_NEAR(at(plane - 0.3), -at(plane + 0.3), scale) << name(boundaries);
      }
      if (end == End::periodic) {
        EXPECT_NEAR(at(0.3), at(0.3 + lengths[a]), scale) << name(boundaries);
      }
    }
  }
}

void expect_exact(const ExactCase& problem, const std::vector<Boundary>& boundaries,
                  const std::vector<double>& lengths) {
  expect_solves(problem, boundaries);
  expect_symmetric(problem.rhs, boundaries, lengths);
  expect_symmetric(problem.solution, boundaries, lengths);
}

TEST(ExactSolutions, AllPairsOfPairsSolveTheirEquation) {
  for (const Boundary& a : boundary_pairs) {
    for (const Boundary& b : boundary_pairs) {
      expect_exact(broad_band({a, b}, {1, 1.1}), {a, b}, {1, 1.1});
      expect_exact(charged({a, b}, {1, 1.1}), {a, b}, {1, 1.1});
      const Boundary c =
          boundary_pairs[static_cast<std::size_t>(&a - boundary_pairs.data() + 3 * (&b - boundary_pairs.data())) % 10];
      expect_exact(broad_band({a, b, c}, {1, 1.1, 1.2}), {a, b, c}, {1, 1.1, 1.2});
      expect_exact(charged({a, b, c}, {1, 1.1, 1.2}), {a, b, c}, {1, 1.1, 1.2});
    }
  }
}

TEST(ExactSolutions, PaperCasesSolveTheirEquation) {
  for (const char which : {'A', 'B', 'C'}) {
    const auto boundaries = paper_boundaries(which);
    const ExactCase problem = paper_case(which, 1);
    // The bump has derivatives like those of a Gaussian of width 0.5/sqrt(20) = 0.11 near its centre; only places well
    // inside the supports are used, where they stay below 1e9 in the eighth order: 1e9 h^6/560 < 1e-8.
    const Point x{0.62, 0.47, 0.44};
    double laplacian = 0;
    for (std::size_t a = 0; a < 3; ++a) laplacian += second_difference(problem.solution, x, a, 0.0045);
    EXPECT_NEAR(laplacian, problem.rhs(x[0], x[1], x[2]), 1e-5 * std::abs(laplacian)) << which;
    expect_symmetric(problem.solution, boundaries, {1, 1, 1});
  }
  EXPECT_EQ(paper_case('B', 1).rhs(0, 0.5, 0.5), 0);
  EXPECT_EQ(paper_case('C', 1).solution(0.05, 0.5, 0.5), 0);
  EXPECT_NEAR(paper_case('C', 1).solution(1, 0.5, 0.3), 2 * std::exp(10 * (1 - 1 / 0.64)), 1e-15);
}

TEST(ExactSolutions, ChargesLookLikePointChargesFarAway) {
  const double s = 0.055;  // at r = 1 the Gaussian is exp(-165)
  EXPECT_DOUBLE_EQ(charge_potential(3, 1, 0, s), -1 / (4 * pi));
  EXPECT_NEAR(charge_potential(2, 1.5, 0, s), std::log(1.5) / (2 * pi), 1e-16);
  EXPECT_DOUBLE_EQ(charge_potential(1, 1, 0, s), 0.5);
  const double k = 5;
  const double screening = std::exp(k * k * s * s / 2);  // of a Gaussian against a point: its transform at i k
  EXPECT_NEAR(charge_potential(3, 1, k, s), -screening * std::exp(-k) / (4 * pi), 1e-16);
  EXPECT_NEAR(charge_potential(2, 1, k, s), -screening * std::cyl_bessel_k(0.0, k) / (2 * pi), 1e-14);
  EXPECT_NEAR(charge_potential(1, 1, k, s), -screening * std::exp(-k) / (2 * k), 1e-16);
  // and continuous at the centre, where each has a formula of its own
  for (int d = 1; d <= 3; ++d) {
    EXPECT_NEAR(charge_potential(d, 0, 0, s), charge_potential(d, 1e-7, 0, s), 1e-9) << d;
    EXPECT_NEAR(charge_potential(d, 0, k, s), charge_potential(d, 1e-7, k, s), 1e-8) << d;
  }
  // In three dimensions -1/(2 pi r) times the slope of the potential in one; central differences err by 1e-8 of it.
  for (const double r : {0.3 * s, s, 4 * s}) {
    const double step = 1e-5;
    const double slope = (charge_potential(1, r + step, k, s) - charge_potential(1, r - step, k, s)) / (2 * step);
    EXPECT_NEAR(charge_potential(3, r, k, s) / (-slope / (2 * pi * r)), 1, 1e-7) << r;
  }
}

TEST(ExactSolutions, SpecialFunctions) {
  for (const double x : {0.0, 0.5, 3.0, 20.0, 24.9999, 25.0001, 100.0}) {
    // erfcx(x) = 2/sqrt(pi) int_0^inf exp(-t^2 - 2 x t) dt, Simpson on [0, 40/(x+3)], where the integrand is below
    // 1e-17; with 4000 intervals the error is (40/4000)^4/180 * 2^4 < 1e-9 relative.
    const double high = 40 / (x + 3);
    double sum = 0;
    for (int i = 0; i <= 4000; ++i) {
      const double t = high * i / 4000;
      sum += (i == 0 || i == 4000 ? 1 : (i % 2 == 1 ? 4 : 2)) * std::exp(-t * t - 2 * x * t);
    }
    EXPECT_NEAR(scaled_erfc(x) / (2 / std::sqrt(pi) * sum * high / 12000), 1, 1e-9) << x;
  }
  // The two formulas meet at 25 with the slope 2 x erfcx - 2/sqrt(pi); 1e-13 is some hundred roundings.
  const double slope = 50 - 2 / (std::sqrt(pi) * scaled_erfc(25));
  EXPECT_NEAR(scaled_erfc(24.9999999) / scaled_erfc(25.0000001), 1 - 2e-7 * slope, 1e-13);
  for (const double a : {1e-4, 0.01, 1.0, 30.0}) {
    EXPECT_NEAR(hantush(a, 0), -std::expint(-a), 1e-13);
    for (const double b : {0.01, 1.0, 30.0}) {  // the two halves of int_0^inf exp(-a t - b/t) dt/t
      EXPECT_NEAR(hantush(a, b) + hantush(b, a), 2 * std::cyl_bessel_k(0.0, 2 * std::sqrt(a * b)), 2e-13);
    }
  }
}

TEST(ExactSolutions, LeadingConstants) {
  EXPECT_NEAR(chat2_leading(3, true), 0.0333675937, 1e-10);
  EXPECT_NEAR(chat2_leading(2, true), 0.0396864786, 1e-10);
  EXPECT_NEAR(chat2_leading(2, false), 0.0379056118, 1e-10);
  EXPECT_DOUBLE_EQ(chat2_leading(1, true), -1.0 / 12);
  EXPECT_EQ(chat2_leading(0, false), 0);
}

/// Potential at the point `at` of a Gaussian charge at the origin by the lattice sum h^d sum_j G(at - j h) f(j h).
double lattice_potential(int d, const Point& at, const Point& offset, double k, double s, double h) {
  std::vector<GreenAxis> axes(static_cast<std::size_t>(d), {true, h});
  if (d < 3) axes.push_back({false, 1});
  const auto kernel = make_kernel("chat2", axes);
  const int reach = static_cast<int>(8 * s / h) + 1;
  const std::array<int, 3> limit{reach, d > 1 ? reach : 0, d > 2 ? reach : 0};
  double sum = 0;
  for (int i = -limit[0]; i <= limit[0]; ++i) {
    for (int j = -limit[1]; j <= limit[1]; ++j) {
      for (int l = -limit[2]; l <= limit[2]; ++l) {
        const Point index{static_cast<double>(i), static_cast<double>(j), static_cast<double>(l)};
        std::vector<double> coordinates;
        double r2 = 0;
        for (std::size_t a = 0; a < static_cast<std::size_t>(d); ++a) {
          coordinates.push_back((at[a] - index[a]) * h);
          r2 += std::pow((index[a] + offset[a]) * h, 2);
        }
        coordinates.push_back(k);
        sum += std::exp(-r2 / (2 * s * s)) * kernel->value(std::span(coordinates).first(axes.size()));
      }
    }
  }
  return sum * std::pow(h * h / (2 * pi * s * s), 0.5 * d);
}

// The error theory without solver: the bound must hold, and must be well below the leading term at the charge, so that
// the sign and the size of every constant are seen.
TEST(ExactSolutions, LatticeSumsErrAsTheTheorySays) {
  const double s = 0.055;
  const double h = 1.0 / 32;
  const Point offset{0.3, -0.2, 0.45};
  for (int d = 1; d <= 3; ++d) {
    for (const double k : {0.0, pi, 3 * pi}) {
      if (d == 3 && k > 0) continue;
      std::vector<Boundary> boundaries(static_cast<std::size_t>(d), End::unbounded);
      if (d < 3) boundaries.emplace_back(End::even);
      const auto mode = static_cast<int>(std::lround(k / pi));
      const std::vector<int> modes{0, d == 1 ? mode : 0, mode};
      const std::vector<double> lengths(boundaries.size(), 1.0);
      const double bound = charged(boundaries, lengths, {modes}, s).remainder(h);
      for (const Point& at : {Point{0, 0, 0}, Point{1, 0, 2}, Point{3, -2, 1}, Point{9, 9, 9}}) {
        double r2 = 0;
        for (std::size_t a = 0; a < static_cast<std::size_t>(d); ++a) r2 += std::pow((at[a] + offset[a]) * h, 2);
        const double charge = std::pow(2 * pi * s * s, -0.5 * d) * std::exp(-r2 / (2 * s * s));
        const double error = lattice_potential(d, at, offset, k, s, h) - charge_potential(d, std::sqrt(r2), k, s);
        EXPECT_NEAR(error, h * h * chat2_leading(d, k <= 0) * charge, bound) << "d=" << d << " k=" << k;
      }
      const double peak = h * h * std::abs(chat2_leading(d, k <= 0)) * std::pow(2 * pi * s * s, -0.5 * d);
      EXPECT_LT(bound, 0.5 * peak) << "d=" << d << " k=" << k;
    }
  }
}

}  // namespace
}  // namespace weft::exact
