// The Poisson solver as a distributed program: results that do not depend on ranks, grids, strategies and threads, and
// the properties that hold for every right-hand side.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "mpi/exact_solutions.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using namespace testing;
using Point = std::array<double, 3>;

PoissonProblem problem_of(const Extents& cells, const std::vector<Boundary>& boundary,
                          const std::vector<Centring>& centring) {
  PoissonProblem problem;
  problem.cells = cells;
  constexpr Point length{1, 0.8, 1.2};
  problem.length.assign(length.begin(), length.begin() + cells.dims());
  problem.boundary = boundary;
  problem.centring = centring;
  return problem;
}

/// All classes of axes, real and complex, first, in the middle and last; extents that no number of ranks divides.
std::vector<PoissonProblem> problems() {
  const Centring cell = Centring::cell;
  const Centring node = Centring::node;
  const Boundary unbounded = End::unbounded;
  return {
      problem_of({9, 8, 10}, {unbounded, unbounded, unbounded}, {node}),
      problem_of({12, 10, 9}, {End::even, {End::odd, End::even}, End::periodic}, {cell}),
      problem_of({7, 8, 6}, {{End::unbounded, End::even}, unbounded, {End::odd, End::unbounded}}, {cell, node, node}),
      problem_of({8, 9, 10}, {End::periodic, unbounded, End::periodic}, {node}),
      problem_of({10, 9, 11}, {End::odd, {End::even, End::odd}, End::even}, {node, cell, node}),
      problem_of({16, 11}, {End::periodic, {End::even, End::unbounded}}, {node, cell}),
      problem_of({13, 12}, {unbounded, unbounded}, {cell})};
}

/// The part of this rank of the solution for noise that this rank finds alone, with one thread.
template <class Real>
std::vector<Real> solution_of_one_rank(const PoissonProblem& problem, const Poisson<Real>& mine) {
  Poisson<Real> alone(MPI_COMM_SELF, problem, one_thread());
  const std::vector<Real> solution = solved(alone, noisy_field(alone));
  const Extents strides = c_strides(alone.box().extents());
  std::vector<Real> part(static_cast<std::size_t>(mine.box().size()));
  for_each_point(mine, [&](std::size_t position, const Extents& index, const Point&) {
    index_t offset = 0;
    for (int axis = 0; axis < index.dims(); ++axis) offset += index[axis] * strides[axis];
    part[position] = solution[static_cast<std::size_t>(offset)];
  });
  return part;
}

/// The chosen grid, all slabs and all pencils.
std::vector<std::vector<int>> grids(int ranks, int dims) {
  std::vector<std::vector<int>> list{{}, {ranks}};
  for (int first = 1; dims == 3 && first <= ranks; ++first) {
    if (ranks % first == 0) list.push_back({first, ranks / first});
  }
  return list;
}

std::string describe_options(const PlanOptions& options) {
  std::string text = to_string(options.strategy) + ", threads " + std::to_string(options.threads) + ", grid";
  for (const int entry : options.grid) text += " " + std::to_string(entry);
  return text;
}

template <class Real>
void expect_as_on_one_rank(const PoissonProblem& problem, const PlanOptions& options) {
  Poisson<Real> solver(MPI_COMM_WORLD, problem, options);
  const std::vector<Real> solution = solved(solver, noisy_field(solver));
  EXPECT_EQ(solution, solution_of_one_rank(problem, solver)) << describe(problem) << "; " << describe_options(options);
}

TEST(Poisson, EveryGridGivesTheBitsOfOneRank) {
  const int ranks = Comm(MPI_COMM_WORLD).size();
  for (const PoissonProblem& problem : problems()) {
    for (const auto& grid : grids(ranks, problem.cells.dims())) {
      PlanOptions options = one_thread();
      options.grid = grid;
      expect_as_on_one_rank<double>(problem, options);
    }
  }
}

