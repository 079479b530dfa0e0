// Several vector fields at once: every result has the bits that it has alone, for all operations and strategies. Powers
// in solutions, their gradients and velocities.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "error_text.hpp"
#include "mpi/vector_support.hpp"
#include "nodes.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using namespace testing;

constexpr index_t fields = 3;

VectorProblem problem_of(Extents cells, const std::vector<Boundary>& scalar) {
  VectorProblem problem;
  problem.cells = cells;
  for (const index_t n : cells) problem.length.push_back(0.1 * static_cast<double>(n));  // equal spacings
  problem.boundary = vector_boundary(scalar);
  return problem;
}

/// Components that are alike and those that are not, planes, padding, fused passes, a plane of a thread.
std::vector<VectorProblem> problems() {
  std::vector<VectorProblem> all{problem_of({8, 9, 10}, {End::periodic, End::periodic, End::periodic}),
                                 problem_of({6, 8, 7}, {End::even, {End::even, End::odd}, End::periodic}),
                                 problem_of({5, 6, 8}, {End::unbounded, End::unbounded, End::unbounded}),
                                 problem_of({6, 7, 5}, {{End::odd, End::unbounded}, End::even, End::periodic}),
                                 problem_of({12, 9}, {End::odd, End::periodic}),
                                 problem_of({10, 8}, {End::unbounded, End::periodic})};
  all[1].centring = {Centring::node};
  all[1].power = 0.5;
  all[2].reversed = true;
  all[4].derivative = Derivative::fourth;
  all[5].shift = {0.3, 0.05};
  return all;
}

using Solver = VectorPoisson<double>;
using Method = void (Solver::*)(const double*, double*);

/// What an operation takes and gives, in components of a problem of `dims` axes.
struct Operation {
  Method method;
  std::size_t takes, gives;
};

std::vector<Operation> operations_of(const VectorProblem& problem) {
  const auto dims = static_cast<std::size_t>(problem.cells.dims()), curl = dims == 2 ? 1 : dims;
  std::vector<Operation> all{{&Solver::solve, dims, dims},  {&Solver::biot_savart, curl, dims},
                             {&Solver::curl, dims, curl},   {&Solver::divergence, dims, 1},
                             {&Solver::gradient, 1, dims},  {&Solver::solve_gradient, 1, dims},
                             {&Solver::project, dims, dims}};
  if (!problem.shift.empty()) all.pop_back();
  return all;
}

double batch_noise(index_t field, std::size_t component, const std::vector<double>& x) {
  double sum = 0.1 * static_cast<double>(component);
  for (const double along : x) sum = std::sin(37 * (along + sum) + static_cast<double>(field));
  return sum;
}

void expect_bits_alone(const VectorProblem& problem, const PlanOptions& options) {
  VectorProblem all = problem;
  all.batch = fields;
  Solver one(MPI_COMM_WORLD, problem, options), many(MPI_COMM_WORLD, all, options);
  EXPECT_EQ(many.batch(), fields);
  EXPECT_EQ(one.box(), many.box());
  const auto size = static_cast<std::size_t>(one.box().size());
  for (const auto& [method, takes, gives] : operations_of(problem)) {
    std::vector<double> in, alone;
    for (index_t f = 0; f < fields; f++) {
      const auto field = field_of(one, takes, [f](std::size_t c, const auto& x) { return batch_noise(f, c, x); });
      std::vector<double> result(gives * size);
      (one.*method)(field.data(), result.data());
      in.insert(in.end(), field.begin(), field.end());
      alone.insert(alone.end(), result.begin(), result.end());
    }
    std::vector<double> together(alone.size());
    (many.*method)(in.data(), together.data());
    EXPECT_EQ(together.empty() ? 0 : std::memcmp(together.data(), alone.data(), alone.size() * sizeof(double)), 0)
        << problem.cells.dims() << " axes, " << to_string(options.strategy);
  }
}

TEST(VectorBatch, EveryFieldHasItsOwnBits) {
  int number = 0;
  for (const VectorProblem& problem : problems()) {
    PlanOptions options = Solver::default_options();
    options.strategy = number++ % 2 == 0 && one_node() ? Strategy::shared : Strategy::alltoallv;
    options.threads = problem.cells.dims() == 2 ? 2 : 1;
    expect_bits_alone(problem, options);
  }
}

