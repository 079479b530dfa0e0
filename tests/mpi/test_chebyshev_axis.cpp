// Derivatives and integrals along Chebyshev points: polynomials exactly, any axis and any boxes, the bits of one rank.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "error_text.hpp"
#include "mpi/plan_fixture.hpp"
#include "weft/chebyshev.hpp"
#include "weft/layout.hpp"

namespace weft {
namespace {

using namespace testing;

constexpr double left = -0.5, right = 2;

/// Powers of t, their derivatives and integrals from `left` on.
double derived(double t, int power, int order) {
  double factor = 1;
  for (int i = 0; i < order; i++) factor *= power - i;
  return factor == 0 ? 0 : factor * std::pow(t, power - order);
}
double integrated(double t, int power) { return (std::pow(t, power + 1) - std::pow(left, power + 1)) / (power + 1); }

TEST(ChebyshevAxis, WeightsIntegratePolynomials) {
  for (const index_t n : {2, 3, 4, 7, 8, 33, 100}) {
    const std::vector<double> t = chebyshev_points(n, left, right), w = chebyshev_weights(n, left, right);
    EXPECT_EQ(t.front(), left);
    EXPECT_EQ(t.back(), right);
    for (int power = 0; power < std::min<int>(static_cast<int>(n), 12); power++) {
      double sum = 0;
      for (std::size_t j = 0; j < t.size(); j++) sum += w[j] * std::pow(t[j], power);
      const double size = std::pow(right, power) * (right - left);
      EXPECT_NEAR(sum, integrated(right, power), 1e-15 * static_cast<double>(n) * size) << n << " " << power;
    }
  }
}

/// A line of powers for each pair of indices of the other axes.
template <class Real>
struct Lines {
  ChebyshevProblem problem;
  std::vector<double> t;

  Lines(int axis, index_t n) : problem{{3, 4, 5}, axis, left, right}, t(chebyshev_points(n, left, right)) {
    problem.shape[axis] = n;
  }
  /// function(t, power) at the points of a box.
  template <class Function>
  std::vector<Real> at(const Box& box, const Function& function) const {
    std::vector<Real> values;
    for (index_t i = box[0].lo; i < box[0].hi; i++)
      for (index_t j = box[1].lo; j < box[1].hi; j++)
        for (index_t k = box[2].lo; k < box[2].hi; k++) {
          const Extents index{i, j, k};
          const auto along = index[problem.axis];
          const int power = static_cast<int>((i + 2 * j + 3 * k - along * (problem.axis + 1)) % 5);
          values.push_back(static_cast<Real>(function(t[static_cast<std::size_t>(along)], power)));
        }
    return values;
  }
};

template <class Real>
void expect_near(const std::vector<Real>& found, const std::vector<Real>& expected, double bound) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); i++) EXPECT_NEAR(double{found[i]}, double{expected[i]}, bound) << i;
}

// Coefficients of t^4 on [-0.5, 2] are below 16, their derivatives of order m below 16 (n^2 / 1.25)^m: so much do
// errors of a few roundings grow.
template <class Real>
void expect_powers(int axis, index_t n) {
  const Lines<Real> lines(axis, n);
  ChebyshevAxis<Real> operation(MPI_COMM_WORLD, lines.problem);
  const Box box = operation.box();
  const std::vector<Real> u = lines.at(box, [](double t, int power) { return std::pow(t, power); });
  std::vector<Real> found(u.size());
  const double eps = std::numeric_limits<Real>::epsilon(), square = static_cast<double>(n * n);
  for (const int order : {1, 2, 3}) {
    operation.derivative(u.data(), found.data(), order);
    expect_near(found, lines.at(box, [&](double t, int power) { return derived(t, power, order); }),
                200 * eps * std::pow(square, order));
  }
  operation.integral(u.data(), found.data());
  if (n > 5) expect_near(found, lines.at(box, integrated), 200 * eps);
}

TEST(ChebyshevAxis, PowersAreExact) {
  for (int axis = 0; axis < 3; axis++)
    for (const index_t n : {5, 8, 17}) {
      expect_powers<double>(axis, n);
      expect_powers<float>(axis, n);
    }
}

// Boxes that cut the axis, and no box at all, give what one rank has.
TEST(ChebyshevAxis, BoxesAndRanksChangeNoBit) {
  const Comm comm(MPI_COMM_WORLD);
  for (int axis = 0; axis < 3; axis++) {
    const Lines<double> lines(axis, 12);
    const auto noise = [](double t, int power) { return std::sin(37 * t + power); };
    ChebyshevAxis<double> alone(MPI_COMM_SELF, lines.problem);
    const Box all = alone.box();
    const std::vector<double> whole = lines.at(all, noise);
    std::vector<double> derivative(whole.size()), integral(whole.size());
    alone.derivative(whole.data(), derivative.data(), 2);
    alone.integral(whole.data(), integral.data());
    Box cut = all;
    cut[axis] = {comm.rank() * all[axis].size() / comm.size(), (comm.rank() + 1) * all[axis].size() / comm.size()};
    for (const Box& given : {Box{}, cut}) {
      ChebyshevAxis<double> operation(MPI_COMM_WORLD, lines.problem, given);
      const Box box = operation.box();
      std::vector<double> u = lines.at(box, noise), found(u.size());
      operation.derivative(u.data(), found.data(), 2);
      EXPECT_TRUE(plan_test::same_bits(found, plan_test::part(derivative, all.extents(), box, 1))) << axis;
      operation.integral(u.data(), u.data());
      EXPECT_TRUE(plan_test::same_bits(u, plan_test::part(integral, all.extents(), box, 1))) << axis;
    }
  }
}

TEST(ChebyshevAxis, WrongArgumentsAreNamed) {
  const auto refused = [](const ChebyshevProblem& problem, const PlanOptions& options = {}) {
    return error_text([&] { ChebyshevAxis<double> operation(MPI_COMM_WORLD, problem, {}, options); });
  };
  EXPECT_TRUE(mentions(refused({{4, 5}, 2}), "axis: 2", "0 to 1"));
  EXPECT_TRUE(mentions(refused({{4, 1}, 1}), "n: 1 given", "2 points"));
  EXPECT_TRUE(mentions(refused({{4, 5}, 1, 1, 1}), "a, b: 1 and 1", "a < b"));
  PlanOptions in_place;
  in_place.in_place = true;
  EXPECT_TRUE(mentions(refused({{4, 5}, 1}, in_place), "in_place", "arrays of the caller"));
  ChebyshevAxis<double> operation(MPI_COMM_WORLD, {{4, 5}, 1});
  EXPECT_TRUE(mentions(error_text([&] { operation.derivative(nullptr, nullptr, 0); }), "order: 0", "1 or more"));
  const int rank = Comm(MPI_COMM_WORLD).rank();
  if (Comm(MPI_COMM_WORLD).size() > 1) {
    EXPECT_TRUE(mentions(refused({{4, 5}, rank == 0 ? 0 : 1}), "problem", "rank"));
  }
}

}  // namespace
}  // namespace weft
