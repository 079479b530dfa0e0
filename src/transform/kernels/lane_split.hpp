// Real lines of 2n points. The even points are the real parts and the odd points the imaginary parts of a complex line
// of n points, whose modes k and n-k give modes k and n-k of the real line, and vice versa. Forward, this separation is
// done in the last stage of the complex transform, which saves a sweep over the block. Backward, joining in the first
// stage was tried and gained nothing. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_dft.hpp"

// Separates modes k and n-k, w = exp(-i pi k / n) / 2. In place: GCC leaves a returned pair on the stack.
template <class Real>
WEFT_INLINE void separate(Lane<Real>& a, Lane<Real>& b, const Real* w) {
  constexpr Real half = Real(0.5);
  const Lane<Real> even = {half * (a.re + b.re), half * (a.im - b.im)};
  const Lane<Real> odd = twiddle(Lane<Real>{a.im + b.im, b.re - a.re}, w);
  a = {even.re + odd.re, even.im + odd.im};
  b = {even.re - odd.re, odd.im - even.im};
}

// The inverse of separate(), conjugated for a backward transform.
template <class Real>
WEFT_INLINE void join(Lane<Real>& a, Lane<Real>& b, const Real* w) {
  const Lane<Real> even = {a.re + b.re, b.im - a.im}, both = {a.re - b.re, a.im + b.im};
  const Lane<Real> odd = {-(both.re * w[0]) - both.im * w[1], both.im * w[0] - both.re * w[1]};
  a = {even.re - odd.im, odd.re + even.im};
  b = {even.re + odd.im, odd.re - even.im};
}

// Turns the modes of the complex line into modes 0 .. n of the real one; `store` may store to the memory of z.
template <class Real, class Store>
void separate_modes(int64_t n, const Real* split, const Lane<Real>* z, Store store) {
  const Lane<Real> first = z[0];
  store(0, Lane<Real>{first.re + first.im, Vector<Real>{}});
  store(n, Lane<Real>{first.re - first.im, Vector<Real>{}});
  for (int64_t k = 1; 2 * k <= n; k++) {
    Lane<Real> low = z[k], high = z[n - k];
    separate(low, high, split + 2 * k);
    put_results<1>(store, n - k, 0, &high);
    put_results<1>(store, k, 0, &low);
  }
}

// The inverse of separate_modes(), conjugated; `load` may load from `z`.
template <class Real, class Load>
void join_modes(int64_t n, const Real* split, Load load, Lane<Real>* z) {
  const Vector<Real> first = load(0).re, last = load(n).re;
  z[0] = {first + last, last - first};
  for (int64_t k = 1; 2 * k <= n; k++) {
    prefetch_points<1>(load, k, 0);
    prefetch_points<1>(load, n - k, 0);
    Lane<Real> low = load(k), high = load(n - k);
    join(low, high, split + 2 * k);
    z[n - k] = high;
    z[k] = low;
  }
}

// Joins R modes and the one after them, in the registers of a single butterfly.
template <int R, class Real, class Load>
WEFT_INLINE void get_joined(const Load& load, const Real* split, Lane<Real>* x) {
  const Vector<Real> first = load(0).re, last = load(R).re;
  x[0] = {first + last, last - first};
  WEFT_UNROLL
  for (int k = 1; 2 * k <= R; k++) {
    Lane<Real> low = load(k), high = load(R - k);
    join(low, high, split + 2 * k);
    x[R - k] = high;
    x[k] = low;
  }
}

// Separates modes j and Sum - j, from `First` on, of modes that are `step` apart; the factors are those of mode 0.
template <int First, int Sum, class Real>
WEFT_INLINE void separate_pairs(const Real* split, int64_t step, Lane<Real>* x) {
  WEFT_UNROLL
  for (int j = First; 2 * j <= Sum; j++) {
    Lane<Real> same = x[j];
    separate(x[j], 2 * j < Sum ? x[Sum - j] : same, split + 2 * step * j);
  }
}

