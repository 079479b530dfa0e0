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
  for (index_t batch = first; batch < last;) {
    const index_t behind = std::min(whole_sets(lines, sets[now]), last - batch) - 1;
    const bool more = batch + 1 < last;
    LineSet& next = sets[1 - now];
    if (behind > 0) {
      next.used = sets[now].used;
      next.neighbours = true;
      next.index[0] = sets[now].index[0];
      next.index[0][inner_] += kernels_.lanes;
    } else if (more) {
      select(lines, batch + 1, next);
    }
    const index_t done = body(Batch{&sets[now], shift, behind, more ? &next : nullptr, shift, 1});
    batch += done;
    if (done > behind) {
      shift = 0;
      if (done > 1 && batch < last) select(lines, batch, next);
    } else {
      shift += done * kernels_.lanes;
      next.index[0][inner_] += (done - 1) * kernels_.lanes;
    }
    now = 1 - now;
  }
}

}  // namespace weft
