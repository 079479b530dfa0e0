// Complex transforms of any length: stages for prime factors over 13, column by column, then self-sorting transforms of
// the smooth factor. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_points.hpp"

// Computes modes k .. k + Pairs - 1 and p-k, .. by the defining sums: modes k and p-k share theirs. `Pairs` is as large
// as the registers allow, so that each sum loaded is used for all.
template <int Pairs, class Real>
WEFT_INLINE void direct_rows(const LanePrimeStage<Real>& stage, const Lane<Real>* x, int64_t k, Lane<Real>* y) {
  const int64_t p = stage.prime, half = (p - 1) / 2;
  const Real* factors = stage.factors + (k - 1) * half * 2;
  Lane<Real> even[Pairs], odd[Pairs];
  WEFT_UNROLL
  for (int i = 0; i < Pairs; i++) {
    even[i] = x[0];
    odd[i] = Lane<Real>{};
  }
  for (int64_t j = 0; j < half; j++) {
    const Lane<Real> sum = x[2 * j + 1], rotated = x[2 * j + 2];
    WEFT_UNROLL
    for (int i = 0; i < Pairs; i++) {
      const Real* w = factors + (i * half + j) * 2;
      even[i] = even[i] + w[0] * sum;
      odd[i] = odd[i] + w[1] * rotated;
    }
  }
  WEFT_UNROLL
  for (int i = 0; i < Pairs; i++) {
    y[k + i] = even[i] + odd[i];
    y[p - k - i] = even[i] - odd[i];
  }
}

// Transforms a prime by its defining sums over x_0 and the pairs x_j + x_{p-j}, -i (x_j - x_{p-j}).
template <class Real>
void direct_prime(const LanePrimeStage<Real>& stage, const Lane<Real>* x, Lane<Real>* y, Lane<Real>* pairs) {
  constexpr int at_once = vector_registers == 32 ? 4 : 2;
  const int64_t p = stage.prime, half = (p - 1) / 2;
  pairs[0] = y[0] = x[0];
  for (int64_t j = 1; j <= half; j++) {
    pairs[2 * j - 1] = x[j] + x[p - j];
    pairs[2 * j] = times_minus_i(x[j] - x[p - j]);
    y[0] = y[0] + pairs[2 * j - 1];
  }
  int64_t k = 1;
  for (; k + at_once <= half + 1; k += at_once) direct_rows<at_once>(stage, pairs, k, y);
  for (; k <= half; k++) direct_rows<1>(stage, pairs, k, y);
}

// Transforms `in` to `out`.
template <class Real>
Lane<Real>* dft_block(const LaneDft<Real>& plan, Real* in, Real* out, LaneScratch<Real> scratch);

template <class Real>
LaneScratch<Real> scratch_after(LaneScratch<Real> scratch, int64_t points) {
  const int64_t reals = 2 * points * lanes_of<Real>;
  return {in_register(scratch.a + reals), in_register(scratch.b + reals)};
}

// A convolution of the points in scratch.a. `line` is the conjugate of the result plus `constant`. `sum` is the sum of
// the points, taken from mode 0: its error does not grow with the number of terms, unlike that of a running sum.
template <class Real>
struct Convolved {
  Lane<Real> sum;
  const Lane<Real>* line;
};
template <class Real>
Convolved<Real> convolve(const LanePrimeStage<Real>& stage, LaneScratch<Real> scratch, Lane<Real> constant) {
  const LaneDft<Real>& plan = *stage.convolution;
  Lane<Real>* modes = dft_block(plan, scratch.a, scratch.b, scratch_after(scratch, plan.n));
  const Lane<Real> sum = modes[0];
  for (int64_t k = 0; k < plan.n; k++) modes[k] = conjugate(twiddle(modes[k], stage.spectrum + 2 * k));
  modes[0] = modes[0] + conjugate(constant);
  return {sum, dft_block(plan, scratch.b, scratch.a, scratch_after(scratch, plan.n))};
}

template <class Real>
void rader_prime(const LanePrimeStage<Real>& stage, const Lane<Real>* x, Lane<Real>* y, LaneScratch<Real> scratch) {
  const int64_t points = stage.prime - 1;
  for (int64_t q = 0; q < points; q++) lanes_in(scratch.a)[q] = x[stage.order[q]];
  const Convolved<Real> modes = convolve(stage, scratch, x[0]);
  y[0] = x[0] + modes.sum;
  for (int64_t q = 0; q < points; q++) y[stage.order[points + q]] = conjugate(modes.line[q]);
}

template <class Real>
void chirp_prime(const LanePrimeStage<Real>& stage, const Lane<Real>* x, Lane<Real>* y, LaneScratch<Real> scratch) {
  Lane<Real>* rotated = lanes_in(scratch.a);
  for (int64_t j = 0; j < stage.prime; j++) rotated[j] = twiddle(x[j], stage.factors + 2 * j);
  for (int64_t j = stage.prime; j < stage.convolution->n; j++) rotated[j] = Lane<Real>{};
  const Lane<Real>* line = convolve(stage, scratch, Lane<Real>{}).line;
  for (int64_t k = 0; k < stage.prime; k++) y[k] = twiddle(conjugate(line[k]), stage.factors + 2 * k);
}

