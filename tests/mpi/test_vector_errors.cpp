// What vector solvers refuse, on every rank alike, and that nothing is written then.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "../error_text.hpp"
#include "weft/vector_poisson.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

VectorProblem periodic_problem() {
  VectorProblem problem;
  problem.cells = {8, 9, 10};
  problem.length = {1, 1, 1};
  problem.boundary = {{End::periodic, End::periodic, End::periodic}};
  return problem;
}

std::string refusal(const VectorProblem& problem, const PlanOptions& options = {}) {
  return error_text([&] { VectorPoisson<double>(MPI_COMM_WORLD, problem, options); });
}

TEST(VectorErrors, ProblemsThatAreNoVectorFields) {
  VectorProblem problem = periodic_problem();
  problem.boundary = {2, {End::periodic, End::periodic, End::periodic}};
  EXPECT_TRUE(mentions(refusal(problem), "boundary", "2 components", "3"));
  problem.boundary = {3, {End::even, End::periodic, End::periodic}};
  EXPECT_TRUE(mentions(refusal(problem), "component 0, axis 0", "even", "odd"));
  problem.boundary = {{End::periodic, End::periodic}};
  EXPECT_TRUE(mentions(refusal(problem), "boundary", "2 given", "3 axes"));
  problem = periodic_problem();
  problem.kernel = "nonsense";
  EXPECT_TRUE(mentions(refusal(problem), "kernel", "nonsense", "chat2"));
}

TEST(VectorErrors, OptionsWithoutMeaning) {
  PlanOptions options = VectorPoisson<double>::default_options();
  options.chunks = 4;
  EXPECT_TRUE(mentions(refusal(periodic_problem(), options), "chunks", "4"));
  options = VectorPoisson<double>::default_options();
  options.in_place = true;
  EXPECT_TRUE(mentions(refusal(periodic_problem(), options), "in_place"));
  options = VectorPoisson<double>::default_options();
  options.batch_axes = {0};
  EXPECT_TRUE(mentions(refusal(periodic_problem(), options), "batch_axes"));
}

TEST(VectorErrors, NotANumberAnywhereLeavesTheOutputAlone) {
  const Comm comm(MPI_COMM_WORLD);
  VectorPoisson<double> solver(MPI_COMM_WORLD, periodic_problem());
  std::vector<double> field(3 * static_cast<std::size_t>(solver.box().size()), 1), result(field.size(), 7);
  if (comm.rank() == comm.size() - 1 && !field.empty()) field.back() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(mentions(error_text([&] { solver.curl(field.data(), result.data()); }), "field", "nan", "[2, 7, 8, 9]"));
  EXPECT_TRUE(mentions(error_text([&] { solver.solve(field.data(), result.data()); }), "rhs", "nan", "finite"));
  EXPECT_TRUE(std::all_of(result.begin(), result.end(), [](double value) { return value == 7; }));
}

TEST(VectorErrors, ProjectionNeedsTheUnscreenedInverse) {
  VectorProblem problem = periodic_problem();
  problem.boundary = {{End::unbounded, End::periodic, End::periodic}};
  problem.screening = 2;
  VectorPoisson<double> solver(MPI_COMM_WORLD, problem);
  std::vector<double> field(3 * static_cast<std::size_t>(solver.box().size()), 0), result = field;
  EXPECT_TRUE(mentions(error_text([&] { solver.project(field.data(), result.data()); }), "screening", "project"));
}

}  // namespace
}  // namespace weft
