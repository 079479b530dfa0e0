// How the lines of a pass are gathered in batches.
#include <algorithm>

#include "plan/line_pass.hpp"

namespace weft {

// Lines are rows of neighbours along the inner axis. Each row gives as many whole batches as it can; what is left of
// all rows together fills further batches, so that no row wastes lanes of its own.

template <class Real>
index_t LinePass<Real>::lines_in(const Lines& lines) const {
  index_t count = 1;
  for (const auto& range : lines) count *= range[1] - range[0];
  return count;
}

template <class Real>
index_t LinePass<Real>::batches(const Lines& lines) const {
  const index_t all = lines_in(lines);
  if (all == 0) return 0;
  const auto inner = static_cast<std::size_t>(inner_);
  const index_t row = inner_ < 0 ? 1 : lines[inner][1] - lines[inner][0], rows = all / row;
  return rows * (row / kernels_.lanes) + (rows * (row % kernels_.lanes) + kernels_.lanes - 1) / kernels_.lanes;
}

namespace {

// The index of row number `row` (last axis fastest, the inner axis left out) at place `inside` of the inner axis.
template <class Lines>
Extents line_index(const Lines& lines, int inner, index_t row, index_t inside) {
  const int dims = static_cast<int>(lines.size());
  Extents index(dims);
  for (int a = dims - 1; a >= 0; a--) {
    const auto& range = lines[static_cast<std::size_t>(a)];
    if (a == inner) {
      index[a] = range[0] + inside;
    } else {
      const index_t size = range[1] - range[0];
      index[a] = range[0] + row % size;
      row /= size;
    }
  }
  return index;
}

}  // namespace

template <class Real>
void LinePass<Real>::select(const Lines& lines, index_t batch, LineSet& set) const {
  const index_t lanes = kernels_.lanes;
  const auto inner = static_cast<std::size_t>(inner_);
  const index_t row = inner_ < 0 ? 1 : lines[inner][1] - lines[inner][0], rows = lines_in(lines) / row;
  const index_t whole = row / lanes, rest = row % lanes;
  if (batch < rows * whole) {
    set.used = kernels_.lanes;
    set.neighbours = true;
    set.index[0] = line_index(lines, inner_, batch / whole, batch % whole * lanes);
    return;
  }
  const index_t first = (batch - rows * whole) * lanes, end = std::min(first + lanes, rows * rest);
  set.used = static_cast<int>(end - first);
  set.neighbours = false;
  for (index_t l = first; l < end; l++)
    set.index[static_cast<std::size_t>(l - first)] = line_index(lines, inner_, l / rest, whole * lanes + l % rest);
}

// Sets of neighbours in a row from `set` on, itself included.
template <class Real>
index_t LinePass<Real>::whole_sets(const Lines& lines, const LineSet& set) const {
  if (!set.neighbours || inner_ < 0) return 1;
  return (lines[static_cast<std::size_t>(inner_)][1] - set.index[0][inner_]) / kernels_.lanes;
}

#define WEFT_BATCHES(Real)                                                     \
  template index_t LinePass<Real>::lines_in(const Lines&) const;               \
  template index_t LinePass<Real>::batches(const Lines&) const;                \
  template void LinePass<Real>::select(const Lines&, index_t, LineSet&) const; \
  template index_t LinePass<Real>::whole_sets(const Lines&, const LineSet&) const;
WEFT_BATCHES(double)
WEFT_BATCHES(float)
#undef WEFT_BATCHES

}  // namespace weft
