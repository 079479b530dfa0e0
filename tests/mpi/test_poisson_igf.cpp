// The error of the integrated Green's function against its leading term, for any spacings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mpi/exact_solutions.hpp"
#include "mpi/poisson_support.hpp"

namespace weft {
namespace {

using namespace testing;

constexpr double width = 0.055;
struct Errors {
  double leading;  ///< largest leading term
  double rest;     ///< largest |u_h - u - leading|
  double widest;   ///< largest spacing in widths of the Gaussian
};

/// A mean over a cell multiplies a mode by sinc(q h/2) along each convolved axis, so the leading term of the error is
/// the sum over them of h^2/24 d^2u/dx^2. Collective.
Errors errors(const Comm& comm, const std::vector<Boundary>& boundary, const Extents& cells,
              const std::vector<int>& modes) {
  PoissonProblem problem;
  problem.boundary = boundary;
  problem.cells = cells;
  problem.length.assign(boundary.size(), 1);
  problem.kernel = "igf";
  const exact::ExactCase expected = exact::charged(boundary, problem.length, {modes}, width);
  Poisson<double> solver(MPI_COMM_WORLD, problem);
  const std::vector<double> found = solved(solver, sample<double>(solver, expected.rhs));
  Errors result{};
  for (std::size_t axis = 0; axis < boundary.size(); axis++)
    if (is_convolved(boundary[axis]))
      result.widest = std::max(result.widest, 1 / (width * static_cast<double>(cells[static_cast<int>(axis)])));
  for_each_point(solver, [&](std::size_t i, const Extents&, const std::array<double, 3>& x) {
    constexpr double step = 1e-3;  // errs by (step/width)^2/12 = 3e-5 of the derivative
    const double middle = expected.solution(x[0], x[1], x[2]);
    double leading = 0;
    for (std::size_t axis = 0; axis < boundary.size(); axis++) {
      if (!is_convolved(boundary[axis])) continue;
      std::array<double, 3> low = x, high = x;
      low[axis] -= step;
      high[axis] += step;
      const double curvature =
          (expected.solution(low[0], low[1], low[2]) - 2 * middle + expected.solution(high[0], high[1], high[2])) /
          (step * step);
      leading += curvature / (24 * std::pow(static_cast<double>(cells[static_cast<int>(axis)]), 2));
    }
    result.leading = std::max(result.leading, std::abs(leading));
    result.rest = std::max(result.rest, std::abs(found[i] - middle - leading));
  });
  return {comm.max(result.leading), comm.max(result.rest), result.widest};
}

TEST(PoissonIgf, HasTheErrorOfAMeanOverCells) {
  const Comm comm(MPI_COMM_WORLD);
  struct Case {
    std::vector<Boundary> boundary;
    Extents cells;
    std::vector<int> modes;
  };
  for (const Case& c : {Case{{U, U}, {96, 96}, {0, 0}},
                        {{U, U}, {64, 160}, {0, 0}},
                        {{{E, U}, U}, {160, 64}, {0, 0}},
                        {{U, P}, {96, 64}, {0, 0}},
                        {{U, P}, {96, 64}, {0, 1}},
                        {{P, {U, O}}, {20, 120}, {1, 0}},
                        {{U, P, U}, {48, 8, 64}, {0, 1, 0}},
                        {{U, U, U}, {32, 40, 48}, {0, 0, 0}}}) {
    const Errors found = errors(comm, c.boundary, c.cells, c.modes);
    std::string text;
    for (const Boundary& boundary : c.boundary) text += to_string(boundary) + " ";
    // The next terms have two derivatives more, of a Gaussian of width s, with factors below 1/24 each of 3 axes and
    // twice that for the aliases: (h/s)^2/4 of the leading term.
    EXPECT_LT(found.rest, found.widest * found.widest / 4 * found.leading) << text << to_string(c.cells);
  }
}

}  // namespace
}  // namespace weft
