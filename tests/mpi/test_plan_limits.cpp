// Limits of plans: large messages, too little shared memory, memory that stays what it is, hundreds of plans.
#include <sys/resource.h>

#include <csignal>

#include "../error_text.hpp"
#include "nodes.hpp"
#include "plan_fixture.hpp"
#include "weft/redistribution.hpp"

namespace weft::plan_test {
namespace {

using weft::testing::error_text;
using weft::testing::mentions;

template <class Real>
std::vector<Real> forward_and_back(const Case& c, const PlanOptions& options) {
  Plan<Real> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
  std::vector<Real> out = plan.spectral_field(), back = plan.physical_field();
  plan.forward(part(physical_numbers<Real>(c), c.shape, plan.physical_box(), c.physical_width()), out);
  plan.backward(out, back);
  out.insert(out.end(), back.begin(), back.end());
  return out;
}

// A limit of a few elements sends every message the way in which those of more than 2^31 elements go.
TEST(PlanLimits, LargeCountsMoveTheSameBits) {
  for (const Case& c : {rfftn({12, 14, 10}), rfftn({5, 2, 3, 4}), rfftn({1, 2, 3})}) {
    const auto doubles = forward_and_back<double>(c, quick());
    const auto floats = forward_and_back<float>(c, quick());
    for (const index_t limit : {1, 100}) {
      PlanOptions options = quick();
      options.message_limit = limit;
      EXPECT_TRUE(same_bits(forward_and_back<double>(c, options), doubles)) << to_string(c) << ", limit " << limit;
      EXPECT_TRUE(same_bits(forward_and_back<float>(c, options), floats)) << to_string(c) << ", limit " << limit;
    }
  }
}

// The bits alone would not show which way the messages went.
TEST(PlanLimits, LargeCountsAreTakenJustBeyondTheLimit) {
  if (world().size() == 1) GTEST_SKIP() << "one rank sends nothing";
  PlanOptions options = quick();
  options.strategy = Strategy::alltoallv;
  const auto explained = [&] { return Plan<double>(MPI_COMM_WORLD, {12, 14, 10}, Kind::r2c, options).explain(); };
  EXPECT_FALSE(testing::mentions(explained(), "64-bit counts")) << explained();
  options.message_limit = 100;
  EXPECT_TRUE(testing::mentions(explained(), "64-bit counts")) << explained();
}

// --- shared memory -----------------------------------------------------------------------------------------------

PlanOptions with_shared_memory(Strategy strategy, index_t bytes) {
  PlanOptions options = quick(strategy);
  options.shared_memory_limit = bytes;
  return options;
}

TEST(PlanLimits, AutomaticFallsBackWhereSharedMemoryIsShort) {
  const Plan<double> plan(MPI_COMM_WORLD, {16, 16, 16}, Kind::r2c, with_shared_memory(Strategy::automatic, 1000));
  if (world().size() == 1) {
    EXPECT_EQ(plan.strategy(), "none");
    return;
  }
  EXPECT_EQ(plan.strategy(), "alltoallv");
  EXPECT_TRUE(mentions(plan.explain(), "not shared: ")) << plan.explain();
  EXPECT_EQ(mentions(plan.explain(), "MB of shared memory", "/dev/shm", "1 MB"), testing::one_node()) << plan.explain();
}

TEST(PlanLimits, AutomaticSharesWhereThereIsRoom) {
  const Plan<double> plan(MPI_COMM_WORLD, {8, 8, 8}, Kind::r2c, with_shared_memory(Strategy::automatic, 1 << 24));
  EXPECT_EQ(plan.strategy(), testing::automatic_name());
  EXPECT_EQ(mentions(plan.explain(), "not shared"), !testing::one_node());
}

TEST(PlanLimits, SharedIsRefusedWithTheSizes) {
  std::string text = "no error";
  try {
    const Plan<double> plan(MPI_COMM_WORLD, {64, 64, 64}, Kind::r2c, with_shared_memory(Strategy::shared, 1 << 20));
  } catch (const Error& error) {
    text = error.what();
    EXPECT_EQ(error.fault(), Fault::resource);
  }
  EXPECT_EQ(text, world().broadcast(text, 0));
  if (world().size() == 1) {
    EXPECT_EQ(text, "no error");
    return;
  }
  EXPECT_TRUE(mentions(text, "strategy", "'shared'", "'alltoallv'")) << text;
  EXPECT_TRUE(testing::one_node() ? mentions(text, "MB of shared memory", "1 MB may be used")
                                  : mentions(text, "do not share a node"))
      << text;
  // The same communicator makes a plan afterwards.
  EXPECT_NO_THROW(Plan<double>(MPI_COMM_WORLD, {8, 8, 8}, Kind::r2c, quick()));
}

TEST(PlanLimits, StrategyInUseAndWhatItSendsAreTold) {
  const Case c = rfftn({12, 8, 10});
  index_t sent[2] = {};
  for (const Strategy strategy : testing::possible({Strategy::alltoallv, Strategy::shared})) {
    const Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, quick(strategy));
    EXPECT_EQ(plan.strategy(), world().size() == 1 ? "none" : to_string(strategy));
    // The slab of 12 planes of 8 x 6 modes: all but what the rank keeps is sent.
    const Range mine = plan.physical_box()[0], kept = plan.spectral_box()[1];
    EXPECT_EQ(plan.bytes_sent(), mine.size() * (8 - kept.size()) * 6 * 16) << to_string(strategy);
    sent[strategy != Strategy::alltoallv] = plan.bytes_sent();
  }
  EXPECT_EQ(sent[0], sent[1]);
}

// Each of two exchanges needs 64 KB, or up to 1.3 times that where rows are padded: one fits, both do not.
TEST(PlanLimits, AllExchangesTogetherKeepTheLimit) {
  if (world().size() != 4) GTEST_SKIP() << "needs a grid of 2 x 2";
  if (!testing::one_node()) GTEST_SKIP() << testing::needs_one_node();
  for (const Strategy strategy : testing::possible({Strategy::shared, Strategy::hierarchical})) {
    PlanOptions options = with_shared_memory(strategy, 100 << 10);
    options.grid = {4};
    EXPECT_EQ(Plan<double>(MPI_COMM_WORLD, {16, 16, 16}, Kind::c2c, options).strategy(), to_string(strategy));
    options.grid = {2, 2};
    expect_refused(
        [&] {
          Plan<double>(MPI_COMM_WORLD, {16, 16, 16}, Kind::c2c, options);
        },
        {"strategy: '" + to_string(strategy) + "' is not possible here", "of shared memory (/dev/shm)"});
  }
}

// Files of this process may not grow, and shared memory is a file, for the length of a test.
class NoNewFiles {
 public:
  explicit NoNewFiles(bool here) {
    getrlimit(RLIMIT_FSIZE, &before_);
    signal_ = std::signal(SIGXFSZ, SIG_IGN);  // the call fails in place of the process
    rlimit none = before_;
    if (here) none.rlim_cur = 0;
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoNewFiles() {
    setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, signal_);
  }
  NoNewFiles(const NoNewFiles&) = delete;
  NoNewFiles& operator=(const NoNewFiles&) = delete;

