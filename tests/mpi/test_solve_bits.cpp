// Solves give the bits of one rank, and vector solves those of the scalar solves of their components, for all mixes of
// boundaries.
#include <gtest/gtest.h>

#include <array>

#include "mpi/plan_fixture.hpp"
#include "mpi/poisson_support.hpp"
#include "weft/vector_poisson.hpp"

namespace weft::plan_test {
namespace {

Extents points_in(const Poisson<double>& solver) { return solver.layout().extents(); }
Extents points_in(const VectorPoisson<double>& solver) { return solver.extents(); }

/// The part of an array of points of the whole domain that a solver has.
template <class Solver>
std::vector<double> points_of(const Solver& solver, const std::vector<double>& global, index_t component = 0) {
  const auto size = static_cast<std::size_t>(points_in(solver).product());
  const auto begin = global.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(component) * size);
  return part(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(size)), points_in(solver), solver.box(),
              1);
}

std::vector<double> solution(MPI_Comm comm, const PoissonProblem& problem, index_t seed) {
  Poisson<double> solver(comm, problem, testing::one_thread());
  const auto rhs = points_of(solver, numbers<double>(points_in(solver).product(), static_cast<std::uint32_t>(seed)));
  std::vector<double> result(rhs.size());
  solver.solve(rhs.data(), result.data());
  return result;
}

void expect_bits_of_one_rank(const PoissonProblem& problem) {
  const Poisson<double> solver(MPI_COMM_WORLD, problem, testing::one_thread());
  EXPECT_TRUE(same_bits(solution(MPI_COMM_WORLD, problem, 1), points_of(solver, solution(MPI_COMM_SELF, problem, 1))))
      << to_string(problem.cells);
}

const Boundary periodic{End::periodic, End::periodic};
const Boundary open{End::unbounded, End::unbounded};

TEST(SolveBits, PeriodicProblemsInTwoDimensions) {
  for (const Extents& cells : {Extents{9, 40}, {34, 36}, {64, 64}, {10, 40}})
    expect_bits_of_one_rank({.cells = cells, .length = {1, 1}, .boundary = {periodic, periodic}});
}

TEST(SolveBits, ScreenedProblemWithAnOpenAxis) {
  expect_bits_of_one_rank({.cells = {35, 40},
                           .length = {1.749, 0.479},
                           .boundary = {open, periodic},
                           .centring = {Centring::node},
                           .screening = 1.294});
}

TEST(SolveBits, ThreeDimensions) {
  expect_bits_of_one_rank({.cells = {6, 10, 16}, .length = {0.6, 1, 1.6}, .boundary = {periodic, open, periodic}});
  expect_bits_of_one_rank(
      {.cells = {8, 5, 12}, .length = {0.8, 0.5, 1.2}, .boundary = {{End::even, End::odd}, periodic, periodic}});
}

// --- vector fields -----------------------------------------------------------------------------------------------

End other(End end) { return end == End::even ? End::odd : end == End::odd ? End::even : end; }

/// x and y as given; components along x and y are alike along z, the one along z has the other parity there.
VectorProblem vector_problem(const Boundary& first, const Boundary& second, const Boundary& last) {
  const std::vector<Boundary> across{first, second, last};
  return {.cells = {5, 10, 11},
          .length = {5 / 11.0, 10 / 11.0, 1},
          .boundary = {across, across, {first, second, {other(last.left), other(last.right)}}}};
}

const std::array<Boundary, 6> walls{{{End::unbounded, End::even},
                                     {End::even, End::unbounded},
                                     {End::unbounded, End::odd},
                                     {End::odd, End::unbounded},
                                     {End::odd, End::odd},
                                     {End::even, End::odd}}};

template <class Operation>
std::vector<double> vector_result(MPI_Comm comm, const VectorProblem& problem, const Operation& operation) {
  VectorPoisson<double> solver(comm, problem, testing::one_thread());
  const auto global = numbers<double>(3 * points_in(solver).product());
  std::vector<double> in;
  for (index_t c = 0; c < 3; c++) {
    const auto component = points_of(solver, global, c);
    in.insert(in.end(), component.begin(), component.end());
  }
  std::vector<double> out(in.size());
  operation(solver, in.data(), out.data());
  return out;
}

template <class Operation>
void expect_vector_bits_of_one_rank(const VectorProblem& problem, const char* name, const Operation& operation) {
  const VectorPoisson<double> solver(MPI_COMM_WORLD, problem, testing::one_thread());
  const auto one = vector_result(MPI_COMM_SELF, problem, operation);
  std::vector<double> expected;
  for (index_t c = 0; c < 3; c++) {
    const auto component = points_of(solver, one, c);
    expected.insert(expected.end(), component.begin(), component.end());
  }
  EXPECT_TRUE(same_bits(vector_result(MPI_COMM_WORLD, problem, operation), expected))
      << name << ", z from " << to_string(problem.boundary[0][2]);
}

using Solver = VectorPoisson<double>;

TEST(SolveBits, VectorFieldsBetweenWalls) {
  for (const Boundary& wall : walls) {
    const VectorProblem problem = vector_problem(periodic, periodic, wall);
    expect_vector_bits_of_one_rank(problem, "solve", [](Solver& s, const double* f, double* u) { s.solve(f, u); });
    expect_vector_bits_of_one_rank(problem, "biot_savart",
                                   [](Solver& s, const double* f, double* u) { s.biot_savart(f, u); });
    expect_vector_bits_of_one_rank(problem, "project", [](Solver& s, const double* f, double* u) { s.project(f, u); });
  }
}

// Sine transforms have no mode 0: theirs is the factor of the kernel's mode 1, however the last pass reads them.
TEST(SolveBits, VectorSolvesAreThoseOfTheirComponents) {
  for (const Boundary& wall : walls)
    for (const Boundary& second : {periodic, open}) {
      const VectorProblem problem = vector_problem(periodic, second, wall);
      const auto solve = [](Solver& s, const double* f, double* u) { s.solve(f, u); };
      const auto all = vector_result(MPI_COMM_SELF, problem, solve);
      const auto global = numbers<double>(static_cast<index_t>(all.size()));
      for (std::size_t c = 0; c < 3; c++) {
        Poisson<double> scalar(MPI_COMM_SELF,
                               {.cells = problem.cells, .length = problem.length, .boundary = problem.boundary[c]},
                               testing::one_thread());
        const auto size = static_cast<std::size_t>(points_in(scalar).product());
        std::vector<double> u(size);
        scalar.solve(global.data() + c * size, u.data());
        const std::vector<double> component(all.begin() + static_cast<std::ptrdiff_t>(c * size),
                                            all.begin() + static_cast<std::ptrdiff_t>((c + 1) * size));
        EXPECT_TRUE(same_bits(component, u)) << "component " << c << ", z from " << to_string(wall);
      }
    }
}

}  // namespace
}  // namespace weft::plan_test
