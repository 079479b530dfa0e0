// Every combination of boundaries, cell- and node-centred, against exact solutions with a bound that has no free
// constant; and the same combinations on uneven grids against sums over all pairs of points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "mpi/exact_solutions.hpp"
#include "mpi/poisson_support.hpp"
#include "weft/green.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using namespace testing;
using exact::ExactCase;
using Point = std::array<double, 3>;

/// One thread: the arrays are small.
PlanOptions matrix_options() {
  PlanOptions options = Poisson<double>::default_options();
  options.threads = 1;
  return options;
}

/// The potential of a Gaussian with images is known to 1e-13 of the potential of a unit charge where it takes a
/// quadrature (see hantush()); at most 4 sources and 2 terms count.
constexpr double exact_error = 1e-12;

/// Largest |u_h - u - h^2 leading| in units of its bound.
double worst_ratio(const Comm& comm, const PoissonProblem& problem, Poisson<double>& solver,
                   const ExactCase& expected) {
  const std::vector<double> rhs = sample(solver, expected.rhs);
  const std::vector<double> solution = solved(solver, rhs);
  const double h = problem.length[0] / static_cast<double>(problem.cells[0]);
  double worst = 0;
  for_each_point(solver, [&](std::size_t i, const Extents&, const Point& x) {
    const double predicted = expected.solution(x[0], x[1], x[2]) + h * h * expected.leading(x[0], x[1], x[2]);
    worst = std::max(worst, std::abs(solution[i] - predicted));
  });
  const double bound = expected.remainder(h) + rounding_bound(comm, problem, rhs) + exact_error;
  return worst / bound;
}

class PoissonMatrix : public ::testing::TestWithParam<std::tuple<int, Centring>> {};

TEST_P(PoissonMatrix, AgreesWithExactSolutions) {
  const auto [cells, centring] = GetParam();
  const Comm comm(MPI_COMM_WORLD);
  for (const int number : selected_combinations(comm.size())) {
    PoissonProblem problem;
    problem.boundary = combination(number);
    const auto dims = static_cast<int>(problem.boundary.size());
    problem.cells = Extents(dims, cells);
    problem.length.assign(problem.boundary.size(), 1);
    problem.centring = {centring};
    Poisson<double> solver(MPI_COMM_WORLD, problem, matrix_options());
    EXPECT_LE(worst_ratio(comm, problem, solver, exact::broad_band(problem.boundary, problem.length)), 1)
        << "broad band, " << describe(problem);
    EXPECT_LE(worst_ratio(comm, problem, solver, exact::charged(problem.boundary, problem.length)), 1)
        << "charged, " << describe(problem);
  }
}

INSTANTIATE_TEST_SUITE_P(CellsAndCentrings, PoissonMatrix,
                         ::testing::Combine(::testing::Values(16, 24),
                                            ::testing::Values(Centring::cell, Centring::node)),
                         [](const auto& info) {
                           return to_string(std::get<1>(info.param)) + std::to_string(std::get<0>(info.param));
                         });

TEST(PoissonMatrixSample, HoldsAllCombinationsOnTwoRanksAndEveryPairElsewhere) {
  EXPECT_EQ(selected_combinations(2).size(), static_cast<std::size_t>(combinations));
  for (const int ranks : {1, 3, 4, 7}) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      for (const Boundary& pair : boundary_pairs) {
        const auto numbers = selected_combinations(ranks);
        EXPECT_TRUE(std::any_of(numbers.begin(), numbers.end(), [&](int n) { return combination(n)[axis] == pair; }))
            << ranks << " ranks, axis " << axis << ", " << to_string(pair);
      }
    }
  }
}

/// One axis of a problem whose right-hand side is noise along convolved axes and one eigenfunction along spectral ones.
class DirectAxis {
 public:
  DirectAxis(const DomainAxis& domain, int mode) : domain_(domain) {
    const Boundary& b = domain.boundary;
    const bool half_mode = classify(b) == AxisClass::symmetric && b.left != b.right;
    const int least = b == Boundary(End::odd) ? 1 : 0;
    const double unit = (classify(b) == AxisClass::periodic ? 2 : 1) * pi / domain.length;
    wavenumber_ = unit * (std::max(mode, least) + (half_mode ? 0.5 : 0));
  }

  bool convolved() const { return is_convolved(domain_.boundary); }
  const DomainAxis& domain() const { return domain_; }
  double wavenumber() const { return wavenumber_; }
  /// The eigenfunction.
  double shape(double x) const {
    if (convolved()) return 1;
    if (domain_.boundary == Boundary(End::periodic)) return std::cos(wavenumber_ * x + 0.4);
    return domain_.boundary.left == End::odd ? std::sin(wavenumber_ * x) : std::cos(wavenumber_ * x);
  }
  /// The offsets, with signs, of a point x from the source at stored point j and from its image in the mirror plane.
  /// Points on an even plane are their own images, those on an odd plane count for nothing.
  std::vector<std::pair<double, double>> offsets(double x, index_t j) const {
    const double y = domain_.coordinate(j);
    const auto [left, right] = domain_.boundary;
    if (classify(domain_.boundary) == AxisClass::unbounded) return {{x - y, 1}};
    const double image = (left == End::unbounded ? 2 * domain_.length : 0) - y;
    const bool is_even = left == End::even || right == End::even;
    const bool on_plane = std::abs(image - y) < domain_.spacing() / 2;
    if (on_plane)
      return is_even ? std::vector<std::pair<double, double>>{{x - y, 1}} : std::vector<std::pair<double, double>>{};
    return {{x - y, 1}, {x - image, is_even ? 1 : -1}};
  }

