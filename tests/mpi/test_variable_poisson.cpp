// VariablePoisson: exact discrete solutions, spectral accuracy, symmetry, residuals, and the bits of one rank.
#include "weft/variable_poisson.hpp"

#include <gtest/gtest.h>

#include "mpi/variable_support.hpp"

namespace weft {
namespace {

using namespace testing;
using std::numbers::pi;

VariableProblem problem_of(const Extents& cells, const std::vector<Boundary>& boundary, Form form) {
  VariableProblem problem{cells, std::vector<double>(boundary.size(), 1.0), boundary, form};
  problem.tolerance = 1e-12;
  return problem;
}

const std::vector<std::vector<Boundary>> mixes{{End::periodic, End::periodic, End::periodic},
                                               {End::even, End::periodic, End::even},
                                               {End::odd, {End::even, End::odd}, End::periodic},
                                               {{End::odd, End::even}, End::odd, End::even},
                                               {End::odd, End::periodic}};
/// All on 2 ranks, elsewhere two of them, which change with the number of ranks.
std::vector<std::vector<Boundary>> selected_mixes(const Comm& comm) {
  const auto first = static_cast<std::size_t>(comm.size());
  if (first == 2) return mixes;
  return {mixes[first % mixes.size()], mixes[(first + 2) % mixes.size()]};
}
Extents cells_of(const std::vector<Boundary>& mix) { return mix.size() == 2 ? Extents{9, 8} : Extents{9, 8, 10}; }

/// What lies beyond an end, by its definition: the point one period away, or the mirror image and its sign.
struct Beyond {
  index_t cell;
  double sign;
};
Beyond beyond(index_t cell, index_t cells, const Boundary& boundary) {
  if (cell >= 0 && cell < cells) return {cell, 1};
  if (boundary.left == End::periodic) return {(cell + cells) % cells, 1};
  const End end = cell < 0 ? boundary.left : boundary.right;
  return {cell < 0 ? -1 - cell : 2 * cells - 1 - cell, end == End::odd ? -1.0 : 1.0};
}

/// Numbers of every cell of the whole grid, so that each rank knows its neighbours' without any exchange.
double a_of(const Extents& cell) { return 1.5 + noise(cell); }
double u_of(Extents cell) {
  cell[0] += 1000;
  return noise(cell);
}

/// Sum over axes of (q[j+1] - q[j]) / h - c u in one cell, from these numbers.
double fluxes_into(const Extents& cell, const VariableProblem& problem, double c) {
  double sum = -c * u_of(cell);
  for (int axis = 0; axis < cell.dims(); axis++) {
    const double h = problem.length[static_cast<std::size_t>(axis)] / static_cast<double>(problem.cells[axis]);
    for (const index_t step : {-1, 1}) {
      Extents other = cell;
      const Beyond there =
          beyond(cell[axis] + step, problem.cells[axis], problem.boundary[static_cast<std::size_t>(axis)]);
      other[axis] = there.cell;
      const double one = a_of(cell), next = a_of(other);
      const double a = problem.faces == Faces::harmonic ? 2 * one * next / (one + next) : (one + next) / 2;
      sum += a * (there.sign * u_of(other) - u_of(cell)) / (h * h);
    }
  }
  return sum;
}

template <class Function>
std::vector<double> per_cell(const Box& box, const Function& function) {
  std::vector<double> values;
  for (index_t i = 0; i < box.size(); i++) {
    Extents cell(box.dims());
    index_t rest = i;
    for (int axis = box.dims() - 1; axis >= 0; rest /= box[axis--].size())
      cell[axis] = box[axis].lo + rest % box[axis].size();
    values.push_back(function(cell));
  }
  return values;
}

/// The operator has the fluxes of the equation, and a solve finds the numbers that have them.
TEST(VariablePoisson, ExactDiscreteSolutions) {
  const Comm comm(MPI_COMM_WORLD);
  for (const auto& mix : selected_mixes(comm))
    for (const Faces faces : {Faces::harmonic, Faces::arithmetic}) {
      VariableProblem problem = problem_of(cells_of(mix), mix, Form::finite_volume);
      problem.faces = faces;
      problem.around = faces == Faces::harmonic ? Around::laplacian : Around::scaled;
      VariablePoisson<double> solver(MPI_COMM_WORLD, problem);
      const double c = 3;
      const std::vector<double> wanted = per_cell(solver.box(), u_of),
                                f = per_cell(solver.box(), [&](const Extents&i) { return fluxes_into(i, problem, c); });
      solver.set_coefficients(per_cell(solver.box(), a_of).data(), std::vector<double>(f.size(), c).data());
      std::vector<double> found(f.size());
      solver.apply(wanted.data(), found.data());
      // 2 axes ends per axis, each of at most 2.5 4 / h^2 < 1000, and a few roundings each.
      EXPECT_LE(norm(comm, difference(found, f)), 16 * 0x1p-52 * 6000 * norm(comm, wanted));
      solver.solve(f.data(), found.data());
      EXPECT_LE(solver.residual(), problem.tolerance);
      // The inverse is below 1 / c; roundings of the remainder are those of the operator.
      EXPECT_LE(norm(comm, difference(found, wanted)),
                (problem.tolerance * norm(comm, f) + 64 * 0x1p-52 * 6000 * norm(comm, wanted)) / c);
    }
}

/// Waves of u and a whose products the grid holds, by the parity of the ends.
struct Wave {
  double u, du, d2u;
};
Wave wave_of(const Boundary& boundary, double x) {
  const double k = boundary.left == End::periodic ? 2 * pi : boundary.left == boundary.right ? pi : pi / 2;
  if (boundary.left == End::odd) return {std::sin(k * x), k * std::cos(k * x), -k * k * std::sin(k * x)};
  if (boundary.left == End::periodic)
    return {std::sin(k * x + 0.4), k * std::cos(k * x + 0.4), -k * k * std::sin(k * x + 0.4)};
  return {std::cos(k * x), -k * std::sin(k * x), -k * k * std::cos(k * x)};
}

/// With a = 2 + cos along the first axis, even at its ends: div(a grad u) = a lap u + a' u_x. All of it is
/// band-limited, so the error is rounding.
TEST(VariablePoisson, SpectralFormHasNoErrorForWavesOfTheGrid) {
  const Comm comm(MPI_COMM_WORLD);
  for (const auto& mix : selected_mixes(comm)) {
    VariableProblem problem = problem_of(cells_of(mix), mix, Form::spectral);
    problem.tolerance = 1e-13;
    VariablePoisson<double> solver(MPI_COMM_WORLD, problem);
    const double c = 1;
    const auto a = [](double x, double, double) { return 2 + std::cos(2 * pi * x); };
    const auto parts = [&](double x, double y, double z) {
      std::array<Wave, 3> w{wave_of(mix[0], x), wave_of(mix[1], y), Wave{1, 0, 0}};
      if (mix.size() == 3) w[2] = wave_of(mix[2], z);
      return w;
    };
    const auto u = [&](double x, double y, double z) {
      const auto w = parts(x, y, z);
      return w[0].u * w[1].u * w[2].u;
    };
    const auto rhs = [&](double x, double y, double z) {
      const auto w = parts(x, y, z);
      const double lap = w[0].d2u * w[1].u * w[2].u + w[0].u * w[1].d2u * w[2].u + w[0].u * w[1].u * w[2].d2u;
      return a(x, y, z) * lap - 2 * pi * std::sin(2 * pi * x) * w[0].du * w[1].u * w[2].u - c * u(x, y, z);
    };
    const std::vector<double> wanted = sample(solver, u), f = sample(solver, rhs);
    solver.set_coefficients(sample(solver, a).data(), std::vector<double>(f.size(), c).data());
    std::vector<double> found(f.size());
    solver.solve(f.data(), found.data());
    // The smallest eigenvalue is above c = 1, and below that of the operator the tolerance is one of f.
    EXPECT_LE(norm(comm, difference(found, wanted)), 2 * problem.tolerance * norm(comm, f)) << to_string(mix[0]);
  }
}

/// v (L u) = u (L v), and -u (L u) > 0: for numbers without any order, in both forms.
TEST(VariablePoisson, OperatorsAreSymmetricAndDefinite) {
  const Comm comm(MPI_COMM_WORLD);
  for (const Form form : {Form::finite_volume, Form::spectral})
    for (const auto& mix : selected_mixes(comm)) {
      VariablePoisson<double> solver(MPI_COMM_WORLD, problem_of(cells_of(mix), mix, form));
      solver.set_coefficients(sample(solver, medium(20)).data());
      const std::vector<double> rough = noise_in(solver), smooth = sample(solver, medium(3));
      std::vector<double> u(rough.size()), v(rough.size()), lu(rough.size()), lv(rough.size());
      // What the spectral form leaves out is no part of the fields that it acts on: take images.
      solver.apply(rough.data(), u.data());
      solver.apply(smooth.data(), v.data());
      solver.apply(u.data(), lu.data());
      solver.apply(v.data(), lv.data());
      const double scale = norm(comm, lu) * norm(comm, v) + norm(comm, lv) * norm(comm, u);
      EXPECT_LE(std::abs(dot(comm, v, lu) - dot(comm, u, lv)), 64 * 0x1p-52 * scale) << to_string(form);
      EXPECT_LT(dot(comm, u, lu), 0);
    }
}

TEST(VariablePoisson, ConstantCoefficientsTakeOneIterationAndGiveTheSolutionOfPoisson) {
  const Comm comm(MPI_COMM_WORLD);
  for (const Form form : {Form::finite_volume, Form::spectral}) {
    const VariableProblem problem = problem_of({9, 9, 9}, {End::periodic, End::even, {End::odd, End::even}}, form);
    VariablePoisson<double> solver(MPI_COMM_WORLD, problem);
    PoissonProblem plain{problem.cells, problem.length, problem.boundary};
    plain.kernel = form == Form::spectral ? "chat2" : "lgf2";
    Poisson<double> poisson(MPI_COMM_WORLD, plain);
    std::vector<double> found = noise_in(solver), wanted = found;
    solver.set_coefficients(std::vector<double>(found.size(), 3.0).data());
    solver.solve(found.data(), found.data());
    poisson.solve(wanted, wanted);
    for (double& value : wanted) value /= 3;
    EXPECT_EQ(solver.iterations(), 1);
    EXPECT_LE(norm(comm, difference(found, wanted)), 1e-12 * norm(comm, wanted));
  }
}

template <class Real>
VariablePoisson<Real> solver_of(MPI_Comm comm, const VariableProblem& problem, int threads) {
  PlanOptions options = VariablePoisson<Real>::default_options();
  options.threads = threads;
  return {comm, problem, options};
}

template <class Real>
std::vector<Real> solution(VariablePoisson<Real>& solver, Form form) {
  const std::vector<Real> a = sample(solver, medium(30)), c = sample(solver, medium(2)), f = noise_in(solver);
  std::vector<Real> u(f.size());
  solver.set_coefficients(a.data(), form == Form::spectral ? nullptr : c.data());
  solver.solve(f.data(), u.data());
  return u;
}

/// Two threads on each of a few ranks, one on one.
template <class Real>
void expect_bits_of_one_rank(const VariableProblem& problem) {
  const int threads = Comm(MPI_COMM_WORLD).size() <= 2 ? 2 : 1;
  auto solver = solver_of<Real>(MPI_COMM_WORLD, problem, threads), alone = solver_of<Real>(MPI_COMM_SELF, problem, 1);
  const std::vector<Real> found = solution(solver, problem.form), whole = solution(alone, problem.form);
  const Extents strides = c_strides(problem.cells);
  const std::vector<double> places = per_cell(solver.box(), [&](const Extents& cell) {
    index_t place = 0;
    for (int axis = 0; axis < cell.dims(); axis++) place += cell[axis] * strides[axis];
    return static_cast<double>(place);
  });
  for (std::size_t i = 0; i < found.size(); i++) ASSERT_EQ(found[i], whole[static_cast<std::size_t>(places[i])]);
  EXPECT_EQ(solver.iterations(), alone.iterations());
  EXPECT_GT(solver.iterations(), 1);
}

template <class Real>
class VariableBits : public ::testing::Test {};
using Reals = ::testing::Types<double, float>;
TYPED_TEST_SUITE(VariableBits, Reals);

TYPED_TEST(VariableBits, AreThoseOfOneRank) {
  for (const Form form : {Form::finite_volume, Form::spectral}) {
    VariableProblem problem = problem_of({9, 8, 10}, {End::periodic, End::even, {End::odd, End::even}}, form);
    problem.tolerance = 1e-2;
    expect_bits_of_one_rank<TypeParam>(problem);
  }
}

/// More ranks than rows: some own nothing, and take part in all the same.
TYPED_TEST(VariableBits, RanksWithoutCellsTakePart) {
  for (const Form form : {Form::finite_volume, Form::spectral}) {
    VariableProblem problem = problem_of({3, 4}, {End::even, End::periodic}, form);
    problem.tolerance = 1e-2;
    problem.around = form == Form::spectral ? Around::scaled : Around::laplacian;
    expect_bits_of_one_rank<TypeParam>(problem);
  }
}

}  // namespace
}  // namespace weft
