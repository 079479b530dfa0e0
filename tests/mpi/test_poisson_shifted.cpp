// Solutions at displaced points: the bits of one rank for all mixes of boundaries, the unshifted solution where the
// displacement is one of whole cells, shared kernels, and what is refused.
#include <gtest/gtest.h>

#include "error_text.hpp"
#include "mpi/plan_fixture.hpp"
#include "mpi/poisson_support.hpp"
#include "weft/vector_poisson.hpp"

namespace weft {
namespace {

using namespace testing;
using plan_test::part;
using plan_test::same_bits;

/// Cells of 0.1.
PoissonProblem problem_of(const Extents& cells, std::vector<Boundary> boundary, std::vector<double> shift,
                          const Kernel& kernel = "chat2") {
  PoissonProblem problem;
  problem.cells = cells;
  problem.boundary = std::move(boundary);
  for (const index_t n : cells) problem.length.push_back(0.1 * static_cast<double>(n));
  problem.kernel = kernel;
  problem.shift = std::move(shift);
  return problem;
}

template <class Real = double>
std::vector<Real> solution(MPI_Comm comm, const PoissonProblem& problem) {
  Poisson<Real> solver(comm, problem, one_thread());
  return solved(solver, noisy_field(solver));
}

template <class Real = double>
void expect_bits_of_one_rank(const PoissonProblem& problem) {
  const Poisson<Real> solver(MPI_COMM_WORLD, problem, one_thread());
  EXPECT_TRUE(same_bits(solution<Real>(MPI_COMM_WORLD, problem),
                        part(solution<Real>(MPI_COMM_SELF, problem), solver.layout().extents(), solver.box(), 1)))
      << describe(problem) << " " << problem.kernel.name;
}

/// Every order of real and Fourier transforms, whose last pass is of either kind.
std::vector<PoissonProblem> displaced_problems() {
  std::vector<PoissonProblem> all{
      problem_of({8, 6, 7}, {U, U, U}, {0.13, 0, -1.27}),
      problem_of({8, 6, 7}, {U, P, U}, {0.13, 0, 0.3}, "lgf4"),
      problem_of({8, 6, 7}, {P, {E, U}, U}, {0.04, 0, 0.3}, "igf"),
      problem_of({6, 8, 7}, {{O, U}, P, {E, O}}, {0, 0.47, 0}, "truncated"),
      problem_of({6, 8, 7}, {P, P, P}, {0.03, 0, 0.21}, "hej4"),
      problem_of({9, 12}, {U, {U, O}}, {7.77, 0}, "hej0"),
      problem_of({9, 12}, {U, U}, {-0.05, 0.05}, "truncated"),
      problem_of({9, 12}, {U, E}, {0.4, 0}, "lgf2"),
  };
  all[1].shift[0] = -0.2;
  all[3].screening = 1.5;
  return all;
}

TEST(PoissonShifted, BitsAreThoseOfOneRank) {
  int number = 0;
  for (PoissonProblem problem : displaced_problems()) {
    problem.centring = {number++ % 2 == 0 ? Centring::node : Centring::cell};
    expect_bits_of_one_rank(problem);
  }
  expect_bits_of_one_rank<float>(displaced_problems()[0]);
}

TEST(PoissonShifted, ADisplacementOfNothingIsNone) {
  const std::vector<PoissonProblem> all = displaced_problems();
  for (PoissonProblem problem : {all[0], all[3], all[6]}) {
    problem.shift = {};
    const std::vector<double> none = solution(MPI_COMM_WORLD, problem);
    problem.shift.assign(problem.length.size(), 0.0);
    Poisson<double> zero(MPI_COMM_WORLD, problem, one_thread());
    EXPECT_TRUE(mentions(zero.explain(), "made for another solver"));
    EXPECT_TRUE(same_bits(solved(zero, noisy_field(zero)), none)) << describe(problem);
  }
}

/// The solution of a problem at points `cells` farther along its axis `axis`, from a solution at twice as many points
/// for the same right-hand side, and the largest difference of that with a shift. Both on one rank.
double difference_to_whole_cells(const PoissonProblem& problem, int axis, index_t cells) {
  PoissonProblem moved = problem, longer = problem;
  const auto a = static_cast<std::size_t>(axis);
  moved.shift.assign(problem.length.size(), 0.0);
  moved.shift[a] = static_cast<double>(cells) * problem.length[a] / static_cast<double>(problem.cells[axis]);
  longer.cells[axis] *= 2;
  longer.length[a] *= 2;
  Poisson<double> one(MPI_COMM_SELF, moved, one_thread()), two(MPI_COMM_SELF, longer, one_thread());
  const std::vector<double> f = noisy_field(one), u = solved(one, f);
  std::vector<double> wide(static_cast<std::size_t>(two.box().size()));
  const auto place = [&](Extents index, index_t by) {
    index[axis] += by;
    index_t at = 0;
    for (int i = 0; i < index.dims(); i++) at = at * two.box()[i].size() + index[i];
    return static_cast<std::size_t>(at);
  };
  const index_t before = cells < 0 ? -cells : 0;
  for_each_point(one, [&](std::size_t i, const Extents& index, const auto&) { wide[place(index, before)] = f[i]; });
  const std::vector<double> exact = solved(two, wide);
  double largest = 0;
  for_each_point(one, [&](std::size_t i, const Extents& index, const auto&) {
    largest = std::max(largest, std::abs(u[i] - exact[place(index, before + cells)]));
  });
  return largest;
}

// Kernels that are sampled in space have the same samples. Rounding of the longer problem bounds that of both.
TEST(PoissonShifted, WholeCellsAreThoseOfALongerGrid) {
  if (Comm(MPI_COMM_WORLD).size() > 1) GTEST_SKIP() << "solves on one rank: more would do the same";
  const Comm self(MPI_COMM_SELF);
  const std::vector<std::pair<std::vector<Boundary>, int>> domains{{{U, U, U}, 2}, {{U, P, U}, 0}, {{E, U, {U, O}}, 1}};
  int number = 0;
  for (const char* kernel : {"chat2", "igf", "hej4", "hej0", "lgf4", "mehr4f"}) {
    const auto& [boundary, axis] = domains[static_cast<std::size_t>(number) % 3];
    for (const Centring centring : {Centring::cell, Centring::node}) {
      PoissonProblem problem = problem_of({6, 8, 7}, boundary, {}, kernel);
      problem.centring = {centring};
      PoissonProblem longer = problem;
      longer.length[static_cast<std::size_t>(axis)] *= 2;
      longer.cells[axis] *= 2;
      Poisson<double> solver(MPI_COMM_SELF, longer, one_thread());
      const double bound = rounding_bound(self, longer, noisy_field(solver));
      EXPECT_LE(difference_to_whole_cells(problem, axis, 5), bound) << kernel << " " << describe(problem);
      EXPECT_LE(difference_to_whole_cells(problem, axis, -3), bound) << kernel << " " << describe(problem);
    }
    number++;
  }
}

TEST(PoissonShifted, BatchesAndSolversInPlaceAreAlike) {
  PoissonProblem problem = problem_of({6, 9, 8}, {P, E, P}, {0.07, 0, -0.02});
  const std::vector<double> alone = solution(MPI_COMM_WORLD, problem);
  PlanOptions options = one_thread();
  options.in_place = true;
  Poisson<double> in_place(MPI_COMM_WORLD, problem, options);
  const SolverField<double> field = in_place.in_place_field();
  const std::vector<double> f = noisy_field(in_place);
  std::size_t i = 0;
  field.values.for_each([&](const Place&, double& value) { value = f[i++]; });
  in_place.solve(field);
  std::vector<double> result;
  field.values.for_each([&](const Place&, double& value) { result.push_back(value); });
  EXPECT_TRUE(same_bits(result, alone));

  problem.batch = 2;
  Poisson<double> batch(MPI_COMM_WORLD, problem, one_thread());
  std::vector<double> both = f, twice = alone;
  both.insert(both.end(), f.begin(), f.end());
  twice.insert(twice.end(), alone.begin(), alone.end());
  EXPECT_TRUE(same_bits(solved(batch, both), twice));
}

TEST(PoissonShifted, VectorsAreThoseOfTheirComponents) {
  const std::vector<double> shift{0.31, 0, -4};
  const PoissonProblem scalar = problem_of({6, 9, 8}, {U, P, U}, shift, "truncated");
  Poisson<double> solver(MPI_COMM_WORLD, scalar, one_thread());
  VectorProblem vectors{scalar.cells, scalar.length, {scalar.boundary}, {Centring::cell}, scalar.kernel};
  vectors.shift = shift;
  VectorPoisson<double> vector(MPI_COMM_WORLD, vectors, one_thread());
  const std::vector<double> rhs = noisy_field(solver), u = solved(solver, rhs);
  std::vector<double> three, expected;
  for (int c = 0; c < 3; c++) {
    three.insert(three.end(), rhs.begin(), rhs.end());
    expected.insert(expected.end(), u.begin(), u.end());
  }
  std::vector<double> result(three.size());
  vector.solve(three.data(), result.data());
  EXPECT_TRUE(same_bits(result, expected));
}

TEST(PoissonShifted, SolversOfOneShiftShareTheirKernel) {
  const auto shares = [](const PoissonProblem& problem) {
    return mentions(Poisson<double>(MPI_COMM_WORLD, problem, one_thread()).explain(), "made for another solver");
  };
  PoissonProblem problem = problem_of({5, 9, 11}, {U, U, U}, {0.21, 0, 0.17});
  const Poisson<double> first(MPI_COMM_WORLD, problem, one_thread());
  EXPECT_TRUE(shares(problem));
  for (std::size_t a = 0; a < 3; a++)
    for (double* length : {&problem.length[a], &problem.shift[a]}) *length *= 4;
  EXPECT_TRUE(shares(problem)) << "one displacement in spacings";
  problem.shift[1] = 0.1;
  EXPECT_FALSE(shares(problem));
  problem.shift = {};
  EXPECT_FALSE(shares(problem));
  // 16 bytes for each of 10 x 18 x 12 modes, and 8 for one in each of their octants and the planes between.
  Poisson<double> without(MPI_COMM_SELF, problem, one_thread());
  problem.shift = {0, 0.3, 0};
  const Poisson<double> with(MPI_COMM_SELF, problem, one_thread());
  EXPECT_EQ(with.workspace_bytes() - without.workspace_bytes(), 16 * 10 * 18 * 12 - 8 * 6 * 10 * 12);
}

TEST(PoissonShifted, WhatIsRefused) {
  const auto text = [](const std::function<void(PoissonProblem&)>& change) {
    PoissonProblem problem = problem_of({6, 8, 7}, {U, P, {E, U}}, {0.1, 0.2, 0});
    change(problem);
    return error_text([&] { Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread()); });
  };
  EXPECT_TRUE(mentions(text([](auto& p) { p.shift = {1, 2}; }), "shift: 2 given for 3 axes", "one per axis"));
  EXPECT_TRUE(mentions(text([](auto& p) { p.shift[2] = 1; }), "shift of axis 2: 1 given", "(even, unbounded)", "0"));
  EXPECT_TRUE(mentions(text([](auto& p) { p.shift[0] = INFINITY; }), "shift of axis 0: inf", "finite"));
  EXPECT_TRUE(mentions(text([](auto& p) {
                         p.kernel = "lgf2";
                         p.shift[0] = 0.13;
                       }),
                       "shift of axis 0", "1.3 cells", "lgf2", "whole cells", "0.1 is nearest", "truncated"));
  EXPECT_TRUE(mentions(text([](auto& p) {
                         p.kernel = "lgf2";
                         p.shift[0] = 2e5;
                       }),
                       "shift of axis 0", "1e+06"));
  EXPECT_TRUE(mentions(text([](auto& p) {
                         p.boundary = {P, P, E};
                         p.widths = {{}, {}, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}};
                       }),
                       "shift: given with an axis with widths"));
  const PoissonProblem problem = problem_of({6, 8}, {O, P}, {0, 0.2});
  PoissonProblem beside_open = problem_of({6, 8}, {O, U}, {0, 0.2}, "lgf2");
  beside_open.centring = {Centring::node};
  Poisson<double> solver(MPI_COMM_WORLD, beside_open, one_thread());
  const std::vector<double> f = noisy_field(solver);
  std::vector<double> u(f.size());
  EXPECT_TRUE(mentions(error_text([&] {
                         solver.solve(f.data(), u.data(), {{0, Side::left, f.data()}});
                       }),
                       "ends: the left end of axis 0 is odd and has points on it", "unbounded axis", "cells"));
  VectorProblem vectors{problem.cells, problem.length, {{P, P}}};
  vectors.shift = problem.shift;
  VectorPoisson<double> vector(MPI_COMM_WORLD, vectors, one_thread());
  std::vector<double> in(2 * static_cast<std::size_t>(vector.box().size())), out(in.size());
  EXPECT_TRUE(mentions(error_text([&] { vector.project(in.data(), out.data()); }), "shift: given", "project()"));
}

}  // namespace
}  // namespace weft
