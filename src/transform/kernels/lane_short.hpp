// Lines that are so short that they need no lane block: one butterfly, or two stages whose radices the compiler knows.
// Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_ends.hpp"

// The first radix of lines of R points; those of one butterfly have no stage before the last.
template <int R>
constexpr int first_short_radix = R == 64              ? 8
                                  : R == 32 || R == 16 ? 4
                                                       : 1;

// Calls body(i) for i = 0 .. Count - 1.
template <int Count, bool Unrolled, class Body>
WEFT_INLINE void repeat(const Body& body) {
  if constexpr (Unrolled) {
    WEFT_UNROLL
    for (int i = 0; i < Count; i++) body(i);
  } else {
    for (int i = 0; i < Count; i++) body(i);
  }
}

// Transforms R points to modes, w as in LanePlan. All points are loaded before the first mode is stored. What does not
// fit into the registers is loaded as it is needed, and modes are stored as they come.
template <int R, class Real, class Load, class Store>
WEFT_INLINE void short_transform(const Real* w, const Load& load, const Store& store) {
  constexpr int first = first_short_radix<R>, last = R / first;
  constexpr bool unrolled = R <= 16;
  Lane<Real> x[first][last];
  repeat<last, unrolled>([&](int p) WEFT_ALWAYS {
    Lane<Real> y[first];
    WEFT_UNROLL
    for (int j = 0; j < first; j++) y[j] = load(p + last * j);
    if constexpr (first > 1) butterfly<first>(y);
    put_twiddled<first>(&x[0][p], last, y, w + 2 * (first - 1) * p);
  });
  repeat<first, unrolled>([&](int k) WEFT_ALWAYS {
    Lane<Real> y[last];
    get_points<last>(x[k], 1, y);
    butterfly<last, true>(y);
    WEFT_UNROLL
    for (int j = 0; j < last; j++) put_result(store, k, first * j, y[j]);
  });
}
template <int R, class Real>
WEFT_INLINE void short_transform(const Real* w, Lane<Real>* z) {
  short_transform<R>(w, BlockLoad<Real>{z}, BlockStore<Real>{z});
}

// Calls run<R>() with R = n if lines of n points, at most `Most`, are short.
template <class Real, int Most, class Run>
WEFT_INLINE void with_short_length(int64_t n, const Run& run) {
  const auto run_if = [&]<int R>() WEFT_ALWAYS {
    if constexpr (R <= Most && 2 * R >= lanes_of<Real>)
      if (n == R) run.template operator()<R>();
  };
  [&]<int... R>(Indices<R...>) WEFT_ALWAYS { (run_if.template operator()<R>(), ...); }
  (Indices<4, 6, 8, 10, 12, 16, 32, 64>{});
}

// Adjacent lines are short up to this length: for 128 points (8 x 16) general stages have measured as fast. Contiguous
// ones have to stay in the registers.
constexpr int most_short_points = 64, most_short_numbers = 16;

// Whether the stages of a plan are those of short_transform().
template <class Real>
bool is_short(const LanePlan<Real>& plan) {
  bool result = false;
  with_short_length<Real, most_short_points>(plan.n, [&]<int R>() {
    constexpr int first = first_short_radix<R>;
    result = plan.stages == (first > 1 ? 2 : 1) && plan.stage[0].radix == (first > 1 ? first : R);
  });
  return result;
}