/// All strategies that these ranks can take; hierarchical with nodes of two ranks.
std::vector<PlanOptions> every_strategy() {
  const Comm comm(MPI_COMM_WORLD);
  std::vector<PlanOptions> all;
  for (const Strategy strategy : all_strategies()) {
    if (strategy == Strategy::shared && comm.node().size() != comm.size()) continue;
    all.push_back(one_thread());
    all.back().strategy = strategy;
    all.back().node_ranks = strategy == Strategy::hierarchical ? 2 : 0;
  }
  return all;
}

TEST(Poisson, EveryStrategyAndThreadCountGivesTheBitsOfOneRank) {
  for (const PoissonProblem& problem : problems())
    for (PlanOptions options : every_strategy())
      for (const int threads : {1, 2}) {
        options.threads = threads;
        options.chunks = 2 * threads - 1;
        expect_as_on_one_rank<double>(problem, options);
      }
}

TEST(Poisson, StrategyIsTheOneAskedFor) {
  const Comm comm(MPI_COMM_WORLD);
  const std::string none = "none";
  for (const PlanOptions& options : every_strategy()) {
    Poisson<double> solver(MPI_COMM_WORLD, problems()[0], options);
    EXPECT_EQ(solver.strategy(), comm.size() == 1 ? none : to_string(options.strategy));
    EXPECT_EQ(comm.sum(solver.bytes_sent()) > 0, comm.size() > 1);
    EXPECT_EQ(solver.threads(), 1);
  }
}

TEST(Poisson, SmallMessagesAndOtherPartitionsGiveTheBitsOfOneRank) {
  for (const PoissonProblem& problem : {problems()[0], problems()[3]}) {
    PlanOptions options = one_thread();
    options.strategy = Strategy::alltoallv;
    options.message_limit = 10;  // below every message but those between ranks with almost no data
    expect_as_on_one_rank<double>(problem, options);
    for (const Scheme scheme : {Scheme::first, Scheme::grouped}) {
      options = one_thread();
      options.scheme = scheme;
      expect_as_on_one_rank<double>(problem, options);
    }
  }
}

TEST(Poisson, SinglePrecisionGivesTheBitsOfOneRank) {
  const int ranks = Comm(MPI_COMM_WORLD).size();
  for (const PoissonProblem& problem : problems()) {
    PlanOptions options = one_thread();
    options.grid = {ranks};
    options.threads = 2;
    expect_as_on_one_rank<float>(problem, options);
  }
}

/// An array that no cache holds: the first pass of one rank loads and stores 25 MB, and goes past the cache from 21 MB
/// on; its parts on several ranks are smaller and do not. Rows of 100 points are no multiple of a cache line.
TEST(Poisson, LargeArraysGiveTheBitsOfOneRank) {
  for (const Strategy strategy : {Strategy::alltoallv, Strategy::automatic}) {
    PlanOptions options = one_thread();
    options.strategy = strategy;
    expect_as_on_one_rank<double>(
        problem_of({130, 121, 100}, {End::unbounded, {End::even, End::odd}, {End::unbounded, End::odd}},
                   {Centring::cell}),
        options);
  }
}

/// Arrays need no more alignment than their elements; fields are aligned to cache lines. Bits are the same.
TEST(Poisson, FieldsAndArraysOfAnyAlignment) {
  for (const Extents& cells : {Extents{9, 8, 10}, Extents{120, 96, 128}}) {
    const PoissonProblem problem =
        problem_of(cells, {End::unbounded, {End::even, End::odd}, End::periodic}, {Centring::cell});
    Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
    const std::vector<double> rhs = noisy_field(solver);
    const std::vector<double> solution = solved(solver, rhs);
    std::vector<double> memory(2 * rhs.size() + 16);
    for (std::size_t shift = 0; shift < 8; shift += 3) {
      double* const in = memory.data() + shift;
      double* const out = memory.data() + shift + rhs.size() + 3;
      std::copy(rhs.begin(), rhs.end(), in);
      solver.solve(in, out);
      EXPECT_TRUE(std::equal(solution.begin(), solution.end(), out)) << to_string(cells) << ", shift " << shift;
      EXPECT_TRUE(std::equal(rhs.begin(), rhs.end(), in)) << to_string(cells) << ", shift " << shift;
    }
    Field<double> field = solver.field();
    std::copy(rhs.begin(), rhs.end(), field.begin());
    solver.solve(field, field);
    EXPECT_TRUE(std::equal(solution.begin(), solution.end(), field.begin(), field.end())) << to_string(cells);
  }
}

