// What VariablePoisson refuses, with the same text on every rank, and what it reports.
#include <gtest/gtest.h>

#include <limits>

#include "error_text.hpp"
#include "mpi/variable_support.hpp"

namespace weft {
namespace {

using namespace testing;

VariableProblem walls(Form form = Form::finite_volume) {
  return {{9, 8, 10}, {1, 1, 1}, {End::even, End::periodic, End::even}, form};
}

/// The text that a call throws, which is the same on every rank.
template <class Call>
std::string refusal(const Call& call) {
  const std::string text = error_text(call);
  EXPECT_EQ(text, Comm(MPI_COMM_WORLD).broadcast(text, 0));
  return text;
}

std::string refusal(const VariableProblem& problem, const PlanOptions& options = {}) {
  return refusal([&] { VariablePoisson<double>(MPI_COMM_WORLD, problem, options); });
}

TEST(VariableErrors, ProblemsThatAreNotAllowed) {
  VariableProblem problem = walls();
  problem.boundary[1] = End::unbounded;
  EXPECT_PRED2(mentions<const char*>, refusal(problem), "boundary of axis 1: unbounded given");
  problem = walls();
  problem.tolerance = 2;
  EXPECT_PRED2(mentions<const char*>, refusal(problem), "tolerance: 2 given");
  problem.tolerance = std::numeric_limits<double>::quiet_NaN();
  EXPECT_PRED2(mentions<const char*>, refusal(problem), "tolerance: nan given");
  problem = walls();
  problem.most_iterations = 0;
  EXPECT_PRED2(mentions<const char*>, refusal(problem), "most_iterations: 0 given");
  problem = walls();
  problem.length = {1, 1};
  EXPECT_PRED2(mentions<const char*>, refusal(problem), "length: 2 given for 3 axes");
  PlanOptions options;
  options.in_place = true;
  EXPECT_PRED2(mentions<const char*>, refusal(walls(), options), "in_place: ");
  EXPECT_PRED2(mentions<const char*>, error_text([] { (void)parse_form("fem"); }), "use finite-volume or spectral");
  EXPECT_PRED2(mentions<const char*>, error_text([] { (void)parse_faces("mean"); }), "use harmonic or arithmetic");
  EXPECT_PRED2(mentions<const char*>, error_text([] { (void)parse_around("jacobi"); }), "use scaled or laplacian");
}

TEST(VariableErrors, ProblemsThatDifferBetweenRanks) {
  const Comm comm(MPI_COMM_WORLD);
  if (comm.size() == 1) GTEST_SKIP() << "one rank is alike";
  VariableProblem problem = walls();
  problem.tolerance = comm.rank() == 0 ? 1e-6 : 1e-7;
  EXPECT_PRED2(mentions<const char*>, refusal(problem), "problem");
}

/// Wrong numbers in one cell of the last rank that has any.
TEST(VariableErrors, NumbersThatAreNotAllowed) {
  const Comm comm(MPI_COMM_WORLD);
  VariablePoisson<double> solver(MPI_COMM_WORLD, walls());
  const auto cells = static_cast<std::size_t>(solver.box().size());
  const Box box = solver.box();
  const bool has_last = cells > 0 && box[0].hi == 9 && box[1].hi == 8 && box[2].hi == 10;
  const auto with = [&](double good, double bad) {
    std::vector<double> values(cells, good);
    if (has_last) values.back() = bad;
    return values;
  };
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> u(cells, 7);
  const std::vector<double> ones(cells, 1), f = with(1, 2);
  EXPECT_PRED2(mentions<const char*>, refusal([&] { solver.solve(f.data(), u.data()); }), "coefficients: none are set");
  EXPECT_PRED2(mentions<const char*>, refusal([&] { solver.set_coefficients(with(1, 0).data()); }),
               "a: 0 given at point [8, 7, 9]; it must be positive");
  EXPECT_PRED2(mentions<const char*>, refusal([&] { solver.set_coefficients(with(1, inf).data()); }), "a: inf given");
  EXPECT_PRED2(mentions<const char*>, refusal([&] { solver.set_coefficients(ones.data(), with(0, -1).data()); }),
               "c: -1 given at point [8, 7, 9]");
  solver.set_coefficients(ones.data());
  EXPECT_PRED2(mentions<const char*>, refusal([&] { solver.solve(with(1, std::nan("")).data(), u.data()); }),
               "f: nan given at point [8, 7, 9]");
  EXPECT_PRED2(mentions<const char*>, refusal([&] { solver.solve(f.data(), u.data(), with(0, -inf).data()); }),
               "guess: -inf given");
  EXPECT_EQ(u, std::vector<double>(cells, 7));
}

TEST(VariableErrors, GivesUpWithTheResidualAndTheIterations) {
  for (const Form form : {Form::finite_volume, Form::spectral}) {
    VariableProblem problem = walls(form);
    problem.most_iterations = 2;
    VariablePoisson<double> solver(MPI_COMM_WORLD, problem);
    solver.set_coefficients(sample(solver, medium(1e4)).data());
    std::vector<double> u = noise_in(solver);
    const std::string text = refusal([&] { solver.solve(u.data(), u.data()); });
    EXPECT_PRED3((mentions<const char*, const char*>), text, "after 2 the residual is", "tolerance=1e-10");
    EXPECT_EQ(solver.iterations(), 2);
    EXPECT_GT(solver.residual(), problem.tolerance);
  }
}

TEST(VariableErrors, AMeanThatHasToBeZero) {
  VariableProblem problem = walls();
  problem.mean = Mean::error;
  VariablePoisson<double> solver(MPI_COMM_WORLD, problem);
  const std::vector<double> ones(static_cast<std::size_t>(solver.box().size()), 1);
  std::vector<double> u(ones.size());
  solver.set_coefficients(ones.data());
  EXPECT_PRED2(mentions<const char*>, refusal([&] { solver.solve(ones.data(), u.data()); }), "f: its mean is 1");
  solver.set_coefficients(ones.data(), ones.data());  // with c = 1 the solution is -1
  solver.solve(ones.data(), u.data());
  for (const double value : u) EXPECT_NEAR(value, -1, 1e-14);
}

/// A solve tells its residuals, the last of which is at the tolerance; from its solution another one takes no
/// iteration.
TEST(VariableErrors, ReportsEveryIteration) {
  VariablePoisson<double> solver(MPI_COMM_WORLD, walls());
  solver.set_coefficients(sample(solver, medium(10)).data());
  const std::vector<double> f = noise_in(solver);
  std::vector<double> u(f.size()), told;
  const IterationReport report = [&](int iteration, double residual) {
    EXPECT_EQ(iteration, static_cast<int>(told.size()));
    told.push_back(residual);
  };
  solver.solve(f.data(), u.data(), nullptr, report);
  EXPECT_EQ(static_cast<int>(told.size()), solver.iterations() + 1);
  EXPECT_EQ(told.front(), 1);
  EXPECT_EQ(told.back(), solver.residual());
  EXPECT_LE(told.back(), 1e-10);
  solver.solve(f.data(), u.data(), u.data());
  EXPECT_LE(solver.iterations(), 1);
}

}  // namespace
}  // namespace weft
