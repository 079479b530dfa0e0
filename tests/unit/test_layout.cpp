// Process grids and layouts: rank arithmetic, boxes that tile the array in 1 to 6 dimensions, owners, text, errors.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "../error_text.hpp"
#include "weft/layout.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

TEST(ProcessGrid, LastAxisVariesFastest) {
  const ProcessGrid grid({2, 3, 4});
  EXPECT_EQ(grid.dims(), 3);
  EXPECT_EQ(grid.size(), 24);
  int rank = 0;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k, ++rank) {
        EXPECT_EQ(grid.coordinate(rank, 0), i);
        EXPECT_EQ(grid.coordinate(rank, 1), j);
        EXPECT_EQ(grid.coordinate(rank, 2), k);
      }
    }
  }
}

TEST(ProcessGrid, NeighbourChangesOneCoordinateOnly) {
  const ProcessGrid grid({2, 3, 4});
  for (int rank = 0; rank < grid.size(); ++rank) {
    for (int axis = 0; axis < 3; ++axis) {
      for (int target = 0; target < grid[axis]; ++target) {
        const int other = grid.neighbour(rank, axis, target);
        for (int along = 0; along < 3; ++along) {
          EXPECT_EQ(grid.coordinate(other, along), along == axis ? target : grid.coordinate(rank, along));
        }
      }
    }
  }
}

TEST(ProcessGrid, LineIsSharedByJustTheRanksThatDifferAlongOneAxis) {
  const ProcessGrid grid({2, 3, 4});
  for (int axis = 0; axis < 3; ++axis) {
    for (int a = 0; a < grid.size(); ++a) {
      for (int b = 0; b < grid.size(); ++b) {
        const bool on_line = grid.neighbour(a, axis, grid.coordinate(b, axis)) == b;
        EXPECT_EQ(grid.line(a, axis) == grid.line(b, axis), on_line);
      }
    }
  }
}

TEST(ProcessGrid, RefusesWhatIsNoGrid) {
  const std::string text = error_text([] { ProcessGrid({2, 0}); });
  EXPECT_TRUE(mentions(text, "process grid 2 x 0", "entry 0", "at least 1")) << text;
  EXPECT_TRUE(mentions(error_text([] { ProcessGrid({-4}); }), "entry -4"));
  EXPECT_TRUE(mentions(error_text([] { ProcessGrid({65536, 32768}); }), "65536 x 32768", "2^31 - 1"));
  EXPECT_EQ(ProcessGrid({65536, 32767}).size(), 65536 * 32767);
  EXPECT_EQ(ProcessGrid().size(), 1);
}

TEST(ProcessGrid, Text) {
  EXPECT_EQ(to_string(ProcessGrid({2, 3})), "2 x 3");
  EXPECT_EQ(to_string(ProcessGrid()), "1");
}

// Position of an element of the array in memory, and the elements of a box in order.
index_t position(const Extents& index, const Extents& extents) {
  const Extents strides = c_strides(extents);
  index_t result = 0;
  for (int axis = 0; axis < index.dims(); ++axis) result += index[axis] * strides[axis];
  return result;
}

std::vector<Extents> elements(const Box& box) {
  std::vector<Extents> result;
  const Extents extents = box.extents(), strides = c_strides(extents);
  for (index_t i = 0; i < box.size(); ++i) {
    Extents index = box.lower();
    for (int axis = 0; axis < box.dims(); ++axis) index[axis] += i / strides[axis] % extents[axis];
    result.push_back(index);
  }
  return result;
}

// Every element lies in the box of one rank, and owner() names that rank.
void expect_tiling(const Layout& layout) {
  std::vector<int> holders(static_cast<std::size_t>(layout.extents().product()), 0);
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    for (const Extents& index : elements(layout.box(rank))) {
      ++holders[static_cast<std::size_t>(position(index, layout.extents()))];
      ASSERT_EQ(layout.owner(index), rank) << to_string(layout) << " at " << to_string(index);
    }
  }
  ASSERT_EQ(holders, std::vector<int>(holders.size(), 1)) << to_string(layout);
}

struct Case {
  std::string name;
  Extents extents;
  std::vector<int> grid, cut;
};

class Tiling : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Layout, Tiling,
                         ::testing::Values(Case{"line", {13}, {5}, {0}},
                                           Case{"line_more_ranks_than_points", {3}, {7}, {0}},
                                           Case{"slab_2d", {7, 5}, {3}, {1}}, Case{"blocks_2d", {7, 5}, {3, 2}, {1, 0}},
                                           Case{"slab_3d", {9, 4, 5}, {4}, {0}},
                                           Case{"pencil_3d", {9, 4, 5}, {2, 3}, {0, 1}},
                                           Case{"pencil_3d_crossed", {9, 4, 5}, {2, 3}, {2, 0}},
                                           Case{"brick_3d", {9, 4, 5}, {2, 3, 2}, {0, 1, 2}},
                                           Case{"slab_3d_more_ranks_than_planes", {3, 4, 5}, {11}, {0}},
                                           Case{"pencil_4d", {3, 5, 4, 2}, {2, 2}, {3, 1}},
                                           Case{"three_axes_of_5d", {3, 2, 4, 3, 2}, {2, 3, 2}, {0, 2, 3}},
                                           Case{"six_axes", {3, 2, 3, 2, 3, 2}, {2, 2, 1, 2, 2, 2}, {0, 1, 2, 3, 4, 5}},
                                           Case{"one_rank", {4, 4}, {1}, {0}}, Case{"no_grid", {4, 4}, {}, {}},
                                           Case{"no_elements", {4, 0, 3}, {2}, {0}},
                                           Case{"uncut_beside_slab", {6, 5}, {2, 3}, {0, Layout::uncut}},
                                           Case{"all_on_one_rank", {6, 5}, {2, 3}, {Layout::uncut, Layout::uncut}}),
                         [](const auto& info) { return info.param.name; });

