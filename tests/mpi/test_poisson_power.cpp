// Powers of the Laplacian: waves have the factors of closed forms for all spectral boundaries, powers compose, a
// negative one undoes a positive one, and what has no power is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "error_text.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using namespace testing;

/// One factor of a solution along an axis: sin or cos of a wavenumber.
struct Wave {
  Boundary boundary;
  double wavenumber;  // for the length 1
  bool sine;
  double at(double x, double length) const {
    const double t = wavenumber / length * x;
    return sine ? std::sin(t) : std::cos(t);
  }
};

const std::array<Wave, 5> waves{{{End::periodic, 4 * pi, true},
                                 {End::even, 2 * pi, false},
                                 {End::odd, 3 * pi, true},
                                 {{End::odd, End::even}, 1.5 * pi, true},
                                 {{End::even, End::odd}, 0.5 * pi, false}}};
const std::array<double, 3> lengths{1, 1.5, 0.8};

PoissonProblem problem_of(const std::array<Wave, 3>& along, int dims, Centring centring) {
  PoissonProblem problem;
  problem.cells = dims == 3 ? Extents{12, 10, 9} : Extents{12, 10};
  problem.centring = {centring};
  for (std::size_t a = 0; a < static_cast<std::size_t>(dims); a++) {
    problem.length.push_back(lengths[a]);
    problem.boundary.push_back(along[a].boundary);
  }
  return problem;
}

/// A bound on the rounding of a solution of a problem of no more than 12 x 10 x 9 cells, relative to the largest factor
/// of any mode times the 2-norm of f, as rounding_bound() derives it.
double relative_rounding(const PoissonProblem& problem) {
  double stages = 0;
  for (const index_t cells : problem.cells) stages += std::log2(4.0 * static_cast<double>(cells)) + 2;
  return 14 * std::numeric_limits<double>::epsilon() * stages;
}

/// The least and the largest sum of squares of wavenumbers that are not 0, the first from below.
struct Squares {
  double least, most;
};

Squares squares_of(const PoissonProblem& problem) {
  Squares squares{1e300, 0};
  for (std::size_t a = 0; a < problem.length.size(); a++) {
    squares.least = std::min(squares.least, std::pow(0.5 * pi / problem.length[a], 2));
    squares.most += std::pow(pi * static_cast<double>(problem.cells[static_cast<int>(a)]) / problem.length[a], 2);
  }
  return squares;
}

void expect_wave(const std::array<Wave, 3>& along, int dims, Centring centring, double power, double screening) {
  const Comm comm(MPI_COMM_WORLD);
  PoissonProblem problem = problem_of(along, dims, centring);
  problem.power = power;
  problem.screening = screening;
  double square = screening * screening;
  for (std::size_t a = 0; a < static_cast<std::size_t>(dims); a++)
    square += std::pow(along[a].wavenumber / lengths[a], 2);
  const auto f = [&](double x, double y, double z) {
    return along[0].at(x, lengths[0]) * along[1].at(y, lengths[1]) * (dims == 3 ? along[2].at(z, lengths[2]) : 1.0);
  };
  Poisson<double> solver(MPI_COMM_WORLD, problem);
  const std::vector<double> rhs = sample(solver, f), solution = solved(solver, rhs);
  const Squares squares = squares_of(problem);
  const double most = power > 0 ? std::pow(squares.least + screening * screening, -power)
                                : std::pow(squares.most + screening * screening, -power);
  const double allowed = relative_rounding(problem) * most * norm(comm, rhs);
  for (std::size_t i = 0; i < rhs.size(); i++)
    EXPECT_NEAR(solution[i], -std::pow(square, -power) * rhs[i], allowed) << describe(problem) << ", power " << power;
}

TEST(PoissonPower, WavesHaveTheFactorsOfClosedForms) {
  constexpr std::array<double, 5> powers{2, 0.5, -1, -0.25, 3};
  std::size_t turn = 0;  // so that every power meets cells, nodes and other boundaries
  for (const Centring centring : {Centring::cell, Centring::node})
    for (std::size_t i = 0; i < waves.size(); i++, turn++) {
      const std::array<Wave, 3> along{waves[i], waves[(i + 1) % 5], waves[(i + 3) % 5]};
      expect_wave(along, 3, centring, powers[(2 * turn) % 5], 0);
      expect_wave(along, 2, centring, powers[(2 * turn + 1) % 5], 2.5);
    }
}

PoissonProblem closed_problem(const Kernel& kernel, double power) {
  PoissonProblem problem;
  problem.cells = {12, 10, 8};
  problem.length = {1.2, 1, 0.8};  // equal spacings, for the lattice kernels
  problem.boundary = {End::periodic, End::even, {End::odd, End::even}};
  problem.kernel = kernel;
  problem.power = power;
  return problem;
}

std::vector<double> solution_of(const Kernel& kernel, double power, const std::vector<double>& rhs) {
  Poisson<double> solver(MPI_COMM_WORLD, closed_problem(kernel, power));
  return solved(solver, rhs);
}

