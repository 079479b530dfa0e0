// Overlaps and gaps of boxes.
#include "exchange/coverage.hpp"

#include <gtest/gtest.h>

#include "error_text.hpp"

namespace weft {
namespace {

Box box(Range a, Range b) {
  Box result(2);
  result[0] = a;
  result[1] = b;
  return result;
}

TEST(Coverage, TheFirstOtherBoxThatOverlapsIsNamed) {
  const std::vector<Box> boxes{box({0, 4}, {0, 4}), box({4, 8}, {0, 4}), box({3, 5}, {3, 9}), Box(2)};
  EXPECT_EQ(overlapping(boxes[0], boxes, 0), 2);
  EXPECT_EQ(overlapping(boxes[2], boxes, 2), 0);
  EXPECT_EQ(overlapping(boxes[3], boxes, 3), -1);
  EXPECT_EQ(overlapping(box({0, 4}, {4, 9}), boxes, -1), 2);
  EXPECT_EQ(overlapping(box({5, 8}, {4, 9}), boxes, -1), -1);
}

TEST(Coverage, BoxesThatCoverLeaveNothing) {
  const std::vector<Box> pinwheel{box({0, 2}, {0, 3}), box({0, 3}, {3, 5}), box({3, 5}, {2, 5}), box({2, 5}, {0, 2}),
                                  box({2, 3}, {2, 3})};
  EXPECT_FALSE(missing(box({0, 5}, {0, 5}), pinwheel));
  EXPECT_FALSE(missing(Box(2), {}));
}

TEST(Coverage, WhatIsMissingIsTheHole) {
  const std::vector<Box> ring{box({0, 2}, {0, 3}), box({0, 3}, {3, 5}), box({3, 5}, {2, 5}), box({2, 5}, {0, 2})};
  EXPECT_EQ(missing(box({0, 5}, {0, 5}), ring), box({2, 3}, {2, 3}));
  EXPECT_EQ(missing(box({-1, 1}, {0, 1}), ring), box({-1, 0}, {0, 1}));
  EXPECT_EQ(missing(box({7, 9}, {7, 9}), ring), box({7, 9}, {7, 9}));
}

TEST(Coverage, BoxesAreChecked) {
  using testing::error_text;
  EXPECT_EQ(error_text([] { check_box("to", box({3, 3}, {0, 4})); }), "no error");
  EXPECT_TRUE(testing::mentions(error_text([] { check_box("to", box({3, 1}, {0, 4})); }), "to:", "axis 0", "[3, 1)"));
  EXPECT_TRUE(testing::mentions(error_text([] { check_box("to", Box(7)); }), "to:", "7 were given"));
  EXPECT_TRUE(testing::mentions(error_text([] { check_box("to", Box()); }), "to:", "0 were given"));
}

}  // namespace
}  // namespace weft
