// Problems with a Chebyshev axis: smooth solutions to rounding for all ends and shifts, polynomials with few points,
// and the same bits on any number of ranks.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "error_text.hpp"
#include "mpi/bits_of_one_rank.hpp"
#include "mpi/refused_problem.hpp"
#include "weft/chebyshev.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using namespace testing;
using Profile = std::function<double(double)>;

const std::array<Ends, 6> chebyshev_ends{{{End::odd},
                                          {End::even},
                                          {{End::odd, End::even}},
                                          {{End::even, End::odd}},
                                          {End::odd, {0.3, 0}},
                                          {{End::even, End::odd}, {0, 2}}}};

/// A small problem whose axis `axis` has Chebyshev points.
PoissonProblem chebyshev_problem(int axis, const Ends& ends, int dims = 3) {
  PoissonProblem problem;
  problem.cells = {6, 9, 10};
  problem.length = {1, 1.7, 0.8};
  problem.boundary = {End::periodic, End::even, End::periodic};
  problem.centring = {Centring::cell, Centring::node, Centring::cell};
  if (dims == 2) {
    problem.cells = {6, 9};
    problem.length.pop_back();
    problem.boundary.pop_back();
    problem.centring.pop_back();
  }
  const auto a = static_cast<std::size_t>(axis);
  problem.boundary[a] = ends.boundary;
  problem.centring[a] = Centring::chebyshev;
  problem.robin = ends.robin;
  return problem;
}

// --- exact solutions ----------------------------------------------------------------------------------------------

/// u = (1 + cos(2 pi x)) g(z) with what g has at both ends.
struct Smooth {
  Profile g, slope, curvature;
};

/// On [0, 1]; its Chebyshev series falls to rounding within 16 terms.
const Smooth wave{
    [](double z) { return std::sin(2 * z + 0.3) * std::exp(z / 2); },
    [](double z) { return std::exp(z / 2) * (2 * std::cos(2 * z + 0.3) + std::sin(2 * z + 0.3) / 2); },
    [](double z) { return std::exp(z / 2) * (2 * std::cos(2 * z + 0.3) - 3.75 * std::sin(2 * z + 0.3)); }};

/// The largest error of u, both its mean taken out where the mean is free.
double largest_error(index_t cells, const Ends& ends, double screening, const Smooth& of) {
  PoissonProblem problem;
  problem.cells = {6, cells};
  problem.length = {1, 1};
  problem.boundary = {End::periodic, ends.boundary};
  problem.centring = {Centring::cell, Centring::chebyshev};
  problem.robin = ends.robin;
  problem.screening = screening;
  Poisson<double> solver(MPI_COMM_SELF, problem, one_thread());
  const auto along = [](double x) { return 1 + std::cos(2 * pi * x); };
  const std::vector<double> rhs = sample(solver, [&](double x, double z, double) {
    const double rest = of.curvature(z) - screening * screening * of.g(z);
    return along(x) * rest - 4 * pi * pi * std::cos(2 * pi * x) * of.g(z);
  });
  std::vector<std::vector<double>> values;
  std::vector<EndValues<double>> given;
  for (const Side side : {Side::left, Side::right}) {
    const bool left = side == Side::left;
    const double z = left ? 0 : 1, slope = (left ? -1 : 1) * of.slope(z);
    const bool odd = (left ? ends.boundary.left : ends.boundary.right) == End::odd;
    const double value = odd ? of.g(z) + ends.robin[left ? 0 : 1] * slope : slope;
    std::vector<double>& here = values.emplace_back();
    for (const double x : solver.points(0)) here.push_back(along(x) * value);
    given.push_back({1, side, nullptr});
  }
  for (std::size_t i = 0; i < given.size(); i++) given[i].values = values[i].data();
  std::vector<double> u(rhs.size());
  solver.solve(rhs.data(), u.data(), given);
  const bool free = ends.boundary == Boundary(End::even) && screening == 0;
  const std::vector<double> weights = chebyshev_weights(cells + 1, 0, 1), z = solver.points(1);
  double mean = 0, largest = 0;
  for (std::size_t j = 0; j < z.size(); j++) mean += free ? weights[j] * of.g(z[j]) : 0;
  for_each_point(solver, [&](std::size_t i, const Extents&, const std::array<double, 3>& at) {
    largest = std::max(largest, std::abs(u[i] - along(at[0]) * of.g(at[1]) + mean));
  });
  return largest;
}