/// With 2 or 3 cells (and one, where that is allowed) most of 7 ranks have no point or no mode.
TEST(Poisson, MoreRanksThanPoints) {
  const Centring cell = Centring::cell;
  const Centring node = Centring::node;
  const Boundary unbounded = End::unbounded;
  for (const PoissonProblem& problem :
       {problem_of({2, 3, 2}, {unbounded, unbounded, unbounded}, {cell}),
        problem_of({2, 2, 3}, {End::odd, End::odd, End::odd}, {node}),
        problem_of({3, 2, 2}, {End::periodic, End::periodic, End::periodic}, {node}),
        problem_of({2, 3, 3}, {{End::odd, End::unbounded}, End::periodic, {End::even, End::odd}}, {node}),
        problem_of({1, 2, 1}, {unbounded, End::periodic, {End::unbounded, End::odd}}, {cell}),
        problem_of({2, 3}, {End::even, unbounded}, {node}), problem_of({1, 1}, {unbounded, unbounded}, {cell})}) {
    expect_as_on_one_rank<double>(problem, one_thread());
  }
}

TEST(Poisson, TheOnePointOfASingleCellFeelsItsOwnMeanPotential) {
  const PoissonProblem problem = problem_of({1, 1}, {End::unbounded, End::unbounded}, {Centring::cell});
  Poisson<double> solver(MPI_COMM_SELF, problem, one_thread());
  // The mean of ln(r)/(2 pi) over the 1 x 0.8 rectangle, times its area.
  const double a = 1;
  const double b = 0.8;
  const double mean =
      std::log(std::hypot(a, b) / 2) - 1.5 + a / (2 * b) * std::atan(b / a) + b / (2 * a) * std::atan(a / b);
  EXPECT_NEAR(solved(solver, {1.0})[0], a * b * mean / (2 * std::numbers::pi), 1e-15);
}

/// It has one mode, and takes no part in transforms and exchanges, wherever it is.
TEST(Poisson, APeriodicAxisOfOneCellMakesAPlane) {
  const Boundary unbounded = End::unbounded;
  for (const PoissonProblem& plane : {problem_of({9, 8}, {unbounded, {End::even, End::unbounded}}, {Centring::cell}),
                                      problem_of({7, 10}, {End::periodic, {End::odd, End::even}}, {Centring::cell})})
    for (int flat = 0; flat < 3; flat++) {
      PoissonProblem problem = plane;
      problem.cells = {};
      for (int axis = 0; axis < 3; axis++)
        problem.cells.push_back(axis == flat ? 1 : plane.cells[axis > flat ? axis - 1 : axis]);
      problem.length.insert(problem.length.begin() + flat, 0.7);
      problem.boundary.insert(problem.boundary.begin() + flat, End::periodic);
      expect_as_on_one_rank<double>(problem, one_thread());
      Poisson<double> in_plane(MPI_COMM_SELF, plane, one_thread()), solver(MPI_COMM_SELF, problem, one_thread());
      const std::vector<double> rhs = noisy_field(in_plane);
      std::vector<double> difference = solved(solver, rhs);
      const std::vector<double> expected = solved(in_plane, rhs);
      std::transform(difference.begin(), difference.end(), expected.begin(), difference.begin(), std::minus<>());
      EXPECT_LE(norm(Comm(MPI_COMM_SELF), difference), rounding_bound(Comm(MPI_COMM_SELF), plane, rhs))
          << describe(problem);
    }
}

