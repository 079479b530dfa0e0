// Prefetches during a transform, spread over its butterflies: all at once would exceed the number of pending loads.
// Prefetches that belong to the first or to the last stage alone are made by the loads and stores instead. Included by
// lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_copy.hpp"

// Prefetches cache lines from p on. If p is inside one, the first was the last one of the previous call.
template <class Real>
WEFT_INLINE void prefetch_lines(const Real* p, int lines) {
  constexpr int64_t cache_line = cache_line_bytes / int64_t(sizeof(Real));
  for (int l = 0; l < lines; l++) __builtin_prefetch(p + (l + 1) * cache_line - 1, 0, 2);
}

// Prefetches some of the elements of a range with each butterfly.
template <class Real>
class Prefetch {
 public:
  Prefetch() = default;
  // Spreads the range over `steps` steps: the butterflies of a transform.
  Prefetch(const LanePoints<Real>& points, int64_t steps)
      : distance_(points.from.shift + points.prefetch.distance), lines_(points.prefetch.lines) {
    if (points.from.at == nullptr || lines_ == 0) return;
    at_ = points.from.at + points.prefetch.first;
    end_ = points.from.at + points.prefetch.end;
    const int64_t all = end_ - at_;
    each_ = all <= steps ? 1 : (all + steps - 1) / steps;
  }
  WEFT_INLINE void step() {
    if (at_ == end_) return;
    for (int64_t left = each_; left > 0 && at_ < end_; left--) prefetch_lines(*at_++ + distance_, lines_);
  }

 private:
  Real* const* at_ = nullptr;
  Real* const* end_ = nullptr;
  std::ptrdiff_t distance_ = 0;
  int lines_ = 0;
  int64_t each_ = 1;
};
