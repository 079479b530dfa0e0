// Problems with a finite-difference axis: the discrete equation holds to rounding, solutions converge with order 2 on
// stretched cells, and have the same bits on any number of ranks.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "error_text.hpp"
#include "mpi/bits_of_one_rank.hpp"
#include "mpi/refused_problem.hpp"

namespace weft {
namespace {

using std::numbers::pi;
using namespace testing;
using Function = std::function<double(double, double, double)>;

/// Cells between 0 and `length` that are narrow at both ends, as between walls.
std::vector<double> stretched(index_t cells, double length) {
  const auto edge = [&](index_t j) {
    return length / 2 *
           (1 + std::tanh(1.5 * (2 * static_cast<double>(j) / static_cast<double>(cells) - 1)) / std::tanh(1.5));
  };
  std::vector<double> widths;
  for (index_t j = 0; j < cells; j++) widths.push_back(edge(j + 1) - edge(j));
  return widths;
}

const std::array<Ends, 6> difference_ends{{{End::periodic},
                                           {End::even},
                                           {End::odd},
                                           {{End::odd, End::even}},
                                           {End::odd, {0.3, 0}},
                                           {{End::even, End::odd}, {0, 2}}}};

/// A small problem whose axis `axis` is the finite-difference one; what the others have changes with it.
PoissonProblem difference_problem(int axis, const Ends& ends, bool two_axes = false) {
  PoissonProblem problem;
  problem.cells = {6, 9, 10};
  problem.length = {1, 1.7, 0.8};
  problem.boundary = {End::periodic, End::even, End::periodic};
  problem.widths.assign(3, {});
  if (two_axes) {
    problem.cells = {6, 9};
    for (auto* list : {&problem.length}) list->pop_back();
    problem.boundary.pop_back();
    problem.widths.pop_back();
  }
  const auto a = static_cast<std::size_t>(axis);
  problem.boundary[a] = ends.boundary;
  problem.widths[a] = stretched(problem.cells[axis], problem.length[a]);
  problem.robin = ends.robin;
  problem.kernel = "lgf2";
  return problem;
}

// --- the discrete equation ----------------------------------------------------------------------------------------

/// Values of a whole array with what lies beyond its ends.
class Differences {
 public:
  explicit Differences(const PoissonProblem& problem) : problem_(problem), strides_(c_strides(problem.cells)) {}

  /// lap u - lambda^2 u of finite volumes along all axes, and the sum of the moduli of its terms.
  std::pair<double, double> at(const std::vector<double>& u, const Extents& index) const {
    const double here = u[place(index)];
    double value = -problem_.screening * problem_.screening * here, size = std::abs(value);
    for (int axis = 0; axis < index.dims(); axis++) {
      for (const int side : {-1, 1}) {
        const auto [coupling, other] = beside(u, index, axis, side);
        value += coupling / width(axis, index[axis]) * (other - here);
        size += coupling / width(axis, index[axis]) * (std::abs(other) + std::abs(here));
      }
    }
    return {value, size};
  }

 private:
  std::size_t place(const Extents& index) const {
    index_t at = 0;
    for (int axis = 0; axis < index.dims(); axis++) at += index[axis] * strides_[axis];
    return static_cast<std::size_t>(at);
  }
  double width(int axis, index_t j) const {
    const auto a = static_cast<std::size_t>(axis);
    const auto& widths = problem_.widths[a];
    return widths.empty() ? problem_.length[a] / static_cast<double>(problem_.cells[axis])
                          : widths[static_cast<std::size_t>(j)];
  }
  /// The flux into a cell from one side is coupling (other - here).
  std::pair<double, double> beside(const std::vector<double>& u, Extents index, int axis, int side) const {
    const auto a = static_cast<std::size_t>(axis);
    const Boundary& boundary = problem_.boundary[a];
    const index_t n = problem_.cells[axis], j = index[axis], other = j + side;
    const double here = width(axis, j);
    const bool inside = other >= 0 && other < n;
    if (inside || boundary.left == End::periodic) {
      index[axis] = (other + n) % n;
      return {2 / (here + width(axis, index[axis])), u[place(index)]};
    }
    if ((side < 0 ? boundary.left : boundary.right) == End::even) return {0, 0};
    const double robin = problem_.widths[a].empty() ? 0 : problem_.robin[side < 0 ? 0 : 1];
    return {1 / (here / 2 + robin), 0};
  }