// One column of a stage: `prime` points, stage.count apart, in place.
template <class Real>
void prime_column(const LanePrimeStage<Real>& stage, Lane<Real>* column, const Real* twiddles,
                  LaneScratch<Real> scratch) {
  const int64_t p = stage.prime;
  Lane<Real>*x = lanes_in(scratch.a), *y = lanes_in(scratch.b);
  const LaneScratch<Real> rest = scratch_after(scratch, p);
  for (int64_t j = 0; j < p; j++) x[j] = column[j * stage.count];
  if (stage.method == LanePrimeMethod::direct) direct_prime(stage, x, y, lanes_in(rest.a));
  if (stage.method == LanePrimeMethod::rader) rader_prime(stage, x, y, rest);
  if (stage.method == LanePrimeMethod::chirp) chirp_prime(stage, x, y, rest);
  column[0] = y[0];
  for (int64_t k = 1; k < p; k++) column[k * stage.count] = twiddle(y[k], twiddles + 2 * k);
}

template <class Real>
void prime_stages(const LaneDft<Real>& plan, Lane<Real>* work, LaneScratch<Real> scratch) {
  for (int i = 0; i < plan.primes; i++) {
    const LanePrimeStage<Real>& stage = plan.prime[i];
    const int64_t p = stage.prime, count = stage.count;
    for (int64_t begin = 0; begin < plan.n; begin += p * count)
      for (int64_t c = 0; c < count; c++) prime_column(stage, work + begin + c, stage.twiddles + 2 * c * p, scratch);
  }
}

// Transforms from load(j) to store(k, mode). `block` has room for n points; `scratch` is that of LaneDftTables.
template <class Real, class Load, class Store>
void dft(const LaneDft<Real>& plan, Load load, Store store, Real* block, LaneScratch<Real> scratch,
         LaneRange range = {}) {
  Lane<Real>* work = lanes_in(block);
  if (plan.primes == 0) return run_stages(plan.smooth, load, work, store, range);
  for (int64_t j = 0; j < plan.n; j++) work[j] = load(j);
  prime_stages(plan, work, scratch);
  const int64_t points = plan.smooth.n, parts = plan.n / points;
  for (int64_t part = 0; part < parts; part++) {
    if (points == 1) {
      store(plan.order[part], work[part]);
      continue;
    }
    Lane<Real>*smooth = work + part * points, *modes = lanes_in(scratch.b);
    run_stages(plan.smooth, BlockLoad<Real>{smooth}, smooth, BlockStore<Real>{modes});
    for (int64_t k = 0; k < points; k++) store(plan.order[part] + parts * k, modes[k]);
  }
}

template <class Real>
Lane<Real>* dft_block(const LaneDft<Real>& plan, Real* in, Real* out, LaneScratch<Real> scratch) {
  dft(plan, BlockLoad<Real>{lanes_in(in)}, BlockStore<Real>{lanes_in(out)}, in, scratch);
  return lanes_in(out);
}

// Calls transform(points) for each batch.
template <class Real, class Transform>
Real* for_each_batch(LanePoints<Real> points, const Transform& transform) {
  Real* result = nullptr;
  for (; points.batches > 0; points.batches--) {
    result = transform(points);
    points.from.shift += points.from.batch_step;
    points.to.shift += points.to.batch_step;
  }
  return result;
}

// Transforms the block or points to the block or points. Returns `out`, which holds the result unless points.to does.
template <class Real>
Real* dft_points(const LaneDft<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
                 LaneScratch<Real> scratch) {
  if (plan.primes == 0 && points.from.at != nullptr && points.to.at != nullptr) {
    move_points(plan.smooth, points, lanes_in(in));
    return out;
  }
  return for_each_batch(points, [&](const LanePoints<Real>& batch) {
    const LaneRange range{batch.from.count, batch.to.count};
    const BlockStore<Real> store{lanes_in(out)};
    if (batch.from.at != nullptr && plan.primes == 0 && !batch.backward) {
      Prefetch<Real> prefetch(batch, plan.smooth.butterflies);
      const PointLoad<Real, LaneOrder::in_order> load{moved(batch.from)};
      run_stages(plan.smooth, load, lanes_in(in), store, range, prefetch);
    } else {
      // Backward from points is rare: only the frequent forms of a load are compiled into stages.
      if (batch.from.at != nullptr) load_points(plan.n, batch, lanes_in(in));
      if (batch.backward) take_conjugates(plan.n, lanes_in(in));
      dft(plan, BlockLoad<Real>{lanes_in(in)}, store, in, scratch, range);
    }
    if (batch.to.at != nullptr) {
      store_points(plan.n, batch, lanes_in(out));
    } else if (batch.backward) {
      conjugate_block(plan.n, lanes_in(out));
    }
    return out;
  });
}
