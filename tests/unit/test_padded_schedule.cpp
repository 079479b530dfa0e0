// Schedules of padded problems: what is sent before data grow, and what is fused so that they never lie in memory.
#include <gtest/gtest.h>

#include "poisson/problem.hpp"

namespace weft {
namespace {

Schedule schedule_of(const std::vector<Boundary>& boundaries, const ProcessGrid& grid, index_t cells = 16) {
  std::vector<DomainAxis> domain;
  for (const Boundary& boundary : boundaries) domain.push_back({cells, 1, boundary, Centring::cell});
  ScheduleInput input = schedule_input(domain, sizeof(double));
  input.grid = grid;
  return make_schedule(input);
}

const Boundary U{End::unbounded}, P{End::periodic}, EU{End::even, End::unbounded};

TEST(PaddedSchedule, SlabsAreExchangedBehindTheFirstAxisAndTheOthersFused) {
  const Schedule schedule = schedule_of({U, U, U}, ProcessGrid({4}));
  ASSERT_EQ(schedule.passes.size(), 2u);
  EXPECT_EQ(schedule.passes[0].axes, std::vector<int>{2});
  EXPECT_EQ(schedule.passes[1].axes, (std::vector<int>{0, 1}));
  // Planes of one mode of the first axis lie one after the other.
  EXPECT_EQ(schedule.exchanges[0].memory_order, (std::vector<int>{2, 0, 1}));
  EXPECT_EQ(schedule.physical.process_axis(0), 0);
  EXPECT_EQ(schedule.exchanges[0].near_axis, 2);
  EXPECT_EQ(schedule.exchanges[0].far_axis, 0);
  // 17 modes of one axis are exchanged, the points of the others.
  EXPECT_EQ(schedule.exchanges[0].far.extents(), (Extents{16, 16, 17}));
  EXPECT_EQ(schedule.spectral.extents(), (Extents{32, 32, 17}));
}

TEST(PaddedSchedule, OneRankTakesTheSameStepsInTheSameOrder) {
  const Schedule one = schedule_of({U, U, U}, ProcessGrid({1})), four = schedule_of({U, U, U}, ProcessGrid({2, 2}));
  ASSERT_EQ(one.passes.size(), 2u);
  EXPECT_EQ(one.passes[1].axes, (std::vector<int>{0, 1}));
  ASSERT_EQ(four.passes.size(), 3u);
  EXPECT_EQ(four.passes[1].axes, std::vector<int>{0});
  EXPECT_EQ(four.passes[2].axes, std::vector<int>{1});
}

TEST(PaddedSchedule, PlanesMayHoldTheContiguousAxis) {
  // The periodic axis 0 comes first.
  const Schedule schedule = schedule_of({P, U, U}, ProcessGrid({2}));
  EXPECT_EQ(schedule.passes[0].axes, std::vector<int>{0});
  EXPECT_EQ(schedule.passes[1].axes, (std::vector<int>{2, 1}));
  EXPECT_EQ(schedule.physical.process_axis(2), 0);
}

TEST(PaddedSchedule, WhatGrowsWithTheLastAxisAloneIsExchangedBeforeIt) {
  const Schedule schedule = schedule_of({U, P, P}, ProcessGrid({2}));
  EXPECT_EQ(schedule.passes[0].axes, (std::vector<int>{2, 1}));
  EXPECT_EQ(schedule.passes[1].axes, std::vector<int>{0});
}

}  // namespace
}  // namespace weft
