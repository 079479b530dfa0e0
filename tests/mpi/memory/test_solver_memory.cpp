// Memory of the solver, counted where it is allocated: what is documented, while it is made as well as afterwards, and
// nothing in a solve but the calls that passes keep in the second one.
#include <gtest/gtest.h>

#include <vector>

#include "memory/allocations.hpp"
#include "mpi/documented_costs.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using namespace testing;

PoissonProblem problem_of(const std::vector<Boundary>& boundary, const Extents& cells) {
  PoissonProblem problem;
  problem.boundary = boundary;
  problem.cells = cells;
  problem.length = {1, 1, 1};
  return problem;
}

PlanOptions one_thread() {
  PlanOptions options = Poisson<double>::default_options();
  options.threads = 1;
  options.strategy = Strategy::alltoallv;
  return options;
}

const Boundary U{End::unbounded}, P{End::periodic}, E{End::even}, OU{End::odd, End::unbounded};

// Buffers of 2 MB and more are made of whole huge pages: two sides of an exchange and the kernel, and once more while
// it is made. Blocks of lines and tables of addresses, twiddles, the schedule and requests of MPI are small.
constexpr index_t huge_page = 2 << 20, small = 3 << 20;
// MPI lengthens its own lists of requests and fragments when messages happen to need more (Open MPI by some 50 kB, in a
// solve like any other); an array of the solver, of 1 MB and more on every rank here, would stand out.
constexpr index_t lists_of_mpi = 1 << 18;
// The first pass of a solve and the last one keep at most 1024 calls of 200 bytes each, in vectors of up to twice as
// many.
constexpr index_t kept_calls = 1 << 20;

class SolverMemory : public ::testing::TestWithParam<std::vector<Boundary>> {};

TEST_P(SolverMemory, IsThatOfTheFormulaFromTheFirstAllocationOn) {
  const Comm comm(MPI_COMM_WORLD);
  const PoissonProblem problem = problem_of(GetParam(), {128, 112, 144});
  const DocumentedCosts documented(problem, comm.size(), 1);
  { Poisson<double> first(MPI_COMM_WORLD, problem, one_thread()); }  // what is made once for a process
  (void)largest_allocated_bytes();
  const std::ptrdiff_t before = allocated_bytes();
  Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
  const std::ptrdiff_t while_made = largest_allocated_bytes() - before, held = allocated_bytes() - before;
  EXPECT_LE(solver.workspace_bytes(), documented.workspace_bytes(false) + small);
  EXPECT_LE(held, solver.workspace_bytes() + 4 * huge_page + small);
  // Two more sides of an exchange while the kernel is transformed.
  EXPECT_LE(while_made, documented.workspace_bytes(false) + documented.kernel_bytes() * 9 / 4 + 6 * huge_page + small);

  const std::vector<double> rhs = noisy_field(solver);
  std::vector<double> solution(rhs.size());
  solver.solve(rhs, solution);
  const std::ptrdiff_t once = allocated_bytes();
  solver.solve(rhs, solution);
  EXPECT_LE(allocated_bytes() - once, kept_calls + lists_of_mpi);
  (void)largest_allocated_bytes();
  const std::ptrdiff_t during = allocated_bytes();
  solver.solve(rhs, solution);
  EXPECT_LE(largest_allocated_bytes() - during, lists_of_mpi);
  EXPECT_LE(allocated_bytes() - during, lists_of_mpi);
}

INSTANTIATE_TEST_SUITE_P(Boundaries, SolverMemory,
                         ::testing::Values(std::vector<Boundary>{U, U, U}, std::vector<Boundary>{P, U, U},
                                           std::vector<Boundary>{OU, P, U}, std::vector<Boundary>{E, E, U},
                                           std::vector<Boundary>{U, P, P}, std::vector<Boundary>{P, P, E}));

TEST(Allocations, AreCounted) {
  (void)largest_allocated_bytes();
  const std::ptrdiff_t before = allocated_bytes();
  {
    const std::vector<char> small(1 << 20);
    const AlignedVector<char> large(3 << 20);
    EXPECT_GE(allocated_bytes() - before, 4 << 20);
  }
  EXPECT_LT(allocated_bytes() - before, 1 << 12);
  EXPECT_GE(largest_allocated_bytes() - before, 4 << 20);
}

}  // namespace
}  // namespace weft
