// Gathers the lines of a sweep in batches: sets of neighbours from each row, and the lines that remain.
#pragma once

#include <array>

#include "weft/types.hpp"

namespace weft {

/// Up to L lines: neighbours along the innermost batch axis, or any lines.
struct LineSet {
  static constexpr int most = 16;
  int used = 0;
  bool neighbours = false;  ///< all L lanes are used; line l has index[0] plus l along the inner axis
  std::array<Extents, most> index;
};

/// The lines with indices begin .. end - 1 along every axis; along the axis of the lines, begin is 0 and end is 1.
struct LineRanges {
  Extents begin, end;

  index_t count() const {
    index_t lines = 1;
    for (int a = 0; a < begin.dims(); a++) lines *= end[a] - begin[a];
    return lines;
  }
};

/// The lines of a row beyond its whole sets: those of all rows are gathered in further sets, or the last L lines of
/// each row are one more set, which overlaps the set before it.
enum class RowRest { gathered, overlapped };

/// Rows of neighbours along the inner axis, each split into as many whole sets of L lines as possible.
class LineRows {
 public:
  LineRows() = default;
  /// `inner` is the axis along which neighbours lie, -1 if there is none. Rows with fewer lines than lanes are never
  /// overlapped.
  LineRows(const LineRanges& lines, int inner, int lanes, RowRest rest = RowRest::gathered);

  index_t batches() const { return rows_ * full_ + (rows_ * rest_ + lanes_ - 1) / lanes_; }
  void select(index_t batch, LineSet& set) const;
  /// Makes one row of successive rows that have one whole set each: sets then follow each other along another axis. For
  /// lines whose elements all have the same distances.
  void join_rows();
  /// The axis along which sets follow each other in a row, and by how many lines.
  int along() const { return joined_ < 0 ? inner_ : joined_; }
  index_t step() const { return joined_ < 0 ? lanes_ : 1; }
  /// The number of whole sets after a set in its row, at equal distances.
  index_t after(const LineSet& set) const {
    if (!set.neighbours) return 0;
    if (joined_ >= 0) return lines_.end[joined_] - set.index[0][joined_] - 1;
    return ((lines_.end[inner_] - set.index[0][inner_]) >> lane_bits_) - 1;
  }
  /// Sets `next` to the set of neighbours `sets` sets after `set`, in the same row or at the beginning of the next row.
  void advance(const LineSet& set, index_t sets, LineSet& next) const;
  /// The number of whole sets, which come before the remaining lines.
  index_t full_sets() const { return rows_ * full_; }

 private:
  void find(index_t row, index_t inside, Extents& index) const;
  void step_row(Extents& index) const;

  LineRanges lines_;
  int inner_ = -1, joined_ = -1;  // joined_: the axis of join_rows()
  index_t lanes_ = 1;
  int lane_bits_ = 0;                       // log2 of lanes_: rows begin too often for a division
  index_t rows_ = 0, full_ = 0, rest_ = 0;  // the number of rows, and of whole sets and remaining lines per row
};

/// The position of a set of lines in its row, and the set that follows.
struct RowPosition {
  index_t before, after;     ///< sets of neighbours before it (in its sweep) and after it in the row
  const LineSet* following;  ///< the next set; null if there is none
};

struct LineBatch : RowPosition {
  const LineSet* set;
  int along = -1;     ///< the axis along which sets follow each other in the row
  index_t step = 0;   ///< lines from a set to the next along it
  index_t count = 1;  ///< sets of the row, from this one on, that take the same route in one call
};

}  // namespace weft
