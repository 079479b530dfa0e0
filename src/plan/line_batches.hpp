// The loop over the batches of a line pass.
#pragma once

#include <algorithm>

#include "plan/line_pass.hpp"

namespace weft {

template <class Real>
template <class Body>
void LinePass<Real>::for_each_batch(const Lines& lines, index_t first, index_t last, const Body& body) const {
  if (first == last) return;
  LineSet sets[2];
  int now = 0;
  index_t shift = 0;
  select(lines, first, sets[now]);
  for (index_t batch = first; batch < last; batch++) {
    const index_t behind = std::min(whole_sets(lines, sets[now]), last - batch) - 1;
    const bool more = batch + 1 < last, same_row = behind > 0;
    LineSet& next = sets[1 - now];
    if (same_row) {
      next.used = sets[now].used;
      next.neighbours = true;
      next.index[0] = sets[now].index[0];
      next.index[0][inner_] += kernels_.lanes;
    } else if (more) {
      select(lines, batch + 1, next);
    }
    body(Batch{&sets[now], shift, behind, more ? &next : nullptr, shift});
    shift = same_row ? shift + kernels_.lanes : 0;
    now = 1 - now;
  }
}

}  // namespace weft
