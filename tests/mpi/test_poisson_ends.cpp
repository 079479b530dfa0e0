// Values and slopes that are given at ends: differences are exact for linear functions, on any number of ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "error_text.hpp"
#include "mpi/plan_fixture.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using namespace testing;
using Function = std::function<double(double, double, double)>;

/// Ends of both kinds along all axes. Axis `axis` has cells of unequal widths; -1: none has.
PoissonProblem problem_with(int axis, Centring centring, const Extents& cells = {6, 5, 7}) {
  PoissonProblem problem;
  problem.cells = cells;
  for (int a = 0; a < 3; a++) problem.length.push_back(static_cast<double>(cells[a]));
  problem.boundary = {{End::odd, End::even}, {End::even, End::odd}, {End::odd, End::even}};
  problem.centring.assign(3, centring);
  problem.kernel = "lgf2";
  if (axis < 0) return problem;
  problem.widths.assign(3, {});
  auto& widths = problem.widths[static_cast<std::size_t>(axis)];
  for (index_t j = 0; j < problem.cells[axis]; j++) widths.push_back(j % 2 == 0 ? 1.25 : 0.75);
  double& length = problem.length[static_cast<std::size_t>(axis)] = 0;
  for (const double width : widths) length += width;
  problem.centring[static_cast<std::size_t>(axis)] = Centring::cell;
  problem.robin[problem.boundary[static_cast<std::size_t>(axis)].left == End::odd ? 0 : 1] = 0.5;
  return problem;
}

double linear(double x, double y, double z) { return 1 + 2 * x - 3 * y + 4 * z; }
constexpr std::array<double, 3> slopes{2, -3, 4};

/// A function at the points of this rank's box without an axis, which has the coordinate x there.
std::vector<double> on_plane(const Poisson<double>& solver, int axis, double x, const Function& function) {
  std::vector<double> values;
  const std::vector<double> along = solver.points(axis);
  for_each_point(solver, [&](std::size_t, const Extents&, std::array<double, 3> at) {
    if (at[static_cast<std::size_t>(axis)] != along.front()) return;
    at[static_cast<std::size_t>(axis)] = x;
    values.push_back(function(at[0], at[1], at[2]));
  });
  return values;
}

/// What the linear function has at one end.
std::vector<double> values_at(const Poisson<double>& solver, const PoissonProblem& problem, int axis, Side side) {
  const auto a = static_cast<std::size_t>(axis);
  const bool left = side == Side::left;
  const double slope = left ? -slopes[a] : slopes[a];
  const End end = left ? problem.boundary[a].left : problem.boundary[a].right;
  if (end == End::even) return on_plane(solver, axis, 0, [&](double, double, double) { return slope; });
  const double robin = problem.widths.empty() || problem.widths[a].empty() ? 0 : problem.robin[left ? 0 : 1];
  return on_plane(solver, axis, left ? 0 : problem.length[a],
                  [&](double x, double y, double z) { return linear(x, y, z) + robin * slope; });
}

void expect_linear(const PoissonProblem& problem) {
  Poisson<double> solver(MPI_COMM_WORLD, problem);
  std::vector<std::vector<double>> values;
  std::vector<EndValues<double>> ends;
  for (int axis = 0; axis < 3; axis++)
    for (const Side side : {Side::left, Side::right}) {
      values.push_back(values_at(solver, problem, axis, side));
      ends.push_back({axis, side, nullptr});
    }
  for (std::size_t i = 0; i < ends.size(); i++) ends[i].values = values[i].data();
  const std::vector<double> rhs(static_cast<std::size_t>(solver.box().size()));
  std::vector<double> u(rhs.size());
  const index_t workspace = solver.workspace_bytes();
  solver.solve(rhs.data(), u.data(), ends);
  // Differences of order 2 take the values from points as these are loaded, and need no memory for it.
  if (problem.order == 2) {
    EXPECT_EQ(solver.workspace_bytes(), workspace) << describe(problem);
  }
  // Values of some ten, of which transforms of less than 300 points lose some units in the last place of the largest.
  const std::vector<double> expected = sample(solver, linear);
  for (std::size_t i = 0; i < u.size(); i++) ASSERT_NEAR(u[i], expected[i], 1e-12) << describe(problem);
}