TEST_P(Tiling, BoxesOfAllRanksCoverTheArrayOnce) {
  const Case& a = GetParam();
  for (Scheme scheme : {Scheme::even, Scheme::first, Scheme::grouped}) {
    expect_tiling(Layout(a.extents, ProcessGrid(a.grid), a.cut, scheme));
  }
}

TEST(Layout, BoxesFollowThePartitions) {
  const Layout pencil(Extents{10, 7, 6}, ProcessGrid({3, 2}), {0, 1});
  const Box box = pencil.box(3);  // coordinates 1, 1
  EXPECT_EQ(box[0], Partition(10, 3).range(1));
  EXPECT_EQ(box[1], Partition(7, 2).range(1));
  EXPECT_EQ(box[2], (Range{0, 6}));
  EXPECT_EQ(pencil.process_axis(0), 0);
  EXPECT_EQ(pencil.process_axis(1), 1);
  EXPECT_EQ(pencil.process_axis(2), Layout::uncut);
}

TEST(Layout, UncutProcessAxisHoldsAllOnItsFirstCoordinate) {
  const Layout layout(Extents{6, 5}, ProcessGrid({2, 3}), {1, Layout::uncut});
  for (int rank = 0; rank < 6; ++rank) {
    EXPECT_EQ(layout.box(rank).empty(), rank % 3 != 0) << rank;
    EXPECT_EQ(layout.box(rank).dims(), 2);
  }
  EXPECT_EQ(layout.box(3)[0], (Range{0, 6}));
}

TEST(Layout, DerivedLayoutsKeepTheRest) {
  const Layout start(Extents{8, 8, 8}, ProcessGrid({2, 2}), {0, 1}, Scheme::grouped);
  EXPECT_EQ(start.with_extents(Extents{8, 8, 5}),
            Layout(Extents{8, 8, 5}, ProcessGrid({2, 2}), {0, 1}, Scheme::grouped));
  EXPECT_EQ(start.with_cut(1, 2), Layout(Extents{8, 8, 8}, ProcessGrid({2, 2}), {0, 2}, Scheme::grouped));
  EXPECT_EQ(start.with_cut(1, Layout::uncut).process_axis(1), Layout::uncut);
  EXPECT_FALSE(start == start.with_cut(1, 2));
}

TEST(Layout, Text) {
  EXPECT_EQ(to_string(Layout(Extents{64, 64, 33}, ProcessGrid({2, 2}), {0, 1})),
            "64 x 64 x 33 over 2 x 2: axis 0 cut by 2, axis 1 cut by 2");
  EXPECT_EQ(to_string(Layout(Extents{8, 8}, ProcessGrid({4, 3}), {1, Layout::uncut})),
            "8 x 8 over 4 x 3: axis 1 cut by 4, all on the first of 3");
  EXPECT_EQ(to_string(Layout(Extents{8}, ProcessGrid(), {})), "8 over 1: not cut");
}

std::string refusal(const Extents& extents, const std::vector<int>& cut) {
  return error_text([&] { Layout(extents, ProcessGrid({2, 2}), cut); });
}

TEST(Layout, RefusesCutsThatDoNotFit) {
  EXPECT_TRUE(mentions(refusal({8, 8}, {0}), "cut has 1 entries", "2 axes", "one entry per axis"));
  EXPECT_TRUE(mentions(refusal({8, 8}, {0, 2}), "array axis 2", "2 axes", "0 to 1"));
  EXPECT_TRUE(mentions(refusal({8, 8}, {-2, 1}), "array axis -2"));
  EXPECT_TRUE(mentions(refusal({8, 8}, {1, 1}), "array axis 1 twice"));
  const Layout layout(Extents{8, 8}, ProcessGrid({2, 2}), {0, 1});
  EXPECT_TRUE(mentions(error_text([&] { layout.with_cut(0, 1); }), "array axis 1 twice"));
  EXPECT_TRUE(mentions(error_text([&] { layout.with_cut(2, 0); }), "process axis 2", "0 to 1"));
}

TEST(Layout, RefusesExtentsThatAreNoArray) {
  EXPECT_TRUE(mentions(refusal({8, -8}, {0, 1}), "8 x -8", "negative"));
  EXPECT_TRUE(mentions(refusal(Extents(), {0, 1}), "no axes", "1 or more"));
  const index_t big = index_t{1} << 32;
  EXPECT_TRUE(mentions(refusal({big, big}, {0, 1}), "4294967296 x 4294967296", "2^63 - 1"));
  EXPECT_EQ(refusal({big, big / 2 - 1}, {0, 1}), "no error");
}

TEST(Layout, RefusesRanksAndIndicesThatAreNotThere) {
  const Layout layout(Extents{8, 8}, ProcessGrid({2, 2}), {0, 1});
  EXPECT_TRUE(mentions(error_text([&] { layout.box(4); }), "rank = 4", "2 x 2", "0 to 3"));
  EXPECT_TRUE(mentions(error_text([&] { layout.box(-1); }), "rank = -1"));
  EXPECT_TRUE(mentions(error_text([&] { layout.owner({3, 8}); }), "3 x 8", "8 x 8"));
  EXPECT_TRUE(mentions(error_text([&] { layout.owner({-1, 0}); }), "-1 x 0"));
  EXPECT_TRUE(mentions(error_text([&] { layout.owner({1, 1, 1}); }), "1 x 1 x 1"));
}

}  // namespace
}  // namespace weft
