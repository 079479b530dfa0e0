// The kernel truncated: spectral in every mixture of boundaries, with net charge, unequal spacings and screening.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mpi/exact_solutions.hpp"
#include "mpi/exact_theory.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using namespace testing;
using exact::ExactCase;

/// Largest error at all points of all ranks. Collective.
double largest_error(const PoissonProblem& problem, const ExactCase& expected) {
  PlanOptions options = Poisson<double>::default_options();
  options.threads = 1;
  Poisson<double> solver(MPI_COMM_WORLD, problem, options);
  const std::vector<double> solution = solved(solver, sample<double>(solver, expected.rhs));
  double worst = 0;
  for_each_point(solver, [&](std::size_t i, const Extents&, const std::array<double, 3>& x) {
    worst = std::max(worst, std::abs(solution[i] - expected.solution(x[0], x[1], x[2])));
  });
  return Comm(MPI_COMM_WORLD).max(worst);
}

struct Charge {
  std::string name;
  std::vector<Boundary> boundary;
  std::vector<std::vector<int>> modes;
  double screening = 0;
};

const std::vector<Charge> charges{
    {"FreeSpace", {U, U, U}, {{0, 0, 0}}},
    {"OnePeriodic", {U, U, P}, {{0, 0, 0}, {0, 0, 1}}},
    {"OneHalfMode", {U, {O, E}, U}, {{0, 0, 0}}},
    {"OneUnbounded", {P, U, E}, {{0, 0, 0}, {1, 0, 2}}},
    {"SemiUnbounded", {{U, E}, {O, U}, U}, {{0, 0, 0}}},
    {"SemiUnboundedRods", {E, {E, U}, {U, O}}, {{0, 0, 0}, {1, 0, 0}}},
    {"Plane", {U, U}, {{0, 0}}},
    {"Screened", {U, U, U}, {{0, 0, 0}}, 6},
    {"ScreenedRods", {U, P, {E, U}}, {{0, 0, 0}, {0, 2, 0}}, 6},
    {"BarelyScreenedSheets", {U, P, O}, {{0, 1, 0}}, 1e-3},
};

PoissonProblem problem_of(const Charge& charge, Centring centring) {
  PoissonProblem problem;
  problem.cells = Extents(static_cast<int>(charge.boundary.size()), 64);
  problem.length.assign(charge.boundary.size(), 1);
  problem.boundary = charge.boundary;
  problem.centring = {centring};
  problem.kernel = "truncated";
  problem.screening = charge.screening;
  return problem;
}

/// Gaussian charges whose width is 3.5 spacings have exp(-(3.5 pi)^2/2) = 5e-27 of their spectrum beyond the grid, and
/// at their distance from the ends 1e-15 of their charge outside.
constexpr double width = 0.055;

/// All on 2 ranks, elsewhere one for each number of ranks.
class PoissonTruncated : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    const auto ranks = static_cast<std::size_t>(Comm(MPI_COMM_WORLD).size());
    if (ranks != 2 && GetParam() != ranks % charges.size()) GTEST_SKIP() << "another one on this number of ranks";
  }
};

TEST_P(PoissonTruncated, GivesThePotentialOfChargesToRounding) {
  const Charge& charge = charges[GetParam()];
  for (const Centring centring : {Centring::cell, Centring::node}) {
    const PoissonProblem problem = problem_of(charge, centring);
    const ExactCase expected = exact::charged(charge.boundary, problem.length, charge.modes, width, charge.screening);
    EXPECT_LT(largest_error(problem, expected), 1e-12) << to_string(centring);
  }
}

INSTANTIATE_TEST_SUITE_P(Charges, PoissonTruncated, ::testing::Range(std::size_t{0}, charges.size()),
                         [](const auto& info) { return charges[info.param].name; });

/// What 24 cells do not resolve, against an independent serial solver: three digits. The phase of its periodic waves is
/// another, so that the largest values of cos(2 pi x) at the points differ by up to 1 - cos(pi / 24).
TEST(PoissonTruncatedCoarse, GivesTheErrorsOfTheTable) {
  struct Row {
    std::vector<Boundary> boundary;
    std::vector<std::vector<int>> modes;
    double error;
  };
  const std::vector<Row> rows{
      {{U, U, E}, {{0, 0, 0}, {0, 0, 2}}, 1.29e-07},
      {{U, P, P}, {{0, 0, 0}}, 9.27e-09},
      {{U, P, E}, {{0, 1, 1}}, 8.12e-09},
      {{U, {E, O}, O}, {{0, 0, 1}}, 8.25e-09},
      {{U, U}, {{0, 0}}, 7.11e-08},
      {{U, P}, {{0, 0}}, 9.27e-09},
      {{U, {E, O}}, {{0, 0}}, 8.48e-09},
      {{{U, E}, {O, U}, U}, {{0, 0, 0}}, 1.06e-06},
      {{{E, U}, U}, {{0, 0}}, 3.02e-07},
      {{{U, O}, P, E}, {{0, 1, 1}, {0, 0, 0}}, 1.71e-08},
  };
  for (const Row& row : rows) {
    PoissonProblem problem = problem_of({"", row.boundary, row.modes}, Centring::cell);
    problem.cells = Extents(static_cast<int>(row.boundary.size()), 24);
    const double error = largest_error(problem, exact::charged(row.boundary, problem.length, row.modes, width));
    EXPECT_NEAR(error / row.error, 1, 0.005 + 1 - std::cos(pi / 24)) << describe(problem);
  }
}

