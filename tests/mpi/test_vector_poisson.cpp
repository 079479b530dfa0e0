// Vector fields: derivatives, Biot-Savart and projection against fields whose derivatives are known, for all classes of
// boundaries; the same bits on every grid and strategy; consistency checks.
#include "weft/vector_poisson.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../error_text.hpp"
#include "mpi/poisson_support.hpp"
#include "mpi/vector_field.hpp"
#include "mpi/vector_support.hpp"
#include "nodes.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using namespace testing;

/// The arrays are small.
VectorProblem problem_of(int number, Centring centring) {
  constexpr std::array<double, 3> lengths{1, 1.5, 0.8};
  const std::vector<Boundary> scalar = combination(number);
  VectorProblem problem;
  problem.boundary = vector_boundary(scalar);
  problem.centring = {centring};
  for (std::size_t a = 0; a < scalar.size(); a++) {
    // Gaussians of 0.055 L have exp(-(pi 48 0.055)^2/2) = 1e-15 of their spectrum beyond pi/h; the others have modes up
    // to the fourth.
    problem.cells.push_back(is_convolved(scalar[a]) ? 48 : 11 + static_cast<index_t>(a));
    problem.length.push_back(lengths[a]);
  }
  return problem;
}

std::string text_of(const VectorProblem& problem) {
  std::string text = to_string(problem.centring[0]);
  for (const auto& component : problem.boundary) {
    text += ";";
    for (const Boundary& boundary : component) text += " " + to_string(boundary);
  }
  return text;
}

/// Rounding of a transform and back with a factor up to the largest symbol between them, see rounding_bound(): 14 units
/// for each of log2(4 N) + 2 stages, in the 2-norm, which bounds every point. Fields here are below 10 everywhere.
double derivative_rounding(const VectorProblem& problem, int order) {
  double stages = 0, points = 1, largest = 0;
  for (int axis = 0; axis < problem.cells.dims(); axis++) {
    const auto n = static_cast<double>(problem.cells[axis]);
    stages += std::log2(4 * n) + 2;
    points *= n + 1;
    largest = std::max(largest, pi * n / problem.length[static_cast<std::size_t>(axis)]);
  }
  return 14 * std::numeric_limits<double>::epsilon() * stages * 10 * std::sqrt(3 * points) * std::pow(largest, order);
}

/// curl of the components of a product field at x, c = 0 .. 2 (0 in two dimensions).
double curl_at(const ProductField& field, std::size_t c, const std::vector<double>& x) {
  if (x.size() == 2) return field.first(1, 0, x) - field.first(0, 1, x);
  const std::size_t next = (c + 1) % 3, after = (c + 2) % 3;
  return field.first(after, next, x) - field.first(next, after, x);
}

/// curl curl A = grad div A - lap A.
double curl_curl_at(const ProductField& field, std::size_t c, const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t a = 0; a < x.size(); a++) sum += field.second(a, a, c, x) - field.second(c, a, a, x);
  return sum;
}

class VectorMatrix : public ::testing::TestWithParam<Centring> {};

/// All numbers of three spectral axes and of two axes, and a sample of the others, which differs between rank counts.
std::vector<int> vector_combinations(int ranks) {
  std::vector<int> numbers;
  for (int number = 0; number < combinations; number++) {
    const std::vector<Boundary> b = combination(number);
    const bool spectral = std::none_of(b.begin(), b.end(), is_convolved);
    const int step = (spectral || number >= 1000 ? 1 : 43) * (ranks == 2 ? 1 : 9);
    if (number % step == ranks % step) numbers.push_back(number);
  }
  return numbers;
}