TEST(Poisson, RightHandSideIsPreservedAndMayBeTheSolution) {
  for (const PoissonProblem& problem : problems()) {
    Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
    const std::vector<double> rhs = noisy_field(solver);
    std::vector<double> in_place = rhs;
    const std::vector<double> first = solved(solver, rhs);
    EXPECT_EQ(rhs, in_place) << describe(problem);
    solver.solve(in_place, in_place);
    EXPECT_EQ(in_place, first) << describe(problem);
    EXPECT_EQ(solved(solver, rhs), first) << describe(problem);
  }
}

TEST(Poisson, SolversMayBeMovedAndLiveSideBySide) {
  const std::vector<PoissonProblem> list = problems();
  Poisson<double> first(MPI_COMM_WORLD, list[0], one_thread());
  Poisson<double> second(MPI_COMM_WORLD, list[1], one_thread());
  const std::vector<double> before = solved(first, noisy_field(first));
  solved(second, noisy_field(second));
  Poisson<double> moved(std::move(first));
  EXPECT_EQ(solved(moved, noisy_field(moved)), before);
  second = std::move(moved);
  EXPECT_EQ(solved(second, noisy_field(second)), before);
}

TEST(Poisson, IsLinear) {
  const Comm comm(MPI_COMM_WORLD);
  for (const PoissonProblem& problem : problems()) {
    Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
    const std::vector<double> a = noisy_field(solver);
    const std::vector<double> b = sample<double>(solver, [](double x, double y, double z) { return x * y + z - 0.7; });
    std::vector<double> sum = a;
    std::vector<double> halves = a;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += b[i];
      halves[i] *= -0.5;
    }
    const std::vector<double> of_a = solved(solver, a);
    const std::vector<double> of_b = solved(solver, b);
    std::vector<double> difference = solved(solver, sum);
    std::vector<double> of_halves = solved(solver, halves);
    for (std::size_t i = 0; i < difference.size(); ++i) {
      difference[i] -= of_a[i] + of_b[i];
      of_halves[i] *= -2;
    }
    EXPECT_EQ(of_halves, of_a) << describe(problem);  // powers of 2 and signs commute with every rounding
    const double bound = rounding_bound(comm, problem, a) + rounding_bound(comm, problem, b);
    EXPECT_LE(norm(comm, difference), 2 * bound) << describe(problem);
  }
}

/// Whatever is stored on an odd plane or in the second copy of a periodic plane counts for nothing; the solution there
/// is zero, or the copy.
TEST(Poisson, PointsThatAreNoUnknowns) {
  const Comm comm(MPI_COMM_WORLD);
  const PoissonProblem problem =
      problem_of({6, 7, 8}, {End::odd, End::periodic, {End::odd, End::unbounded}}, {Centring::node});
  Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
  const std::vector<double> rhs = noisy_field(solver);
  std::vector<double> changed = rhs;
  const auto is_zero = [](const Extents& i) { return i[0] == 0 || i[0] == 6 || i[2] == 0; };
  for_each_point(solver, [&](std::size_t position, const Extents& i, const Point&) {
    if (is_zero(i) || i[1] == 7) changed[position] = 1e6;
  });
  const std::vector<double> solution = solved(solver, rhs);
  EXPECT_EQ(solved(solver, changed), solution);
  // Along the periodic axis: the last point repeats the first. Sums of one column's ends, which may be on two ranks.
  double ends = 0;
  for_each_point(solver, [&](std::size_t position, const Extents& i, const Point&) {
    if (is_zero(i)) {
      EXPECT_EQ(solution[position], 0);
    }
    if (i[0] == 3 && i[2] == 5 && i[1] % 7 == 0) ends += i[1] == 0 ? solution[position] : -solution[position];
  });
  EXPECT_EQ(comm.sum(ends), 0);
}