TEST(PoissonTruncatedSpacings, MayDiffer) {
  if (Comm(MPI_COMM_WORLD).size() > 3) GTEST_SKIP() << "half a million points: on a few ranks only";
  PoissonProblem problem = problem_of(charges[0], Centring::cell);
  problem.cells = {64, 100, 72};
  problem.length = {1, 1.25, 0.95};
  problem.centring = {Centring::cell, Centring::node, Centring::cell};
  EXPECT_LT(largest_error(problem, exact::charged(problem.boundary, problem.length, {{0, 0, 0}}, width)), 1e-12);
  problem.boundary = {{E, U}, P, U};
  EXPECT_LT(largest_error(problem, exact::charged(problem.boundary, problem.length, {{0, 1, 0}}, width)), 1e-12);
}

/// On too coarse a grid the error is what of the solution lies beyond it. A product of Gaussians of width w has erfc(pi
/// w / (sqrt(2) h)) of its spectrum beyond pi/h along each axis, lost and folded back; other factors are resolved
/// better.
TEST(PoissonTruncatedMatrix, ErrsByWhatTheGridDoesNotResolve) {
  const Comm comm(MPI_COMM_WORLD);
  constexpr index_t cells = 36;
  for (int number = comm.size(); number < combinations; number += 97) {
    PoissonProblem problem;
    problem.boundary = combination(number);
    problem.cells = Extents(static_cast<int>(problem.boundary.size()), cells);
    problem.length.assign(problem.boundary.size(), 1);
    problem.centring = {number % 2 == 0 ? Centring::cell : Centring::node};
    problem.kernel = "truncated";
    const double beyond = std::erfc(pi * exact::gaussian_width * cells / std::numbers::sqrt2);
    const double bound = 2 * exact::count_convolved(problem.boundary) * exact::count_images(problem.boundary) * beyond;
    // Factors along spectral axes are up to e; 1e-12 is for rounding.
    EXPECT_LE(largest_error(problem, exact::broad_band(problem.boundary, problem.length)),
              bound * std::exp(2.0) + 1e-12)
        << describe(problem);
  }
}

/// The error is that of second order within a factor of about 1 + (h / width)^2, so the order within its logarithm.
TEST(PoissonScreened, Chat2IsOfSecondOrder) {
  constexpr double wide = 0.0825;
  for (const char* name : {"Screened", "ScreenedRods"}) {
    const auto charge = std::find_if(charges.begin(), charges.end(), [&](const Charge& c) { return c.name == name; });
    std::vector<double> errors;
    for (const index_t cells : {32, 64}) {
      PoissonProblem problem = problem_of(*charge, Centring::cell);
      problem.cells = Extents(3, cells);
      problem.kernel = "chat2";
      errors.push_back(largest_error(
          problem, exact::charged(charge->boundary, problem.length, charge->modes, wide, charge->screening)));
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, std::pow(1 / (32 * wide), 2) / std::numbers::ln2) << name;
  }
}

TEST(PoissonScreened, EigenfunctionsAreExact) {
  const Comm comm(MPI_COMM_WORLD);
  const double lambda = 3;
  for (const char* kernel : {"chat2", "truncated"}) {
    PoissonProblem problem;
    problem.cells = {12, 10, 9};
    problem.length = {1, 1, 1};
    problem.boundary = {P, E, {O, E}};
    problem.kernel = kernel;
    problem.screening = lambda;
    Poisson<double> solver(MPI_COMM_WORLD, problem);
    const auto wave = [](double x, double y, double z) {
      return std::cos(2 * pi * x) * std::cos(3 * pi * y) * std::sin(pi * z / 2);
    };
    const double k2 = pi * pi * (4 + 9 + 0.25);
    const std::vector<double> rhs =
        sample<double>(solver, [&](double x, double y, double z) { return -(k2 + lambda * lambda) * wave(x, y, z); });
    std::vector<double> error = solved(solver, rhs);
    for_each_point(solver, [&](std::size_t i, const Extents&, const std::array<double, 3>& x) {
      error[i] -= wave(x[0], x[1], x[2]);
    });
    EXPECT_LE(norm(comm, error), rounding_bound(comm, problem, rhs)) << kernel;
  }
}

/// With screening a constant right-hand side has a solution, -f / lambda^2.
TEST(PoissonScreened, ConstantsHaveSolutions) {
  PoissonProblem problem;
  problem.cells = {8, 9};
  problem.length = {1, 2};
  problem.boundary = {P, E};
  problem.screening = 0.5;
  problem.mean = Mean::error;
  for (const char* kernel : {"chat2", "truncated"}) {
    problem.kernel = kernel;
    Poisson<double> solver(MPI_COMM_WORLD, problem);
    for (const double u : solved(solver, sample<double>(solver, [](double, double, double) { return 3.0; })))
      EXPECT_NEAR(u, -12, 1e-13);
  }
}

}  // namespace
}  // namespace weft