TEST_P(VectorMatrix, DerivativesAreExact) {
  const Comm comm(MPI_COMM_WORLD);
  for (const int number : vector_combinations(comm.size())) {
    const VectorProblem problem = problem_of(number, GetParam());
    VectorPoisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
    const std::size_t dims = problem.boundary.size(), size = static_cast<std::size_t>(solver.box().size());
    const ProductField v(problem.boundary, problem.length), s({combination(number)}, problem.length);
    const double bound = derivative_rounding(problem, 1);
    const auto vector = field_of(solver, dims, [&](std::size_t c, const auto& x) { return v.value(c, x); });
    const auto scalar = field_of(solver, 1, [&](std::size_t, const auto& x) { return s.value(0, x); });
    std::vector<double> result(dims * size), one(size);
    solver.gradient(scalar.data(), result.data());
    EXPECT_LE(largest_difference(
                  result, field_of(solver, dims, [&](std::size_t c, const auto& x) { return s.first(0, c, x); })),
              bound)
        << "gradient, " << text_of(problem);
    solver.divergence(vector.data(), one.data());
    EXPECT_LE(largest_difference(one, field_of(solver, 1,
                                               [&](std::size_t, const auto& x) {
                                                 double sum = 0;
                                                 for (std::size_t c = 0; c < dims; c++) sum += v.first(c, c, x);
                                                 return sum;
                                               })),
              bound)
        << "divergence, " << text_of(problem);
    const std::size_t parts = dims == 2 ? 1 : 3;
    result.resize(parts * size);
    solver.curl(vector.data(), result.data());
    EXPECT_LE(largest_difference(
                  result, field_of(solver, parts, [&](std::size_t c, const auto& x) { return curl_at(v, c, x); })),
              bound)
        << "curl, " << text_of(problem);
  }
}

/// Solutions are exact to rounding and to the tails of Gaussians with this kernel.
Kernel exact_kernel(const std::vector<Boundary>& boundary) {
  return std::any_of(boundary.begin(), boundary.end(), is_convolved) ? "truncated" : "chat2";
}

TEST_P(VectorMatrix, BiotSavartFindsTheVelocityOfAVorticity) {
  const Comm comm(MPI_COMM_WORLD);
  for (const int number : vector_combinations(comm.size())) {
    VectorProblem problem = problem_of(number, GetParam());
    problem.kernel = exact_kernel(combination(number));
    VectorPoisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
    const std::size_t dims = problem.boundary.size(), size = static_cast<std::size_t>(solver.box().size());
    const std::size_t in = dims == 2 ? 1 : 3, out = dims;
    // u = curl A, omega = curl u = curl curl A; in two dimensions A = (0, 0, a), so omega = -lap a.
    const ProductField a(dims == 2 ? solver.curl_boundary() : problem.boundary, problem.length);
    const auto velocity = field_of(solver, out, [&](std::size_t c, const auto& x) {
      if (dims == 2) return c == 0 ? a.first(0, 1, x) : -a.first(0, 0, x);
      return curl_at(a, c, x);
    });
    const auto vorticity = field_of(solver, in, [&](std::size_t c, const auto& x) {
      return dims == 2 ? -a.second(0, 0, 0, x) - a.second(0, 1, 1, x) : curl_curl_at(a, c, x);
    });
    std::vector<double> result(out * size);
    solver.biot_savart(vorticity.data(), result.data());
    EXPECT_LE(largest_difference(result, velocity), derivative_rounding(problem, 2)) << text_of(problem);
  }
}