// v = (cos x sin y, -sin x cos y, 0) cos z without divergence, k^2 = 3, is solved to -v / 3^p, and curl v has the
// velocity 3^(1 - p) v. s = sin x cos y sin z has the same k^2.
TEST(VectorBatch, PowersAreThoseOfTheSquareOfTheWavenumber) {
  VectorProblem problem;
  problem.cells = {8, 9, 10};
  problem.length = {2 * pi, 2 * pi, 2 * pi};
  problem.boundary = {{End::periodic, End::periodic, End::periodic}};
  // As derivative_rounding() of test_vector_poisson.cpp: fields below 2, derivatives below 5.
  const double rounding = 14 * std::numeric_limits<double>::epsilon() * 3 * 8 * 2 * std::sqrt(3 * 1000.0) * 5;
  for (const double power : {0.5, 2.0, -1.0}) {
    problem.power = power;
    Solver solver(MPI_COMM_WORLD, problem);
    const double largest = std::max(1.0, std::pow(3 * 5 * 5, -power));  // factor of any mode
    const auto vector = field_of(solver, 3, [](std::size_t c, const auto& x) {
      const std::array<double, 3> v{std::cos(x[0]) * std::sin(x[1]), -std::sin(x[0]) * std::cos(x[1]), 0};
      return v[c] * std::cos(x[2]);
    });
    const auto scalar = field_of(
        solver, 1, [](std::size_t, const auto& x) { return std::sin(x[0]) * std::cos(x[1]) * std::sin(x[2]); });
    const auto times = [](std::vector<double> field, double factor) {
      for (double& value : field) value *= factor;
      return field;
    };
    std::vector<double> curl(vector.size()), found(vector.size()), gradient(vector.size());
    solver.solve(vector.data(), found.data());
    EXPECT_LE(largest_difference(found, times(vector, -std::pow(3, -power))), rounding * largest) << power;
    solver.curl(vector.data(), curl.data());
    solver.biot_savart(curl.data(), found.data());
    EXPECT_LE(largest_difference(found, times(vector, std::pow(3, 1 - power))), 4 * rounding * largest) << power;
    solver.gradient(scalar.data(), gradient.data());
    solver.solve_gradient(scalar.data(), found.data());
    EXPECT_LE(largest_difference(found, times(gradient, -std::pow(3, -power))), rounding * largest) << power;
    // What is solved for nothing does not depend on the power.
    solver.project(vector.data(), found.data());
    EXPECT_LE(largest_difference(found, vector), rounding) << power;
  }
}

TEST(VectorBatch, WrongOnesAreNamed) {
  const auto refused = [](const VectorProblem& problem) {
    return error_text([&] { Solver(MPI_COMM_WORLD, problem); });
  };
  VectorProblem problem = problem_of({8, 8}, {End::periodic, End::periodic});
  problem.batch = -1;
  EXPECT_TRUE(mentions(refused(problem), "batch: -1 given", "0 for arrays without"));
  problem.batch = 2;
  problem.power = 0;
  EXPECT_TRUE(mentions(refused(problem), "power: 0 given", "not 0"));
  problem = problem_of({8, 8}, {End::unbounded, End::periodic});
  problem.power = 2;
  EXPECT_TRUE(mentions(refused(problem), "power: 2 given with an unbounded axis", "periodic, even or odd"));
  problem = problem_of({6, 8}, {End::even, End::periodic});
  problem.batch = 2;
  Solver solver(MPI_COMM_WORLD, problem);
  const auto size = static_cast<std::size_t>(solver.box().size());
  std::vector<double> in(4 * size, 1), out(4 * size, 7);
  if (size > 0) in[3 * size] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(mentions(error_text([&] { solver.solve(in.data(), out.data()); }), "rhs: ", "nan at point [1, 1, "));
  EXPECT_TRUE(std::all_of(out.begin(), out.end(), [](double value) { return value == 7; }));
}

}  // namespace
}  // namespace weft
