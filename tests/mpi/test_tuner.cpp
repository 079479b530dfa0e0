// The tuner: one decision on all ranks, what is fixed stays, the bits of untuned plans.
#include <gtest/gtest.h>

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "environment.hpp"
#include "nodes.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "plan/tune/tuner.hpp"
#include "plan_fixture.hpp"
#include "weft/tuning.hpp"

namespace weft {
namespace {

using plan_test::Case;
using plan_test::expect_refused;
using plan_test::part;
using plan_test::rfftn;
using plan_test::same_bits;

const Extents shape{12, 10, 14};
const std::vector<Kind> kinds = rfftn(shape).kinds;

PlanOptions with_effort(Effort effort) {
  PlanOptions options;
  options.effort = effort;
  return options;
}

std::string text_of(const Tuning& tuning) {
  std::string text = plan_test::text_of(tuning.options) + std::to_string(tuning.options.chunks) +
                     std::to_string(static_cast<int>(tuning.options.fuse)) + std::to_string(tuning.seconds);
  for (const Trial& t : tuning.trials)
    text += "; " + to_string(t.strategy) + std::to_string(t.chunks) + " " + std::to_string(t.send_batch) + " " +
            std::to_string(t.seconds) + std::to_string(t.runs) + t.note;
  return text;
}

TEST(Tuner, AllRanksDecideTheSame) {
  TuneSearch search;
  search.budget = 0.05;
  // The clock of the last rank runs ahead, and it comes late to everything.
  search.progress = [](const Trial&, std::size_t, std::size_t) {
    if (world().rank() == world().size() - 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  const Tuning tuning = tune<double>(MPI_COMM_WORLD, shape, kinds, with_effort(Effort::measure), search);
  world().require_same("tuning", text_of(tuning));
  EXPECT_GT(tuning.seconds, 0);
  int tried = 0;
  for (const Trial& trial : tuning.trials) {
    tried += trial.runs > 0 ? 1 : 0;
    EXPECT_EQ(trial.runs > 0, trial.seconds > 0);
    EXPECT_TRUE(trial.runs > 0 || !trial.note.empty());
    // What is tried twice cannot be faster than the choice.
    if (trial.runs > 0) {
      EXPECT_GE(trial.seconds, tuning.seconds);
    }
  }
  EXPECT_GE(tried, world().size() == 1 ? 2 : 3) << "whatever the budget is";
  EXPECT_NE(summary(tuning).find("tried " + std::to_string(tried) + " of "), std::string::npos);
}

TEST(Tuner, SearchesThatDifferBetweenRanksAreRefused) {
  TuneSearch search;
  search.budget = world().rank() == world().size() - 1 ? 1 : 2;
  if (world().size() > 1)
    expect_refused([&] { tune<double>(MPI_COMM_WORLD, shape, kinds, with_effort(Effort::measure), search); },
                   {"search", "budget"});
  search.budget = -1;
  expect_refused([&] { tune<double>(MPI_COMM_WORLD, shape, kinds, with_effort(Effort::measure), search); }, {"budget"});
}

TEST(Tuner, WhatIsFixedAndFiltersAreRespected) {
  TuneSearch search;
  search.budget = 0.01;
  search.filter = {{Strategy::alltoallv, Strategy::shared}, {Strategy::shared}};
  PlanOptions options = with_effort(Effort::measure);
  options.grid = {1, world().size()};
  options.chunks = 2;
  const Tuning tuning = tune<float>(MPI_COMM_WORLD, shape, kinds, options, search);
  EXPECT_EQ(tuning.options.grid, options.grid);
  EXPECT_EQ(tuning.options.chunks, 2);
  if (world().size() > 1) {
    EXPECT_EQ(tuning.options.strategy, Strategy::alltoallv);
  }
  for (const Trial& trial : tuning.trials) EXPECT_EQ(trial.grid, options.grid);
  search.filter.include = {Strategy::shared};
  if (world().size() > 1)
    expect_refused([&] { tune<float>(MPI_COMM_WORLD, shape, kinds, options, search); }, {"include", "shared"});
}

TEST(Tuner, WhatTheMachineCannotDoIsLeftOut) {
  if (world().size() == 1) GTEST_SKIP() << "nothing is exchanged";
  if (!testing::one_node()) GTEST_SKIP() << testing::needs_one_node();
  TuneSearch search;
  search.filter.include = {Strategy::shared, Strategy::alltoallv};
  PlanOptions options = with_effort(Effort::measure);
  options.shared_memory_limit = 0;
  options.grid = {world().size()};
  const Tuning tuning = tune<double>(MPI_COMM_WORLD, shape, kinds, options, search);
  EXPECT_EQ(tuning.options.strategy, Strategy::alltoallv);
  for (const Trial& trial : tuning.trials)
    EXPECT_EQ(trial.strategy == Strategy::shared, trial.note.find("shared memory") != std::string::npos);
  search.filter.include = {Strategy::shared};
  expect_refused([&] { tune<double>(MPI_COMM_WORLD, shape, kinds, options, search); }, {"shared memory"});
}

TEST(Tuner, NarrowWiresNeedPackedMessages) {
  if (world().size() == 1) GTEST_SKIP() << "nothing is exchanged";
  TuneSearch search;
  search.budget = 0.01;
  PlanOptions options = with_effort(Effort::measure);
  options.wire = Wire::single;
  for (const Trial& trial : tune<double>(MPI_COMM_WORLD, shape, kinds, options, search).trials) {
    EXPECT_NE(trial.strategy, Strategy::datatype);
    EXPECT_NE(trial.strategy, Strategy::alltoallw);
  }
  search.filter.include = {Strategy::datatype, Strategy::alltoallw};
  expect_refused([&] { tune<double>(MPI_COMM_WORLD, shape, kinds, options, search); }, {"include", "datatype"});
}

TEST(Tuner, TheRanksThatTransformTuneForAll) {
  PlanOptions options = with_effort(Effort::measure);
  options.ranks = std::max(1, world().size() - 1);
  options.chunks = 0;
  const Case c = rfftn(shape);
  Plan<double> plan(MPI_COMM_WORLD, shape, kinds, options);
  const bool tells = world().rank() < options.ranks;
  EXPECT_EQ(testing::mentions(plan.explain(), "tuned: "), tells) << plan.explain();
  std::vector<double> modes = plan.spectral_field(), back = plan.physical_field();
  const std::vector<double> points = part(plan_test::physical_numbers<double>(c), c.shape, plan.physical_box(), 1);
  plan.forward(points, modes);
  plan.backward(modes, back);
  // Forward and back is right to rounding, see docs/conventions.md: 14 units for each of 12 stages of numbers below 1.
  for (std::size_t i = 0; i < points.size(); i++) EXPECT_NEAR(back[i], points[i], 14 * 12 * 2.3e-16);
  options.tuning = "/no/such/tuning.toml";
  expect_refused([&] { Plan<double>(MPI_COMM_WORLD, shape, kinds, options); }, {"tuning", "/no/such/tuning.toml"});
}

// The modes of the whole array, on every rank, wherever a plan leaves them.
template <class Real>
std::vector<Real> all_modes(Plan<Real>& plan, const Case& c) {
  std::vector<Real> modes = plan.spectral_field();
  plan.forward(part(plan_test::physical_numbers<Real>(c), c.shape, plan.physical_box(), c.physical_width()), modes);
  const int width = c.spectral_width();
  std::vector<Real> global(static_cast<std::size_t>(c.spectral_shape().product() * width));
  plan_test::for_each_element(c.spectral_shape(), plan.spectral_box(), [&](index_t to, index_t from) {
    for (int i = 0; i < width; i++)
      global[static_cast<std::size_t>(to * width + i)] = modes[static_cast<std::size_t>(from * width + i)];
  });
  const MPI_Datatype type = sizeof(Real) == sizeof(double) ? MPI_DOUBLE : MPI_FLOAT;
  MPI_Allreduce(MPI_IN_PLACE, global.data(), static_cast<int>(global.size()), type, MPI_SUM, MPI_COMM_WORLD);
  return global;
}

TEST(Tuner, TunedPlansHaveTheBitsOfUntunedOnes) {
  const testing::Environment lanes("WEFT_ENGINE", to_string(testing::lanes_here()).c_str());
  const testing::Environment none("WEFT_TUNING", nullptr);
  const Case c = rfftn(shape);
  TuneSearch search;
  search.budget = 0.05;
  Plan<double> plain(MPI_COMM_WORLD, shape, kinds);
  Plan<double> found(MPI_COMM_WORLD, shape, kinds,
                     tune<double>(MPI_COMM_WORLD, shape, kinds, with_effort(Effort::measure), search).options);
  EXPECT_TRUE(same_bits(all_modes(plain, c), all_modes(found, c)));
  PlanOptions options = with_effort(Effort::measure);
  options.strategy = Strategy::alltoallv;
  Plan<double> tuned(MPI_COMM_WORLD, shape, kinds, options);
  EXPECT_TRUE(same_bits(all_modes(plain, c), all_modes(tuned, c)));
  EXPECT_FALSE(testing::mentions(plain.explain(), "tuned: "));
  EXPECT_TRUE(testing::mentions(tuned.explain(), "tuned: alltoallv"));
}

TEST(Tuner, InPlace) {
  const testing::Environment none("WEFT_TUNING", nullptr);
  PlanOptions options = with_effort(Effort::measure);
  options.in_place = true;
  Plan<double> plan(MPI_COMM_WORLD, shape, kinds, options);
  EXPECT_TRUE(testing::mentions(plan.explain(), "tuned: "));
  const auto field = plan.in_place_field();
  const Case c = rfftn(shape);
  const auto mine = part(plan_test::physical_numbers<double>(c), shape, plan.physical_box(), 1);
  plan_test::store<double>(field.physical, mine);
  plan.forward(field);
  plan.backward(field);
  const double bound = plan_test::round_trip_bound(c, std::numeric_limits<double>::epsilon());
  EXPECT_LE(plan_test::distance(plan_test::values_in<double>(field.physical), mine),
            bound * plan_test::norm(plan_test::physical_numbers<double>(c)));
}

TEST(Tuner, EstimatesChunksWhereTheyAreOpen) {
  PlanOptions options;
  options.chunks = 0;
  EXPECT_NO_THROW(Plan<double>(MPI_COMM_WORLD, shape, kinds, options));
  options.effort = Effort::estimate;
  const Tuning tuning = tune<double>(MPI_COMM_WORLD, shape, kinds, options);
  world().require_same("tuning", text_of(tuning));
  EXPECT_GE(tuning.options.chunks, 1);
  EXPECT_EQ(tuning.seconds, 0);
  for (const Trial& trial : tuning.trials) EXPECT_EQ(trial.runs, 0);
}

TEST(Tuner, EstimatesHierarchicalExchangesBetweenNodesOfSeveralRanks) {
  const testing::Environment none("WEFT_TUNING", nullptr);
  PlanOptions options;
  const auto strategy = [&](index_t n) {
    const ScheduleInput input = checked_input(world(), {n, n, n}, kinds, options, sizeof(double));
    return tuned<double>(world(), input, options).options.strategy;
  };
  const bool several = world().max(index_t{world().node().size()}) > 1 && !testing::one_node();
  EXPECT_EQ(strategy(64), several ? Strategy::hierarchical : Strategy::automatic) << "as the ranks are";
  options.node_ranks = 2;
  EXPECT_EQ(strategy(64), world().size() > 2 ? Strategy::hierarchical : Strategy::automatic);
  EXPECT_EQ(strategy(1), Strategy::automatic) << "nothing that it would be worth while for";
  options.shared_memory_limit = 0;
  EXPECT_EQ(strategy(64), Strategy::automatic) << "no shared memory";
  options.shared_memory_limit = -1;
  options.node_ranks = 1;
  EXPECT_EQ(strategy(64), Strategy::automatic) << "every rank has a node of its own";
}

// A machine file whose strategies have been measured between nodes, for the length of a test; only rank 0 looks.
class MachineFile {
 public:
  explicit MachineFile(const std::vector<StrategyTimes>& strategies)
      : path_(std::filesystem::temp_directory_path() / ("weft-machine-" + std::to_string(getpid()) + ".toml")),
        named_("WEFT_MACHINE", path_.c_str()) {
    MachineModel model;
    model.name = "measured";
    model.strategies = strategies;
    if (world().rank() == 0) std::ofstream(path_) << to_toml(model);
  }
  ~MachineFile() { std::filesystem::remove(path_); }
  MachineFile(const MachineFile&) = delete;
  MachineFile& operator=(const MachineFile&) = delete;

 private:
  std::filesystem::path path_;
  testing::Environment named_;
};

TEST(Tuner, EstimatesTheFastestOfTheStrategiesThatWereMeasuredBetweenNodes) {
  if (world().size() == 1) GTEST_SKIP() << "nothing is exchanged";
  const testing::Environment none("WEFT_TUNING", nullptr);
  const MachineFile file({{Strategy::alltoallv, 0.5, 0}, {Strategy::pairwise, 0.9, 0}, {Strategy::cyclic, 0.8, 1}});
  PlanOptions options;
  options.node_ranks = 1;
  const auto chosen = [&] {
    const Plan<double> plan(MPI_COMM_WORLD, {64, 64, 64}, kinds, options);
    return plan.strategy() + " in " + std::to_string(plan.chunks());
  };
  EXPECT_EQ(chosen(), "pairwise in 1");
  // A fifth of a transfer that is hidden makes good for a speed of 0.8, and here it is all that passes can hide.
  options.chunks = 0;
  EXPECT_TRUE(chosen().starts_with("cyclic in ") && chosen() != "cyclic in 1") << chosen();
  const std::string text = Plan<double>(MPI_COMM_WORLD, {64, 64, 64}, kinds, options).explain();
  EXPECT_TRUE(testing::mentions(text, "estimated: cyclic, chunks ", "; then ", "for the machine measured")) << text;
  EXPECT_TRUE(testing::mentions(text, "between nodes", "of it during passes")) << text;
  options.strategy = Strategy::alltoallv;
  EXPECT_EQ(chosen(), "alltoallv in 1") << "what the user says stays, and nothing of it can be hidden";
}

TEST(Tuner, TriesOneMessageAtATimeWhereThereAreSeveral) {
  TuneSearch search;
  search.budget = 0.01;
  search.filter.include = {Strategy::persistent};
  PlanOptions options = with_effort(Effort::measure);
  options.grid = {world().size()};
  options.fuse = false;
  options.chunks = 2;
  const Tuning tuning = tune<double>(MPI_COMM_WORLD, shape, kinds, options, search);
  std::set<int> ran;
  for (const Trial& trial : tuning.trials)
    if (trial.runs > 0) ran.insert(trial.send_batch);
  EXPECT_EQ(ran, world().size() > 2 ? (std::set{0, 1}) : std::set{0});
  EXPECT_EQ(ran.count(tuning.options.send_batch), 1U);
}

}  // namespace
}  // namespace weft
