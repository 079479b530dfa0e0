// Multi-indices: access, text, strides, and the limit on the number of axes.
#include <gtest/gtest.h>

#include "../error_text.hpp"
#include "weft/types.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

TEST(Extents, HoldsOneNumberPerAxis) {
  Extents extents{4, 5};
  extents.push_back(6);
  extents[0] = 7;
  EXPECT_EQ(extents.dims(), 3);
  EXPECT_EQ(extents, (Extents{7, 5, 6}));
  EXPECT_EQ(Extents(3, 2), (Extents{2, 2, 2}));
  EXPECT_FALSE((Extents{4, 5}) == (Extents{4, 5, 0}));
  EXPECT_FALSE((Extents{4, 5}) == (Extents{4, 6}));
}

TEST(Extents, ProductHas64Bits) {
  EXPECT_EQ((Extents{3, 4, 5}).product(), 60);
  EXPECT_EQ((Extents{3, 0, 5}).product(), 0);
  EXPECT_EQ(Extents().product(), 1);
  EXPECT_EQ((Extents{65536, 65536, 65536}).product(), index_t{1} << 48);
}

TEST(Extents, RefusesMoreAxesThanItHolds) {
  EXPECT_TRUE(mentions(error_text([] { Extents{1, 2, 3, 4, 5, 6, 7}; }), "7 axes", "between 1 and 6"));
  EXPECT_TRUE(mentions(error_text([] { Extents(7); }), "7 axes"));
  EXPECT_TRUE(mentions(error_text([] { Extents(-1); }), "-1 axes"));
  Extents full(max_dims, 1);
  EXPECT_TRUE(mentions(error_text([&] { full.push_back(1); }), "7 axes"));
  EXPECT_EQ(full, Extents(max_dims, 1));
}

TEST(Extents, Text) {
  EXPECT_EQ(to_string(Extents{256, 256, 129}), "256 x 256 x 129");
  EXPECT_EQ(to_string(Extents{8}), "8");
  EXPECT_EQ(to_string(Extents()), "no axes");
}

TEST(Extents, StridesOfCOrder) {
  EXPECT_EQ(c_strides(Extents{4, 5, 6}), (Extents{30, 6, 1}));
  EXPECT_EQ(c_strides(Extents{9}), (Extents{1}));
  EXPECT_EQ(c_strides(Extents{2, 65536, 65536}), (Extents{index_t{1} << 32, 65536, 1}));
}

}  // namespace
}  // namespace weft
