// Solvers in the memory of the right-hand side: one array of the user's for both, and solvers in place.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "error_text.hpp"
#include "mpi/poisson_support.hpp"
#include "nodes.hpp"

namespace weft {
namespace {

using namespace testing;

PoissonProblem problem_of(const std::vector<Boundary>& boundary, Centring centring) {
  PoissonProblem problem;
  problem.boundary = boundary;
  problem.cells = boundary.size() == 2 ? Extents{9, 12} : Extents{9, 8, 12};
  problem.length.assign(boundary.size(), 1);
  problem.centring = {centring};
  return problem;
}

PlanOptions options_of(bool in_place) {
  PlanOptions options = Poisson<double>::default_options();
  options.in_place = in_place;
  options.threads = 1;
  return options;
}

/// The first five pairs have no unbounded end.
bool is_spectral(const std::vector<Boundary>& boundary) {
  return std::none_of(boundary.begin(), boundary.end(), is_convolved);
}

/// A half spectrum lies over the reals of its own rows: the last of the periodic axes is that of the array, or there is
/// none.
bool has_room(const std::vector<Boundary>& boundary) {
  const bool periodic = std::count(boundary.begin(), boundary.end(), Boundary(End::periodic)) > 0;
  return !periodic || boundary.back() == Boundary(End::periodic);
}

template <class Real>
std::vector<Real> solved_in_place(Poisson<Real>& solver) {
  const SolverField<Real> field = solver.in_place_field();
  const std::vector<Real> rhs = noisy_field(solver);
  std::vector<Real> solution;
  for (int turn = 0; turn < 2; turn++) {  // the second solve finds what the first has left
    std::size_t i = 0;
    solution.clear();
    field.values.for_each([&](const Place&, Real& value) { value = rhs[i++]; });
    solver.solve(field);
    field.values.for_each([&](const Place&, Real& value) { solution.push_back(value); });
  }
  return solution;
}

TEST(PoissonInPlace, GivesTheBitsOfASolveBetweenArrays) {
  for (int number = 0; number < combinations; number++) {
    const std::vector<Boundary> boundary = combination(number);
    if (!is_spectral(boundary) || !has_room(boundary)) continue;
    const PoissonProblem problem = problem_of(boundary, number % 2 == 0 ? Centring::cell : Centring::node);
    Poisson<double> solver(MPI_COMM_WORLD, problem, options_of(false));
    Poisson<double> in_place(MPI_COMM_WORLD, problem, options_of(true));
    EXPECT_EQ(solved_in_place(in_place), solved(solver, noisy_field(solver))) << describe(problem);
  }
}

TEST(PoissonInPlace, TheHalfSpectrumMayLieAlongASingleCell) {
  const Comm comm(MPI_COMM_WORLD);
  PoissonProblem problem = problem_of({End::periodic, End::periodic, End::periodic}, Centring::cell);
  problem.cells = {9, 8, 1};
  Poisson<double> solver(MPI_COMM_WORLD, problem, options_of(false)),
      in_place(MPI_COMM_WORLD, problem, options_of(true));
  const std::vector<double> rhs = noisy_field(solver), solution = solved(solver, rhs);
  // The boxes may differ, the values do not but for rounding.
  EXPECT_NEAR(norm(comm, solved_in_place(in_place)), norm(comm, solution), rounding_bound(comm, problem, rhs));
}

TEST(PoissonInPlace, SinglePrecisionAndPencils) {
  const Comm comm(MPI_COMM_WORLD);
  const PoissonProblem problem = problem_of({{End::even, End::odd}, {End::periodic}, {End::periodic}}, Centring::node);
  for (int first = 1; first <= comm.size(); first++) {
    if (comm.size() % first != 0) continue;
    PlanOptions options = options_of(true);
    options.grid = {first, comm.size() / first};
    Poisson<float> solver(MPI_COMM_WORLD, problem, options_of(false)), in_place(MPI_COMM_WORLD, problem, options);
    // The boxes differ, the values do not.
    const double sum = comm.sum(norm(comm, solved_in_place(in_place)));
    EXPECT_NEAR(sum / comm.sum(norm(comm, solved(solver, noisy_field(solver)))), 1, 1e-12) << first;
  }
}

TEST(PoissonInPlace, HoldsTheKernelAndAFewLines) {
  PoissonProblem problem = problem_of({{End::odd}, {End::periodic}, {End::periodic}}, Centring::cell);
  problem.cells = {48, 48, 64};
  Poisson<double> solver(MPI_COMM_WORLD, problem, options_of(true));
  const Comm comm(MPI_COMM_WORLD);
  const auto share = [&](index_t n) { return (n + comm.size() - 1) / comm.size(); };
  // One factor for each pair of signs of a wavenumber.
  const index_t kernel = std::max(48 * share(25) * 33, share(48) * 25 * 33) * static_cast<index_t>(sizeof(double));
  constexpr index_t lines = 1 << 18;
  if (testing::one_node()) {
    EXPECT_LE(solver.workspace_bytes(), kernel + lines);
  }
  EXPECT_EQ(solver.strategy(), testing::automatic_name());
}

TEST(PoissonInPlace, WithExchangesWhereNodesAreApart) {
  PlanOptions options = options_of(true);
  options.node_ranks = 1;
  const PoissonProblem problem = problem_of({{End::odd}, {End::even}, {End::periodic}}, Centring::node);
  Poisson<double> solver(MPI_COMM_WORLD, problem, options_of(false)), apart(MPI_COMM_WORLD, problem, options);
  EXPECT_EQ(solved_in_place(apart), solved(solver, noisy_field(solver)));
}

TEST(PoissonSameArray, GivesTheBitsOfTwoArrays) {
  const Comm comm(MPI_COMM_WORLD);
  for (const int number : selected_combinations(comm.size() == 2 ? 1 : comm.size())) {
    const PoissonProblem problem = problem_of(combination(number), number % 2 == 0 ? Centring::cell : Centring::node);
    Poisson<double> solver(MPI_COMM_WORLD, problem, options_of(false));
    std::vector<double> field = noisy_field(solver);
    const std::vector<double> expected = solved(solver, field);
    solver.solve(field, field);
    EXPECT_EQ(field, expected) << describe(problem);
  }
}

TEST(PoissonInPlace, RefusesWhatCannotBe) {
  const auto text_of = [](const PoissonProblem& problem) {
    return error_text([&] { Poisson<double>(MPI_COMM_WORLD, problem, options_of(true)); });
  };
  const PoissonProblem open = problem_of({{End::odd}, {End::even, End::unbounded}, {End::even}}, Centring::cell);
  EXPECT_TRUE(mentions(text_of(open), "in_place", "axis 1 is (even, unbounded)", "room")) << text_of(open);
  const PoissonProblem turned = problem_of({{End::odd}, {End::periodic}, {End::even}}, Centring::cell);
  EXPECT_TRUE(mentions(text_of(turned), "in_place", "r2c is on axis 1", "last axis")) << text_of(turned);

  const PoissonProblem closed = problem_of({{End::odd}, {End::even}, {End::even}}, Centring::cell);
  Poisson<double> in_place(MPI_COMM_WORLD, closed, options_of(true));
  Poisson<double> between_arrays(MPI_COMM_WORLD, closed, options_of(false));
  std::vector<double> array(static_cast<std::size_t>(in_place.box().size()));
  std::string text = error_text([&] { in_place.solve(array, array); });
  EXPECT_TRUE(mentions(text, "in_place_field()")) << text;
  const SolverField<double> field = in_place.in_place_field();
  text = error_text([&] { between_arrays.solve(field); });
  EXPECT_TRUE(mentions(text, "PlanOptions::in_place")) << text;
  EXPECT_THROW((void)between_arrays.in_place_field(), Error);

  PoissonProblem other = closed;
  other.cells = {9, 8, 11};
  Poisson<double> elsewhere(MPI_COMM_WORLD, other, options_of(true));
  text = error_text([&] { elsewhere.solve(field); });
  EXPECT_TRUE(mentions(text, "field", "another problem")) << text;
}

TEST(PoissonInPlace, RefusesValuesThatAreNotFinite) {
  Poisson<double> solver(MPI_COMM_WORLD, problem_of({{End::odd}, {End::even}, {End::periodic}}, Centring::node),
                         options_of(true));
  const SolverField<double> field = solver.in_place_field();
  const Box box = field.values.box();
  if (box[0].lo <= 3 && 3 < box[0].hi && box[1].lo <= 2 && 2 < box[1].hi && box[2].lo <= 5 && 5 < box[2].hi)
    field.values(3 - box[0].lo, 2 - box[1].lo, 5 - box[2].lo) = std::numeric_limits<double>::quiet_NaN();
  const std::string text = error_text([&] { solver.solve(field); });
  EXPECT_TRUE(mentions(text, "rhs", "nan", "[3, 2, 5]")) << text;
}

}  // namespace
}  // namespace weft
