// Selects the lines of each batch.
#include "plan/pass/line_rows.hpp"

#include <algorithm>
#include <bit>

namespace weft {

LineRows::LineRows(const LineRanges& lines, int inner, int lanes, RowRest rest)
    : lines_(lines), inner_(inner), lanes_(lanes), lane_bits_(std::countr_zero(static_cast<unsigned>(lanes))) {
  const index_t all = lines.count(), row = inner < 0 ? 1 : lines.end[inner] - lines.begin[inner];
  if (all == 0) return;
  rows_ = all / row;
  full_ = inner < 0 ? 0 : row / lanes;
  rest_ = row - full_ * lanes;
  if (rest == RowRest::overlapped && full_ > 0 && rest_ > 0) {
    full_++;
    rest_ = 0;
  }
}

void LineRows::join_rows() {
  for (int a = lines_.begin.dims() - 1; a >= 0 && full_ == 1 && joined_ < 0; a--)
    if (a != inner_ && lines_.end[a] - lines_.begin[a] > 1) joined_ = a;
}

// Sets `index` to row number `row` (last axis fastest, without the inner axis), place `inside` of the inner axis.
void LineRows::find(index_t row, index_t inside, Extents& index) const {
  index = lines_.begin;
  for (int a = index.dims() - 1; a >= 0; a--) {
    if (a == inner_) {
      index[a] += inside;
    } else {
      const index_t size = lines_.end[a] - lines_.begin[a];
      if (size == 1) continue;
      index[a] += row % size;
      row /= size;
    }
  }
}

// Moves `index` from a line of a row to the same line of the next row.
void LineRows::step_row(Extents& index) const {
  for (int a = index.dims() - 1; a >= 0; a--) {
    if (a == inner_) continue;
    if (++index[a] < lines_.end[a]) return;
    index[a] = lines_.begin[a];
  }
}

void LineRows::select(index_t batch, LineSet& set) const {
  if (batch < rows_ * full_) {
    set.used = static_cast<int>(lanes_);
    set.neighbours = true;
    const index_t row = lines_.end[inner_] - lines_.begin[inner_];
    find(batch / full_, std::min(batch % full_ * lanes_, row - lanes_), set.index[0]);
    return;
  }
  const index_t first = (batch - rows_ * full_) * lanes_;
  set.used = static_cast<int>(std::min(lanes_, rows_ * rest_ - first));
  set.neighbours = false;
  Extents row;  // changes only between rows: a copy of data just written waits for the stores
  find(first / rest_, 0, row);
  for (index_t l = 0, place = first % rest_; l < set.used; l++) {
    Extents& index = set.index[static_cast<std::size_t>(l)];
    index = row;
    if (inner_ >= 0) index[inner_] += full_ * lanes_ + place;
    if (++place < rest_) continue;
    place = 0;
    step_row(row);
  }
}

void LineRows::advance(const LineSet& set, index_t sets, LineSet& next) const {
  next.used = set.used;
  next.neighbours = true;
  Extents& index = next.index[0];
  index = set.index[0];
  if (joined_ >= 0) {
    index[joined_] += sets - 1;
    return step_row(index);
  }
  const index_t last = lines_.end[inner_] - lanes_, after = index[inner_] + sets * lanes_;
  const bool in_row = after <= last || (rest_ == 0 && after < last + lanes_);  // overlaps if lines remain
  index[inner_] = std::min(after, last);
  if (in_row) return;
  index[inner_] = lines_.begin[inner_];
  step_row(index);
}

}  // namespace weft