// The transforms of f err by 7 u a stage relative to f (Higham 2002, theorem 24.2), in the 2-norm, which is at most the
// root of the points in one of them; f is at most the shift times u and its curvature, and the inverse at most one over
// the shift, or 1/8 (slope-free ends of a constant: 1) on this length. Here u is below 4 and its curvature below 16.
TEST(PoissonChebyshev, SmoothSolutionsAreExactForAllEndsAndShifts) {
  if (Comm(MPI_COMM_WORLD).size() > 1) GTEST_SKIP() << "each rank would do all of it";
  for (const index_t cells : {16, 17, 64, 129, 512})
    for (const Ends& ends : chebyshev_ends)
      for (const double screening : {0.0, 1.0, 31.0, 1000.0}) {
        const double stages = std::log2(4.0 * static_cast<double>(cells)) + 2 + std::log2(24.0) + 2;
        const double bound = 7 * std::numeric_limits<double>::epsilon() * stages * 20;
        EXPECT_LE(largest_error(cells, ends, screening, wave), bound)
            << cells << " " << to_string(ends.boundary) << " " << ends.robin[0] << " " << screening;
      }
}

// Polynomials of degree N are in the space: few points are enough.
TEST(PoissonChebyshev, PolynomialsAreExactOnFewPoints) {
  if (Comm(MPI_COMM_WORLD).size() > 1) GTEST_SKIP() << "each rank would do all of it";
  for (const index_t cells : {2, 3, 4, 5}) {
    const double n = static_cast<double>(cells);
    const Smooth power{[n](double z) { return std::pow(z, n) - z; },
                       [n](double z) { return n * std::pow(z, n - 1) - 1; },
                       [n](double z) { return n * (n - 1) * std::pow(z, n - 2); }};
    for (const Ends& ends : chebyshev_ends)
      for (const double screening : {0.0, 5.0})
        EXPECT_LE(largest_error(cells, ends, screening, power), 1e-13) << cells << " " << to_string(ends.boundary);
  }
}

// Where the layers at the walls are thinner than all points: u is -f / lambda^2 inside, and nothing overflows.
TEST(PoissonChebyshev, ThinLayersStayBounded) {
  if (Comm(MPI_COMM_WORLD).size() > 1) GTEST_SKIP() << "each rank would do all of it";
  const Smooth steep{[](double z) { return 1 + z; }, [](double) { return 1; }, [](double) { return 0; }};
  for (const Ends& ends : chebyshev_ends)
    EXPECT_LE(largest_error(16, ends, 1e9, steep), 1e-12) << to_string(ends.boundary);
}

// --- ranks --------------------------------------------------------------------------------------------------------

TEST(PoissonChebyshev, AnyNumberOfRanksGivesTheSameBits) {
  for (std::size_t i = 0; i < chebyshev_ends.size(); i++) {
    const int axis = static_cast<int>(i % 3);
    expect_bits_of_one_rank<double>(chebyshev_problem(axis, chebyshev_ends[i]));
    if (axis == 2) expect_bits_of_one_rank<float>(chebyshev_problem(axis, chebyshev_ends[i]));
    if (axis < 2) expect_bits_of_one_rank<double>(chebyshev_problem(axis, chebyshev_ends[i], 2));
  }
}