  const PoissonProblem& problem_;
  Extents strides_;
};

/// The mean over the domain.
double mean_of(const PoissonProblem& problem, const Poisson<double>& solver, const std::vector<double>& values) {
  double sum = 0, all = 0;
  for_each_point(solver, [&](std::size_t i, const Extents& index, const std::array<double, 3>&) {
    double weight = 1;
    for (std::size_t a = 0; a < problem.widths.size(); a++)
      if (!problem.widths[a].empty()) weight = problem.widths[a][static_cast<std::size_t>(index[static_cast<int>(a)])];
    sum += weight * values[i];
    all += weight;
  });
  return sum / all;
}

bool is_free(const PoissonProblem& problem) {
  return problem.screening == 0 && std::all_of(problem.boundary.begin(), problem.boundary.end(), [](const Boundary& b) {
           return b == Boundary(End::periodic) || b == Boundary(End::even);
         });
}

/// Transforms err by 7 u a stage relative to their results (Higham 2002, theorem 24.2), in the 2-norm: there and back,
/// that is what the operator makes of so much of u. The systems of the lines err by less.
void expect_discrete_equation(const PoissonProblem& problem) {
  Poisson<double> solver(MPI_COMM_SELF, problem, one_thread());
  std::vector<double> rhs = noisy_field(solver);
  const std::vector<double> u = solved(solver, rhs);
  if (is_free(problem)) {
    const double mean = mean_of(problem, solver, rhs);
    for (double& value : rhs) value -= mean;
    EXPECT_NEAR(mean_of(problem, solver, u), 0, 1e-14) << describe(problem);
  }
  const Differences differences(problem);
  double error = 0, largest = 0, squares = 0, stages = 0;
  for (int axis = 0; axis < problem.cells.dims(); axis++)
    stages += std::log2(4 * static_cast<double>(problem.cells[axis])) + 2;
  for_each_point(solver, [&](std::size_t i, const Extents& index, const std::array<double, 3>&) {
    const auto [value, size] = differences.at(u, index);
    error += std::pow(value - rhs[i], 2);
    largest = std::max(largest, std::abs(u[i]) > 0 ? size / std::abs(u[i]) : 0);
    squares += size * size;
  });
  const double bound = 14 * std::numeric_limits<double>::epsilon() * stages * std::sqrt(squares);
  EXPECT_LE(std::sqrt(error), bound) << describe(problem);
  EXPECT_GT(largest, 0);
}

TEST(PoissonDifferences, DiscreteEquationHoldsForAllEnds) {
  if (Comm(MPI_COMM_WORLD).size() > 1) GTEST_SKIP() << "each rank would do all of it";
  for (int axis = 0; axis < 3; axis++)
    for (const Ends& ends : difference_ends)
      for (const double screening : {0.0, 1.5}) {
        PoissonProblem problem = difference_problem(axis, ends);
        problem.screening = screening;
        expect_discrete_equation(problem);
      }
}

TEST(PoissonDifferences, DiscreteEquationHoldsInTwoDimensionsAndFewCells) {
  if (Comm(MPI_COMM_WORLD).size() > 1) GTEST_SKIP() << "each rank would do all of it";
  for (int axis = 0; axis < 2; axis++)
    for (const Ends& ends : difference_ends) {
      expect_discrete_equation(difference_problem(axis, ends, true));
      for (const index_t cells : {1, 2}) {
        PoissonProblem few = difference_problem(axis, ends, true);
        const auto a = static_cast<std::size_t>(axis);
        few.cells[axis] = cells;
        few.widths[a] = cells == 1 ? std::vector<double>{few.length[a]}
                                   : std::vector<double>{few.length[a] / 4, few.length[a] * 3 / 4};
        expect_discrete_equation(few);
      }
    }
}

// --- order --------------------------------------------------------------------------------------------------------

/// The largest error of cos(2 pi x) g(z) with u = cos(2 pi x) g, on n cells along z.
double profile_error(const Ends& ends, index_t cells, const std::function<double(double)>& g,
                     const std::function<double(double)>& g2) {
  PoissonProblem problem;
  problem.cells = {8, cells};
  problem.length = {1, 1};
  problem.boundary = {End::periodic, ends.boundary};
  problem.widths = {{}, stretched(cells, 1)};
  problem.robin = ends.robin;
  const Function rhs = [&](double x, double z, double) { return std::cos(2 * pi * x) * (g2(z) - 4 * pi * pi * g(z)); };
  const Function u = [&](double x, double z, double) { return std::cos(2 * pi * x) * g(z); };
  return solution_error(Comm(MPI_COMM_WORLD), problem, rhs, u).largest;
}

// Errors are c h^2 (1 + O(h^2)): a quarter on twice as many cells, to some percent.
TEST(PoissonDifferences, OrderIsTwoOnStretchedCells) {
  // z (1 - a z) is 0 at 0; at 1 its value plus b times its slope is 0.
  const double b = 0.3, a = (1 + b) / (1 + 2 * b);
  const auto ratio = [](const Ends& ends, const auto& g, const auto& g2) {
    return profile_error(ends, 32, g, g2) / profile_error(ends, 64, g, g2);
  };
  const auto wave = [](double z) { return std::sin(2 * pi * z); };
  EXPECT_NEAR(ratio({End::odd}, wave, [&](double z) { return -4 * pi * pi * wave(z); }), 4, 0.25);
  EXPECT_NEAR(ratio({End::periodic}, wave, [&](double z) { return -4 * pi * pi * wave(z); }), 4, 0.25);
  const auto cosine = [](double z) { return std::cos(pi * z); };
  EXPECT_NEAR(ratio({End::even}, cosine, [&](double z) { return -pi * pi * cosine(z); }), 4, 0.25);
  EXPECT_NEAR(ratio(
                  {End::odd, {0, b}}, [&](double z) { return z * (1 - a * z); }, [&](double) { return -2 * a; }),
              4, 0.25);
}

// Equal cells: the eigenvalue of cos(pi z) between even ends is that of second-order differences.
TEST(PoissonDifferences, EqualCellsHaveTheEigenvaluesOfDifferences) {
  const index_t n = 12;
  const double h = 1.0 / static_cast<double>(n), lambda = std::pow(2 / h * std::sin(pi * h / 2), 2);
  PoissonProblem problem;
  problem.cells = {8, n};
  problem.length = {1, 1};
  problem.boundary = {End::periodic, End::even};
  problem.widths = {{}, std::vector<double>(static_cast<std::size_t>(n), h)};
  const Function rhs = [](double x, double z, double) { return std::cos(2 * pi * x) * std::cos(pi * z); };
  for (const auto& [kernel, square] :
       {std::pair<const char*, double>{"chat2", 4 * pi * pi}, {"lgf2", std::pow(16 * std::sin(pi / 8), 2)}}) {
    problem.kernel = kernel;
    const Function u = [&, square = square](double x, double z, double y) { return -rhs(x, z, y) / (square + lambda); };
    EXPECT_LT(solution_error(Comm(MPI_COMM_WORLD), problem, rhs, u).largest, 1e-15) << kernel;
  }
}

// --- ranks --------------------------------------------------------------------------------------------------------

TEST(PoissonDifferences, AnyNumberOfRanksGivesTheSameBits) {
  for (int axis = 0; axis < 3; axis++)
    for (const Ends& ends : difference_ends) {
      expect_bits_of_one_rank<double>(difference_problem(axis, ends));
      PoissonProblem compact = difference_problem(axis, ends);
      compact.order = 4;
      expect_bits_of_one_rank<double>(compact);
      if (axis == 2) expect_bits_of_one_rank<float>(difference_problem(axis, ends));
      if (axis < 2) expect_bits_of_one_rank<double>(difference_problem(axis, ends, true));
    }
}

// In place, by two process axes, and in chunks.
TEST(PoissonDifferences, OptionsOfPlansChangeNoBit) {
  const Comm comm(MPI_COMM_WORLD);
  for (int axis = 0; axis < 3; axis++) {
    PoissonProblem problem = difference_problem(axis, difference_ends[3]);
    problem.boundary[axis == 0 ? 1 : 0] = End::even;
    problem.boundary[axis == 2 ? 1 : 2] = End::even;
    Poisson<double> plain(MPI_COMM_WORLD, problem, one_thread());
    const std::vector<double> expected = solved(plain, noisy_field(plain));
    PlanOptions options = one_thread();
    options.chunks = 3;
    options.strategy = Strategy::alltoallv;
    Poisson<double> chunked(MPI_COMM_WORLD, problem, options);
    EXPECT_TRUE(plan_test::same_bits(solved(chunked, noisy_field(chunked)), expected)) << axis;
    options = one_thread();
    options.in_place = true;
    Poisson<double> in_place(MPI_COMM_WORLD, problem, options);
    const SolverField<double> field = in_place.in_place_field();
    const Box box = in_place.box();
    std::vector<double> found;
    const Extents extents = box.extents();
    const auto visit = [&](const auto& work) {
      for (index_t i = 0; i < extents[0]; i++)
        for (index_t j = 0; j < extents[1]; j++)
          for (index_t k = 0; k < extents[2]; k++) work(Extents{i, j, k}, field.values(i, j, k));
    };
    visit([&](Extents index, double& value) {
      for (int a = 0; a < 3; a++) index[a] += box[a].lo;
      value = noise(index);
    });
    in_place.solve(field);
    visit([&](const Extents&, const double& value) { found.push_back(value); });
    ASSERT_EQ(box, plain.box());
    EXPECT_TRUE(plan_test::same_bits(found, expected)) << axis;
  }
}

// --- means and refusals -------------------------------------------------------------------------------------------

TEST(PoissonDifferences, MeanCountsCellsByTheirWidths) {
  PoissonProblem problem = difference_problem(1, {End::even});
  problem.mean = Mean::error;
  Poisson<double> solver(MPI_COMM_WORLD, problem, one_thread());
  // The mean of y over cells is half the length, with the widths as weights.
  const double half = problem.length[1] / 2;
  std::vector<double> rhs = sample(solver, [&](double, double y, double) { return y - half; });
  EXPECT_EQ(error_text([&] { (void)solved(solver, rhs); }), "no error");
  for (double& value : rhs) value += 1e-6;
  const std::string text = error_text([&] { (void)solved(solver, rhs); });
  EXPECT_TRUE(mentions(text, "rhs", "mean", "1e-06")) << text;
}

template <class... Parts>
void expect_difference_refused(const ProblemChange& change, const Parts&... parts) {
  expect_problem_refused(difference_problem(1, {End::odd}), change, parts...);
}

TEST(PoissonDifferences, WrongArgumentsAreNamed) {
  expect_difference_refused([](auto& p) { p.widths.pop_back(); }, "widths", "2 given for 3 axes");
  expect_difference_refused([](auto& p) { p.widths[1].pop_back(); }, "widths of axis 1", "8 given for 9 cells");
  expect_difference_refused([](auto& p) { p.widths[1][3] = -1; }, "widths of axis 1", "-1 given", "positive");
  expect_difference_refused([](auto& p) { p.length[1] = 1; }, "widths of axis 1", "sum is 1.7", "agree");
  expect_difference_refused([](auto& p) { p.widths[2] = stretched(10, 0.8); }, "widths", "2 axes", "one axis");
  expect_difference_refused([](auto& p) { p.boundary[1] = End::unbounded; }, "boundary of axis 1", "unbounded",
                            "periodic");
  expect_difference_refused([](auto& p) { p.boundary[0] = End::unbounded; }, "boundary of axis 0", "unbounded",
                            "other axes");
  expect_difference_refused([](auto& p) { p.centring = {Centring::node}; }, "centring of axis 1", "'cell'");
  expect_difference_refused([](auto& p) { p.kernel = "hej4"; }, "kernel", "hej4", "lgf2");
  expect_difference_refused([](auto& p) { p.kernel = "none"; }, "kernel", "'none'", "chat2");
  expect_difference_refused([](auto& p) { p.screening = -2; }, "screening", "-2", "0 or positive");
  expect_difference_refused([](auto& p) { p.order = 3; }, "order", "3 given", "2 or 4");
  expect_difference_refused([](auto& p) { p.robin = {0, -1}; }, "robin[1] of axis 1", "-1 given", "positive");
  expect_difference_refused(
      [](auto& p) {
        p.boundary[1] = End::even;
        p.robin = {0.5, 0};
      },
      "robin[0] of axis 1", "0.5 given", "even", "odd ends");
  expect_difference_refused(
      [](auto& p) {
        p.widths.clear();
        p.kernel = "chat2";
        p.robin = {0.5, 0};
      },
      "robin", "without widths");
}

TEST(PoissonDifferences, ExplainNamesTheSystems) {
  Poisson<double> solver(MPI_COMM_WORLD, difference_problem(1, {End::periodic}), one_thread());
  EXPECT_TRUE(mentions(solver.explain(), "cyclic systems of 9 cells along axis 1", "inside the last pass"))
      << solver.explain();
}

}  // namespace
}  // namespace weft
