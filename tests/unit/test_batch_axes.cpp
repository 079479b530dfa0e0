// Axes without a transform: never cut where they are named, else cut where that is worth more than an exchange.
#include <gtest/gtest.h>

#include <vector>

#include "../error_text.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "schedule_fixture.hpp"

namespace weft {
namespace {

using schedule_test::input_of;
using schedule_test::rfftn;
using testing::error_text;
using testing::mentions;

/// Elements that all ranks together send forward.
index_t elements_sent(const Schedule& schedule) {
  index_t elements = 0;
  for (const ExchangePlan& exchange : schedule.exchanges)
    for (int rank = 0; rank < exchange.near.ranks(); rank++) {
      const Box near = exchange.near.box(rank);
      elements += near.size() - intersect(near, exchange.far.box(rank)).size();
    }
  return elements;
}

ScheduleInput components(index_t count, const std::vector<int>& batch_axes) {
  ScheduleInput input = input_of({count, 8, 9, 10}, {Kind::none, Kind::c2c, Kind::c2c, Kind::r2c}, {3, 2, 1});
  input.batch_axes = batch_axes;
  return input;
}

TEST(BatchAxes, AreNeverCut) {
  const std::vector<Kind> kinds{Kind::none, Kind::c2c, Kind::c2c, Kind::r2c, Kind::none};
  ScheduleInput input = input_of({3, 8, 9, 10, 2}, kinds, {3, 2, 1});
  input.batch_axes = {0, 4};
  EXPECT_EQ(cutting_sequence(input), (std::vector<int>{3, 2, 1}));
  for (const std::vector<int>& grid : {std::vector<int>{4}, {2, 3}, {1, 5}}) {
    input.grid = ProcessGrid(grid);
    const Schedule schedule = make_schedule(input);
    for (const int axis : {0, 4}) {
      EXPECT_EQ(schedule.physical.process_axis(axis), Layout::uncut);
      EXPECT_EQ(schedule.spectral.process_axis(axis), Layout::uncut);
    }
  }
  EXPECT_EQ(choose_grid(input, 4), ProcessGrid({4})) << "that of the same array without them";
  input.grid = ProcessGrid({2, 2, 2});
  EXPECT_TRUE(mentions(error_text([&] { make_schedule(input); }), "grid", "(2)"));
}

TEST(BatchAxes, ComponentsShareTheExchangesOfOneOfThem) {
  for (const std::vector<int>& grid : {std::vector<int>{4}, {2, 3}}) {
    ScheduleInput vector = components(3, {0});
    vector.grid = ProcessGrid(grid);
    const Schedule of_three = make_schedule(vector), of_one = make_schedule(rfftn({8, 9, 10}, vector.grid));
    EXPECT_EQ(of_three.exchanges.size(), of_one.exchanges.size());
    EXPECT_EQ(elements_sent(of_three), 3 * elements_sent(of_one));
    EXPECT_GT(elements_sent(of_one), 0);
  }
}

TEST(BatchAxes, WhatIsNoneIsRefused) {
  const auto refusal = [](const std::vector<int>& axes) {
    PlanOptions options;
    options.batch_axes = axes;
    return error_text([&] { schedule_input({3, 8, 2}, {Kind::none, Kind::c2c, Kind::none}, 8, options); });
  };
  EXPECT_EQ(refusal({2, 0}), "no error");
  EXPECT_TRUE(mentions(refusal({3}), "batch_axes", "3", "0 to 2")) << refusal({3});
  EXPECT_TRUE(mentions(refusal({0, -1}), "batch_axes", "-1"));
  EXPECT_TRUE(mentions(refusal({1}), "batch_axes", "1", "c2c", "none"));
  EXPECT_TRUE(mentions(refusal({0, 2, 0}), "batch_axes", "0", "twice"));
}

// --- the grid, where axes without a transform may be cut -----------------------------------------------------------

ProcessGrid grid_of_components(index_t count, int ranks) {
  return choose_grid(input_of({count, 64, 64, 64}, {Kind::none, Kind::c2c, Kind::c2c, Kind::r2c}, {3, 2, 1}), ranks);
}

// The largest of the ranks that share the components may have a quarter more than its share; otherwise the cut goes
// through a transformed axis, at the price of an exchange.
TEST(BatchAxes, AreCutWhereRanksGetAboutTheSame) {
  EXPECT_EQ(grid_of_components(3, 3), ProcessGrid({3}));
  EXPECT_EQ(grid_of_components(6, 3), ProcessGrid({3}));
  EXPECT_EQ(grid_of_components(5, 2), ProcessGrid({2})) << "three and two components: a fifth too much";
  EXPECT_EQ(grid_of_components(3, 2), ProcessGrid({1, 2})) << "two and one component: a third too much";
  EXPECT_EQ(grid_of_components(3, 4), ProcessGrid({1, 4})) << "one rank would have nothing";
  EXPECT_EQ(grid_of_components(3, 6), ProcessGrid({3, 2})) << "two ranks a component";
  EXPECT_EQ(grid_of_components(1, 5), ProcessGrid({5})) << "a single component is cut last";
}

TEST(BatchAxes, TwoOfThemShareTheRanksWithoutAnExchange) {
  const ScheduleInput input = input_of({3, 4, 64, 64}, {Kind::none, Kind::none, Kind::c2c, Kind::r2c}, {3, 2});
  EXPECT_EQ(choose_grid(input, 12), ProcessGrid({3, 4}));
}

TEST(BatchAxes, AFewModesAreNotCutAmongManyRanks) {
  // The cut of axis 1 would turn to the two modes of axis 2.
  const ScheduleInput input = input_of({4, 64, 2}, {Kind::none, Kind::c2c, Kind::r2c}, {2, 1});
  EXPECT_EQ(choose_grid(input, 8), ProcessGrid({4, 2}));
}

}  // namespace
}  // namespace weft
