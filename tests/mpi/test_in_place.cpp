// Plans in place give the same bits as plans out of place, with shared memory and without, and take little of it.
#include "plan/run/in_place.hpp"

#include <algorithm>

#include "environment.hpp"
#include "in_place_fixture.hpp"
#include "nodes.hpp"

namespace weft::plan_test {
namespace {

using weft::testing::mentions;

/// There and back, again and again with the field and its double (which doubles every result and no rounding), so that
/// a step that is not over on another rank when it returns shows.
template <class Real>
void expect_same_bits(const Case& c, const OutOfPlace<Real>& expected, const PlanOptions& options) {
  const std::string name = to_string(c) + ", " + text_of(options);
  Plan<Real> plan = plan_of<Real>(c, options);
  EXPECT_EQ(plan.physical_box(), expected.physical) << name;
  EXPECT_EQ(plan.spectral_box(), expected.spectral) << name;
  with_field(plan, [&](const auto& field) {
    for (const Real factor : {Real(1), Real(2), Real(1)}) {
      store(field.physical, times(expected.points, factor));
      plan.forward(field);
      EXPECT_TRUE(same_bits(values_in<Real>(field.spectral), times(expected.modes, factor))) << "forward " << name;
      plan.backward(field);
      EXPECT_TRUE(same_bits(values_in<Real>(field.physical), times(expected.back, factor))) << "backward " << name;
    }
  });
}

/// Every strategy and process grid, with 1 and 3 threads in turn.
template <class Real>
void expect_out_of_place_results(const Case& c, EngineChoice engine = EngineChoice::automatic) {
  int turn = 0;
  for (const std::vector<int>& grid : all_grids(ranks(), std::max(1, c.shape.dims() - 1))) {
    PlanOptions options = in_place(Strategy::alltoallv);
    options.grid = grid;
    options.engine = engine;
    options.threads = 1;
    const OutOfPlace<Real> expected(c, options);
    for (const Strategy strategy : testing::possible({Strategy::automatic, Strategy::shared, Strategy::alltoallv})) {
      options.strategy = strategy;
      options.threads = turn++ % 2 == 0 ? 1 : 3;
      expect_same_bits(c, expected, options);
    }
  }
}

// --- the same bits -----------------------------------------------------------------------------------------------

TEST(InPlace, RealData) {
  expect_out_of_place_results<double>(rfftn({12, 10, 14}));
  expect_out_of_place_results<float>(rfftn({9, 8, 20}));
}

TEST(InPlace, ComplexData) {
  expect_out_of_place_results<double>({{8, 9, 10}, {Kind::c2c, Kind::c2c, Kind::c2c}});
  expect_out_of_place_results<float>({{6, 16}, {Kind::c2c, Kind::c2c}});
}

TEST(InPlace, OddAndPrimeSizes) {
  expect_out_of_place_results<double>(rfftn({11, 13, 7}));
  expect_out_of_place_results<float>(rfftn({7, 23, 17}));
  expect_out_of_place_results<float>({{17, 5, 3}, {Kind::c2c, Kind::c2c, Kind::c2c}});
}

TEST(InPlace, RanksWithoutData) {
  expect_out_of_place_results<double>(rfftn({2, 3, 4}));
  expect_out_of_place_results<double>(rfftn({1, 1, 6}));
  expect_out_of_place_results<double>(rfftn({3, 1, 1}));
  expect_out_of_place_results<float>({{1, 2, 1}, {Kind::c2c, Kind::dct2, Kind::dst3}});
}

TEST(InPlace, CosinesAndSines) {
  expect_out_of_place_results<double>({{7, 8, 9}, {Kind::dct2, Kind::dst2, Kind::dct4}});
  expect_out_of_place_results<float>({{5, 6, 8}, {Kind::dct1, Kind::dst1, Kind::dst4}});
  expect_out_of_place_results<double>({{8, 11}, {Kind::dct3, Kind::dst3}});
}

TEST(InPlace, MixturesOfKinds) {
  expect_out_of_place_results<double>({{6, 7, 8}, {Kind::dct2, Kind::c2c, Kind::r2c}});
  expect_out_of_place_results<float>({{8, 6, 10}, {Kind::c2c, Kind::dst4, Kind::r2c}});
  expect_out_of_place_results<float>({{6, 7, 8}, {Kind::dst1, Kind::c2c, Kind::dct4}});
  expect_out_of_place_results<double>({{6, 9, 7}, {Kind::c2c, Kind::none, Kind::r2c}});
}

// All in one pass and nothing to exchange. In short rows the half spectrum takes more cache lines than its points.
TEST(InPlace, NothingToExchange) {
  for (const index_t n : {4, 6, 8, 12, 16, 32}) {
    expect_out_of_place_results<double>({{21, n}, {Kind::none, Kind::r2c}});
    expect_out_of_place_results<float>({{15, 6, n}, {Kind::none, Kind::c2c, Kind::r2c}});
  }
  expect_out_of_place_results<double>({{9, 5, 6}, {Kind::none, Kind::dct2, Kind::dst2}});
  expect_out_of_place_results<double>({{9, 5}, {Kind::none, Kind::c2c}});
}

TEST(InPlace, OneAndTwoAxes) {
  expect_out_of_place_results<double>(rfftn({24}));
  expect_out_of_place_results<double>({{13}, {Kind::c2c}});
  expect_out_of_place_results<float>({{15}, {Kind::dct3}});
  expect_out_of_place_results<double>(rfftn({16, 9}));
  expect_out_of_place_results<float>(rfftn({9, 16}));
}

TEST(InPlace, FourAxes) {
  expect_out_of_place_results<double>(rfftn({4, 5, 3, 6}));
  expect_out_of_place_results<float>({{3, 4, 2, 5}, {Kind::c2c, Kind::dct2, Kind::none, Kind::c2c}});
}

TEST(InPlace, BothEngines) {
  for (const Case& c : {rfftn({12, 10, 8}), Case{{6, 7, 9}, {Kind::dst2, Kind::c2c, Kind::dct3}}}) {
    expect_out_of_place_results<double>(c, EngineChoice::fftw);
    expect_out_of_place_results<float>(c, testing::lanes_here());
  }
}

TEST(InPlace, EverySchemeOfCutting) {
  const Case c = rfftn({11, 10, 9});
  for (const Scheme scheme : {Scheme::first, Scheme::grouped}) {
    PlanOptions options = in_place();
    options.scheme = scheme;
    expect_same_bits(c, OutOfPlace<double>(c, options), options);
  }
}

// Large enough for two threads on each of seven ranks, and for passes that fuse two axes.
TEST(InPlace, ThreadsShareTheLinesAndChangeNothing) {
  for (const Case& c : {rfftn({64, 60, 66}), Case{{60, 70, 67}, {Kind::dct2, Kind::none, Kind::dst2}}}) {
    PlanOptions options = in_place();
    const OutOfPlace<double> expected(c, options);
    for (const Strategy strategy : testing::possible({Strategy::shared, Strategy::alltoallv}))
      for (const int threads : {1, 3}) {
        options.strategy = strategy;
        options.threads = threads;
        expect_same_bits(c, expected, options);
      }
  }
}

TEST(InPlace, EveryNorm) {
  const Case c = rfftn({6, 9, 8});
  for (const Norm norm : {Norm::backward, Norm::forward, Norm::ortho}) {
    PlanOptions options = in_place();
    options.norm = norm;
    expect_same_bits(c, OutOfPlace<double>(c, options), options);
  }
}

// --- shared memory or not ----------------------------------------------------------------------------------------

TEST(InPlace, StrategyInUseIsTold) {
  const Case c = rfftn({12, 8, 10});
  for (const Strategy strategy : testing::possible({Strategy::automatic, Strategy::shared, Strategy::alltoallv})) {
    const std::string chosen =
        ranks() == 1 || strategy == Strategy::automatic ? testing::automatic_name() : to_string(strategy);
    const bool messages = chosen != "shared";
    const auto plan = plan_of<double>(c, in_place(strategy));
    EXPECT_EQ(plan.strategy(), chosen);
    if (ranks() == 1) continue;
    EXPECT_TRUE(mentions(plan.explain(), messages ? "MB sent" : "in place, one barrier")) << plan.explain();
  }
}

TEST(InPlace, WithoutSharedMemoryAutomaticFallsBack) {
  PlanOptions options = in_place();
  options.shared_memory_limit = 0;
  const Case c = rfftn({12, 8, 10});
  EXPECT_EQ(plan_of<double>(c, options).strategy(), ranks() == 1 ? "none" : "alltoallv");
  expect_same_bits(c, OutOfPlace<double>(c, options), options);
  if (ranks() == 1) return;
  const std::string text = plan_of<double>(c, options).explain();
  EXPECT_TRUE(mentions(text, "not shared: ", testing::one_node() ? "/dev/shm" : "do not share a node")) << text;
  EXPECT_EQ(mentions(text, "0 MB may be used"), testing::one_node()) << text;
}

TEST(InPlace, WithoutSharedMemorySharedIsRefused) {
  PlanOptions options = in_place(Strategy::shared);
  options.shared_memory_limit = 0;
  const Case c = rfftn({12, 8, 10});
  if (ranks() == 1) {
    expect_same_bits(c, OutOfPlace<double>(c, options), options);
    return;
  }
  const char* const reason = testing::one_node() ? "0 MB may be used" : "do not share a node";
  expect_refused([&] { plan_of<double>(c, options); }, {"strategy", "'shared'", reason, "'alltoallv'"});
  try {
    plan_of<float>(c, options);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::resource);
  }
}

// --- memory ------------------------------------------------------------------------------------------------------

/// Bytes of all ranks for the plan, one thread each, and its field, over those of an array of the points.
template <class Real>
double arrays_taken(const Case& c) {
  PlanOptions options = in_place(Strategy::shared);
  options.threads = 1;
  auto plan = plan_of<Real>(c, options);
  index_t bytes = plan.workspace_bytes();
  with_field(plan, [&](const auto& field) { bytes += field.memory->bytes(); });
  const auto array = static_cast<double>(c.shape.product() * c.physical_width()) * sizeof(Real);
  return static_cast<double>(world().sum(bytes)) / array;
}

// 1.3 is what plans promise. Rows of 33 complex numbers on whole, odd numbers of cache lines take 72/64 = 1.13 arrays
// of 64^3; blocks of lines come on top.
TEST(InPlace, TakeLittleMoreThanOneArray) {
  if (!testing::one_node()) GTEST_SKIP() << testing::needs_one_node();
  EXPECT_LE(arrays_taken<double>(rfftn({128, 128, 128})), 1.3);
  EXPECT_LE(arrays_taken<float>(rfftn({128, 128, 128})), 1.3);
  EXPECT_LE(arrays_taken<double>({{128, 128, 128}, std::vector<Kind>(3, Kind::dct2)}), 1.3);
  EXPECT_LE(arrays_taken<double>(rfftn({64, 64, 64})), 1.3);
}

TEST(InPlace, WorkspaceStaysAsItIs) {
  for (const Strategy strategy : {Strategy::automatic, Strategy::alltoallv}) {
    auto plan = plan_of<double>(rfftn({12, 9, 16}), in_place(strategy));
    const index_t bytes = plan.workspace_bytes();
    EXPECT_GT(bytes, 0);
    const auto field = plan.in_place_field();
    for (int run = 0; run < 3; run++) {
      plan.forward(field);
      plan.backward(field);
      EXPECT_EQ(plan.workspace_bytes(), bytes);
    }
  }
}

}  // namespace
}  // namespace weft::plan_test
