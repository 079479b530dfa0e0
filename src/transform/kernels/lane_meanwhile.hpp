// What is fetched from memory while a transform computes, some of it with each butterfly: all at once would be more
// than can be under way. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_copy.hpp"

struct Nothing {
  WEFT_INLINE void fetch() const {}
};

// Of the first stages of a plan; at least one.
template <class Real>
int64_t butterflies(const LanePlan<Real>& plan, int stages) {
  int64_t count = 0;
  for (int i = 0; i < stages; i++) count += plan.n / plan.stage[i].radix;
  return count < 1 ? 1 : count;
}

// Cache lines one behind the other.
struct Meanwhile {
  const char* at = nullptr;
  int64_t each = 0;

  WEFT_INLINE void fetch() {
    for (int64_t i = 0; i < each; i++, at += cache_line_bytes) __builtin_prefetch(at, 0, 2);
  }
};

// With the butterflies of all stages but the last.
template <class Real>
Meanwhile meanwhile(const LanePlan<Real>& plan, LaneStretch<Real> next) {
  const int64_t count = butterflies(plan, plan.stages - 1);
  return {reinterpret_cast<const char*>(next.at), (next.lines + count - 1) / count};
}

// Cache lines from p on. Where p is not that of a whole one, the first is the last of what came before.
template <class Real>
WEFT_INLINE void fetch_lines(const Real* p, int lines) {
  constexpr int64_t cache_line = cache_line_bytes / int64_t(sizeof(Real));
  for (int l = 0; l < lines; l++) __builtin_prefetch(p + (l + 1) * cache_line - 1, 0, 2);
}

// Some cache lines near each of some points.
template <class Real>
struct PointsMeanwhile {
  Real* const* at;
  Real* const* end;
  std::ptrdiff_t ahead;
  int64_t each;
  int lines;

  WEFT_INLINE void fetch() {
    for (int64_t i = 0; i < each && at < end; i++, at++) fetch_lines(*at + ahead, lines);
  }
};

// With the butterflies of all stages of `times` transforms.
template <class Real>
PointsMeanwhile<Real> meanwhile(const LanePlan<Real>& plan, const LanePoints<Real>& points, int times = 1) {
  const LaneFetch& fetch = points.fetch;
  const int64_t count = butterflies(plan, plan.stages) * times;
  return {points.from.at + fetch.first, points.from.at + fetch.end, points.from.shift + fetch.ahead,
          (fetch.end - fetch.first + count - 1) / count, fetch.lines};
}