/// With -A^p for every p, the square is minus two solves, and two roots are minus one solve.
TEST(PoissonPower, PowersCompose) {
  const Comm comm(MPI_COMM_WORLD);
  Poisson<double> plain(MPI_COMM_WORLD, closed_problem("chat2", 1));
  const std::vector<double> rhs = noisy_field(plain);
  const double size = norm(comm, rhs) * relative_rounding(closed_problem("chat2", 1));
  for (const char* kernel : {"hej0", "mehr4f"}) {
    const std::vector<double> once = solution_of(kernel, 1, rhs), twice = solution_of(kernel, 1, once);
    const std::vector<double> square = solution_of(kernel, 2, rhs);
    const std::vector<double> root = solution_of(kernel, 0.5, solution_of(kernel, 0.5, rhs));
    // The lowest wave has pi / (2 * 0.8), a little less on a lattice: factors of at most 1/3, and two transforms.
    for (std::size_t i = 0; i < rhs.size(); i++) {
      EXPECT_NEAR(square[i], -twice[i], 3 * size / 9) << kernel;
      EXPECT_NEAR(root[i], -once[i], 3 * size / 3) << kernel;
    }
  }
}

/// What a positive power takes the mean from has mean zero, and comes back from the negative one.
TEST(PoissonPower, NegativePowersUndoPositiveOnes) {
  const Comm comm(MPI_COMM_WORLD);
  for (const char* kernel : {"chat2", "lgf4", "mehr6f"}) {
    PoissonProblem problem = closed_problem(kernel, 1.5), inverse = problem;
    problem.boundary[2] = inverse.boundary[2] = End::even;
    inverse.power = -1.5;
    inverse.mean = Mean::error;  // a constant has an image, and is no error
    Poisson<double> solver(MPI_COMM_WORLD, problem), applied(MPI_COMM_WORLD, inverse);
    std::vector<double> rhs = noisy_field(solver), constant(rhs.size(), 3.5);
    const std::vector<double> back = solved(applied, solved(solver, rhs)), none = solved(applied, constant);
    double sum = 0;
    for (const double value : rhs) sum += value;
    const double mean = comm.sum(sum) / 960;
    // Factors between the shortest and the longest wave, to the power of 3 in wavenumbers; the lattices' are narrower.
    const double condition = std::pow(3 * std::pow(pi / 0.1, 2) / std::pow(pi / 1.2, 2), 1.5);
    const double allowed = 2 * condition * relative_rounding(problem) * norm(comm, rhs);
    for (std::size_t i = 0; i < rhs.size(); i++) {
      EXPECT_NEAR(back[i], rhs[i] - mean, allowed) << kernel;
      EXPECT_NEAR(none[i], 0, relative_rounding(problem) * std::pow(3 * std::pow(pi / 0.1, 2), 1.5) * 3.5 * 31);
    }
  }
}

/// The text of the Error that the constructor throws, the same on every rank. Collective.
std::string refusal_of(const PoissonProblem& problem) {
  const Comm comm(MPI_COMM_WORLD);
  std::string text = error_text([&] { Poisson<double>(MPI_COMM_WORLD, problem); });
  EXPECT_EQ(text, comm.broadcast(text, 0));
  return text;
}

TEST(PoissonPower, WhatHasNoPowerIsRefused) {
  EXPECT_TRUE(mentions(refusal_of(closed_problem("chat2", 0)), "power: 0 given", "not 0"));
  EXPECT_TRUE(mentions(refusal_of(closed_problem("chat2", std::nan(""))), "power: nan given", "finite"));
  EXPECT_TRUE(mentions(refusal_of(closed_problem("hej4", 2)), "power: 2 given with kernel hej4", "use chat2"));
  EXPECT_TRUE(mentions(refusal_of(closed_problem("mehr4f", -1)), "power: -1 given with kernel mehr4f", "mehr6f"));
  const Kernel own = Kernel::of_wavenumber([](std::span<const double>) { return -1.0; });
  EXPECT_TRUE(mentions(refusal_of(closed_problem(own, 2)), "power: 2 given", "leave power = 1"));
  PoissonProblem open = closed_problem("chat2", 0.5);
  open.boundary[1] = End::unbounded;
  EXPECT_TRUE(mentions(refusal_of(open), "power: 0.5 given with an unbounded axis", "of_wavenumber"));
  PoissonProblem stretched = closed_problem("chat2", 2);
  stretched.widths = {{}, {}, std::vector<double>(8, 0.1)};
  EXPECT_TRUE(mentions(refusal_of(stretched), "power: 2 given with an axis with widths"));
  EXPECT_TRUE(mentions(refusal_of(closed_problem("chat2", -200)), "length", "unit of length"));
}

TEST(PoissonPower, EndsAreThoseOfTheLaplacianAlone) {
  PoissonProblem problem = closed_problem("lgf2", 2);
  Poisson<double> solver(MPI_COMM_WORLD, problem);
  const std::vector<double> rhs = noisy_field(solver), end(rhs.size(), 1.0);
  std::vector<double> solution(rhs.size(), 42);
  const EndValues<double> given{2, Side::left, end.data()};
  const std::string text = error_text([&] { solver.solve(rhs.data(), solution.data(), {given}); });
  EXPECT_TRUE(mentions(text, "ends: given for a power", "leave power = 1"));
  EXPECT_EQ(solution, std::vector<double>(rhs.size(), 42));
}

}  // namespace
}  // namespace weft