TEST(PoissonEnds, LinearFunctionsAreExact) {
  for (const Centring centring : {Centring::cell, Centring::node})
    for (int axis = -1; axis < 3; axis++) {
      PoissonProblem problem = problem_with(axis, centring);
      expect_linear(problem);
      if (axis < 0) continue;
      problem.order = 4;
      expect_linear(problem);
    }
}

// u = 1 has no slope, and its sums of waves are exact along the other axes, which are even.
TEST(PoissonEnds, WavesOfGivenValuesAreExact) {
  for (int axis = 0; axis < 3; axis++)
    for (const Centring centring : {Centring::cell, Centring::node}) {
      PoissonProblem problem = problem_with(-1, centring);
      problem.kernel = "chat2";
      problem.boundary.assign(3, End::even);
      problem.boundary[static_cast<std::size_t>(axis)] = {End::odd, End::even};
      Poisson<double> solver(MPI_COMM_WORLD, problem);
      const std::vector<double> rhs(static_cast<std::size_t>(solver.box().size())), ones(rhs.size(), 1.0);
      std::vector<double> u(rhs.size());
      solver.solve(rhs.data(), u.data(), {{axis, Side::left, ones.data()}});
      for (const double value : u) ASSERT_NEAR(value, 1, 1e-14) << describe(problem);
    }
}

/// Noise as right-hand side, and waves as values at both ends of these axes.
std::vector<double> with_noise(MPI_Comm comm, const PoissonProblem& problem, Box& box,
                               const std::vector<int>& axes = {0, 1, 2}, const PlanOptions& options = {}) {
  Poisson<double> solver(comm, problem, options);
  box = solver.box();
  const std::vector<double> rhs = noisy_field(solver);
  std::vector<EndValues<double>> ends;
  std::vector<std::vector<double>> values;
  for (const int axis : axes) {
    const std::vector<double> plane =
        on_plane(solver, axis, 0, [](double x, double y, double z) { return std::sin(3 * x + 5 * y + 7 * z + 1); });
    for (int side = 0; side < 2; side++) values.push_back(plane);
  }
  for (const int axis : axes)
    for (const Side side : {Side::left, Side::right}) {
      ends.push_back({axis, side, values[ends.size()].data()});
    }
  std::vector<double> u(rhs.size());
  solver.solve(rhs.data(), u.data(), ends);
  return u;
}

// Rows of fewer and of more lines than a vector has lanes.
TEST(PoissonEnds, AnyNumberOfRanksGivesTheSameBits) {
  for (int axis = -1; axis < 7; axis++)
    for (const int order : {2, 4}) {
      PoissonProblem problem =
          axis < 3 ? problem_with(axis, Centring::cell) : problem_with(axis - 4, Centring::cell, {10, 17, 19});
      if (!problem.widths.empty())
        problem.order = order;
      else if (order == 4)
        problem.kernel = "chat2";
      Box mine, all;
      const std::vector<double> here = with_noise(MPI_COMM_WORLD, problem, mine);
      const std::vector<double> one = with_noise(MPI_COMM_SELF, problem, all);
      EXPECT_TRUE(plan_test::same_bits(here, plan_test::part(one, problem.cells, mine, 1))) << describe(problem);
    }
}

// Parts of an exchange cut the rows of lines anywhere.
TEST(PoissonEnds, BitsDoNotDependOnChunks) {
  for (const index_t cells : {11, 23, 45}) {
    PoissonProblem problem = problem_with(-1, Centring::cell, {3, cells, 3});
    problem.kernel = "chat2";
    const Boundary ends{End::odd, End::even};
    problem.boundary = {ends, ends, End::periodic};
    Box mine, all;
    const std::vector<double> one = with_noise(MPI_COMM_SELF, problem, all, {0, 1});
    for (int chunks = 2; chunks < 5; chunks++) {
      PlanOptions options;
      options.chunks = chunks;
      const std::vector<double> here = with_noise(MPI_COMM_WORLD, problem, mine, {0, 1}, options);
      EXPECT_TRUE(plan_test::same_bits(here, plan_test::part(one, problem.cells, mine, 1))) << cells << " " << chunks;
    }
  }
}

