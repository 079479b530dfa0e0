// The width of explain(): a page, whatever is planned.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/wrap.hpp"
#include "nodes.hpp"
#include "plan_fixture.hpp"
#include "weft/poisson.hpp"
#include "weft/redistribution.hpp"
#include "weft/vector_poisson.hpp"

namespace weft {
namespace {

using plan_test::Case;
using plan_test::rfftn;
using testing::widest_line;

const Boundary open{End::unbounded}, periodic{End::periodic};

std::vector<Case> cases() {
  std::vector<Case> found;
  for (const Extents& shape : {Extents{1024}, Extents{60, 64}, Extents{16, 18, 20}, Extents{8, 6, 8, 10},
                               Extents{6, 4, 6, 4, 6}, Extents{4, 4, 6, 4, 4, 6}}) {
    found.push_back(rfftn(shape));
    found.push_back({shape, std::vector<Kind>(static_cast<std::size_t>(shape.dims()), Kind::c2c)});
    found.push_back({shape, std::vector<Kind>(static_cast<std::size_t>(shape.dims()), Kind::dst2)});
  }
  return found;
}

void expect_page(const std::string& text) {
  EXPECT_LE(widest_line(text), page_width) << text;
  EXPECT_GT(widest_line(text), 0U);
}

// Before and after a run, whose times are longer to tell.
void expect_page(const Case& c, const PlanOptions& options, const PlanBoxes& boxes = {}) {
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, boxes, options);
  expect_page(plan.explain());
  if (options.in_place) return;
  std::vector<double> points = plan.physical_field(), modes = plan.spectral_field();
  plan.forward(points.data(), modes.data());
  expect_page(plan.explain());
}

PlanOptions with(Strategy strategy) {
  PlanOptions options;
  options.threads = 1;
  options.strategy = testing::possible(strategy);
  return options;
}

TEST(Explain, PlansOfOneToSixAxesFitAPage) {
  for (const Case& c : cases())
    for (const Strategy strategy : {Strategy::automatic, Strategy::alltoallv, Strategy::hierarchical}) {
      PlanOptions options = with(strategy);
      options.chunks = strategy == Strategy::automatic ? 0 : 4;
      options.fuse = strategy != Strategy::alltoallv;
      expect_page(c, options);
    }
}

TEST(Explain, PlansOnNodesInPlaceAndWithBoxesFitAPage) {
  for (const Case& c : cases()) {
    PlanOptions in_place = with(Strategy::automatic);
    in_place.in_place = true;
    if (c.shape.dims() > 1) expect_page(c, in_place);
    if (!testing::nodes_of_pairs()) continue;
    PlanOptions pairs = with(Strategy::hierarchical);
    pairs.node_ranks = 2;
    expect_page(c, pairs);
  }
  const Comm world(MPI_COMM_WORLD);
  const Case c = rfftn({12, 10, 8});
  const Box mine = world.rank() == 0 ? Box(c.shape) : Box(Extents{0, 0, 0});
  expect_page(c, with(Strategy::automatic), {mine, {}});
  PlanOptions first = with(Strategy::automatic);
  first.ranks = 1;
  expect_page(c, first);
}

TEST(Explain, SolversFitAPage) {
  for (const Boundary& boundary : {open, periodic}) {
    const PoissonProblem problem{{24, 20, 28}, {1, 1, 1}, {boundary, periodic, open}};
    Poisson<double> solver(MPI_COMM_WORLD, problem);
    expect_page(solver.explain());
    const std::vector<double> rhs(static_cast<std::size_t>(solver.box().size()));
    std::vector<double> solution(rhs.size());
    solver.solve(rhs.data(), solution.data());
    expect_page(solver.explain());
  }
  VectorProblem problem;
  problem.cells = {24, 20, 28};
  problem.length = {1, 1, 1};
  const std::vector<Boundary> boundary{open, periodic, open};
  problem.boundary = {boundary, boundary, boundary};
  expect_page(VectorPoisson<double>(MPI_COMM_WORLD, problem).explain());
}

}  // namespace
}  // namespace weft
