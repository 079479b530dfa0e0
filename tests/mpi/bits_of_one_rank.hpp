// Solves on all ranks whose solutions have the bits of one rank.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "mpi/plan_fixture.hpp"
#include "mpi/poisson_support.hpp"

namespace weft::testing {

template <class Real>
std::vector<Real> noise_solved(MPI_Comm comm, const PoissonProblem& problem, Box& box) {
  Poisson<Real> solver(comm, problem, one_thread());
  box = solver.box();
  return solved(solver, noisy_field(solver));
}

template <class Real>
void expect_bits_of_one_rank(const PoissonProblem& problem) {
  Box mine, all;
  const std::vector<Real> here = noise_solved<Real>(MPI_COMM_WORLD, problem, mine);
  const std::vector<Real> one = noise_solved<Real>(MPI_COMM_SELF, problem, all);
  EXPECT_TRUE(plan_test::same_bits(here, plan_test::part(one, all.extents(), mine, 1))) << describe(problem);
}

}  // namespace weft::testing
