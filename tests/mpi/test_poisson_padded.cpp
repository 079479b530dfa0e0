// What a solve in free space sends and holds: the modes of one axis travel, nothing that is padded twice is ever
// stored.
#include <gtest/gtest.h>

#include "weft/poisson.hpp"

namespace weft {
namespace {

PoissonProblem free_space(index_t cells) {
  PoissonProblem problem;
  problem.cells = {cells, cells, cells};
  problem.length = {1, 1, 1};
  problem.boundary.assign(3, {End::unbounded});
  return problem;
}

TEST(PoissonPadded, SlabsSendTheModesOfOneAxisThereAndBack) {
  const Comm comm(MPI_COMM_WORLD);
  constexpr index_t n = 24;
  Poisson<double> solver(MPI_COMM_WORLD, free_space(n));
  // All complex modes of axis 2, n (n+1) n of them, but for those that a rank keeps: its planes of axis 0 in its modes.
  index_t kept = 0;
  const Layout& points = solver.layout();
  const Partition modes(n + 1, comm.size());
  for (int rank = 0; rank < comm.size(); rank++) kept += points.box(rank)[0].size() * n * modes.range(rank).size();
  const index_t expected = 2 * (n * n * (n + 1) - kept) * 2 * static_cast<index_t>(sizeof(double));
  EXPECT_EQ(comm.sum(static_cast<double>(solver.bytes_sent())), static_cast<double>(expected));
}

TEST(PoissonPadded, MemoryIsThatOfOneAxisOfModesThePlanesOfAThreadAndTheKernel) {
  const Comm comm(MPI_COMM_WORLD);
  constexpr index_t n = 48;
  PlanOptions options = Poisson<double>::default_options();
  options.threads = 1;
  options.strategy = Strategy::alltoallv;
  Poisson<double> solver(MPI_COMM_WORLD, free_space(n), options);
  const auto share = [&](index_t m) { return (m + comm.size() - 1) / comm.size(); };
  constexpr index_t real = sizeof(double);
  // Blocks on both sides of the exchange, padded by at most a sixteenth; what one rank keeps lies on one side alone.
  const index_t sides = 2 * real * (share(n) * n * (n + 1) + n * n * share(n + 1));
  const index_t plane = 2 * real * 8 * (2 * n + 1) * n, kernel = real * (n + 1) * (n + 1) * share(n + 1);
  constexpr index_t lines = 1 << 19;  // blocks of lines and tables of addresses
  EXPECT_LE(solver.workspace_bytes(), sides + sides / 16 + plane + kernel + lines);
}

}  // namespace
}  // namespace weft
