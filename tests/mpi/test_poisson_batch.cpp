// Several right-hand sides at once: every solution has the bits that it has alone, for all strategies, kinds of
// boundaries and precisions, and what is wrong with one of them is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "error_text.hpp"
#include "mpi/poisson_support.hpp"
#include "nodes.hpp"

namespace weft {
namespace {

using namespace testing;

constexpr index_t sides = 3;

PoissonProblem problem_of(Extents cells, std::vector<Boundary> boundary) {
  PoissonProblem problem;
  problem.cells = cells;
  problem.boundary = std::move(boundary);
  for (const index_t n : cells) problem.length.push_back(0.1 * static_cast<double>(n));  // equal spacings
  return problem;
}

PoissonProblem stretched(PoissonProblem problem, std::size_t axis) {
  problem.widths.assign(problem.length.size(), {});
  for (index_t j = 0; j < problem.cells[static_cast<int>(axis)]; j++)
    problem.widths[axis].push_back(j % 2 == 0 ? 0.08 : 0.12);
  return problem;
}

/// Everything that goes another way through the passes: planes, padding, fused passes, and systems of equations whose
/// free constants lie side by side in the lanes of a vector.
std::vector<PoissonProblem> batch_problems() {
  std::vector<PoissonProblem> all{
      problem_of({8, 9, 10}, {End::periodic, End::periodic, End::periodic}),
      problem_of({8, 6, 10}, {End::unbounded, End::unbounded, End::unbounded}),
      problem_of({6, 10, 8}, {End::even, {End::odd, End::unbounded}, End::periodic}),
      problem_of({7, 5, 9}, {End::even, {End::even, End::odd}, End::odd}),
      problem_of({12, 10}, {End::odd, End::periodic}),
      problem_of({12, 10}, {End::unbounded, End::unbounded}),
      stretched(problem_of({7, 8, 10}, {End::periodic, End::even, End::even}), 2),
      stretched(problem_of({6, 9}, {End::even, End::periodic}), 0),
      problem_of({9, 12, 8}, {End::odd, End::periodic, End::even}),
  };
  all[1].kernel = "truncated";
  all[3].centring = {Centring::node};
  all[5].kernel = "lgf4";
  all[8].power = -1.5;
  return all;
}

/// Numbers of this rank's part, other ones for every right-hand side.
template <class Real>
std::vector<Real> side_of(const Poisson<Real>& one, index_t number) {
  std::vector<Real> values = noisy_field(one);
  for (Real& value : values) value = value * static_cast<Real>(number + 1) + value * value / 4;
  return values;
}

template <class Real>
std::vector<Real> all_sides(const Poisson<Real>& one) {
  std::vector<Real> all;
  for (index_t i = 0; i < sides; i++) {
    const std::vector<Real> values = side_of(one, i);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

template <class Real>
bool same_bits(const std::vector<Real>& a, const std::vector<Real>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0);
}

PoissonProblem batch_of(PoissonProblem problem) {
  problem.batch = sides;
  return problem;
}

template <class Real>
void expect_bits_alone(const PoissonProblem& problem, const PlanOptions& options) {
  Poisson<Real> one(MPI_COMM_WORLD, problem, options), many(MPI_COMM_WORLD, batch_of(problem), options);
  std::vector<Real> alone, together(static_cast<std::size_t>(many.box().size()));
  for (index_t i = 0; i < sides; i++) {
    const std::vector<Real> values = solved(one, side_of(one, i));
    alone.insert(alone.end(), values.begin(), values.end());
  }
  many.solve(all_sides(one), together);
  EXPECT_TRUE(same_bits(alone, together)) << describe(problem) << ", " << to_string(options.strategy);
  EXPECT_EQ(many.bytes_sent(), sides * one.bytes_sent()) << describe(problem);
}

PlanOptions options_of(Strategy strategy) {
  PlanOptions options = Poisson<double>::default_options();
  options.strategy = strategy;
  options.threads = 1;
  return options;
}

TEST(PoissonBatch, HasTheBitsOfSingleSolvesForEveryStrategy) {
  const std::vector<PoissonProblem> all = batch_problems();
  std::size_t first = 0;  // other problems for each strategy; every problem meets several
  for (const Strategy strategy : possible(all_strategies())) {
    PlanOptions options = options_of(strategy);
    if (strategy == Strategy::hierarchical) options.node_ranks = 2;  // messages, too
    for (std::size_t i = first++ % 4; i < all.size(); i += 4) expect_bits_alone<double>(all[i], options);
  }
}

TEST(PoissonBatch, HasTheBitsOfSingleSolvesInSinglePrecisionAndInChunks) {
  PlanOptions options = options_of(Strategy::alltoallv);
  options.chunks = 3;
  const std::vector<PoissonProblem> all = batch_problems();
  for (std::size_t i = 0; i < all.size(); i += 2) expect_bits_alone<float>(all[i], options);
}

TEST(PoissonBatch, WorksInPlace) {
  PlanOptions options = options_of(Strategy::automatic);
  for (const PoissonProblem& problem : {batch_problems()[0], batch_problems()[3], batch_problems()[4]}) {
    Poisson<double> one(MPI_COMM_WORLD, problem, options);
    options.in_place = true;
    Poisson<double> many(MPI_COMM_WORLD, batch_of(problem), options);
    options.in_place = false;
    const SolverField<double> field = many.in_place_field();
    const std::vector<double> given = all_sides(one);
    auto next = given.begin();
    field.values.for_each([&next](const Place&, double& value) { value = *next++; });
    many.solve(field);
    std::vector<double> alone, together;
    for (index_t i = 0; i < sides; i++) {
      const std::vector<double> values = solved(one, side_of(one, i));
      alone.insert(alone.end(), values.begin(), values.end());
    }
    field.values.for_each([&together](const Place&, const double& value) { together.push_back(value); });
    EXPECT_TRUE(same_bits(alone, together)) << describe(problem);
  }
}

/// Values at ends, other ones for every right-hand side, on the first axis and on the last.
TEST(PoissonBatch, TakesEndsOfEveryRightHandSide) {
  PoissonProblem problem = problem_of({8, 6, 10}, {End::odd, End::periodic, End::even});
  problem.kernel = "lgf2";
  problem.centring = {Centring::node};
  Poisson<double> one(MPI_COMM_WORLD, problem), many(MPI_COMM_WORLD, batch_of(problem));
  const Extents local = one.box().extents();
  const auto first = static_cast<std::size_t>(local[1] * local[2]),
             last = static_cast<std::size_t>(local[0] * local[1]);
  std::vector<double> at_first, at_last;
  for (index_t i = 0; i < sides; i++) {
    at_first.insert(at_first.end(), first, 1.5 * static_cast<double>(i));
    at_last.insert(at_last.end(), last, 2 - static_cast<double>(i));
  }
  std::vector<double> alone, together(static_cast<std::size_t>(many.box().size()));
  for (std::size_t i = 0; i < sides; i++) {
    std::vector<double> rhs = side_of(one, static_cast<index_t>(i));
    one.solve(rhs.data(), rhs.data(),
              {{0, Side::left, at_first.data() + i * first}, {2, Side::right, at_last.data() + i * last}});
    alone.insert(alone.end(), rhs.begin(), rhs.end());
  }
  many.solve(all_sides(one).data(), together.data(),
             {{0, Side::left, at_first.data()}, {2, Side::right, at_last.data()}});
  EXPECT_TRUE(same_bits(alone, together));
}

TEST(PoissonBatch, FieldsCountRightHandSidesByTheirFirstAxis) {
  const PoissonProblem problem = batch_of(problem_of({8, 6, 10}, {End::even, End::periodic, End::odd}));
  Poisson<double> solver(MPI_COMM_WORLD, problem);
  EXPECT_EQ(solver.batch(), sides);
  EXPECT_EQ(solver.layout().extents(), (Extents{sides, 8, 6, 10}));
  EXPECT_EQ(solver.box()[0], (Range{0, sides}));
  Field<double> rhs = solver.field(), solution = solver.field();
  rhs.fill([](const Place& at) { return at[0] + at[1] * at[3]; });
  rhs.for_each([&](const Place& at, double& value) {
    EXPECT_EQ(value, at[0] + at[1] * at[3]);
    EXPECT_EQ(at.weight, 1);
  });
  solver.solve(rhs, solution);
  EXPECT_TRUE(mentions(error_text([&] { return solver.points(3); }), "axis: 3 is not an axis", "give 0 to 2"));
}

TEST(PoissonBatch, AMeanOrAValueThatIsRefusedIsToldByItsNumber) {
  PoissonProblem problem = batch_of(problem_of({8, 6, 10}, {End::periodic, End::periodic, End::even}));
  problem.mean = Mean::error;
  Poisson<double> solver(MPI_COMM_WORLD, problem);
  const auto size = static_cast<std::size_t>(solver.box().size());
  std::vector<double> rhs(size), solution(size, 42);
  std::fill(rhs.begin() + static_cast<std::ptrdiff_t>(size / 3),
            rhs.begin() + static_cast<std::ptrdiff_t>(size / 3 * 2), 1);
  EXPECT_TRUE(mentions(error_text([&] { solver.solve(rhs, solution); }), "rhs [1]: its mean is 1"));
  std::fill(rhs.begin(), rhs.end(), 0);
  if (!solver.box().empty() && solver.box()[1].lo == 0 && solver.box()[2].lo == 0 && solver.box()[3].lo == 0)
    rhs[size / 3 * 2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(mentions(error_text([&] { solver.solve(rhs, solution); }), "rhs: nan at point [2, 0, 0, 0]"));
  EXPECT_EQ(solution, std::vector<double>(size, 42));
}

TEST(PoissonBatch, ANumberOfRightHandSidesThatIsNoneIsRefused) {
  PoissonProblem problem = problem_of({8, 6}, {End::periodic, End::even});
  problem.batch = -2;
  const auto refused = [&] { return error_text([&] { Poisson<double>(MPI_COMM_WORLD, problem); }); };
  EXPECT_TRUE(mentions(refused(), "batch: -2 given", "or 0 for arrays without"));
  problem.batch = index_t{1} << 60;
  EXPECT_TRUE(mentions(refused(), "cells and batch", "too large"));
}

}  // namespace
}  // namespace weft
