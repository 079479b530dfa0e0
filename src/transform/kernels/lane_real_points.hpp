// Real DFTs of an even number of points from and to neighbouring lines in memory: the first stage of the complex
// transform loads points, the separation stores modes, and the other way round. The steps are those of lane blocks, to
// the bit. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_real.hpp"

// Points 2j and 2j + 1 of L neighbouring real lines are the real and imaginary parts of complex points j.
template <class Real, bool Fetching>
struct RealPointLoad {
  LanePlaces<Real> places;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const {
    const Real *even = places.at[2 * j] + places.shift, *odd = places.at[2 * j + 1] + places.shift;
    if (Fetching && places.ahead != 0) {
      fetch<1, false>(even + places.ahead);
      fetch<1, false>(odd + places.ahead);
    }
    return {load_unaligned(even), load_unaligned(odd)};
  }
};

template <bool Stream, class Real, class Scale>
struct RealPointStore {
  LanePlaces<Real> places;
  Scale scale;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const {
    Real *even = places.at[2 * j] + places.shift, *odd = places.at[2 * j + 1] + places.shift;
    if (!Stream && fetches_stores<Scale> && places.ahead != 0) {
      fetch<1, true>(even + places.ahead);
      fetch<1, true>(odd + places.ahead);
    }
    put<Stream>(even, scaled(scale, a.re));
    put<Stream>(odd, scaled(scale, a.im));
  }
};

// Modes of the complex line: what is left is to be separated, in one with the last stage where that is how it is done.
template <class Real, class Load>
const Lane<Real>* modes_to_separate(const LaneRealPlan<Real>& plan, Load load, Lane<Real>* in, Lane<Real>* out) {
  const LanePlan<Real>& smooth = plan.complex.smooth;
  const BlockWork<Real> work{in};
  if (!splits_at_once(plan.complex)) {
    run_stages<true>(smooth, load, work, BlockStore<Real>{out}, LaneRange{pairs_before(plan), every_point});
    return out;
  }
  stages_before_split(smooth, load, work, pairs_before(plan), Nothing{});
  return in;
}

template <class Real, class Store>
void separate_to(const LaneRealPlan<Real>& plan, const Lane<Real>* z, Store store) {
  if (splits_at_once(plan.complex)) return split_stage(plan.complex.smooth, plan.split, z, store);
  separate_modes(plan.complex.n, plan.split, z, store);
}

template <class Real>
Real* r2c_points(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out) {
  Lane<Real>*block = lanes_in(in), *other = lanes_in(out);
  const bool near = is_near(points);
  const Lane<Real>* z = points.from.at == nullptr ? modes_to_separate(plan, BlockLoad<Real>{block}, block, other)
                        : near ? modes_to_separate(plan, RealPointLoad<Real, false>{points.from}, block, other)
                               : modes_to_separate(plan, RealPointLoad<Real, true>{points.from}, block, other);
  if (points.to.at == nullptr) {
    Lane<Real>* to = z == block ? other : block;
    separate_to(plan, z, BlockStore<Real>{to});
    return z == block ? out : in;
  }
  if (near) {
    separate_to(plan, z, PointStore<false, Real, false, Unscaled>{points.to, {}});
  } else if (points.stream) {
    separate_to(plan, z, PointStore<true, Real>{points.to, points.scale});
  } else {
    separate_to(plan, z, PointStore<false, Real>{points.to, points.scale});
  }
  return out;
}

template <class Real>
Real* c2r_points(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
                 LaneRoom<Real> room) {
  Lane<Real>* z = lanes_in(in);
  points.from.at != nullptr ? join_modes(plan.complex.n, plan.split, PointLoad<Real>{points.from}, z)
                            : join_modes(plan.complex.n, plan.split, BlockLoad<Real>{z}, z);
  const LaneRange range{every_point, pairs_before(plan)};
  if (points.to.at == nullptr) return dft_block<false>(plan.complex, in, out, room, range);
  const auto run = [&](auto store) {
    run_stages<false>(plan.complex.smooth, BlockLoad<Real>{z}, BlockWork<Real>{z}, store, range);
  };
  if (is_near(points)) {
    run(RealPointStore<false, Real, Unscaled>{points.to, {}});
  } else if (points.stream) {
    run(RealPointStore<true, Real, Real>{points.to, points.scale});
  } else {
    run(RealPointStore<false, Real, Real>{points.to, points.scale});
  }
  return out;
}

// Returns the block that holds the result, `in` or `out`, where points.to does not.
template <class Real>
Real* real_points(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
                  LaneRoom<Real> room) {
  const bool forward = plan.kind == LaneRealKind::forward;
  return for_each_batch(points, forward ? 1 : 2, forward ? 2 : 1, [&](const LanePoints<Real>& batch) {
    return forward ? r2c_points(plan, batch, in, out) : c2r_points(plan, batch, in, out, room);
  });
}
