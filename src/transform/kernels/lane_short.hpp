// Lines that are so short that they need no lane block: one butterfly, or two stages of radix 4. Included by
// lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_ends.hpp"

// Transforms R points to modes, w as in LanePlan. Sixteen do not fit into the registers: they are loaded as they are
// needed, and modes stored as they come. All points are loaded before the first mode is stored.
template <int R, class Real, class Load, class Store>
WEFT_INLINE void short_transform(const Real* w, const Load& load, const Store& store) {
  if constexpr (R == 16) {
    Lane<Real> x[4][4];
    WEFT_UNROLL
    for (int p = 0; p < 4; p++) {
      Lane<Real> y[4] = {load(p), load(p + 4), load(p + 8), load(p + 12)};
      butterfly<4>(y);
      put_twiddled<4>(&x[0][p], 4, y, w + 6 * p);
    }
    WEFT_UNROLL
    for (int k = 0; k < 4; k++) {
      butterfly<4, true>(x[k]);
      WEFT_UNROLL
      for (int j = 0; j < 4; j++) store(k + 4 * j, x[k][j]);
    }
  } else {
    Lane<Real> x[R];
    WEFT_UNROLL
    for (int j = 0; j < R; j++) x[j] = load(j);
    butterfly<R, true>(x);
    WEFT_UNROLL
    for (int k = 0; k < R; k++) store(k, x[k]);
  }
}
template <int R, class Real>
WEFT_INLINE void short_transform(const Real* w, Lane<Real>* z) {
  short_transform<R>(w, BlockLoad<Real>{z}, BlockStore<Real>{z});
}

// Calls run<R>() with R = n if lines of n points are short.
template <class Real, class Run>
WEFT_INLINE void with_short_length(int64_t n, const Run& run) {
  const auto run_if = [&]<int R>() WEFT_ALWAYS {
    if constexpr (2 * R >= lanes_of<Real>)
      if (n == R) run.template operator()<R>();
  };
  [&]<int... R>(Indices<R...>) WEFT_ALWAYS { (run_if.template operator()<R>(), ...); }
  (Indices<4, 6, 8, 10, 12, 16>{});
}
// Whether the stages of a plan are those of short_transform().
template <class Real>
bool is_short(const LanePlan<Real>& plan) {
  bool result = false;
  with_short_length<Real>(plan.n, [&]<int R>() {
    result = plan.stages == (R == 16 ? 2 : 1) && plan.stage[0].radix == plan.stage[plan.stages - 1].radix;
  });
  return result;
}