 private:
  DomainAxis domain_;
  double wavenumber_;
};

/// The source and the solution of such a problem by summing the kernel over all pairs of points along the convolved
/// axes: no transform, no padding, any spacing.
class DirectProblem {
 public:
  DirectProblem(const PoissonProblem& problem, int number) {
    std::vector<GreenAxis> green;
    for (std::size_t a = 0; a < problem.boundary.size(); ++a) {
      const DomainAxis domain{problem.cells[static_cast<int>(a)], problem.length[a], problem.boundary[a],
                              problem.centring[a]};
      axes_.emplace_back(domain, (number + static_cast<int>(a)) % 3);
      green.push_back({axes_.back().convolved(), domain.spacing()});
      source_extents_.push_back(axes_.back().convolved() ? domain.points() : 1);
      if (axes_.back().convolved()) volume_ *= domain.spacing();
    }
    kernel_ = make_kernel(problem.kernel, green);
  }

  double rhs(Extents index, const Point& x) const {
    for (int a = 0; a < index.dims(); ++a) index[a] = source_extents_[a] == 1 ? 0 : index[a];
    return shape(x) * noise(index);
  }

  /// Points that differ along spectral axes only share one sum.
  double solution(const Point& x) {
    Point place{};
    for (std::size_t a = 0; a < axes_.size(); ++a) place[a] = axes_[a].convolved() ? x[a] : 0;
    const auto [entry, fresh] = potential_.try_emplace(place, 0.0);
    if (fresh) entry->second = potential(place);
    return entry->second * shape(x);
  }

 private:
  double shape(const Point& x) const {
    double product = 1;
    for (std::size_t a = 0; a < axes_.size(); ++a) product *= axes_[a].shape(x[a]);
    return product;
  }

  double potential(const Point& x) const {
    double sum = 0;
    Extents source(source_extents_.dims());
    std::vector<double> coordinates;
    for (index_t i = 0; i < source_extents_.product(); ++i) {
      index_t rest = i;
      for (int a = source.dims() - 1; a >= 0; --a) {
        source[a] = rest % source_extents_[a];
        rest /= source_extents_[a];
      }
      sum += noise(source) * kernel_sum(x, source, coordinates);
    }
    return sum * volume_;
  }

  /// Sum over the source and its images; `coordinates` holds the axes before the next one.
  double kernel_sum(const Point& x, const Extents& source, std::vector<double>& coordinates) const {
    const std::size_t a = coordinates.size();
    if (a == axes_.size()) return kernel_->value(coordinates);
    const auto with = [&](double coordinate) {
      coordinates.push_back(coordinate);
      const double value = kernel_sum(x, source, coordinates);
      coordinates.pop_back();
      return value;
    };
    if (!axes_[a].convolved()) return with(axes_[a].wavenumber());
    double sum = 0;
    for (const auto& [offset, sign] : axes_[a].offsets(x[a], source[static_cast<int>(a)])) sum += sign * with(offset);
    return sum;
  }

  std::vector<DirectAxis> axes_;
  Extents source_extents_;
  double volume_ = 1;
  std::unique_ptr<GreenKernel> kernel_;
  std::map<Point, double> potential_;
};

PoissonProblem uneven_problem(int number) {
  constexpr std::array<index_t, 3> cells{5, 4, 6};
  constexpr std::array<double, 3> length{1.0, 0.8, 1.3};
  PoissonProblem problem;
  problem.boundary = combination(number);
  problem.centring.clear();
  for (std::size_t a = 0; a < problem.boundary.size(); ++a) {
    problem.cells.push_back(cells[a]);
    problem.length.push_back(length[a]);
    problem.centring.push_back((number / 3 >> a) % 2 == 0 ? Centring::cell : Centring::node);
  }
  return problem;
}

TEST(PoissonDirect, UnevenGridsOfMixedCentringAgreeWithTheSumOverAllPairs) {
  const Comm comm(MPI_COMM_WORLD);
  for (const int number : selected_combinations(comm.size())) {
    const PoissonProblem problem = uneven_problem(number);
    DirectProblem direct(problem, number);
    Poisson<double> solver(MPI_COMM_WORLD, problem, matrix_options());
    std::vector<double> rhs(static_cast<std::size_t>(solver.box().size()));
    for_each_point(solver, [&](std::size_t i, const Extents& index, const Point& x) { rhs[i] = direct.rhs(index, x); });
    const std::vector<double> solution = solved(solver, rhs);
    double worst = 0;
    for_each_point(solver, [&](std::size_t i, const Extents&, const Point& x) {
      worst = std::max(worst, std::abs(solution[i] - direct.solution(x)));
    });
    EXPECT_LE(worst, rounding_bound(comm, problem, rhs)) << describe(problem);
  }
}

}  // namespace
}  // namespace weft