// Separates and stores the modes of the first butterfly, which are `step` apart.
template <int R, class Real, class Store>
WEFT_INLINE void put_first(const Store& store, const Real* split, int64_t step, Lane<Real>* x) {
  const Lane<Real> first = x[0];
  separate_pairs<1, R>(split, step, x);
  x[0] = {first.re + first.im, Vector<Real>{}};
  put_results<R>(store, 0, step, x);
  store(R * step, Lane<Real>{first.re - first.im, Vector<Real>{}});
}

// The last stage of a forward transform, two butterflies at a time: those whose first modes are m and step - m hold
// each other's modes n-k. Butterflies 0 and step / 2 hold their own.
template <class Real, class Store>
struct SeparatingStage {
  const LanePlan<Real>& plan;
  const Real* split;
  const Lane<Real>* work;
  const Store& store_of;

  template <int R>
  WEFT_INLINE void run() const {
    const Store store = store_of;
    const int64_t step = plan.n / R;
    Lane<Real> x[R];
    results<R>(0, x);
    put_first<R>(store, split, step, x);
    for (int64_t m = 1; 2 * m < step; m++) {
      Lane<Real> y[R];
      results<R>(m, x);
      results<R>(step - m, y);
      separate_both<R>(m, x, y);
      put_results<R>(store, m, step, x);
      put_results<R>(store, step - m, step, y);
    }
    if (step % 2 != 0) return;
    results<R>(step / 2, x);
    separate_pairs<0, R - 1>(split + step, step, x);  // from mode step / 2 on
    put_results<R>(store, step / 2, step, x);
  }

  template <int R>
  WEFT_INLINE void results(int64_t m, Lane<Real>* x) const {
    get_points<R>(work + plan.block_of[m] * R, 1, x);
    butterfly<R, true>(x);
  }

  template <int R>
  WEFT_INLINE void separate_both(int64_t m, Lane<Real>* x, Lane<Real>* y) const {
    WEFT_UNROLL
    for (int j = 0; j < R; j++) {
      const int64_t k = m + plan.n / R * j;
      if (2 * j < R) {
        separate(x[j], y[R - 1 - j], split + 2 * k);
      } else {
        separate(y[R - 1 - j], x[j], split + 2 * (plan.n - k));
      }
    }
  }
};

// Two butterflies of a larger radix do not fit into 32, or 16, registers.
constexpr int largest_split_radix = vector_registers == 32 ? 8 : 4;

template <class Real>
bool splits_at_once(const LaneDft<Real>& plan) {
  const LanePlan<Real>& smooth = plan.smooth;
  return plan.primes == 0 && plan.n > 1 && smooth.stage[smooth.stages - 1].radix <= largest_split_radix;
}

// Computes modes 0 .. n of the real line from the points of the complex one by way of `work`, which may hold the
// points. `store` stores to `other` or elsewhere.
template <class Real, class Load, class Store>
void split_forward(const LaneDft<Real>& plan, const Real* split, const Load& load, Lane<Real>* work, Lane<Real>* other,
                   const Store& store, int64_t given, const LaneScratch<Real>& scratch, Prefetch<Real>& prefetch) {
  const LanePlan<Real>& smooth = plan.smooth;
  if (splits_at_once(plan)) {
    stages_before_last(smooth, load, work, given, prefetch);
    return dispatch<largest_split_radix>(smooth.stage[smooth.stages - 1].radix,
                                         SeparatingStage<Real, Store>{smooth, split, work, store});
  }
  if (plan.primes == 0) {
    run_stages(smooth, load, work, BlockStore<Real>{other}, {given, every_point}, prefetch);
  } else {
    dft(plan, load, BlockStore<Real>{other}, reinterpret_cast<Real*>(work), scratch);
  }
  separate_modes(plan.n, split, other, store);
}