// Each of a batch has the bits that it has alone.
TEST(PoissonChebyshev, BatchesChangeNoBit) {
  PoissonProblem problem = chebyshev_problem(2, chebyshev_ends[1]);
  Poisson<double> alone(MPI_COMM_WORLD, problem, one_thread());
  const std::vector<double> rhs = noisy_field(alone), expected = solved(alone, rhs);
  problem.batch = 2;
  Poisson<double> both(MPI_COMM_WORLD, problem, one_thread());
  std::vector<double> twice = rhs, u(2 * rhs.size());
  twice.insert(twice.end(), rhs.begin(), rhs.end());
  both.solve(twice.data(), u.data());
  const auto half = u.begin() + static_cast<std::ptrdiff_t>(rhs.size());
  EXPECT_TRUE(plan_test::same_bits(std::vector<double>(u.begin(), half), expected));
  EXPECT_TRUE(plan_test::same_bits(std::vector<double>(half, u.end()), expected));
}

// --- means and refusals -------------------------------------------------------------------------------------------

TEST(PoissonChebyshev, MeanIsThatOfClenshawAndCurtis) {
  PoissonProblem problem = chebyshev_problem(1, {End::even});
  problem.mean = Mean::error;
  Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
  const double length = problem.length[1];
  // The integral of y^3 - length^3 / 4 is 0.
  std::vector<double> rhs =
      sample(solver, [&](double, double y, double) { return y * y * y - std::pow(length, 3) / 4; });
  EXPECT_EQ(error_text([&] { (void)solved(solver, rhs); }), "no error");
  for (double& value : rhs) value += 1e-6;
  const std::string text = error_text([&] { (void)solved(solver, rhs); });
  EXPECT_TRUE(mentions(text, "rhs", "mean", "1e-06")) << text;
}

template <class... Parts>
void expect_chebyshev_refused(const ProblemChange& change, const Parts&... parts) {
  expect_problem_refused(chebyshev_problem(1, {End::odd}), change, parts...);
}

TEST(PoissonChebyshev, WrongArgumentsAreNamed) {
  expect_chebyshev_refused([](auto& p) { p.boundary[1] = End::periodic; }, "boundary of axis 1", "periodic",
                           "even or odd");
  expect_chebyshev_refused([](auto& p) { p.boundary[1] = End::unbounded; }, "boundary of axis 1", "unbounded",
                           "even or odd");
  expect_chebyshev_refused([](auto& p) { p.boundary[0] = End::unbounded; }, "boundary of axis 0", "unbounded",
                           "Chebyshev points");
  expect_chebyshev_refused([](auto& p) { p.cells[1] = 1; }, "cells of axis 1", "1 given", "at least 2");
  expect_chebyshev_refused([](auto& p) { p.centring = {Centring::chebyshev}; }, "boundary of axis 0", "periodic");
  expect_chebyshev_refused(
      [](auto& p) {
        p.boundary[0] = End::even;
        p.centring[0] = Centring::chebyshev;
      },
      "centring", "2 axes", "one axis");
  expect_chebyshev_refused(
      [](auto& p) {
        p.widths = {{}, {}, std::vector<double>(10, 0.08)};
      },
      "centring", "2 axes", "widths");
  expect_chebyshev_refused(
      [](auto& p) {
        p.widths = {{}, std::vector<double>(9, 1.7 / 9), {}};
      },
      "centring of axis 1", "'cell'");
  expect_chebyshev_refused([](auto& p) { p.kernel = "hej4"; }, "kernel", "hej4", "Chebyshev points", "lgf2");
  expect_chebyshev_refused([](auto& p) { p.power = 2; }, "power", "2 given", "Chebyshev points");
  expect_chebyshev_refused([](auto& p) { p.order = 4; }, "order", "4 given", "differences");
  expect_chebyshev_refused([](auto& p) { p.robin = {0, -1}; }, "robin[1] of axis 1", "-1 given", "positive");
}

TEST(PoissonChebyshev, ExplainNamesTheSystems) {
  Poisson<double> solver(MPI_COMM_WORLD, chebyshev_problem(1, {End::odd}), one_thread());
  EXPECT_TRUE(mentions(solver.explain(), "systems of 10 Chebyshev coefficients along axis 1", "inside the last pass"))
      << solver.explain();
}

}  // namespace
}  // namespace weft
