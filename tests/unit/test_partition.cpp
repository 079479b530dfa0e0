// The four rules for cutting an axis: exhaustive properties on small sizes, published examples, 64-bit sizes, errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "../error_text.hpp"
#include "weft/partition.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

std::vector<index_t> sizes(const Partition& partition) {
  std::vector<index_t> result;
  result.reserve(static_cast<std::size_t>(partition.parts()));
  for (int part = 0; part < partition.parts(); ++part) result.push_back(partition.range(part).size());
  return result;
}

// Empty when the parts cover the axis once, agree with owner(), and differ by at most one point or, in blocks, are all
// of the largest size up to one; else what is wrong.
std::string fault_of(const Partition& partition) {
  if (partition.first(0) != 0 || partition.first(partition.parts()) != partition.points()) return "not the whole axis";
  index_t smallest = partition.points(), largest = 0;
  for (int part = 0; part < partition.parts(); ++part) {
    const Range range = partition.range(part);
    if (range.hi < range.lo) return "part " + std::to_string(part) + " runs backwards";
    smallest = std::min(smallest, range.size());
    largest = std::max(largest, range.size());
    for (index_t i = range.lo; i < range.hi; ++i) {
      if (partition.owner(i) != part) return "owner of point " + std::to_string(i);
    }
  }
  if (partition.scheme() == Scheme::block) {
    index_t smaller = 0;  // parts that are neither whole nor empty
    for (const index_t size : sizes(partition)) smaller += size != 0 && size != largest ? 1 : 0;
    if (smaller > 1) return "more than one smaller part";
  } else if (largest - smallest > 1) {
    return "sizes differ by more than one";
  }
  return largest == partition.largest() ? "" : "largest()";
}

std::string scheme_name(const ::testing::TestParamInfo<Scheme>& info) {
  const char* const names[] = {"even", "first", "grouped", "block"};
  return names[static_cast<int>(info.param)];
}

class EveryScheme : public ::testing::TestWithParam<Scheme> {};
INSTANTIATE_TEST_SUITE_P(Partition, EveryScheme,
                         ::testing::Values(Scheme::even, Scheme::first, Scheme::grouped, Scheme::block), scheme_name);

TEST_P(EveryScheme, CutsEverySmallAxisEvenlyAndKnowsTheOwners) {
  for (int parts = 1; parts <= 80; ++parts) {
    for (index_t points = 0; points <= 200; ++points) {
      ASSERT_EQ(fault_of(Partition(points, parts, GetParam())), "") << points << " points in " << parts << " parts";
    }
  }
}

TEST_P(EveryScheme, IsExactForAxesBeyond32Bits) {
  // 3 * 2^40 + 7 points: first(r) * parts needs 55 bits.
  const Partition partition(3 * (index_t{1} << 40) + 7, 1000, GetParam());
  EXPECT_EQ(partition.first(1000), partition.points());
  for (int part = 0; part < 1000; ++part) {
    const Range range = partition.range(part);
    const bool has_what_is_left = GetParam() == Scheme::block && part == 999;
    EXPECT_GE(range.size(), has_what_is_left ? 1 : partition.points() / 1000);
    EXPECT_LE(range.size(), partition.largest());
    EXPECT_EQ(partition.owner(range.lo), part);
    EXPECT_EQ(partition.owner(range.hi - 1), part);
  }
}

TEST_P(EveryScheme, RefusesWhatIsNoPartition) {
  const Scheme scheme = GetParam();
  EXPECT_TRUE(mentions(error_text([&] { Partition(-3, 2, scheme); }), "points = -3", "0 or more"));
  EXPECT_TRUE(mentions(error_text([&] { Partition(3, 0, scheme); }), "parts = 0", "at least 1"));
  const index_t huge = std::numeric_limits<index_t>::max();
  EXPECT_TRUE(mentions(error_text([&] { Partition(huge, 2, scheme); }), std::to_string(huge), "parts = 2", "2^63 - 1"));
  EXPECT_EQ(Partition(huge, 1, scheme).first(1), huge);
}

