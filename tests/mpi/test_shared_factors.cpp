// Solvers with the same modes and kernel share their factors, and give the bits that they would give alone.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../error_text.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using namespace testing;

const std::vector<Boundary> open_space(3, Boundary{End::unbounded});

PoissonProblem problem_of(double length, const std::vector<Boundary>& boundary = open_space,
                          const Kernel& kernel = "chat2") {
  PoissonProblem problem;
  problem.boundary = boundary;
  problem.cells = boundary.size() == 2 ? Extents{11, 7} : Extents{11, 7, 9};
  problem.length = {11 * length, 7 * length};
  if (boundary.size() == 3) problem.length.push_back(9 * length);
  problem.kernel = kernel;
  return problem;
}

template <class Real>
bool shares(const Poisson<Real>& solver) {
  return testing::mentions(solver.explain(), "made for another solver");
}

TEST(SharedFactors, TheSecondSolverOfAProblemHasThoseOfTheFirst) {
  const PoissonProblem problem = problem_of(0.37);
  Poisson<double> first(MPI_COMM_WORLD, problem), second(MPI_COMM_WORLD, problem);
  EXPECT_TRUE(shares(second));
  const std::vector<double> rhs = noisy_field(first);
  EXPECT_EQ(solved(first, rhs), solved(second, rhs));
}

TEST(SharedFactors, OtherLengthsOfTheSameRatioShareThem) {
  for (const char* kernel : {"chat2", "hej4", "lgf2", "truncated", "igf"}) {
    Poisson<double> one(MPI_COMM_WORLD, problem_of(1, open_space, kernel));
    Poisson<double> four(MPI_COMM_WORLD, problem_of(4, open_space, kernel));
    EXPECT_TRUE(shares(four)) << kernel;
    const std::vector<double> rhs = noisy_field(one);
    std::vector<double> scaled = solved(one, rhs);
    for (double& value : scaled) value *= 16;  // a power of two: to the last bit
    EXPECT_EQ(solved(four, rhs), scaled) << kernel;
  }
}

TEST(SharedFactors, BitsDoNotDependOnTheSolversBefore) {
  const PoissonProblem problem = problem_of(0.71);
  std::vector<double> alone, after;
  {
    Poisson<double> solver(MPI_COMM_WORLD, problem);
    alone = solved(solver, noisy_field(solver));
  }
  for (int i = 1; i <= 9; i++) {  // drives out what was kept
    PoissonProblem other = problem_of(1);
    other.cells[0] += i;
    Poisson<double>(MPI_COMM_WORLD, other);
  }
  Poisson<double> larger(MPI_COMM_WORLD, problem_of(1.42));
  EXPECT_FALSE(shares(larger));
  Poisson<double> solver(MPI_COMM_WORLD, problem);
  EXPECT_TRUE(shares(solver));
  after = solved(solver, noisy_field(solver));
  EXPECT_EQ(alone, after);
}

TEST(SharedFactors, WhatHasALengthOfItsOwnIsNotRescaled) {
  const std::vector<Boundary> plane(2, Boundary{End::unbounded});
  Poisson<double> logarithm(MPI_COMM_WORLD, problem_of(1, plane));
  EXPECT_FALSE(shares(Poisson<double>(MPI_COMM_WORLD, problem_of(2, plane))));
  EXPECT_TRUE(shares(Poisson<double>(MPI_COMM_WORLD, problem_of(1, plane))));
  PoissonProblem screened = problem_of(1);
  screened.screening = 0.5;
  Poisson<double> near(MPI_COMM_WORLD, screened);
  screened.length = {22, 14, 18};
  EXPECT_FALSE(shares(Poisson<double>(MPI_COMM_WORLD, screened)));
}

TEST(SharedFactors, OtherProblemsAndUsersKernelsHaveTheirOwn) {
  PoissonProblem problem = problem_of(5.3);
  problem.cells[1] = 8;  // as no other test has it
  Poisson<double> first(MPI_COMM_WORLD, problem);
  Poisson<float> single(MPI_COMM_WORLD, problem);
  EXPECT_FALSE(shares(single));
  problem.centring = {Centring::node};
  EXPECT_FALSE(shares(Poisson<double>(MPI_COMM_WORLD, problem)));
  problem.kernel = "igf";
  EXPECT_FALSE(shares(Poisson<double>(MPI_COMM_WORLD, problem)));
  problem.kernel = Kernel::of_distance([](double r, double) { return r == 0 ? 0.0 : -1 / r; });
  Poisson<double> users(MPI_COMM_WORLD, problem);
  EXPECT_FALSE(shares(Poisson<double>(MPI_COMM_WORLD, problem)));
}

}  // namespace
}  // namespace weft
