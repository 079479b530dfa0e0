// Long lines as matrices: their factors, and what each rank has of them.
#include <gtest/gtest.h>

#include <set>

#include "plan/line/line_shape.hpp"

namespace weft {
namespace {

TEST(LineShapes, AreTheFactorsClosestToTheRoot) {
  for (index_t n = 1; n < 3000; n++) {
    const LineShape shape(n);
    EXPECT_EQ(shape.rows * shape.columns, n);
    EXPECT_LE(shape.rows, shape.columns);
    for (index_t rows = shape.rows + 1; rows * rows <= n; rows++) EXPECT_NE(n % rows, 0) << n;
  }
  EXPECT_TRUE(LineShape(index_t{1} << 40).is_balanced());
  EXPECT_FALSE(LineShape(1000003).is_balanced());
  EXPECT_FALSE(LineShape(2 * 1000003).is_balanced());
}

TEST(LineShapes, HaveEveryModeOnce) {
  for (const index_t n : {1, 12, 35, 210, 1024}) {
    std::set<index_t> modes;
    for (index_t place = 0; place < n; place++) modes.insert(LineShape(n).mode_at(place));
    EXPECT_EQ(static_cast<index_t>(modes.size()), n);
    EXPECT_EQ(*modes.rbegin(), n - 1);
  }
}

// From 3/2 to 15/8 of a power of two is the longest way.
TEST(LineShapes, BalancedLengthsAreNotMuchLonger) {
  for (index_t least = 1000; least < 200000; least = least * 21 / 20 + 1) {
    const index_t length = balanced_length(least);
    EXPECT_GE(length, least);
    EXPECT_LE(4 * length, 5 * least);
    EXPECT_TRUE(LineShape(length).is_balanced());
    index_t rest = length;
    for (const index_t factor : {2, 3, 5})
      while (rest % factor == 0) rest /= factor;
    EXPECT_EQ(rest, 1);
  }
}

// The parts of all ranks follow one another and make up the line.
TEST(LongLines, AreCutOverAllRanks) {
  for (const Kind kind : {Kind::c2c, Kind::r2c})
    for (const LineOrder order : {LineOrder::natural, LineOrder::scrambled})
      for (const index_t n : {32768, 59049, 40009, 40022, 33333})
        for (const Scheme scheme : {Scheme::even, Scheme::first, Scheme::grouped, Scheme::block})
          for (const int ranks : {1, 2, 3, 7, 64, 1000}) {
            const LongLine line{.kind = kind, .n = n, .order = order, .scheme = scheme, .ranks = ranks};
            index_t points = 0, modes = 0;
            for (int rank = 0; rank < ranks; rank++) {
              const LineCut cut = line.cut(rank);
              EXPECT_TRUE(cut.points.size() == 0 || cut.points.lo == points);
              EXPECT_TRUE(cut.modes.size() == 0 || cut.modes.lo == modes);
              points += cut.points.size();
              modes += cut.modes.size();
            }
            EXPECT_EQ(points, n);
            EXPECT_EQ(modes, output_length(kind, n));
          }
}

}  // namespace
}  // namespace weft
