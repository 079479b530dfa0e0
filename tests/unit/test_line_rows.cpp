// Rows of lines in sets: every line is in a set, and only overlapped rows have any of them twice.
#include <gtest/gtest.h>

#include <map>
#include <tuple>

#include "plan/pass/line_rows.hpp"

namespace weft {
namespace {

constexpr int lanes = 8;

struct Shape {
  index_t rows, row;
  RowRest rest;
};

// How often each line (row, place) of 2 x rows x row lines comes in the sets of all batches; axis 1 is that of the
// lines.
std::map<std::tuple<index_t, index_t, index_t>, int> visits(const Shape& shape, index_t& sets) {
  const LineRanges lines{{1, 0, 2, 3}, {3, 1, 2 + shape.rows, 3 + shape.row}};
  const LineRows rows(lines, 3, lanes, shape.rest);
  std::map<std::tuple<index_t, index_t, index_t>, int> found;
  sets = rows.batches();
  for (index_t batch = 0; batch < rows.batches(); batch++) {
    LineSet set;
    rows.select(batch, set);
    for (int l = 0; l < set.used; l++) {
      Extents index = set.index[set.neighbours ? 0 : static_cast<std::size_t>(l)];
      if (set.neighbours) index[3] += l;
      EXPECT_EQ(index[1], 0);
      EXPECT_GE(index[3], 3);
      EXPECT_LT(index[3], 3 + shape.row);
      found[{index[0], index[2], index[3]}]++;
    }
    if (batch + 1 < rows.full_sets()) {  // the next one is found from this one, too
      LineSet next, selected;
      rows.advance(set, 1, next);
      rows.select(batch + 1, selected);
      EXPECT_EQ(next.index[0], selected.index[0]) << "batch " << batch;
    }
  }
  return found;
}

TEST(LineRows, HaveEveryLineOnceIfWhatIsLeftIsGathered) {
  for (const index_t row : {1, 3, 8, 9, 15, 16, 17, 30}) {
    index_t sets = 0;
    const auto found = visits({3, row, RowRest::gathered}, sets);
    EXPECT_EQ(found.size(), static_cast<std::size_t>(2 * 3 * row));
    for (const auto& [line, count] : found) EXPECT_EQ(count, 1);
    const index_t left = 2 * 3 * (row % lanes);
    EXPECT_EQ(sets, 2 * 3 * (row / lanes) + (left + lanes - 1) / lanes);
  }
}

TEST(LineRows, HaveTheLinesBeforeTheLastSetTwiceIfItOverlaps) {
  for (const index_t row : {8, 9, 15, 16, 17, 30}) {
    index_t sets = 0;
    const auto found = visits({3, row, RowRest::overlapped}, sets);
    EXPECT_EQ(found.size(), static_cast<std::size_t>(2 * 3 * row));
    const index_t per_row = (row + lanes - 1) / lanes;
    EXPECT_EQ(sets, 2 * 3 * per_row);
    const index_t twice = per_row * lanes - row;  // those before the first of the lines that are left
    for (const auto& [line, count] : found) {
      const index_t place = std::get<2>(line) - 3, last = row - lanes;
      EXPECT_EQ(count, place >= last && place < last + twice && twice > 0 ? 2 : 1)
          << "place " << place << " of " << row;
    }
  }
}

// From each set, all that follow in its row are found at once.
TEST(LineRows, OfOneSetEachFollowEachOtherIfJoined) {
  for (const index_t row : {7, 8, 9, 11, 16}) {
    const LineRanges lines{{1, 0, 2, 3}, {3, 1, 6, 3 + row}};
    LineRows rows(lines, 3, lanes);
    rows.join_rows();
    const bool joined = row / lanes == 1;
    EXPECT_EQ(rows.along(), joined ? 2 : 3);
    EXPECT_EQ(rows.step(), joined ? 1 : lanes);
    for (index_t batch = 0; batch < rows.full_sets(); batch++) {
      LineSet set, next, selected;
      rows.select(batch, set);
      const index_t after = rows.after(set);
      EXPECT_EQ(after, joined ? 3 - batch % 4 : row / lanes - 1 - batch % (row / lanes));
      for (index_t sets = 1; sets <= after + 1 && batch + sets < rows.full_sets(); sets++) {
        rows.advance(set, sets, next);
        rows.select(batch + sets, selected);
        EXPECT_EQ(next.index[0], selected.index[0]) << "batch " << batch << " and " << sets;
        if (sets > after) continue;
        Extents index = set.index[0];
        index[rows.along()] += sets * rows.step();
        EXPECT_EQ(next.index[0], index);
      }
    }
  }
}

TEST(LineRows, ThatAreShorterThanASetDoNotOverlap) {
  index_t sets = 0;
  const auto found = visits({4, 5, RowRest::overlapped}, sets);
  EXPECT_EQ(found.size(), 2U * 4 * 5);
  EXPECT_EQ(sets, 2 * 4 * 5 / lanes);
}

TEST(LineRows, CountTheSetsBehindThatAreAsFarApart) {
  const LineRanges lines{{0, 0, 0}, {1, 1, 30}};
  const LineRows rows(lines, 2, lanes, RowRest::overlapped);
  LineSet set;
  const index_t after[] = {2, 1, 0, 0};
  for (index_t batch = 0; batch < 4; batch++) {
    rows.select(batch, set);
    EXPECT_EQ(rows.after(set), after[batch]) << "set " << batch;
  }
}

}  // namespace
}  // namespace weft
