// Which arrays share elements, and which transforms can go from one array to itself.
#include "plan/run/overlap.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "../error_text.hpp"
#include "plan/schedule/plan_shape.hpp"

namespace weft {
namespace {

using testing::mentions;

ShapedArray<double> array(double* data, const Extents& extents, const Extents& strides, int width = 1) {
  return {{data, strides}, extents, width};
}

TEST(Overlap, ArraysOneBehindTheOtherAreApart) {
  std::vector<double> memory(200);
  const auto at = [&](index_t place) { return array(memory.data() + place, {4, 6}, {6, 1}); };
  EXPECT_TRUE(overlap(at(0), at(0)));
  EXPECT_TRUE(overlap(at(0), at(23)));
  EXPECT_TRUE(overlap(at(23), at(0)));
  EXPECT_FALSE(overlap(at(0), at(24)));
  EXPECT_FALSE(overlap(at(24), at(0)));
  EXPECT_FALSE(overlap(at(0), array(memory.data(), {0, 6}, {6, 1}))) << "nothing overlaps nothing";
}

TEST(Overlap, RowsAndPlanesBetweenThoseOfAnotherArrayAreApart) {
  std::vector<double> memory(1000);
  const auto rows = [&](index_t place, int width) {
    return array(memory.data() + place, {4, 5, 6}, {200, 40, width}, width);
  };
  EXPECT_FALSE(overlap(rows(0, 1), rows(6, 2)));
  EXPECT_FALSE(overlap(rows(6, 2), rows(0, 1)));
  EXPECT_TRUE(overlap(rows(0, 1), rows(5, 2)));
  EXPECT_TRUE(overlap(rows(0, 2), rows(30, 2))) << "the end of a row and the beginning of the next";
  EXPECT_FALSE(overlap(rows(0, 2), rows(28, 2)));
  const auto planes = [&](index_t place) { return array(memory.data() + place, {4, 5, 6}, {200, 6, 1}); };
  EXPECT_FALSE(overlap(planes(0), planes(30)));
  EXPECT_TRUE(overlap(planes(0), planes(29)));
  EXPECT_FALSE(overlap(planes(170), planes(0)));
}

std::string problem(const Extents& shape, const std::vector<Kind>& kinds, const Extents& in, const Extents& out) {
  ScheduleInput input = schedule_input(shape, kinds, sizeof(double));
  input.grid = ProcessGrid({1});
  const Schedule s = make_schedule(input);
  std::vector<double> memory(5000);
  return overlap_problem(s, array(memory.data(), s.physical.extents(), in, s.width_physical),
                         array(memory.data(), s.spectral.extents(), out, s.width_spectral));
}

TEST(Overlap, OnePassNeedsRowsThatBeginTogether) {
  const std::vector<Kind> rows{Kind::none, Kind::r2c}, columns{Kind::r2c, Kind::none};
  EXPECT_EQ(problem({8, 6}, rows, {8, 1}, {8, 2}), "");
  EXPECT_TRUE(mentions(problem({8, 6}, rows, {6, 1}, {8, 2}), "out", "rows do not", "same strides"));
  EXPECT_TRUE(mentions(problem({6, 8}, columns, {16, 1}, {16, 2}), "out", "r2c on axis 0", "last axis (1)"));
  EXPECT_EQ(problem({6, 8}, {Kind::c2c, Kind::none}, {20, 2}, {20, 2}), "");
  EXPECT_EQ(problem({1, 6}, rows, {6, 1}, {8, 2}), "") << "a single line";
  EXPECT_EQ(problem({7, 6}, {Kind::c2c, Kind::r2c}, {6, 1}, {8, 2}), "")
      << "a single plane, loaded before it is stored";
  const std::vector<Kind> planes{Kind::none, Kind::c2c, Kind::r2c};
  EXPECT_EQ(problem({3, 7, 6}, planes, {60, 8, 1}, {60, 8, 2}), "");
  EXPECT_TRUE(mentions(problem({3, 7, 6}, planes, {42, 6, 1}, {56, 8, 2}), "out", "rows"));
  EXPECT_EQ(problem({3, 7, 6}, {Kind::c2c, Kind::c2c, Kind::r2c}, {42, 6, 1}, {56, 8, 2}), "")
      << "all goes through an array between the passes";
}

}  // namespace
}  // namespace weft
