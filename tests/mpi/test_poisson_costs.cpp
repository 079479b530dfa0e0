// What a solve sends and holds, on slabs and pencils of any shape: the documented formulas.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "../error_text.hpp"
#include "mpi/documented_costs.hpp"
#include "nodes.hpp"
#include "weft/poisson.hpp"

namespace weft {
namespace {

using namespace testing;

const std::array<Boundary, 4> one_of_each{{{End::even}, {End::periodic}, {End::odd, End::unbounded}, {End::unbounded}}};

PoissonProblem problem_of(int number, const Extents& cells) {
  PoissonProblem problem;
  problem.cells = cells;
  problem.length = {1, 1, 1};
  for (int axis = 0; axis < 3; axis++, number /= 4)
    problem.boundary.push_back(one_of_each[static_cast<std::size_t>(number % 4)]);
  problem.centring = {Centring::cell, Centring::node, Centring::cell};
  return problem;
}

std::string describe_on(const PoissonProblem& problem, const std::vector<int>& grid) {
  std::string text = to_string(problem.cells);
  for (const Boundary& boundary : problem.boundary) text += " " + to_string(boundary);
  return text + " on " + to_string(ProcessGrid(grid));
}

PlanOptions options_of(const std::vector<int>& grid, Strategy strategy) {
  PlanOptions options = Poisson<double>::default_options();
  options.grid = grid;
  options.strategy = strategy;
  options.threads = 1;
  return options;
}

/// All grids p x q of this many ranks.
std::vector<std::vector<int>> grids(int ranks) {
  std::vector<std::vector<int>> all{{ranks}};
  for (int p = 1; p < ranks; p++)
    if (ranks % p == 0) all.push_back({p, ranks / p});
  return all;
}

DocumentedCosts documented_costs(const PoissonProblem& problem, const std::vector<int>& grid) {
  return {problem, grid[0], grid.size() > 1 ? grid[1] : 1};
}

TEST(PoissonCosts, BytesSentAreThoseOfTheFormula) {
  const Comm comm(MPI_COMM_WORLD);
  for (int number = 0; number < 64; number++) {
    const PoissonProblem problem = problem_of(number, {9, 10, 7});
    for (const std::vector<int>& grid : grids(comm.size())) {
      const Poisson<double> solver(MPI_COMM_WORLD, problem, options_of(grid, Strategy::alltoallv));
      const DocumentedCosts documented = documented_costs(problem, grid);
      EXPECT_EQ(comm.sum(solver.bytes_sent()), documented.bytes_sent()) << describe_on(problem, grid);
    }
  }
}

// Where parts are even: 2 (there and back) 2 N^3 (1 - 1/p) for the modes of one unbounded axis, 4 N^3 (1 - 1/q) for
// those of two, less what N+1 modes are more than N.
TEST(PoissonCosts, FreeSpaceSendsFourArraysOnSlabsAndAtMostTwelveOnPencils) {
  const Comm comm(MPI_COMM_WORLD);
  constexpr index_t n = 28;
  const double one = static_cast<double>(n * n * n) * sizeof(double);
  for (const std::vector<int>& grid : grids(comm.size())) {
    const Poisson<double> solver(MPI_COMM_WORLD, problem_of(63, {n, n, n}), options_of(grid, Strategy::alltoallv));
    const double expected = 4 * (1 - 1.0 / grid[0]) + 8 * (1 - 1.0 / (comm.size() / grid[0]));
    EXPECT_NEAR(comm.sum(static_cast<double>(solver.bytes_sent())) / one, expected, 12.0 / (n / 2.0));
  }
}

TEST(PoissonCosts, ExplainTellsWhatIsSentAndTheAlternatives) {
  const Comm comm(MPI_COMM_WORLD);
  const Poisson<double> solver(MPI_COMM_WORLD, problem_of(63, {9, 10, 7}));
  const std::string text = solver.explain();
  EXPECT_EQ(testing::mentions(text, "all ranks together send"), comm.size() > 1) << text;
  EXPECT_EQ(testing::mentions(text, "; instead: order of axes"), comm.size() > 1) << text;
}

TEST(PoissonCosts, WorkspaceIsThatOfTheFormula) {
  const Comm comm(MPI_COMM_WORLD);
  constexpr index_t lines = 1 << 19;  // blocks of lines and tables of addresses
  // Free space; walls, periodic and open; all open on one side; open at one end of a periodic box.
  for (const int number : {63, 4 * 1 + 16 * 3, 42, 3 + 4 * 1 + 16 * 1}) {
    const PoissonProblem problem = problem_of(number, {48, 40, 56});
    for (const std::vector<int>& grid : grids(comm.size()))
      for (const Strategy strategy : testing::possible({Strategy::alltoallv, Strategy::shared})) {
        const Poisson<double> solver(MPI_COMM_WORLD, problem, options_of(grid, strategy));
        const DocumentedCosts documented = documented_costs(problem, grid);
        EXPECT_LE(solver.workspace_bytes(), documented.workspace_bytes(strategy != Strategy::alltoallv) + lines)
            << describe_on(problem, grid) << ", " << to_string(strategy);
      }
  }
}

}  // namespace
}  // namespace weft