 private:
  rlimit before_{};
  void (*signal_)(int) = nullptr;
};

// The free amount is known, but not whether it can still be allocated later.
TEST(PlanLimits, OneNodeWithoutMemoryIsToldToAll) {
  if (world().size() < 4 || (!testing::one_node() && !testing::nodes_of_pairs()))
    GTEST_SKIP() << "needs two nodes of two ranks";
  const bool last_node = world().rank() >= 2;
  for (const Strategy between : {Strategy::cyclic, Strategy::multistage, Strategy::alltoallv}) {
    for (const Wire wire : {Wire::same, Wire::single}) {
      PlanOptions options = quick(Strategy::hierarchical);
      options.node_ranks = 2;
      options.between_nodes = between;
      options.wire = wire;
      const NoNewFiles limit(last_node);
      expect_refused(
          [&] {
            Plan<double>(MPI_COMM_WORLD, {16, 16, 16}, Kind::r2c, options);
          },
          {"shared memory", "could not be allocated", "alltoallv"});
    }
    RedistributionOptions options;
    options.strategy = Strategy::hierarchical;
    options.node_ranks = 2;
    options.between_nodes = between;
    const Layout x({8, 9, 10}, ProcessGrid({world().size()}), {0}), z({8, 9, 10}, ProcessGrid({world().size()}), {2});
    const NoNewFiles limit(last_node);
    expect_refused([&] { Redistribution(MPI_COMM_WORLD, x, z, 8, options); },
                   {"shared memory", "could not be allocated"});
  }
}

// A limit above what is free does not make more of it.
TEST(PlanLimits, NoMoreIsSharedThanIsFree) {
  const Box all(Extents{index_t{1} << 55}), nothing(1);
  if (world().size() == 1) GTEST_SKIP() << "one rank shares nothing";
  const int rank = world().rank(), last = world().size() - 1;
  RedistributionOptions options;
  options.strategy = Strategy::shared;
  options.shared_memory_limit = index_t{1} << 60;
  expect_refused(
      [&] { Redistribution(MPI_COMM_WORLD, rank == 0 ? all : nothing, rank == last ? all : nothing, 8, options); },
      {"'shared' is not possible here", testing::one_node() ? "of shared memory (/dev/shm)" : "do not share a node"});
}

// --- memory ------------------------------------------------------------------------------------------------------

TEST(PlanLimits, WorkspaceStaysAsItIs) {
  for (const Strategy strategy : testing::possible({Strategy::alltoallv, Strategy::shared})) {
    PlanOptions options = quick(strategy);
    options.threads = 2;
    const Case c{{12, 9, 16}, {Kind::dct2, Kind::c2c, Kind::r2c}};
    Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
    const index_t bytes = plan.workspace_bytes();
    EXPECT_GT(bytes, 0);
    std::vector<double> in = plan.physical_field(), out = plan.spectral_field();
    for (int run = 0; run < 5; ++run) {
      plan.forward(in, out);
      plan.backward(out, in);
      EXPECT_EQ(plan.workspace_bytes(), bytes);
    }
  }
}

// What is held beyond the arrays of one intermediate field is small: a few lines per thread.
TEST(PlanLimits, WorkspaceIsOneFieldAndAFewLines) {
  PlanOptions options = quick();
  options.threads = 1;
  const Plan<double> plan(MPI_COMM_SELF, {32, 32, 32}, Kind::r2c, options);
  const index_t padded = 32 * 32 * 17 * 16 * 2;  // rows of 17 complex numbers are padded to less than twice
  const index_t plane = 32 * 17 * 16 * 2, lines = 3 * 2 * 32 * 16 * 8;
  EXPECT_LE(plan.workspace_bytes(), padded + plane + lines);
}

// More plans than there are communicators to give (about 2000 with MPICH): each costs none. All strategies in turn.
// Ranks that share cores are slow to agree, so there are fewer of them.
TEST(PlanLimits, ThousandsOfPlansComeAndGo) {
  const Case c = rfftn({4, 4, 6});
  const int plans = world().size() <= 2 ? 3000 : 450;
  const std::vector<Strategy> strategies = testing::possible(all_strategies());
  std::vector<double> first;
  for (int i = 0; i < plans; ++i) {
    const PlanOptions options = quick(strategies[static_cast<std::size_t>(i) % strategies.size()]);
    if (i % 50 != 0) {
      const Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
      continue;
    }
    const auto result = forward_and_back<double>(c, options);
    if (i == 0) first = result;
    ASSERT_TRUE(same_bits(result, first)) << "plan " << i;
  }
}

// Held all at once, they share the duplicate of the communicator.
TEST(PlanLimits, ManyPlansLiveTogether) {
  const Case c = rfftn({4, 4, 6});
  std::vector<Plan<double>> plans;
  for (int i = 0; i < 100; ++i) plans.emplace_back(MPI_COMM_WORLD, c.shape, c.kinds, quick());
  const auto in = part(physical_numbers<double>(c), c.shape, plans[0].physical_box(), 1);
  std::vector<double> first = plans[0].spectral_field();
  plans[0].forward(in, first);
  for (Plan<double>& plan : plans) {
    std::vector<double> out = plan.spectral_field();
    plan.forward(in, out);
    ASSERT_TRUE(same_bits(out, first));
  }
}

}  // namespace
}  // namespace weft::plan_test
