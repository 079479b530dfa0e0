// How the lines of a sweep are gathered in batches: rows of neighbours, and what is left of them.
#pragma once

#include "plan/pass/line_set.hpp"
#include "weft/types.hpp"

namespace weft {

/// The lines whose index along every axis lies in begin .. end; along the axis of the lines itself that is 0 .. 1.
struct LineRanges {
  Extents begin, end;

  index_t count() const {
    index_t lines = 1;
    for (int a = 0; a < begin.dims(); a++) lines *= end[a] - begin[a];
    return lines;
  }
};

/// What becomes of the lines that whole sets leave over in a row: those of all rows together fill further sets, or the
/// last lines of each row are one more set, some of whose lines are in the set before it, too.
enum class RowRest { gathered, overlapped };

/// Lines are rows of neighbours along the inner axis. Each row gives as many whole sets of L as it can.
class LineRows {
 public:
  LineRows() = default;
  /// `inner` is the axis along which neighbours lie, -1 where there is none. Rows of fewer lines than lanes overlap
  /// with nothing.
  LineRows(const LineRanges& lines, int inner, int lanes, RowRest rest = RowRest::gathered);

  index_t batches() const { return rows_ * full_ + (rows_ * rest_ + lanes_ - 1) / lanes_; }
  void select(index_t batch, LineSet& set) const;
  /// Whole sets of its row behind a set, each as far from the one before it.
  index_t behind(const LineSet& set) const {
    return set.neighbours ? ((lines_.end[inner_] - set.index[0][inner_]) >> lane_bits_) - 1 : 0;
  }
  /// The set of neighbours that is `sets` behind another one, of the same row or the first one of the next row.
  void go_on(const LineSet& set, index_t sets, LineSet& next) const;
  /// Batches of whole sets, which come before the lines that are left.
  index_t full_sets() const { return rows_ * full_; }

 private:
  void find(index_t row, index_t inside, Extents& index) const;
  void step_row(Extents& index) const;

  LineRanges lines_;
  int inner_ = -1;
  index_t lanes_ = 1;
  int lane_bits_ = 0;                       // lanes are a power of two: rows begin more often than a division is worth
  index_t rows_ = 0, full_ = 0, rest_ = 0;  // rows, and whole sets and lines that are gathered of each
};

/// A set among those of its row, and what comes next.
struct LineBatch {
  const LineSet* set;
  index_t before = 0, behind = 0;      ///< whole sets of the row before (in this sweep) and behind
  const LineSet* following = nullptr;  ///< the next set; null where there is none
  index_t count = 1;                   ///< sets of the row, from this one on, that go the same way together
};

}  // namespace weft