TEST_P(EveryScheme, RefusesPartsAndPointsThatAreNotThere) {
  const Partition partition(10, 3, GetParam());
  EXPECT_TRUE(mentions(error_text([&] { partition.first(-1); }), "part = -1", "0 to 3"));
  EXPECT_TRUE(mentions(error_text([&] { partition.first(4); }), "part = 4", "0 to 3"));
  EXPECT_TRUE(mentions(error_text([&] { partition.owner(-1); }), "point = -1", "10 points"));
  EXPECT_TRUE(mentions(error_text([&] { partition.owner(10); }), "point = 10", "10 points"));
  EXPECT_TRUE(mentions(error_text([&] { Partition(0, 3, GetParam()).owner(0); }), "point = 0", "0 points"));
}

using Sizes = std::vector<index_t>;

TEST(Partition, LaysTheLargerPartsWhereTheSchemeSays) {
  EXPECT_EQ(sizes(Partition(32, 7, Scheme::grouped)), (Sizes{5, 5, 5, 5, 4, 4, 4}));  // FLUPS (2023), appendix A
  EXPECT_EQ(sizes(Partition(32, 6, Scheme::grouped)), (Sizes{5, 5, 6, 5, 5, 6}));
  EXPECT_EQ(sizes(Partition(32, 6, Scheme::even)), (Sizes{5, 5, 6, 5, 5, 6}));
  EXPECT_EQ(sizes(Partition(32, 6, Scheme::first)), (Sizes{6, 6, 5, 5, 5, 5}));
  EXPECT_EQ(sizes(Partition(32, 7, Scheme::even)), (Sizes{4, 5, 4, 5, 4, 5, 5}));
  EXPECT_EQ(sizes(Partition(32, 7, Scheme::block)), (Sizes{5, 5, 5, 5, 5, 5, 2}));
  EXPECT_EQ(sizes(Partition(9, 4, Scheme::block)), (Sizes{3, 3, 3, 0}));
}

TEST(Partition, LeavesPartsEmptyWhenThereAreFewerPoints) {
  EXPECT_EQ(sizes(Partition(2, 5, Scheme::even)), (Sizes{0, 0, 1, 0, 1}));
  EXPECT_EQ(sizes(Partition(2, 5, Scheme::first)), (Sizes{1, 1, 0, 0, 0}));
  EXPECT_EQ(sizes(Partition(2, 5, Scheme::grouped)), (Sizes{0, 1, 0, 1, 0}));
  EXPECT_EQ(sizes(Partition(2, 5, Scheme::block)), (Sizes{1, 1, 0, 0, 0}));
  EXPECT_EQ(sizes(Partition(0, 3, Scheme::grouped)), (Sizes{0, 0, 0}));
  EXPECT_EQ(sizes(Partition(0, 3, Scheme::block)), (Sizes{0, 0, 0}));
}

// Most and fewest points on one node of 128 consecutive parts.
Range points_per_node(const Partition& partition) {
  Range extremes{partition.points(), 0};
  for (int node = 0; node < partition.parts() / 128; ++node) {
    const index_t points = partition.first(128 * (node + 1)) - partition.first(128 * node);
    extremes = {std::min(extremes.lo, points), std::max(extremes.hi, points)};
  }
  return extremes;
}

// The comparison of the schemes that makes `even` the default: 1281 points, 1024 parts.
TEST(Partition, EvenBalancesNodesBest) {
  EXPECT_EQ(points_per_node(Partition(1281, 1024, Scheme::first)), (Range{128, 256}));
  EXPECT_EQ(points_per_node(Partition(1281, 1024, Scheme::grouped)), (Range{128, 171}));
  EXPECT_EQ(points_per_node(Partition(1281, 1024, Scheme::even)), (Range{160, 161}));
  EXPECT_EQ(Partition(1281, 1024).scheme(), Scheme::even);
}

TEST(Partition, EqualityComparesPointsPartsAndScheme) {
  EXPECT_EQ(Partition(8, 2), Partition(8, 2));
  EXPECT_FALSE(Partition(8, 2) == Partition(9, 2));
  EXPECT_FALSE(Partition(8, 2) == Partition(8, 3));
  EXPECT_FALSE(Partition(8, 2) == Partition(8, 2, Scheme::first));
}

}  // namespace
}  // namespace weft
