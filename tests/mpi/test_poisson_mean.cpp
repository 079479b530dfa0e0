// What becomes of the mean of a right-hand side that has to be zero.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "error_text.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using namespace testing;

PoissonProblem free_problem(Centring centring) {
  PoissonProblem problem;
  problem.cells = {12, 10, 14};
  problem.length = {1, 2, 1};
  problem.boundary = {End::periodic, End::even, End::periodic};
  problem.centring = {centring};
  problem.mean = Mean::error;
  return problem;
}

double wave(double x, double y, double z) { return std::cos(2 * pi * x) + std::cos(pi * y) * std::sin(4 * pi * z); }

/// The text of the Error that solve() throws, the same on every rank, with nothing written; or "no error". Collective.
template <class Real>
std::string refusal_of(Poisson<Real>& solver, const std::vector<Real>& rhs) {
  std::vector<Real> solution(rhs.size(), 42);
  const std::string text = error_text([&] { solver.solve(rhs, solution); });
  const Comm comm(MPI_COMM_WORLD);
  EXPECT_EQ(text, comm.broadcast(text, 0));
  if (text != "no error") {
    EXPECT_EQ(solution, std::vector<Real>(rhs.size(), 42));
  }
  return text;
}

template <class Real>
class PoissonMean : public ::testing::Test {};
using Reals = ::testing::Types<double, float>;
TYPED_TEST_SUITE(PoissonMean, Reals);

/// The cosine of a node-centred even axis has the mean zero only where ends count half and repeated points not at all.
TYPED_TEST(PoissonMean, ErrorAcceptsAMeanOfZeroUpToRounding) {
  for (const Centring centring : {Centring::cell, Centring::node}) {
    Poisson<TypeParam> solver(MPI_COMM_WORLD, free_problem(centring));
    std::vector<TypeParam> rhs = sample(solver, wave);
    EXPECT_EQ(refusal_of(solver, rhs), "no error");
    // whatever stands on points that repeat others
    for_each_point(solver, [&](std::size_t i, const Extents& index, const std::array<double, 3>&) {
      if (index[0] == 12 || index[2] == 14) rhs[i] = 1e6F;
    });
    EXPECT_EQ(refusal_of(solver, rhs), "no error");
  }
}

TYPED_TEST(PoissonMean, ErrorRefusesAMeanBeyondRounding) {
  // Hundreds of units in the last place of values of size 1: the bound is below 10.
  const double mean = 300 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon());
  for (const Centring centring : {Centring::cell, Centring::node}) {
    Poisson<TypeParam> solver(MPI_COMM_WORLD, free_problem(centring));
    const std::vector<TypeParam> rhs =
        sample(solver, [&](double x, double y, double z) { return wave(x, y, z) + mean; });
    const std::string text = refusal_of(solver, rhs);
    EXPECT_TRUE(mentions(text, "rhs", "its mean is", "rounding", "remove")) << text;
  }
}

TYPED_TEST(PoissonMean, RemoveTakesItOut) {
  PoissonProblem problem = free_problem(Centring::node);
  problem.mean = Mean::remove;
  Poisson<TypeParam> solver(MPI_COMM_WORLD, problem);
  const auto shifted = sample(solver, [](double x, double y, double z) { return wave(x, y, z) + 0.5; });
  const std::vector<TypeParam> expected = solved(solver, sample(solver, wave)), solution = solved(solver, shifted);
  const double bound = rounding_bound(Comm(MPI_COMM_WORLD), problem, shifted);
  for (std::size_t i = 0; i < solution.size(); i++) EXPECT_NEAR(solution[i], expected[i], bound);
}

TEST(PoissonMeanOptions, ErrorIsOnlyForProblemsWhereItHasToBeZero) {
  const auto refuses = [](const PoissonProblem& problem) {
    Poisson<double> solver(MPI_COMM_WORLD, problem);
    const auto rhs = sample(solver, [](double, double, double) { return 1.0; });
    return refusal_of(solver, std::vector<double>(rhs.begin(), rhs.end())) != "no error";
  };
  PoissonProblem problem = free_problem(Centring::cell);
  EXPECT_TRUE(refuses(problem));
  problem.kernel = "truncated";
  EXPECT_TRUE(refuses(problem));
  problem.screening = 1;
  EXPECT_FALSE(refuses(problem));
  problem = free_problem(Centring::cell);
  problem.boundary[1] = {End::odd, End::even};
  EXPECT_FALSE(refuses(problem));
  problem.boundary[1] = {End::even, End::unbounded};
  EXPECT_FALSE(refuses(problem));
  problem = free_problem(Centring::cell);
  problem.kernel = Kernel::of_wavenumber([](std::span<const double>) { return 1.0; });
  EXPECT_FALSE(refuses(problem));
}

TEST(PoissonMeanOptions, HaveNames) {
  for (const Mean mean : {Mean::remove, Mean::error}) EXPECT_EQ(parse_mean(to_string(mean)), mean);
  EXPECT_TRUE(mentions(error_text([] { parse_mean("keep"); }), "mean", "'keep'", "remove", "error"));
}

}  // namespace
}  // namespace weft
