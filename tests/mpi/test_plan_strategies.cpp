// Every strategy, in whatever chunks and over whatever grid, gives the bits of one rank: plans, convolutions, plans in
// place, and nodes that are pretended.
#include <gtest/gtest.h>

#include "in_place_fixture.hpp"
#include "nodes.hpp"
#include "plan_fixture.hpp"

namespace weft::plan_test {
namespace {

PlanOptions by(Strategy strategy, int chunks = 1) {
  PlanOptions options = quick(strategy);
  options.chunks = chunks;
  options.node_ranks = strategy == Strategy::hierarchical ? 2 : 0;
  return options;
}

std::string name_of(const Case& c, const PlanOptions& options) {
  return to_string(c) + ", " + text_of(options) + ", " + std::to_string(options.chunks) + " chunks" +
         (options.fuse ? "" : ", not fused");
}

/// What one rank makes of the numbers of a case: its spectrum, that transformed back, and its product with other
/// numbers transformed back.
template <class Real>
struct Serial {
  explicit Serial(const Case& c)
      : physical(physical_numbers<Real>(c)), factors(numbers<Real>(c.spectral_shape().product(), 7)) {
    Plan<Real> plan(MPI_COMM_SELF, c.shape, c.kinds, quick());
    spectral = plan.spectral_field();
    filtered = restored = plan.physical_field();
    plan.forward(physical, spectral);
    plan.backward(spectral, restored);
    plan.apply(physical.data(), filtered.data(), {factors.data(), c_strides(c.spectral_shape()), false});
  }
  std::vector<Real> physical, factors, spectral, restored, filtered;
};

// Twice, so that what is still under way would show.
template <class Real>
void expect_same_bits(const Case& c, const Serial<Real>& serial, const PlanOptions& options) {
  SCOPED_TRACE(name_of(c, options));
  Plan<Real> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
  const auto points = part(serial.physical, c.shape, plan.physical_box(), c.physical_width());
  const auto modes = part(serial.spectral, c.spectral_shape(), plan.spectral_box(), c.spectral_width());
  const auto factors = part(serial.factors, c.spectral_shape(), plan.spectral_box(), 1);
  const auto filtered = part(serial.filtered, c.shape, plan.physical_box(), c.physical_width());
  const auto restored = part(serial.restored, c.shape, plan.physical_box(), c.physical_width());
  for (const Real factor : {Real(1), Real(2)}) {
    auto out = plan.spectral_field(), back = plan.physical_field(), result = plan.physical_field();
    plan.forward(times(points, factor), out);
    EXPECT_TRUE(same_bits(out, times(modes, factor)));
    plan.apply(times(points, factor).data(), result.data(),
               {factors.data(), c_strides(plan.spectral_box().extents()), false});
    EXPECT_TRUE(same_bits(result, times(filtered, factor)));
    plan.backward(out, back);
    EXPECT_TRUE(same_bits(back, times(restored, factor)));
    EXPECT_LE(distance(back, times(points, factor)),
              round_trip_bound(c, std::numeric_limits<Real>::epsilon()) * norm(times(serial.physical, factor)));
  }
}

/// All grids, strategies and numbers of chunks.
template <class Real>
void expect_every_way(const Case& c, int most_grid_dims) {
  const Serial<Real> serial(c);
  for (const std::vector<int>& grid : all_grids(world().size(), most_grid_dims))
    for (const Strategy strategy : testing::possible(all_strategies()))
      for (const int chunks : {1, 3}) {
        PlanOptions options = by(strategy, chunks);
        options.grid = grid;
        expect_same_bits(c, serial, options);
      }
}

TEST(PlanStrategies, SlabsAndPencilsInChunks) {
  expect_every_way<double>(rfftn({11, 10, 12}), 2);
  expect_every_way<float>({{7, 6, 9}, {Kind::c2c, Kind::dct2, Kind::dst3}}, 2);
}

TEST(PlanStrategies, FourAxesOnThreeDimensionalGrids) { expect_every_way<double>(rfftn({4, 5, 3, 6}), 3); }

TEST(PlanStrategies, MoreChunksThanPointsAndRanksWithoutData) { expect_every_way<double>(rfftn({2, 3, 4}), 2); }

// In two dimensions the contiguous axis is stored to several ranks' blocks, on one rank it is not: other code, which
// must do the same with the numbers of a line.
TEST(PlanStrategies, RealLinesInTwoDimensions) {
  for (const Extents& shape : {Extents{64, 64}, {9, 40}, {48, 128}, {4, 256}, {3, 40}, {10, 96}}) {
    for (const Strategy strategy : testing::possible({Strategy::alltoallv, Strategy::shared, Strategy::datatype})) {
      expect_same_bits(rfftn(shape), Serial<double>(rfftn(shape)), by(strategy));
      expect_same_bits(rfftn(shape), Serial<float>(rfftn(shape)), by(strategy));
    }
  }
}

TEST(PlanStrategies, RealLinesInOneThreeAndFourDimensions) {
  for (const Extents& shape : {Extents{96}, {8, 8, 40}, {5, 6, 128}, {2, 3, 4, 64}}) {
    expect_same_bits(rfftn(shape), Serial<double>(rfftn(shape)), by(Strategy::alltoallv));
    expect_same_bits(rfftn(shape), Serial<float>(rfftn(shape)), by(Strategy::alltoallv));
  }
}

// Without fusing, both neighbours of an exchange overlap with it.
TEST(PlanStrategies, PassesThatAreNotFused) {
  const Case c = rfftn({12, 9, 10});
  const Serial<double> serial(c);
  for (const Strategy strategy : testing::possible(all_strategies())) {
    PlanOptions options = by(strategy, 4);
    options.fuse = false;
    expect_same_bits(c, serial, options);
  }
}

TEST(PlanStrategies, ThreadsWithinChunks) {
  const Case c = rfftn({64, 60, 66});  // large enough for two threads on seven ranks
  const Serial<double> serial(c);
  for (const Strategy strategy : {Strategy::alltoallv, Strategy::persistent}) {
    PlanOptions options = by(strategy, 2);
    options.threads = 2;
    expect_same_bits(c, serial, options);
  }
}

// Pretended nodes keep the ranks from sharing one memory, so that in-place fields are moved by messages.
TEST(PlanStrategies, InPlaceBetweenNodes) {
  const Case c = rfftn({6, 7, 8});
  const Serial<double> serial(c);
  for (const Strategy strategy : testing::possible(all_strategies())) {
    if (strategy == Strategy::shared) continue;
    PlanOptions options = by(strategy, 2);
    options.in_place = true;
    options.node_ranks = 2;
    Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
    with_field(plan, [&](const auto& field) {
      store(field.physical, part(serial.physical, c.shape, plan.physical_box(), 1));
      world().barrier();
      plan.forward(field);
      EXPECT_TRUE(same_bits(values_in<double>(field.spectral),
                            part(serial.spectral, c.spectral_shape(), plan.spectral_box(), 2)))
          << name_of(c, options);
    });
  }
}

TEST(PlanStrategies, SharedMemoryEndsAtTheNode) {
  PlanOptions options = quick(Strategy::automatic);
  options.node_ranks = 2;
  const Plan<double> plan(MPI_COMM_WORLD, {8, 8, 8}, Kind::r2c, options);
  options.strategy = Strategy::shared;
  if (world().size() <= 2 && testing::one_node()) {
    EXPECT_EQ(plan.strategy(), testing::automatic_name());
    return;
  }
  EXPECT_EQ(plan.strategy(), "alltoallv");
  expect_refused(
      [&] {
        Plan<double>(MPI_COMM_WORLD, {8, 8, 8}, Kind::r2c, options);
      },
      {"strategy", "'shared' is not possible here", "do not share a node", "alltoallv"});
}

// Rank 0 has 3 planes of 8 rows of 6 modes, and keeps 2 rows of each; its node keeps 4.
TEST(PlanStrategies, WhatLeavesTheNodeIsTold) {
  if (world().size() != 4) GTEST_SKIP() << "needs two nodes of two ranks";
  PlanOptions options = quick(Strategy::alltoallv);
  options.grid = {4};
  options.node_ranks = 2;
  const Plan<double> plan(MPI_COMM_WORLD, {12, 8, 10}, Kind::r2c, options);
  if (world().rank() == 0) {
    EXPECT_TRUE(
        testing::mentions(plan.explain(), "0.001728 MB sent to 3 peers, 0.000576 MB each, 0.001152 MB to other nodes"))
        << plan.explain();
  }
  if (!testing::one_node()) return;
  options.node_ranks = 0;
  EXPECT_FALSE(
      testing::mentions(Plan<double>(MPI_COMM_WORLD, {12, 8, 10}, Kind::r2c, options).explain(), "other nodes"));
}

TEST(PlanStrategies, SinglePrecisionMessages) {
  const Case c = rfftn({12, 10, 14});
  const Serial<double> serial(c);
  PlanOptions options = by(Strategy::persistent, 2);
  options.wire = Wire::single;
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
  auto out = plan.spectral_field();
  plan.forward(part(serial.physical, c.shape, plan.physical_box(), 1), out);
  const auto modes = part(serial.spectral, c.spectral_shape(), plan.spectral_box(), 2);
  // Each exchange rounds a number by at most 2^-24 of it, and the passes after it, which are sums of unit factors,
  // amplify what that does to the whole array by at most the root of their length.
  const double most =
      2 * std::ldexp(1.0, -24) * std::sqrt(static_cast<double>(c.shape.product())) * norm(serial.physical);
  EXPECT_LE(distance(out, modes), most);
  if (world().size() > 1) {
    EXPECT_GT(world().sum(distance(out, modes)), 0) << "nothing was rounded";
  }
  options.strategy = Strategy::datatype;
  expect_refused(
      [&] {
        Plan<double>(MPI_COMM_WORLD, {8, 8, 8}, Kind::r2c, options);
      },
      {"wire", "'single'", "'datatype'", "alltoallv"});
}

TEST(PlanStrategies, ExplainTellsOfChunksAndNodes) {
  if (world().size() < 3) GTEST_SKIP() << "needs a peer on another node";
  PlanOptions options = by(Strategy::hierarchical, 3);
  options.between_nodes = Strategy::pairwise;
  options.message_limit = 10;
  const std::string text = Plan<double>(MPI_COMM_WORLD, {16, 16, 16}, Kind::r2c, options).explain();
  for (const char* part :
       {"hierarchical", "in 3 chunks along axis", "ranks on other nodes, by pairwise", "at most 10 reals"})
    EXPECT_TRUE(testing::mentions(text, part)) << part << " in " << text;
}

// A block is two planes by four rows of four modes, 16 bytes each.
TEST(PlanStrategies, ExplainTellsWhatGoesToEachPeer) {
  const int ranks = world().size();
  if (ranks == 1) GTEST_SKIP() << "one rank sends nothing";
  const Extents shape{2 * ranks, 4 * ranks, 6};
  const std::string text = Plan<double>(MPI_COMM_WORLD, shape, Kind::r2c, by(Strategy::pairwise)).explain();
  const std::string peers = std::to_string(ranks - 1) + (ranks == 2 ? " peer" : " peers");
  EXPECT_TRUE(testing::mentions(text, "sent to " + peers + ", 0.000512 MB each")) << text;
}

}  // namespace
}  // namespace weft::plan_test
