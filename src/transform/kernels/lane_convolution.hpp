// Forward transform, factors, backward transform of L lines in one go. The backward stages undo the forward ones in
// reverse order (decimation in time after decimation in frequency), so modes need not be sorted: the last stage
// forward, the factors and the first stage backward are one step in registers, and after the first stage the rest is
// done part by part in the nearest cache. Included by lane_table.hpp only, inside the namespace of one instruction
// set.
#pragma once

#include "lane_stages.hpp"

template <class Real>
WEFT_INLINE const Real* factor_place(const LineFactors<Real>& factors, int64_t mode) {
  const Real* p = factors.data + (factors.offsets != nullptr ? factors.offsets[mode] : mode) * factors.step;
  const LaneFetch& fetch = factors.fetch;
  if (mode >= fetch.first && mode < fetch.end) fetch_lines(p + fetch.ahead, fetch.lines);
  return p;
}

template <class Real>
struct RealFactors {
  LineFactors<Real> factors;
  WEFT_INLINE Lane<Real> operator()(int64_t mode, Lane<Real> a) const {
    const Vector<Real> by = load_unaligned(factor_place(factors, mode));
    return {a.re * by, a.im * by};
  }
};

template <bool Interleaved, class Real>
struct ComplexFactors {
  LineFactors<Real> factors;
  WEFT_INLINE Lane<Real> operator()(int64_t mode, Lane<Real> a) const {
    const Real* p = factor_place(factors, mode);
    Vector<Real> by[2] = {load_unaligned(p), load_unaligned(p + lanes_of<Real>)};
    if constexpr (Interleaved) split_parts<2>(p, by, 1);
    return {a.re * by[0] - a.im * by[1], a.re * by[1] + a.im * by[0]};
  }
};

// The last stage of points begin .. end, the factors, and the inverse of that stage.
template <class Real, class Factors>
struct FactorStage {
  const LanePlan<Real>& plan;
  Lane<Real>* work;
  Factors factors;
  int64_t begin, end;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t blocks = plan.n / R;
    for (int64_t block = begin / R; block < end / R; block++) {
      Lane<Real>* place = work + block * R;
      const int64_t mode = plan.order[block];
      Lane<Real> x[R];
      WEFT_UNROLL
      for (int j = 0; j < R; j++) x[j] = place[j];
      butterfly<true, R, true>(x);
      WEFT_UNROLL
      for (int j = 0; j < R; j++) x[j] = factors(mode + blocks * j, x[j]);
      butterfly<false, R, true>(x);
      WEFT_UNROLL
      for (int j = 0; j < R; j++) place[j] = x[j];
    }
  }
};

// The inverse of MiddleStage.
template <class Real>
struct MiddleStageBack {
  const LanePlan<Real>& plan;
  const LaneStage& stage;
  Lane<Real>* work;
  int64_t begin, end;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t count = stage.count;
    for (int64_t p = 0; p < count; p++) {
      const Real* w = plan.twiddles + stage.twiddles + p * (R - 1) * 2;
      for (int64_t place = begin + p; place < end; place += stage.length) {
        Lane<Real> x[R];
        x[0] = work[place];
        WEFT_UNROLL
        for (int j = 1; j < R; j++) x[j] = twiddle<false>(work[place + count * j], w + 2 * (j - 1));
        butterfly<false, R>(x);
        WEFT_UNROLL
        for (int j = 0; j < R; j++) work[place + count * j] = x[j];
      }
    }
  }
};

// The inverse of FirstStage, with points where they belong.
template <class Real, class Store>
struct FirstStageBack {
  const LanePlan<Real>& plan;
  const Lane<Real>* work;
  Store store;
  int64_t wanted;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t count = plan.stage[0].count;
    if constexpr (R % 2 != 0) {
      run<R, R>(0, count);
    } else {
      const int64_t full = whole_butterflies(wanted, count * (R / 2), count);
      run<R, R>(0, full);
      run<R, R / 2>(full, count);
    }
  }

  template <int R, int Wanted>
  WEFT_INLINE void run(int64_t begin, int64_t end) const {
    const int64_t count = plan.stage[0].count;
    for (int64_t p = begin; p < end; p++) {
      const Real* w = plan.twiddles + p * (R - 1) * 2;
      Lane<Real> x[R];
      x[0] = work[p];
      WEFT_UNROLL
      for (int j = 1; j < R; j++) x[j] = twiddle<false>(work[p + count * j], w + 2 * (j - 1));
      if constexpr (Wanted == R) {
        butterfly<false, R>(x);
      } else {
        butterfly_to_half<false, R>(x);
      }
      WEFT_UNROLL
      for (int j = 0; j < Wanted; j++) store(p + count * j, x[j]);
    }
  }
};

template <class Real, class Store>
void first_stage_back(const LanePlan<Real>& plan, const Lane<Real>* work, Store store, int64_t wanted) {
  if (plan.stages > 1) return dispatch(plan.stage[0].radix, FirstStageBack<Real, Store>{plan, work, store, wanted});
  for (int64_t j = 0; j < plan.n && j < wanted; j++) store(j, work[j]);
}

template <class Real, class Factors>
void factor_stages(const LanePlan<Real>& plan, Lane<Real>* work, Factors factors, int64_t begin, int64_t end) {
  Nothing nothing;
  middle_stages<true>(plan, BlockWork<Real>{work}, begin, end, nothing);
  if (plan.stages == 0) {
    work[0] = factors(0, work[0]);
  } else {
    dispatch(plan.stage[plan.stages - 1].radix, FactorStage<Real, Factors>{plan, work, factors, begin, end});
  }
  for (int i = plan.stages - 2; i > 0; i--)
    dispatch(plan.stage[i].radix, MiddleStageBack<Real>{plan, plan.stage[i], work, begin, end});
}

// All stages but the last.
template <class Real>
void multiply_modes(const LanePlan<Real>& plan, const LineFactors<Real>& factors, Lane<Real>* work) {
  const int64_t part = part_points(plan);
  for (int64_t begin = 0; begin < plan.n; begin += part) {
    if (factors.width == 1) {
      factor_stages(plan, work, RealFactors<Real>{factors}, begin, begin + part);
    } else if (factors.interleaved) {
      factor_stages(plan, work, ComplexFactors<true, Real>{factors}, begin, begin + part);
    } else {
      factor_stages(plan, work, ComplexFactors<false, Real>{factors}, begin, begin + part);
    }
  }
}

template <class Real>
void convolve_line(const LanePlan<Real>& plan, const LanePoints<Real>& points, const LineFactors<Real>& factors,
                   Real* block) {
  auto* work = reinterpret_cast<Lane<Real>*>(block);
  const int64_t given = points.from.count, wanted = points.to.count;
  Nothing nothing;
  if (points.from.at != nullptr) {
    first_stage<true>(plan, PointLoad<Real>{points.from}, BlockWork<Real>{work}, given, nothing);
  } else {
    first_stage<true>(plan, BlockLoad<Real>{work}, BlockWork<Real>{work}, given, nothing);
  }
  multiply_modes(plan, factors, work);
  if (points.to.at == nullptr) return first_stage_back(plan, work, BlockStore<Real>{work}, wanted);
  if (points.stream) return first_stage_back(plan, work, PointStore<true, Real>{points.to, points.scale}, wanted);
  first_stage_back(plan, work, PointStore<false, Real>{points.to, points.scale}, wanted);
}
