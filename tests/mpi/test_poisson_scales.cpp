// Lengths from the smallest to the largest numbers: a problem is refused, or its solution goes with their square.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "error_text.hpp"
#include "mpi/poisson_support.hpp"
#include "weft/vector_poisson.hpp"

namespace weft {
namespace {

using namespace testing;

/// Cells are cubes of the width 10^exponent / 6.
PoissonProblem problem_of(const std::vector<Boundary>& boundary, const char* kernel, int exponent) {
  PoissonProblem problem;
  for (std::size_t axis = 0; axis < boundary.size(); axis++) {
    problem.cells.push_back(6 - static_cast<index_t>(axis));
    problem.length.push_back(static_cast<double>(problem.cells[static_cast<int>(axis)]) / 6 * std::pow(10.0, exponent));
  }
  problem.boundary = boundary;
  problem.kernel = kernel;
  return problem;
}

/// Values without a net charge: it would move the potential in the plane by the logarithm of the unit.
template <class Real>
std::vector<Real> neutral_noise(const Poisson<Real>& solver) {
  const Comm comm(MPI_COMM_WORLD);
  std::vector<Real> values(static_cast<std::size_t>(solver.box().size()));
  for_each_point(solver, [&](std::size_t i, const Extents& index, const std::array<double, 3>&) {
    values[i] = static_cast<Real>(noise(index));
  });
  const double sum = comm.sum(std::accumulate(values.begin(), values.end(), 0.0));
  const auto points = static_cast<double>(comm.sum(solver.box().size()));
  for (Real& value : values) value -= static_cast<Real>(sum / points);
  return values;
}

/// The solution in units of the square of 10^exponent; nothing where the problem is refused, with an Error that says
/// what is at fault. Collective.
template <class Real>
std::optional<std::vector<double>> solution_of(const PoissonProblem& problem, int exponent) {
  std::vector<double> scaled;
  const std::string text = error_text([&] {
    Poisson<Real> solver(MPI_COMM_WORLD, problem, one_thread());
    std::vector<Real> solution(static_cast<std::size_t>(solver.box().size()));
    solver.solve(neutral_noise(solver), solution);
    const double unit = std::pow(10.0, exponent);
    for (const Real value : solution) scaled.push_back(static_cast<double>(value) / unit / unit);
  });
  if (text == "no error") return scaled;
  EXPECT_TRUE(mentions(text, "length") || mentions(text, "screening")) << text;
  return std::nullopt;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values)
    largest = std::max(largest, std::isfinite(value) ? std::abs(value) : std::numeric_limits<double>::infinity());
  return Comm(MPI_COMM_WORLD).max(largest);
}

/// Refused, or the same as with the unit 1. In single precision transforms of noise leave some hundred times its
/// rounding beside a solution that is as much smoother. Logarithms of lengths, up to 350 in the plane, take their
/// digits from those of the values beside them, that of the neutral charge included.
void expect_same(const std::optional<std::vector<double>>& given, const std::vector<double>& expected, double bound,
                 const std::string& what) {
  if (!given) return;
  std::vector<double> difference(expected.size());
  for (std::size_t i = 0; i < expected.size(); i++) difference[i] = (*given)[i] - expected[i];
  EXPECT_LE(largest_of(difference), bound * largest_of(expected)) << what;
}

template <class Real>
void expect_square_law(const std::vector<Boundary>& boundary, const char* kernel, double screening, int first) {
  constexpr bool is_double = sizeof(Real) == sizeof(double);
  const auto solve = [&](int exponent) {
    PoissonProblem problem = problem_of(boundary, kernel, exponent);
    problem.screening = screening / std::pow(10.0, exponent);
    return solution_of<Real>(problem, exponent);
  };
  const std::vector<double> expected = solve(0).value();
  EXPECT_GT(largest_of(expected), 0);
  for (int exponent = -320 + first; exponent <= 308; exponent += is_double ? 23 : 7) {
    const auto given = solve(exponent);
    const std::string what = describe(problem_of(boundary, kernel, 0)) + " " + kernel + " 1e" +
                             std::to_string(exponent) + (is_double ? " double" : " float");
    expect_same(given, expected, is_double ? 1e-11 : 1e-4, what);
    EXPECT_TRUE(given || std::abs(exponent) > (is_double ? 90 : 12)) << what << " is well within the range";
    if (!is_double && std::abs(exponent) > 40) exponent += 40;  // refused before any work, by the same bounds
  }
}

const std::vector<std::vector<Boundary>> mixtures{
    {P, P, P}, {{O, E}, E, P}, {O, O}, {P, O, U}, {U, {E, U}}, {U, {O, E}, {U, O}}, {U, U, {U, E}},
};

/// All on one rank, one kernel for each mixture on others.
TEST(PoissonScales, RefusedOrAsTheSquareOfTheLength) {
  const int ranks = Comm(MPI_COMM_WORLD).size();
  int number = 0;
  for (const auto& boundary : mixtures) {
    for (const char* kernel : {"chat2", "truncated", "hej4", "hej0", "lgf2", "mehr4f", "igf"}) {
      number++;
      if (ranks > 1 && number % 8 != ranks % 8) continue;
      // Cut off at R the kernel of the plane has a step of ln(R), which is of noise at the ends what the unit makes it.
      if (boundary.size() == 2 && boundary[0] == Boundary(U) && kernel == std::string("truncated")) continue;

      expect_square_law<double>(boundary, kernel, 0, number % 23);
      expect_square_law<float>(boundary, kernel, 0, number % 7);
    }
    if (ranks > 1) continue;
    expect_square_law<double>(boundary, "chat2", 2, number % 23);
    expect_square_law<float>(boundary, "truncated", 2, number % 7);
  }
}

/// Long boxes have another way to their kernel.
TEST(PoissonScales, TheSameForLongBoxes) {
  for (const std::vector<Boundary>& boundary : {mixtures[6], mixtures[5], mixtures[4]}) {
    std::optional<std::vector<double>> expected;
    for (const int exponent : {0, -95, 95, -150, 150, -200, 200}) {
      PoissonProblem problem = problem_of(boundary, "truncated", exponent);
      problem.length[0] *= 60;
      const auto given = solution_of<double>(problem, exponent);
      if (exponent == 0) expected = given;
      expect_same(given, expected.value(), 1e-11, describe(problem) + " 1e" + std::to_string(exponent));
      EXPECT_TRUE(given || std::abs(exponent) > 95);
    }
  }
}

TEST(PoissonScales, LengthsBeyondTheRangeAreRefusedAlike) {
  for (const End end : {P, O, E, U}) {
    for (const double length : {1e-320, 1e-200, 1e-160, 1e-150, 1e160, 1e200, 1e308}) {
      PoissonProblem problem = problem_of({end, end}, "chat2", 0);
      problem.length = {length, length};
      const auto text = error_text([&] { Poisson<double>(MPI_COMM_WORLD, problem, one_thread()); });
      EXPECT_TRUE(mentions(text, "length of axis 0: ", "double precision", "unit of length") ||
                  mentions(text, "length of axis 0: ", "squares of lengths", "unit of length"))
          << length << " " << to_string(end) << ": " << text;
      EXPECT_EQ(text, Comm(MPI_COMM_WORLD).broadcast(text, 0));
    }
    for (const double length : {1e-200, 1e-30, 1e-18, 1e25, 1e200}) {
      PoissonProblem problem = problem_of({end, end, end}, "chat2", 0);
      problem.length = {length, length / 2, length / 3};
      const auto text = error_text([&] { Poisson<float>(MPI_COMM_WORLD, problem, one_thread()); });
      EXPECT_TRUE(mentions(text, "length of axis 0: ", "unit of length")) << length << ": " << text;
    }
  }
}

TEST(PoissonScales, OneAxisBeyondTheRangeIsNamed) {
  for (const double length : {1e-200, 1e200}) {
    PoissonProblem problem = problem_of({U, P, O}, "chat2", 0);
    problem.length[1] = length;
    const auto text = error_text([&] { Poisson<double>(MPI_COMM_WORLD, problem, one_thread()); });
    EXPECT_TRUE(mentions(text, "length of axis 1: ", "for 5 cells", "it must be from")) << text;
  }
}

TEST(PoissonScales, ScreeningBeyondTheRangeIsNamed) {
  for (const double screening : {1e-200, 1e-170, 1e170, 1e300}) {
    PoissonProblem problem = problem_of({P, U, O}, "chat2", 0);
    problem.screening = screening;
    const auto text = error_text([&] { Poisson<double>(MPI_COMM_WORLD, problem, one_thread()); });
    EXPECT_TRUE(mentions(text, "screening: 1e", "square", "it must be 0, or from")) << text;
  }
  PoissonProblem problem = problem_of({P, O}, "chat2", 0);
  problem.screening = 1e17;
  const auto text = error_text([&] { Poisson<float>(MPI_COMM_WORLD, problem, one_thread()); });
  EXPECT_TRUE(mentions(text, "screening: 1e+17", "single precision", "double precision")) << text;
}

/// biot_savart() goes with the length, curl() with its inverse.
template <class Real>
std::optional<std::vector<double>> curls_of(int exponent, double power, bool of_solution) {
  VectorProblem problem;
  problem.cells = {6, 5, 4};
  const double unit = std::pow(10.0, exponent);
  problem.length = {unit, 5.0 / 6 * unit, 4.0 / 6 * unit};
  problem.boundary = vector_boundary({Boundary(P), Boundary(E), Boundary(U)});
  std::vector<double> scaled;
  const std::string text = error_text([&] {
    VectorPoisson<Real> solver(MPI_COMM_WORLD, problem, one_thread());
    const Box box = solver.box();
    const auto points = static_cast<std::size_t>(box.size());
    std::vector<Real> in(3 * points), out(3 * points);
    for (std::size_t i = 0; i < in.size(); i++) {
      Extents index = box.lower();
      auto rest = static_cast<index_t>(i % points);
      for (int axis = 2; axis >= 0; rest /= std::max(box[axis--].size(), index_t{1}))
        index[axis] += rest % box[axis].size();
      in[i] = static_cast<Real>(noise(index) * (i < points ? 1 : 0.5));
    }
    of_solution ? solver.biot_savart(in.data(), out.data()) : solver.curl(in.data(), out.data());
    for (const Real value : out) scaled.push_back(static_cast<double>(value) / std::pow(unit, power));
  });
  if (text == "no error") return scaled;
  EXPECT_TRUE(mentions(text, "length")) << text;
  return std::nullopt;
}

template <class Real>
void expect_vector_law(double power, bool of_solution) {
  constexpr bool is_double = sizeof(Real) == sizeof(double);
  const std::vector<double> expected = curls_of<Real>(0, power, of_solution).value();
  EXPECT_GT(largest_of(expected), 0);
  for (int exponent = is_double ? -300 : -45; exponent <= 300; exponent += is_double ? 25 : 3) {
    const auto given = curls_of<Real>(exponent, power, of_solution);
    expect_same(given, expected, is_double ? 1e-11 : 1e-5, "1e" + std::to_string(exponent));
    EXPECT_TRUE(given || std::abs(exponent) > (is_double ? 90 : 12)) << exponent;
    if (!is_double && exponent > 45) break;
  }
}

TEST(PoissonScales, VectorFieldsGoWithTheLength) {
  expect_vector_law<double>(1, true);
  expect_vector_law<double>(-1, false);
  expect_vector_law<float>(1, true);
  expect_vector_law<float>(-1, false);
}

}  // namespace
}  // namespace weft