// A shift of whole cells along periodic axes gives the solution that many points farther. Axes in each order, so that
// lines along any of them meet the values, and one displaced axis or two.
TEST(PoissonEnds, AShiftDisplacesWhatIsGiven) {
  for (const char* kernel : {"chat2", "lgf2"})
    for (int axis = 0; axis < 3; axis++) {
      const auto a = static_cast<std::size_t>(axis);
      PoissonProblem problem = problem_with(-1, Centring::cell);
      problem.kernel = kernel;
      problem.boundary.assign(3, End::periodic);
      problem.boundary[a] = {End::odd, End::even};
      if (axis == 1) {
        problem.boundary[a] = End::even;
        problem.boundary[2] = End::odd;
      }
      if (axis > 0) problem.centring[a] = Centring::node;  // with points on an odd end, and on even ones
      Box all, mine;
      const std::vector<double> plain = with_noise(MPI_COMM_SELF, problem, all, {axis});
      Extents cells(3);
      for (const int b : {0, 1, 2})
        if (problem.boundary[static_cast<std::size_t>(b)].left == End::periodic) cells[b] = b + 1;
      problem.shift = {static_cast<double>(cells[0]), static_cast<double>(cells[1]), -static_cast<double>(cells[2])};
      const std::vector<double> moved = with_noise(MPI_COMM_WORLD, problem, mine, {axis});
      Poisson<double> solver(MPI_COMM_WORLD, problem);
      for_each_point(solver, [&](std::size_t i, const Extents& index, const auto&) {
        index_t at = 0;
        for (int b = 0; b < 3; b++) {
          const index_t n = all[b].size(), by = b == 2 ? n - cells[b] : cells[b];
          at = at * n + (index[b] + by) % n;
        }
        // As for linear functions above.
        ASSERT_NEAR(moved[i], plain[static_cast<std::size_t>(at)], 1e-12) << kernel << " " << describe(problem);
      });
      const std::vector<double> alone = with_noise(MPI_COMM_SELF, problem, all, {axis});
      EXPECT_TRUE(plan_test::same_bits(moved, plan_test::part(alone, all.extents(), mine, 1))) << describe(problem);
    }
}

TEST(PoissonEnds, WrongEndsAreNamed) {
  const Comm comm(MPI_COMM_WORLD);
  PoissonProblem problem = problem_with(1, Centring::cell);
  problem.kernel = "chat2";
  problem.boundary[2] = End::periodic;
  Poisson<double> solver(MPI_COMM_WORLD, problem);
  const std::vector<double> rhs(static_cast<std::size_t>(solver.box().size())), plane(rhs.size());
  std::vector<double> bad(rhs.size(), std::numeric_limits<double>::quiet_NaN()), u(rhs.size(), 42);
  const auto refused = [&](const std::vector<EndValues<double>>& ends) {
    const std::string text = error_text([&] { solver.solve(rhs.data(), u.data(), ends); });
    EXPECT_EQ(text, comm.broadcast(text, 0));
    EXPECT_EQ(u, std::vector<double>(rhs.size(), 42));
    return text;
  };
  const EndValues<double> good{1, Side::right, plane.data()};
  EXPECT_TRUE(mentions(refused({{3, Side::left, plane.data()}}), "axis 3", "0 to 2"));
  EXPECT_TRUE(mentions(refused({good, {2, Side::left, plane.data()}}), "left end of axis 2", "periodic"));
  EXPECT_TRUE(mentions(refused({{0, Side::left, plane.data()}}), "left end of axis 0", "chat2", "lgf2"));
  EXPECT_TRUE(mentions(refused({good, good}), "right end of axis 1", "twice"));
  EXPECT_TRUE(mentions(refused({{1, Side::left, nullptr}}), "left end of axis 1", "no values"));
  EXPECT_TRUE(mentions(refused({{1, Side::left, bad.data()}}), "left end of axis 1", "NaN"));
}

}  // namespace
}  // namespace weft