TEST(Poisson, MeanIsDroppedWhereAConstantIsFree) {
  const Comm comm(MPI_COMM_WORLD);
  for (const Centring centring : {Centring::cell, Centring::node}) {
    const PoissonProblem problem = problem_of({8, 9, 10}, {End::even, End::periodic, End::even}, {centring});
    Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
    const std::vector<double> rhs = noisy_field(solver);
    std::vector<double> raised = rhs;
    for (double& value : raised) value += 3;
    const std::vector<double> solution = solved(solver, rhs);
    std::vector<double> difference = solved(solver, raised);
    double mean = 0;
    for_each_point(solver, [&](std::size_t position, const Extents& i, const Point&) {
      difference[position] -= solution[position];
      double weight = 1;  // of the trapezoidal rule on nodes
      for (int axis = 0; axis < 3 && centring == Centring::node; ++axis) {
        if (i[axis] == 0 || i[axis] == problem.cells[axis]) weight /= 2;
      }
      mean += weight * solution[position] / 720;
    });
    const double bound = rounding_bound(comm, problem, rhs) + rounding_bound(comm, problem, raised);
    EXPECT_LE(norm(comm, difference), bound);
    EXPECT_NEAR(comm.sum(mean), 0, bound);
  }
}

/// Single against double precision on the same numbers, in the 2-norm in which the bound on rounding holds; low modes,
/// so that the solution is large and the bound tells: below 1e-2 of the solution.
TEST(Poisson, SinglePrecisionErrsByItsRounding) {
  const Comm comm(MPI_COMM_WORLD);
  for (const PoissonProblem& problem : problems()) {
    Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
    Poisson<float> single(MPI_COMM_WORLD, problem, one_thread());
    const auto rhs = sample<float>(
        single, [](double x, double y, double z) { return std::sin(2 * x + 1) + std::cos(3 * y) * (z + 1); });
    const std::vector<double> exact = solved(solver, std::vector<double>(rhs.begin(), rhs.end()));
    std::vector<float> error = solved(single, rhs);
    for (std::size_t i = 0; i < error.size(); ++i) error[i] -= static_cast<float>(exact[i]);
    const double bound = rounding_bound(comm, problem, rhs);
    EXPECT_LE(norm(comm, error), bound) << describe(problem);
    EXPECT_GT(norm(comm, error), 0) << describe(problem);
    EXPECT_LT(bound, 1e-2 * norm(comm, exact)) << describe(problem);
  }
}

double charged_error(const std::vector<Boundary>& boundary, Extents cells, index_t refinement) {
  for (index_t& n : cells) n *= refinement;
  PoissonProblem problem;
  problem.cells = cells;
  problem.length.assign(boundary.size(), 1);
  problem.boundary = boundary;
  const exact::ExactCase expected = exact::charged(problem.boundary, problem.length);
  Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
  std::vector<double> error = solved(solver, sample<double>(solver, expected.rhs));
  for_each_point(
      solver, [&](std::size_t i, const Extents&, const Point& x) { error[i] -= expected.solution(x[0], x[1], x[2]); });
  const Comm comm(MPI_COMM_WORLD);
  return norm(comm, error) / std::sqrt(static_cast<double>(cells.product()));
}

/// Unequal spacing: the error is c h^2 f plus terms of order h^4 k^4, where the charge of width s has k^2 of about
/// d/s^2. For equal spacing their ratio is 0.0094 d (h/s)^2 / 0.033 (see exact_theory.hpp), for h = 1/40 and d = 3
/// below 0.2; the error then falls by 4 (1 + 0.2) / (1 + 0.05) at most and by 4 (1 - 0.2) / (1 - 0.05) at least:
/// orders 2.2 to 1.75.
TEST(Poisson, SecondOrderOnUnequalSpacings) {
  const Boundary unbounded = End::unbounded;
  const std::vector<std::pair<std::vector<Boundary>, Extents>> cases{
      {{unbounded, unbounded, unbounded}, {40, 48, 44}},
      {{{End::even, End::unbounded}, End::odd, unbounded}, {40, 6, 50}},
      {{unbounded, {End::unbounded, End::odd}}, {60, 40}},
      {{End::periodic, unbounded}, {5, 40}}};
  for (const auto& [boundary, cells] : cases) {
    const double order = std::log2(charged_error(boundary, cells, 1) / charged_error(boundary, cells, 2));
    EXPECT_NEAR(order, 2, 0.25) << to_string(cells);
  }
}

}  // namespace
}  // namespace weft