TEST_P(VectorMatrix, ProjectionKeepsThePartWithoutDivergence) {
  const Comm comm(MPI_COMM_WORLD);
  for (const int number : vector_combinations(comm.size())) {
    VectorProblem problem = problem_of(number, GetParam());
    problem.kernel = exact_kernel(combination(number));
    VectorPoisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
    const std::size_t dims = problem.boundary.size();
    // v = curl A + grad s.
    const ProductField s({combination(number)}, problem.length), a(solver.curl_boundary(), problem.length);
    const auto solenoidal = [&](std::size_t c, const std::vector<double>& x) {
      if (dims == 2) return c == 0 ? a.first(0, 1, x) : -a.first(0, 0, x);
      return curl_at(a, c, x);
    };
    const auto vector =
        field_of(solver, dims, [&](std::size_t c, const auto& x) { return solenoidal(c, x) + s.first(0, c, x); });
    std::vector<double> result(vector.size());
    solver.project(vector.data(), result.data());
    EXPECT_LE(largest_difference(result, field_of(solver, dims, solenoidal)), derivative_rounding(problem, 2))
        << text_of(problem);
    solver.project(result.data(), result.data());
    EXPECT_LE(largest_difference(result, field_of(solver, dims, solenoidal)), derivative_rounding(problem, 2))
        << "twice, " << text_of(problem);
  }
}

/// Noise with the value of each component at each global point.
template <class Real>
std::vector<Real> noise_on(const VectorPoisson<Real>& solver, int components) {
  const Box box = solver.box();
  std::vector<Real> field;
  for (int c = 0; c < components; c++) {
    for (index_t i = 0; i < box.size(); i++) {
      Extents index(box.dims() + 1);
      index[0] = c;
      index_t rest = i;
      for (int axis = box.dims() - 1; axis >= 0; axis--) {
        index[axis + 1] = box[axis].lo + rest % box[axis].size();
        rest /= box[axis].size();
      }
      field.push_back(static_cast<Real>(noise(index)));
    }
  }
  return field;
}

