// Ranges and boxes: sizes, intersections, text.
#include <gtest/gtest.h>

#include "../error_text.hpp"
#include "weft/box.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

Box box_of(std::initializer_list<Range> ranges) {
  Box box(static_cast<int>(ranges.size()));
  int axis = 0;
  for (const Range& range : ranges) box[axis++] = range;
  return box;
}

TEST(Range, SizeAndContains) {
  const Range range{2, 5};
  EXPECT_EQ(range.size(), 3);
  EXPECT_FALSE(range.contains(1));
  EXPECT_TRUE(range.contains(2));
  EXPECT_TRUE(range.contains(4));
  EXPECT_FALSE(range.contains(5));
  EXPECT_EQ((Range{5, 2}).size(), 0);
}

TEST(Range, IntersectionHoldsJustTheSharedPoints) {
  for (index_t a = 0; a < 5; ++a) {
    for (index_t b = a; b < 5; ++b) {
      for (index_t c = 0; c < 5; ++c) {
        for (index_t d = c; d < 5; ++d) {
          const Range shared = intersect(Range{a, b}, Range{c, d});
          EXPECT_LE(shared.lo, shared.hi);
          EXPECT_EQ(shared, intersect(Range{c, d}, Range{a, b}));
          for (index_t i = -1; i < 6; ++i) {
            EXPECT_EQ(shared.contains(i), (Range{a, b}).contains(i) && (Range{c, d}).contains(i));
          }
        }
      }
    }
  }
}

TEST(Box, OfAnArrayCoversIt) {
  const Box box(Extents{4, 5, 6});
  EXPECT_EQ(box, box_of({{0, 4}, {0, 5}, {0, 6}}));
  EXPECT_EQ(box.size(), 120);
  EXPECT_EQ(box.lower(), (Extents{0, 0, 0}));
  EXPECT_FALSE(box.empty());
}

TEST(Box, ExtentsAndLower) {
  const Box box = box_of({{2, 5}, {1, 2}});
  EXPECT_EQ(box.extents(), (Extents{3, 1}));
  EXPECT_EQ(box.lower(), (Extents{2, 1}));
  EXPECT_EQ(box.size(), 3);
  EXPECT_TRUE(box_of({{2, 5}, {1, 1}}).empty());
  EXPECT_TRUE(Box(2).empty());
}

TEST(Box, Intersection) {
  EXPECT_EQ(intersect(box_of({{0, 4}, {2, 9}}), box_of({{3, 6}, {0, 5}})), box_of({{3, 4}, {2, 5}}));
  EXPECT_TRUE(intersect(box_of({{0, 4}, {2, 9}}), box_of({{4, 6}, {0, 5}})).empty());
  const Box whole(Extents{3, 3});
  EXPECT_EQ(intersect(whole, whole), whole);
}

TEST(Box, IntersectionRefusesOtherNumberOfAxes) {
  const std::string text = error_text([] { intersect(Box(Extents{4, 4}), Box(Extents{4, 4, 4})); });
  EXPECT_TRUE(mentions(text, "[0, 4) x [0, 4) of 2 axes", "of 3 axes", "one array")) << text;
}

TEST(Box, Text) {
  EXPECT_EQ(to_string(box_of({{0, 32}, {16, 32}})), "[0, 32) x [16, 32)");
  EXPECT_EQ(to_string(Box()), "no axes");
}

}  // namespace
}  // namespace weft
