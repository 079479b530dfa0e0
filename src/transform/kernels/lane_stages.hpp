// Self-sorting complex transforms of L lines at once: decimation in frequency, in place but for the last stage, which
// stores every result where it belongs. Included by lane_kernels.cpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_butterfly.hpp"
#include "lane_copy.hpp"

// Calls action.run<R>() for the radix of a stage.
template <class Action>
WEFT_INLINE void dispatch(int radix, Action action) {
  switch (radix) {
    case 2:
      return action.template run<2>();
    case 3:
      return action.template run<3>();
    case 4:
      return action.template run<4>();
    case 5:
      return action.template run<5>();
    case 7:
      return action.template run<7>();
    case 8:
      return action.template run<8>();
    case 11:
      return action.template run<11>();
    case 13:
      return action.template run<13>();
    default:
      return;
  }
}

template <class Real>
struct BlockLoad {
  const Lane<Real>* block;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const { return block[j]; }
};

template <class Real>
struct PointLoad {
  const Real* const* from;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const {
    prefetch_next<2, false>(from[j]);
    Vector<Real> parts[2];
    split_parts<2>(from[j], parts, 1);
    return {parts[0], parts[1]};
  }
};

template <class Real>
struct BlockStore {
  Lane<Real>* block;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const { block[j] = a; }
};

template <bool Stream, class Real>
struct PointStore {
  Real* const* to;
  Real scale;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const {
    if constexpr (!Stream) prefetch_next<2, true>(to[j]);
    const Vector<Real> parts[2] = {scale * a.re, scale * a.im};
    join_parts<2, Stream>(to[j], parts, 1);
  }
};

template <bool Forward, class Real, class Load>
struct FirstStage {
  const LanePlan<Real>& plan;
  Load load;
  Lane<Real>* work;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t count = plan.stage[0].count;
    for (int64_t p = 0; p < count; p++) {
      const Real* w = plan.twiddles + p * (R - 1) * 2;
      Lane<Real> x[R];
      WEFT_UNROLL
      for (int j = 0; j < R; j++) x[j] = load(p + count * j);
      butterfly<Forward, R>(x);
      work[p] = x[0];
      WEFT_UNROLL
      for (int j = 1; j < R; j++) work[p + count * j] = twiddle<Forward>(x[j], w + 2 * (j - 1));
    }
  }
};

template <bool Forward, class Real>
struct MiddleStage {
  const LanePlan<Real>& plan;
  const LaneStage& stage;
  Lane<Real>*work, *end;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t count = stage.count;
    for (int64_t p = 0; p < count; p++) {
      const Real* w = plan.twiddles + stage.twiddles + p * (R - 1) * 2;
      for (Lane<Real>* place = work + p; place < end; place += stage.length) {
        Lane<Real> x[R];
        WEFT_UNROLL
        for (int j = 0; j < R; j++) x[j] = place[count * j];
        butterfly<Forward, R>(x);
        place[0] = x[0];
        WEFT_UNROLL
        for (int j = 1; j < R; j++) place[count * j] = twiddle<Forward>(x[j], w + 2 * (j - 1));
      }
    }
  }
};

template <bool Forward, class Real, class Store>
struct LastStage {
  const LanePlan<Real>& plan;
  const Lane<Real>* work;
  int64_t begin, end;  // points
  Store store;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t blocks = plan.n / R;
    for (int64_t block = begin / R; block < end / R; block++) {
      Lane<Real> x[R];
      WEFT_UNROLL
      for (int j = 0; j < R; j++) x[j] = work[block * R + j];
      butterfly<Forward, R>(x);
      const int64_t mode = plan.order[block];
      WEFT_UNROLL
      for (int j = 0; j < R; j++) store(mode + blocks * j, x[j]);
    }
  }
};

template <bool Forward, class Real, class Load>
void first_stage(const LanePlan<Real>& plan, Load load, Lane<Real>* work) {
  dispatch(plan.stage[0].radix, FirstStage<Forward, Real, Load>{plan, load, work});
}

// A single point has no stage; its store is that of a transform of length 1. After the first stage the sub-transforms
// are independent: each is finished while it is in the nearest cache.
template <bool Forward, class Real, class Store>
void other_stages(const LanePlan<Real>& plan, Lane<Real>* work, Store store) {
  if (plan.n == 1) return store(0, work[0]);
  const int last = plan.stages - 1;
  const int64_t part = last > 1 ? plan.stage[0].count : plan.n;
  for (int64_t begin = 0; begin < plan.n; begin += part) {
    for (int i = 1; i < last; i++)
      dispatch(plan.stage[i].radix, MiddleStage<Forward, Real>{plan, plan.stage[i], work + begin, work + begin + part});
    dispatch(plan.stage[last].radix, LastStage<Forward, Real, Store>{plan, work, begin, begin + part, store});
  }
}

template <bool Forward, class Real>
void c2c(const LanePlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out) {
  auto* work = reinterpret_cast<Lane<Real>*>(in);
  const int last = plan.stages - 1;
  if (points.from != nullptr && last < 1) {
    for (int64_t j = 0; j < plan.n; j++) work[j] = PointLoad<Real>{points.from}(j);
  } else if (points.from != nullptr) {
    first_stage<Forward>(plan, PointLoad<Real>{points.from}, work);
  } else if (last >= 1) {
    first_stage<Forward>(plan, BlockLoad<Real>{work}, work);
  }
  if (points.to == nullptr) {
    other_stages<Forward>(plan, work, BlockStore<Real>{reinterpret_cast<Lane<Real>*>(out)});
  } else if (points.stream) {
    other_stages<Forward>(plan, work, PointStore<true, Real>{points.to, points.scale});
  } else {
    other_stages<Forward>(plan, work, PointStore<false, Real>{points.to, points.scale});
  }
}