/// Noise has the shortest waves, too, whose derivatives vanish at all points.
TEST_P(VectorMatrix, ProjectionOfNoiseLeavesNoDivergence) {
  for (const int number : vector_combinations(Comm(MPI_COMM_WORLD).size())) {
    VectorProblem problem = problem_of(number, GetParam());
    const std::vector<Boundary> scalar = combination(number);
    if (std::any_of(scalar.begin(), scalar.end(), is_convolved)) continue;
    for (const Derivative derivative : {Derivative::spectral, Derivative::second, Derivative::sixth}) {
      problem.derivative = derivative;
      VectorPoisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
      const int dims = static_cast<int>(problem.boundary.size());
      std::vector<double> once = noise_on<double>(solver, dims), twice(once.size());
      std::vector<double> left(static_cast<std::size_t>(solver.box().size())), nothing(left.size());
      solver.project(once.data(), once.data());
      solver.divergence(once.data(), left.data());
      EXPECT_LE(largest_difference(left, nothing), derivative_rounding(problem, 1))
          << text_of(problem) << ", derivative " << to_string(derivative);
      solver.project(once.data(), twice.data());
      EXPECT_LE(largest_difference(once, twice), derivative_rounding(problem, 0))
          << text_of(problem) << ", derivative " << to_string(derivative);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Centrings, VectorMatrix, ::testing::Values(Centring::cell, Centring::node),
                         [](const auto& info) { return to_string(info.param); });

/// A problem that has every class of axes: mixed, symmetric and periodic or unbounded.
VectorProblem mixed_problem(End last) {
  VectorProblem problem;
  problem.cells = {9, 10, 8};
  problem.length = {1, 1.1, 0.9};
  problem.boundary = vector_boundary({{End::even, End::unbounded}, {End::odd, End::even}, {last}});
  return problem;
}

/// Every operation on noise, one after the other.
template <class Real>
std::vector<Real> all_results(VectorPoisson<Real>& solver) {
  const std::vector<Real> vector = noise_on(solver, 3), scalar = noise_on(solver, 1);
  std::vector<Real> all, v(vector.size()), s(scalar.size());
  const auto keep = [&all](const std::vector<Real>& result) { all.insert(all.end(), result.begin(), result.end()); };
  solver.solve(vector.data(), v.data());
  keep(v);
  solver.biot_savart(vector.data(), v.data());
  keep(v);
  solver.curl(vector.data(), v.data());
  keep(v);
  solver.project(vector.data(), v.data());
  keep(v);
  solver.gradient(scalar.data(), v.data());
  keep(v);
  solver.solve_gradient(scalar.data(), v.data());
  keep(v);
  solver.divergence(vector.data(), s.data());
  keep(s);
  return all;
}

TEST(VectorPoisson, StrategiesAndThreadsGiveTheSameBits) {
  for (const End last : {End::periodic, End::unbounded, End::odd}) {
    PlanOptions options = VectorPoisson<double>::default_options();
    options.threads = 1;
    options.strategy = Strategy::alltoallv;
    VectorPoisson<double> reference(MPI_COMM_WORLD, mixed_problem(last), options);
    const std::vector<double> expected = all_results(reference);
    for (const Strategy strategy :
         testing::possible({Strategy::persistent, Strategy::datatype, Strategy::shared, Strategy::alltoallw})) {
      options.strategy = strategy;
      options.threads = 2;
      VectorPoisson<double> solver(MPI_COMM_WORLD, mixed_problem(last), options);
      EXPECT_TRUE(all_results(solver) == expected) << to_string(strategy) << ", " << to_string(last);
    }
  }
}

TEST(VectorPoisson, ProjectionHasNoUnitOfLength) {
  // In metres or millimetres, between stars or atoms: squares of wavenumbers leave the range of float.
  const auto projected = [](int exponent) {
    VectorProblem problem = mixed_problem(End::periodic);
    problem.boundary = vector_boundary({{End::even}, {End::odd, End::even}, {End::periodic}});
    for (double& length : problem.length) length = std::scalbn(length, exponent);
    VectorPoisson<float> solver(MPI_COMM_WORLD, problem, one_thread());
    std::vector<float> v = noise_on<float>(solver, 3);
    solver.project(v.data(), v.data());
    return v;
  };
  const std::vector<float> expected = projected(0);
  for (const int exponent : {-45, -20, 10, 21, 55}) EXPECT_EQ(projected(exponent), expected) << "2^" << exponent;
}

TEST(VectorPoisson, EveryGridAndFusionGivesTheSameSums) {
  // Sums over points of results times noise, so that ranks need not own the same points.
  const Comm comm(MPI_COMM_WORLD);
  const auto checksums = [&](const PlanOptions& options) {
    VectorPoisson<double> solver(MPI_COMM_WORLD, mixed_problem(End::periodic), options);
    const std::vector<double> vector = noise_on(solver, 3);
    std::vector<double> v(vector.size());
    solver.biot_savart(vector.data(), v.data());
    double dot = 0;
    for (std::size_t i = 0; i < v.size(); i++) dot += v[i] * vector[i];
    return comm.sum(dot);
  };
  PlanOptions options = VectorPoisson<double>::default_options();
  const double expected = checksums(options);
  options.fuse = false;
  // Sums of some 2000 numbers below 1: rounding below 2000 * 2000 * 1.1e-16.
  EXPECT_NEAR(checksums(options), expected, 5e-10);
  options.grid = {1, comm.size()};
  EXPECT_NEAR(checksums(options), expected, 5e-10);
}

TEST(VectorPoisson, SinglePrecisionAgreesWithDouble) {
  VectorPoisson<double> solver(MPI_COMM_WORLD, mixed_problem(End::unbounded));
  VectorPoisson<float> single(MPI_COMM_WORLD, mixed_problem(End::unbounded));
  const std::vector<double> expected = all_results(solver);
  const std::vector<float> result = all_results(single);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < expected.size(); i++) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(expected[i] - static_cast<double>(result[i])));
  }
  // 3 axes of at most log2(40) + 2 stages of 14 units of 2^-24 in the 2-norm, of which one point has at most all.
  EXPECT_LE(difference, 14 * 0x1p-24 * 3 * 7.4 * largest * std::sqrt(3 * 9 * 10 * 8));
}

}  // namespace
}  // namespace weft
