// Real DFTs of an even number of points from and to adjacent lines in memory. Forward, the first stage of the complex
// transform loads points and the separation stores modes; backward, vice versa. The steps are those of lane blocks, to
// the bit. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_real.hpp"

template <class Real>
Real* r2c_points(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out) {
  Prefetch<Real> prefetch(plan.complex.smooth, points);
  Lane<Real>*block = lanes_in(in), *other = lanes_in(out);
  const auto run = [&](auto store) {
    const auto load_and_run = [&](auto load) {
      split_forward(plan.complex, plan.split, load, block, other, store, pairs_before(plan), {}, prefetch);
    };
    points.from.at == nullptr ? load_and_run(block_load(block)) : load_and_run(RealPointLoad<Real>{moved(points.from)});
  };
  points.to.at == nullptr ? run(block_store(other)) : with_point_store<OrderedStores::template Store>(points, run);
  return out;
}

template <class Real>
Real* c2r_points(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out) {
  Prefetch<Real> prefetch(plan.complex.smooth, points);
  Lane<Real>* z = lanes_in(in);
  points.from.at != nullptr
      ? join_modes(plan.complex.n, plan.split,
                   PointLoad<Real, LaneOrder::in_order, Parts::as_they_are>{moved(points.from)}, z)
      : join_modes(plan.complex.n, plan.split, block_load(z), z);
  const auto run = [&](auto store) {
    run_stages(plan.complex.smooth, block_load(z), z, store, {every_point, pairs_before(plan)}, prefetch);
  };
  points.to.at == nullptr ? run(block_store(lanes_in(out), Parts::exchanged))
                          : with_point_store<RealPointStore>(points, run);
  return out;
}

// Returns `out`, which holds the result unless points.to does.
template <class Real>
Real* real_points(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out) {
  const bool forward = plan.kind == LaneRealKind::forward;
  return for_each_batch(points, forward ? 1 : 2, forward ? 2 : 1, [&](const LanePoints<Real>& batch) {
    return forward ? r2c_points(plan, batch, in, out) : c2r_points(plan, batch, in, out);
  });
}
