// Particles go to the ranks that own the points nearest to them and back, and their charge is on the mesh whatever the
// layout. The Python tests compare shares with the closed form of B-splines, and forces with exact ones.
#include "weft/particle_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "plan_fixture.hpp"

namespace weft {
namespace {

using plan_test::expect_refused;

constexpr index_t count = 40;

/// Positions in the unit square, other ones on every rank.
template <class Real>
std::vector<Real> some_positions() {
  std::vector<Real> positions = plan_test::numbers<Real>(2 * count, static_cast<std::uint32_t>(world().rank() + 1));
  for (Real& x : positions) x = (x + 1) / 2;
  return positions;
}

template <class Real>
void check_layout(const Layout& layout, int order) {
  ParticleProblem problem;
  problem.spacing = {1.0 / static_cast<double>(layout.extents()[0]), 1.0 / static_cast<double>(layout.extents()[1])};
  problem.order = order;
  const Box box = layout.box(world().rank());
  ParticleMesh<Real> mesh(MPI_COMM_WORLD, layout.extents(), box, problem);
  const std::vector<Real> positions = some_positions<Real>();
  const Migration moves = mesh.migration(positions.data(), count);
  const auto arrived = static_cast<std::size_t>(moves.count());
  std::vector<Real> here(2 * arrived), charges(arrived, 1), values(arrived), back(positions.size());
  moves.forward(positions.data(), here.data(), 2 * sizeof(Real));
  moves.backward(here.data(), back.data(), 2 * sizeof(Real));
  EXPECT_EQ(back, positions);
  for (std::size_t i = 0; i < arrived; ++i)
    for (int axis = 0; axis < 2; ++axis) {
      const index_t n = layout.extents()[axis];
      const double place = static_cast<double>(here[2 * i + static_cast<std::size_t>(axis)]) * static_cast<double>(n);
      EXPECT_TRUE(box[axis].contains(static_cast<index_t>(std::floor(place + 0.5)) % n)) << place;
    }
  std::vector<Real> density(static_cast<std::size_t>(box.size())), ones(density.size(), 1);
  mesh.deposit(here.data(), charges.data(), moves.count(), density.data());
  const double total = world().sum(std::accumulate(density.begin(), density.end(), 0.0));
  const double all = static_cast<double>(count * world().size());
  // A point adds up at most all particles; the shares of one have a rounding error for every order and axis.
  const double rounding = std::numeric_limits<Real>::epsilon() * (all + 2 * order);
  EXPECT_NEAR(total, all, rounding * all);
  mesh.gather(here.data(), moves.count(), ones.data(), 1, values.data());
  for (const Real value : values) EXPECT_NEAR(value, 1, rounding);
}

TEST(ParticleMesh, HasAllChargeOnEveryLayout) {
  const int ranks = world().size();
  check_layout<double>(Layout({8, 6}, ProcessGrid({ranks}), {0}), 2);
  check_layout<double>(Layout({5, 3}, ProcessGrid({ranks}), {1}), 5);  // ranks without points
  check_layout<float>(Layout({9, 12}, ProcessGrid({1, ranks}), {0, 1}, Scheme::block), 4);
}

TEST(ParticleMesh, RefusesWhatIsNotAllowed) {
  const int ranks = world().size();
  const Layout layout({2 * ranks, 4}, ProcessGrid({ranks}), {0});
  const Box box = layout.box(world().rank());
  ParticleProblem problem;
  problem.spacing = {1};
  problem.order = world().rank() == 0 ? 2 : 3;
  const auto make = [&] { ParticleMesh<double>(MPI_COMM_WORLD, layout.extents(), box, problem); };
  if (ranks > 1) expect_refused(make, {"the mesh"});
  problem.order = 9;
  expect_refused(make, {"order: 9 is not allowed"});
  problem.order = 2;
  problem.boundary = {End::unbounded};
  ParticleMesh<double> mesh(MPI_COMM_WORLD, layout.extents(), box, problem);
  const std::vector<double> outside{-0.5, 1}, charges{1};
  std::vector<double> density(static_cast<std::size_t>(box.size()));
  expect_refused([&] { mesh.deposit(outside.data(), charges.data(), 1, density.data()); },
                 {"particle 0 at (-0.5", "is not on the mesh"});
}

}  // namespace
}  // namespace weft
