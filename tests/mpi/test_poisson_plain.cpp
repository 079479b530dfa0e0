// All 1000 combinations of boundaries, cell- and node-centred, against the plain solve with every axis written out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "mpi/plain_solve.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using namespace testing;

PoissonProblem small_problem(int number, Centring centring, const Kernel& kernel) {
  PoissonProblem problem;
  problem.boundary = combination(number);
  problem.cells = {5, 4, 6};
  // Lattice and smoothed kernels want equal spacings.
  const bool any_spacing = kernel.name == "chat2" || kernel.name == "igf";
  problem.length = any_spacing ? std::vector<double>{1, 0.9, 1.3} : std::vector<double>{1, 0.8, 1.2};
  problem.centring = {centring};
  problem.kernel = kernel;
  return problem;
}

// The problems of one number of ranks: rank r works out the plain solutions of every size-th, and hands them round.
class PlainSolutions {
 public:
  PlainSolutions(const Comm& comm, std::vector<PoissonProblem> problems) : comm_(comm), problems_(std::move(problems)) {
    const auto ranks = static_cast<std::size_t>(comm.size());
    for (std::size_t i = static_cast<std::size_t>(comm.rank()); i < problems_.size(); i += ranks)
      own_.push_back(PlainProblem(problems_[i]).solution(noise));
  }

  std::size_t size() const { return problems_.size(); }
  const PoissonProblem& problem(std::size_t i) const { return problems_[i]; }
  /// Collective.
  std::vector<double> solution(std::size_t i) const {
    const auto ranks = static_cast<std::size_t>(comm_.size());
    const int owner = static_cast<int>(i % ranks);
    index_t points = owner == comm_.rank() ? static_cast<index_t>(own_[i / ranks].size()) : 0;
    points = comm_.max(points);
    std::vector<double> values(static_cast<std::size_t>(points));
    if (owner == comm_.rank()) values = own_[i / ranks];
    MPI_Bcast(values.data(), static_cast<int>(points), MPI_DOUBLE, owner, MPI_COMM_WORLD);
    return values;
  }

 private:
  const Comm& comm_;
  std::vector<PoissonProblem> problems_;
  std::vector<std::vector<double>> own_;
};

template <class Real>
double worst(const Comm& comm, const PoissonProblem& problem, const std::vector<double>& expected) {
  PlanOptions options = Poisson<Real>::default_options();
  options.threads = 1;
  Poisson<Real> solver(MPI_COMM_WORLD, problem, options);
  const std::vector<Real> solution = solved(solver, noisy_field(solver));
  const Extents strides = c_strides(solver.layout().extents());
  double error = 0, largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for_each_point(solver, [&](std::size_t i, const Extents& index, const auto&) {
    index_t at = 0;
    for (int axis = 0; axis < 3; axis++) at += index[axis] * strides[axis];
    error = std::max(error, std::abs(static_cast<double>(solution[i]) - expected[static_cast<std::size_t>(at)]));
  });
  return comm.max(error) / largest;
}

// Of the largest value of the solution; 1e-13 in double precision. Roundings that are independent add up to the root of
// what rounding_bound() allows for the worst case: 14 epsilon per stage, and log2(20 16 24) + 2 3 = 19 stages at most,
// make 16 epsilon of |G| |f|. The solution of noise of either sign is smaller than that product, here by no more than a
// factor of 28.
template <class Real>
constexpr double allowed = 450 * static_cast<double>(std::numeric_limits<Real>::epsilon());
static_assert(allowed<double> < 1e-13);

template <class Real>
void expect_plain(const Comm& comm, const PlainSolutions& plain) {
  for (std::size_t i = 0; i < plain.size(); i++) {
    const std::vector<double> expected = plain.solution(i);
    EXPECT_LE(worst<Real>(comm, plain.problem(i), expected), allowed<Real>)
        << describe(plain.problem(i)) << ", " << plain.problem(i).kernel.name;
  }
}

// All combinations on 2 ranks, a sample on other numbers of ranks.
template <class Real, class CentringOf>
void expect_plain_everywhere(const CentringOf& centring_of) {
  const Comm comm(MPI_COMM_WORLD);
  std::vector<PoissonProblem> problems;
  for (const int number : selected_combinations(comm.size()))
    if (number < 1000) problems.push_back(small_problem(number, centring_of(number), "chat2"));
  expect_plain<Real>(comm, {comm, problems});
}

TEST(PoissonPlain, CombinationsCellCentred) {
  expect_plain_everywhere<double>([](int) { return Centring::cell; });
}

TEST(PoissonPlain, CombinationsNodeCentred) {
  expect_plain_everywhere<double>([](int) { return Centring::node; });
}

TEST(PoissonPlain, CombinationsInSinglePrecision) {
  expect_plain_everywhere<float>([](int number) { return number % 2 == 0 ? Centring::cell : Centring::node; });
}

// Each number of ranks has another sample, which meets every pair of boundaries on every axis.
TEST(PoissonPlain, OtherKernels) {
  const Comm comm(MPI_COMM_WORLD);
  std::vector<PoissonProblem> problems;
  for (const char* kernel : {"hej2", "hej6", "hej0", "lgf2", "lgf8", "mehr4f", "igf"})
    for (int number = comm.size(); number < 1000; number += 37)
      problems.push_back(small_problem(number, number % 2 == 0 ? Centring::cell : Centring::node, kernel));
  expect_plain<double>(comm, {comm, problems});
}

}  // namespace
}  // namespace weft
