// The cost estimate: how it changes with sizes, rates, ranks, strategies and chunks; the candidates that it orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "../error_text.hpp"
#include "exchange/strategy.hpp"
#include "model/closed_forms.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "plan/tune/candidates.hpp"

namespace weft {
namespace {

ScheduleInput input_of(const Extents& shape, Kind kind = Kind::c2c) {
  return schedule_input(shape, one_for_all(shape, kind), sizeof(double));
}

PlanOptions on_grid(std::vector<int> grid) {
  PlanOptions options;
  options.grid = std::move(grid);
  return options;
}

double cost(const Extents& shape, std::vector<int> grid, int node_ranks, Strategy strategy, int chunks = 1,
            const MachineModel& machine = {}) {
  const int ranks = ProcessGrid(grid).size();
  const Schedule schedule = planned_schedule(input_of(shape), on_grid(std::move(grid)), ranks);
  return predicted(schedule, {{ranks, node_ranks, 1}, sizeof(double), strategy, chunks, {}}, machine).seconds();
}

TEST(Cost, GrowsWithTheArrayAndFallsWithTheRanks) {
  for (const Strategy strategy : all_strategies()) {
    const double small = cost({64, 64, 64}, {8}, 4, strategy), large = cost({64, 64, 128}, {8}, 4, strategy);
    EXPECT_TRUE(strategy == Strategy::shared ? std::isinf(small) : large > small) << to_string(strategy);
  }
  EXPECT_LT(cost({256, 256, 256}, {8}, 8, Strategy::alltoallv), cost({256, 256, 256}, {4}, 8, Strategy::alltoallv));
  EXPECT_EQ(cost({64, 64, 64}, {1}, 1, Strategy::alltoallv), cost({64, 64, 64}, {1}, 1, Strategy::shared));
}

TEST(Cost, EachElementaryTimeCounts) {
  const auto with = [](const auto& change, int node_ranks) {
    MachineModel machine;
    change(machine);
    return cost({60, 64, 66}, {6}, node_ranks, Strategy::alltoallw, 1, machine);
  };
  const double before = cost({60, 64, 66}, {6}, 3, Strategy::alltoallw);
  EXPECT_GT(with([](MachineModel& m) { m.inside.t_w *= 2; }, 3), before);
  EXPECT_GT(with([](MachineModel& m) { m.between.t_w *= 2; }, 3), before);
  EXPECT_GT(with([](MachineModel& m) { m.inside.t_s *= 2; }, 3), before);
  EXPECT_GT(with([](MachineModel& m) { m.between.t_s *= 2; }, 3), before);
  EXPECT_GT(with([](MachineModel& m) { m.datatype_share /= 2; }, 3), before);
  // Passes take what is slower of both.
  EXPECT_GT(with([](MachineModel& m) { m.t_c *= 100; }, 3), before);
  EXPECT_GT(with([](MachineModel& m) { m.memory = {1e-7, 1e-7}; }, 3), before);
  EXPECT_EQ(with([](MachineModel& m) { m.between.t_w *= 2; }, 6), with([](MachineModel&) {}, 6))
      << "nothing leaves the node";
}

TEST(Cost, APassTakesTheLongerOfArithmeticAndMemoryOrBoth) {
  MachineModel machine;
  machine.core_cache_bytes = 1e12;
  const Schedule schedule = planned_schedule(input_of({64, 64, 64}), on_grid({1}), 1);
  const auto pass = [&] { return predicted(schedule, {}, machine).passes.front(); };
  const StepCost hidden = pass();
  EXPECT_DOUBLE_EQ(hidden.computing, std::max(hidden.arithmetic, hidden.memory));
  machine.hidden_memory = 0.25;
  const StepCost partly = pass();
  EXPECT_DOUBLE_EQ(partly.computing,
                   std::max(partly.arithmetic, partly.memory) + 0.75 * std::min(partly.arithmetic, partly.memory));
  // One pass over two fused axes: 64^2 lines each, 16 bytes a point loaded and stored.
  EXPECT_DOUBLE_EQ(partly.flops, 2 * 64.0 * 64 * 5 * 64 * 6);
  EXPECT_DOUBLE_EQ(partly.memory_bytes, 2 * 64.0 * 64 * 64 * 16);
  EXPECT_DOUBLE_EQ(partly.arithmetic, partly.flops * machine.t_c);
  EXPECT_DOUBLE_EQ(partly.memory, partly.memory_bytes / 16 * machine.memory.alone);
  // Planes that a core's cache does not hold are stored and loaded once more.
  machine.core_cache_bytes = 64 * 64 * 16 - 1;
  EXPECT_DOUBLE_EQ(pass().computing, partly.computing + 2 * 64.0 * 64 * 64 * machine.memory.alone);
  machine.plane_bytes = {1e3, 1e9};
  machine.plane_t_a = {5e-9, 5e-9};
  EXPECT_DOUBLE_EQ(pass().computing, partly.computing + 2 * 64.0 * 64 * 64 * 5e-9);
}

TEST(Cost, APairIsTwiceOneDirectionAndASolveStoresNoSpectrum) {
  const Schedule schedule = planned_schedule(input_of({48, 64, 40}, Kind::r2c), on_grid({4}), 4);
  const Conditions conditions{{4, 2, 1}, sizeof(double), Strategy::cyclic, 1, {}};
  const auto one = predicted(schedule, conditions, {}), pair = predicted(schedule, conditions, {}, Work::pair),
             solve = predicted(schedule, conditions, {}, Work::solve);
  EXPECT_DOUBLE_EQ(pair.seconds(), 2 * one.seconds());
  EXPECT_DOUBLE_EQ(solve.exchange_seconds(), pair.exchange_seconds());
  EXPECT_DOUBLE_EQ(solve.passes.front().seconds(), pair.passes.front().seconds());
  EXPECT_DOUBLE_EQ(solve.passes.back().flops, pair.passes.back().flops);
  EXPECT_LT(solve.passes.back().memory_bytes, pair.passes.back().memory_bytes);
}

// The step-by-step model of Weft and the closed form of Ayala and Wang's eqs. (1) and (2) are one model: with their
// copies, sends and starts on a flat network it gives their time but for the modes N/2 of the half spectrum, which they
// leave out: N/2 + 1 columns of complex numbers instead of N/2, so at most 2/N more of everything, and real lines count
// half as they do.
TEST(Cost, IsTheModelOfAyalaAndWangOnTheirMachine) {
  MachineModel bluefire;
  bluefire.t_c = 0.37e-9;
  bluefire.memory = {6.37e-9, 6.37e-9};
  bluefire.inside = bluefire.between = {2.19e-9, 7e-6};
  const ElementaryTimes times = bluefire.elementary();
  for (const int side : {4, 16, 32})
    for (const index_t n : {512, 2048}) {
      PlanOptions options = on_grid({side, side});
      options.fuse = false;
      const Schedule schedule = planned_schedule(input_of({n, n, n}, Kind::r2c), options, side * side);
      const Conditions conditions{{side * side, 32, 1}, sizeof(double), Strategy::cyclic, 1, Software::ayala_wang()};
      const double expected = pencil_form(static_cast<double>(n), side, side, times, times).seconds();
      const double found = predicted(schedule, conditions, bluefire).seconds();
      EXPECT_GE(found, expected);
      // Uneven parts of the N/2 + 1 columns: at most one column more than N/2/side on a rank.
      EXPECT_LE(found, expected * (1 + 2.0 * side / static_cast<double>(n))) << n << " on " << side << "^2";
    }
}

TEST(Cost, MessagesInsideANodeCannotHideBehindWork) {
  for (const Strategy strategy : {Strategy::alltoallv, Strategy::cyclic, Strategy::multistage})
    EXPECT_GT(cost({128, 128, 128}, {4}, 4, strategy, 4), cost({128, 128, 128}, {4}, 4, strategy, 1));
  EXPECT_LT(cost({256, 256, 256}, {4}, 1, Strategy::alltoallv, 4), cost({256, 256, 256}, {4}, 1, Strategy::alltoallv));
  EXPECT_GT(cost({8, 8, 8}, {4}, 1, Strategy::alltoallv, 4), cost({8, 8, 8}, {4}, 1, Strategy::alltoallv))
      << "where messages are short only their number counts";
}

TEST(Cost, MeasuredStrategiesHaveASpeedAndAnOverlapOfTheirOwn) {
  MachineModel machine;
  machine.network.link = 1e8;  // less than t_w of 8 / 1.5e9
  machine.strategies = {{Strategy::alltoallv, 0.5, 0}, {Strategy::persistent, 0.8, 0.25}};
  const Schedule schedule = planned_schedule(input_of({64, 64, 64}), on_grid({2}), 2);
  const auto predict = [&](Strategy strategy, int chunks) {
    return predicted(schedule, {{2, 1, 1}, sizeof(double), strategy, chunks, {}}, machine);
  };
  const auto exchange = [&](Strategy strategy, int chunks) { return predict(strategy, chunks).exchanges.front(); };
  // A rank holds half of 64^3 points of 16 bytes, and sends half of that.
  const double seconds = 64.0 * 64 * 64 * 16 / 4 / 1e8;
  EXPECT_DOUBLE_EQ(exchange(Strategy::alltoallv, 1).network, seconds / 0.5);
  EXPECT_DOUBLE_EQ(exchange(Strategy::automatic, 1).network, seconds / 0.5) << "alltoallv between nodes";
  EXPECT_DOUBLE_EQ(exchange(Strategy::persistent, 1).network, seconds / 0.8);
  EXPECT_DOUBLE_EQ(exchange(Strategy::pairwise, 1).network, seconds) << "not measured";
  EXPECT_EQ(exchange(Strategy::alltoallv, 4).hidden, 0);
  EXPECT_EQ(exchange(Strategy::persistent, 1).hidden, 0);
  const Prediction cut = predict(Strategy::persistent, 4);
  EXPECT_DOUBLE_EQ(cut.exchanges.front().hidden, std::min(0.25 * seconds / 0.8, cut.pass_seconds()) * 3 / 4);
}

TEST(Cost, SharedMemoryIsBestInsideANode) {
  const Extents shape{64, 64, 64};
  for (const Strategy strategy : all_strategies())
    EXPECT_LE(cost(shape, {2, 2}, 4, Strategy::shared), cost(shape, {2, 2}, 4, strategy)) << to_string(strategy);
  EXPECT_EQ(cost(shape, {2, 2}, 4, Strategy::automatic), cost(shape, {2, 2}, 4, Strategy::shared));
  EXPECT_TRUE(std::isinf(cost(shape, {4}, 4, Strategy::hierarchical))) << "one node";
  EXPECT_LT(cost(shape, {8}, 4, Strategy::hierarchical), cost(shape, {8}, 4, Strategy::alltoallv));
}

// --- candidates

TEST(Candidates, Factorisations) {
  using Grids = std::vector<std::vector<int>>;
  EXPECT_EQ(factorisations(1, 3), (Grids{{1}}));
  EXPECT_EQ(factorisations(12, 1), (Grids{{12}}));
  EXPECT_EQ(factorisations(12, 2), (Grids{{12}, {1, 12}, {2, 6}, {3, 4}, {4, 3}, {6, 2}}));
  const Grids three = factorisations(12, 3);
  // Ordered factorisations of 2^2 3 into three: 6 x 3 = 18.
  EXPECT_EQ(three.size(), 18U);
  EXPECT_EQ(std::set(three.begin(), three.end()).size(), 18U);
  for (const auto& grid : three) {
    EXPECT_EQ(ProcessGrid(grid).size(), 12);
    EXPECT_NE(grid.back(), 1);
  }
}

std::vector<Candidate> on_twelve(const Extents& shape, const PlanOptions& options, const TuneFilter& filter = {},
                                 int node_ranks = 12) {
  return candidates(input_of(shape), options, filter, {12, node_ranks, 1}, sizeof(double));
}

PlanOptions measured() {
  PlanOptions options;
  options.effort = Effort::measure;
  return options;
}

TEST(Candidates, TwelveRanks) {
  for (const Extents& shape : {Extents{48, 36, 40}, Extents{24, 12, 24, 12}}) {
    std::set<std::vector<int>> grids;
    std::set<Strategy> strategies;
    std::set<int> chunks;
    for (const Candidate& c : on_twelve(shape, measured())) {
      grids.insert(c.options.grid);
      strategies.insert(c.options.strategy);
      chunks.insert(c.options.chunks);
      EXPECT_TRUE(std::isfinite(c.estimate) && c.estimate > 0);
      EXPECT_LT(static_cast<int>(c.options.grid.size()), shape.dims());
      EXPECT_TRUE(c.options.strategy != Strategy::shared || c.options.chunks == 1);
    }
    EXPECT_EQ(grids.size(), shape.dims() == 3 ? 6U : 8U) << "all, or the best";
    EXPECT_EQ(chunks, (std::set{1, 2, 4}));
    EXPECT_EQ(strategies.size(), all_strategies().size() - 1) << "one node has nothing hierarchical";
    EXPECT_EQ(strategies.count(Strategy::automatic) + strategies.count(Strategy::hierarchical), 0U);
  }
}

TEST(Candidates, EveryStrategyComesOnceBeforeAnyComesTwice) {
  const std::vector<Candidate> all = on_twelve({48, 36, 40}, measured());
  std::set<Strategy> first;
  for (std::size_t i = 0; i < all_strategies().size() - 1; i++) {
    EXPECT_TRUE(first.insert(all[i].options.strategy).second);
    EXPECT_TRUE(i == 0 || all[i - 1].estimate <= all[i].estimate);
    for (const Candidate& c : all)
      EXPECT_TRUE(c.options.strategy != all[i].options.strategy || c.estimate >= all[i].estimate);
  }
  EXPECT_EQ(all.front().options.strategy, Strategy::shared);
}

TEST(Candidates, WhatIsFixedStays) {
  PlanOptions options = measured();
  options.grid = {3, 4};
  options.strategy = Strategy::cyclic;
  options.fuse = false;
  ASSERT_EQ(on_twelve({48, 36, 40}, options).size(), 1U) << "chunks 1 is fixed where the strategy is";
  options.chunks = 0;
  EXPECT_EQ(on_twelve({48, 36, 40}, options).size(), 3U);
  options.strategy = Strategy::automatic;
  options.chunks = 3;
  for (const Candidate& c : on_twelve({48, 36, 40}, options)) {
    EXPECT_EQ(c.options.grid, (std::vector{3, 4}));
    EXPECT_EQ(c.options.chunks, 3);
    EXPECT_FALSE(c.options.fuse);
  }
}

// Strategy, grid, chunks, fusion: all but the batch.
std::string without_batch(const PlanOptions& o) {
  return to_string(o.strategy) + " " + to_string(ProcessGrid(o.grid)) + " " + std::to_string(o.chunks) +
         (o.fuse ? " fused" : "");
}

TEST(Candidates, StrategiesThatThrottleComeWithOneMessageAtATimeBehindAllAtOnce) {
  std::set<std::string> all_at_once, one_by_one;
  for (const Candidate& c : on_twelve({48, 36, 40}, measured())) {
    const std::string rest = without_batch(c.options);
    if (c.options.send_batch == 0) {
      EXPECT_TRUE(all_at_once.insert(rest).second) << rest;
      continue;
    }
    EXPECT_EQ(c.options.send_batch, 1);
    EXPECT_TRUE(row_of(c.options.strategy).throttles_sends) << rest;
    EXPECT_TRUE(one_by_one.insert(rest).second) << rest;
    EXPECT_EQ(all_at_once.count(rest), 1U) << rest << " comes first with all messages";
  }
  const auto throttled = std::count_if(all_at_once.begin(), all_at_once.end(), [](const std::string& rest) {
    return rest.starts_with("persistent") || rest.starts_with("datatype");
  });
  EXPECT_EQ(one_by_one.size(), static_cast<std::size_t>(throttled));
  EXPECT_GT(throttled, 0);
}

TEST(Candidates, BatchesAreTriedWhereARankSendsToSeveralOthersAndTheOptionsLeaveThem) {
  const auto batches = [](std::vector<int> grid, int send_batch = 0, int max_pending = 0) {
    PlanOptions options = measured();
    options.grid = std::move(grid);
    options.strategy = Strategy::persistent;
    options.fuse = false;
    options.send_batch = send_batch;
    options.max_pending = max_pending;
    const int ranks = ProcessGrid(options.grid).size();
    std::vector<int> found;
    for (const Candidate& c : candidates(input_of({48, 36, 40}), options, {}, {ranks, ranks, 1}, sizeof(double)))
      found.push_back(c.options.send_batch);
    return found;
  };
  EXPECT_EQ(batches({3}), (std::vector{0, 1}));
  EXPECT_EQ(batches({2, 6}), (std::vector{0, 1}));
  EXPECT_EQ(batches({2}), std::vector{0}) << "one peer";
  EXPECT_EQ(batches({2, 2}), std::vector{0}) << "one peer in every exchange";
  EXPECT_EQ(batches({1}), std::vector{0}) << "no exchange";
  EXPECT_EQ(batches({12}, 3), std::vector{3}) << "fixed";
  EXPECT_EQ(batches({12}, 0, 1), std::vector{0}) << "one message is under way at most in any case";
}

TEST(Candidates, Filters) {
  const auto strategies = [](const TuneFilter& filter, int node_ranks) {
    std::set<Strategy> found;
    for (const Candidate& c : on_twelve({48, 36, 40}, measured(), filter, node_ranks)) found.insert(c.options.strategy);
    return found;
  };
  EXPECT_EQ(strategies({{Strategy::pairwise, Strategy::shared}, {Strategy::shared}}, 12), std::set{Strategy::pairwise});
  EXPECT_EQ(strategies({{}, {Strategy::alltoallv}}, 12).count(Strategy::alltoallv), 0U);
  EXPECT_EQ(strategies({{Strategy::hierarchical}, {}}, 4), std::set{Strategy::hierarchical});
  const std::string text = testing::error_text([&] { strategies({{Strategy::hierarchical}, {}}, 12); });
  for (const char* part : {"include", "hierarchical", "12 ranks", "alltoallv"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Candidates, OneRankHasOnlyFusionToChoose) {
  const auto found = candidates(input_of({32, 32, 32}), measured(), {}, {1, 1, 1}, sizeof(double));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NE(found[0].options.fuse, found[1].options.fuse);
  const auto line = candidates(input_of({32}), measured(), {}, {1, 1, 1}, sizeof(double));
  EXPECT_EQ(line.size(), 1U);
}

TEST(Candidates, InPlaceOnOneNodeChoosesTheGridOnly) {
  PlanOptions options = measured();
  options.in_place = true;
  for (const Candidate& c : on_twelve({48, 36, 40}, options)) {
    EXPECT_EQ(c.options.strategy, Strategy::automatic);
    EXPECT_EQ(c.options.chunks, 1);
  }
}

}  // namespace
}  // namespace weft
