// Every combination of boundaries, cell- and node-centred, against exact solutions with a bound that has no free
// constant; and the same combinations on uneven grids against sums over all pairs of points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
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
  double wavenumber() const { return wavenumber_; }
  /// The eigenfunction.
  double shape(double x) const {
    if (convolved()) return 1;
    if (domain_.boundary == Boundary(End::periodic)) return std::cos(wavenumber_ * x + 0.4);
    return domain_.boundary.left == End::odd ? std::sin(wavenumber_ * x) : std::cos(wavenumber_ * x);
  }
  /// Stored points that hold different values of the source, or of the sum; one along spectral axes.
  index_t points() const { return convolved() ? domain_.points() : 1; }
  double spacing() const { return domain_.spacing(); }
  /// The largest offset in spacings: from the image of one end to the other end.
  index_t reach() const { return convolved() ? 2 * domain_.cells : 0; }
  /// The offsets in spacings, with signs, of stored point i from the source at stored point j and from its image in
  /// the mirror plane. Points on an even plane are their own images, those on an odd plane count for nothing.
  std::vector<std::pair<index_t, int>> offsets(index_t i, index_t j) const {
    const auto [left, right] = domain_.boundary;
    if (!convolved() || classify(domain_.boundary) == AxisClass::unbounded) return {{i - j, 1}};
    const index_t shift = domain_.centring == Centring::cell ? 1 : 0;
    const index_t image = (left == End::unbounded ? 2 * domain_.cells : 0) - shift - j;
    const bool is_even = left == End::even || right == End::even;
    if (image != j) return {{i - j, 1}, {i - image, is_even ? 1 : -1}};
    return is_even ? std::vector<std::pair<index_t, int>>{{i - j, 1}} : std::vector<std::pair<index_t, int>>{};
  }

 private:
  DomainAxis domain_;
  double wavenumber_;
};

/// A kernel at whole numbers of spacings along the convolved axes, each worked out once.
class KernelTable {
 public:
  KernelTable(const Kernel& kernel, const std::vector<DirectAxis>& axes) : axes_(axes) {
    std::vector<GreenAxis> green;
    index_t entries = 1;
    for (const DirectAxis& axis : axes) {
      green.push_back({axis.convolved(), axis.spacing()});
      entries *= axis.reach() + 1;
    }
    kernel_ = make_kernel(kernel, green);
    known_.resize(static_cast<std::size_t>(entries));
  }

  /// Kernels are even in every offset.
  double operator()(const Extents& offset) {
    index_t entry = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a)
      entry = entry * (axes_[a].reach() + 1) + std::abs(offset[static_cast<int>(a)]);
    std::optional<double>& value = known_[static_cast<std::size_t>(entry)];
    if (!value) value = kernel_->value(coordinates(offset));
    return *value;
  }

 private:
  std::vector<double> coordinates(const Extents& offset) const {
    std::vector<double> x;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const auto steps = static_cast<double>(std::abs(offset[static_cast<int>(a)]));
      x.push_back(axes_[a].convolved() ? steps * axes_[a].spacing() : axes_[a].wavenumber());
    }
    return x;
  }

  const std::vector<DirectAxis>& axes_;
  std::unique_ptr<GreenKernel> kernel_;
  std::vector<std::optional<double>> known_;
};

std::vector<DirectAxis> direct_axes(const PoissonProblem& problem, int number) {
  std::vector<DirectAxis> axes;
  for (std::size_t a = 0; a < problem.boundary.size(); ++a) {
    const DomainAxis domain{problem.cells[static_cast<int>(a)], problem.length[a], problem.boundary[a],
                            problem.centring[a]};
    axes.emplace_back(domain, (number + static_cast<int>(a)) % 3);
  }
  return axes;
}

/// The source and the solution of such a problem by summing the kernel over all pairs of points along the convolved
/// axes: no transform, no padding, any spacing.
class DirectProblem {
 public:
  DirectProblem(const PoissonProblem& problem, int number)
      : axes_(direct_axes(problem, number)), kernel_(problem.kernel, axes_) {
    for (const DirectAxis& axis : axes_) {
      extents_.push_back(axis.points());
      if (axis.convolved()) volume_ *= axis.spacing();
    }
    potential_.resize(static_cast<std::size_t>(extents_.product()));
  }
  DirectProblem(const DirectProblem&) = delete;

  double rhs(const Extents& index, const Point& x) const { return shape(x) * noise(place(index)); }

  /// Points that differ along spectral axes only share one sum.
  double solution(const Extents& index, const Point& x) {
    const Extents strides = c_strides(extents_), point = place(index);
    index_t at = 0;
    for (int a = 0; a < point.dims(); ++a) at += point[a] * strides[a];
    std::optional<double>& value = potential_[static_cast<std::size_t>(at)];
    if (!value) value = potential(point);
    return *value * shape(x);
  }

 private:
  double shape(const Point& x) const {
    double product = 1;
    for (std::size_t a = 0; a < axes_.size(); ++a) product *= axes_[a].shape(x[a]);
    return product;
  }

  Extents place(Extents index) const {
    for (int a = 0; a < index.dims(); ++a) index[a] = extents_[a] == 1 ? 0 : index[a];
    return index;
  }

  double potential(const Extents& point) {
    double sum = 0;
    Extents source(extents_.dims()), offset(extents_.dims());
    for (index_t i = 0; i < extents_.product(); ++i) {
      index_t rest = i;
      for (int a = source.dims() - 1; a >= 0; --a) {
        source[a] = rest % extents_[a];
        rest /= extents_[a];
      }
      sum += noise(source) * kernel_sum(point, source, 0, offset);
    }
    return sum * volume_;
  }

  /// Sum over the source and its images along the axes from `axis` on; `offset` has those along the axes before.
  double kernel_sum(const Extents& point, const Extents& source, int axis, Extents& offset) {
    if (axis == point.dims()) return kernel_(offset);
    double sum = 0;
    for (const auto& [steps, sign] : axes_[static_cast<std::size_t>(axis)].offsets(point[axis], source[axis])) {
      offset[axis] = steps;
      sum += sign * kernel_sum(point, source, axis + 1, offset);
    }
    return sum;
  }

  std::vector<DirectAxis> axes_;
  KernelTable kernel_;
  Extents extents_;
  double volume_ = 1;
  std::vector<std::optional<double>> potential_;
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
    for_each_point(solver, [&](std::size_t i, const Extents& index, const Point& x) {
      worst = std::max(worst, std::abs(solution[i] - direct.solution(index, x)));
    });
    EXPECT_LE(worst, rounding_bound(comm, problem, rhs)) << describe(problem);
  }
}

}  // namespace
}  // namespace weft
