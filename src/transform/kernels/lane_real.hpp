// Real transforms: real DFTs of any length, on lane blocks or, for even lengths, from and to adjacent lines in memory,
// to the same bits; and the cosine and sine transforms on lane blocks. Sine transforms of types II to IV are cosine
// transforms of the line with alternating signs, or of the reversed line. Included by lane_table.hpp only, inside the
// namespace of one instruction set.
#pragma once

#include "lane_fold.hpp"
#include "lane_split.hpp"

// --- real DFTs ---------------------------------------------------------------------------------------------------
// The number of complex points that hold the real points before plan.count.
template <class Real>
int64_t pairs_before(const LaneRealPlan<Real>& plan) {
  return plan.count / 2 + plan.count % 2;
}

// An even number of points, from the block or points to the block or points (these without prime factors over 13).
// Forward, the first stage of the complex transform loads points and the separation stores modes.
template <class Real>
Real* r2c_even(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
               LaneScratch<Real> scratch) {
  Prefetch<Real> prefetch(points, plan.complex.smooth.butterflies);
  Lane<Real>*block = lanes_in(in), *other = lanes_in(out);
  const auto run = [&](auto store) {
    const auto load_and_run = [&](auto load) {
      split_forward(plan.complex, plan.split, load, block, other, store, pairs_before(plan), scratch, prefetch);
    };
    points.from.at == nullptr ? load_and_run(block_load(block)) : load_and_run(RealPointLoad<Real>{moved(points.from)});
  };
  if (points.to.at == nullptr) {
    run(block_store(other));
  } else {
    with_stores(points, [&]<Stores How>() {
      run(PointStore<Real, LaneOrder::in_order, How, Parts::as_they_are>{moved(points.to), points.scale});
    });
  }
  return out;
}

template <class Real>
Real* c2r_even(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
               LaneScratch<Real> scratch) {
  Prefetch<Real> prefetch(points, plan.complex.smooth.butterflies);
  Lane<Real>* z = lanes_in(in);
  points.from.at != nullptr
      ? join_modes(plan.complex.n, plan.split,
                   PointLoad<Real, LaneOrder::in_order, Parts::as_they_are>{moved(points.from)}, z)
      : join_modes(plan.complex.n, plan.split, block_load(z), z);
  if (plan.complex.primes > 0) {
    dft_block(plan.complex, in, out, scratch, {}, Parts::exchanged);
    return out;
  }
  const auto run = [&](auto store) {
    run_stages(plan.complex.smooth, block_load(z), z, store, {every_point, pairs_before(plan)}, prefetch);
  };
  if (points.to.at == nullptr) {
    run(block_store(lanes_in(out), Parts::exchanged));
  } else {
    with_stores(points, [&]<Stores How>() { run(RealPointStore<Real, How>{moved(points.to), points.scale}); });
  }
  return out;
}

template <class Real>
Real* r2c_odd(const LaneRealPlan<Real>& plan, Real* in, Real* out, LaneScratch<Real> scratch) {
  const Line<Real> points{rows_of(in), 1};
  dft(plan.complex, OddPoints<Real, Line<Real>>{points},
      StoreOddModes<Real, HalfSpectrum<Real>>{{lanes_in(out), plan.n}}, scratch.a, behind(scratch, plan.n));
  return out;
}

template <class Real>
Real* c2r_odd(const LaneRealPlan<Real>& plan, Real* in, Real* out, LaneScratch<Real> scratch) {
  const Line<Real> points{rows_of(out), 1};
  dft(plan.complex, OddModes<Real, HalfSpectrum<Real>>{{lanes_in(in), plan.n}},
      StoreOddPoints<Real, Line<Real>>{points}, scratch.a, behind(scratch, plan.n));
  return out;
}

// --- cosine transforms -------------------------------------------------------------------------------------------

// X_k = 2 sum x_j cos(pi (j+1/2) k / n). `z` is room for the modes of the complex line; it may share the memory of x.
template <class Real>
void cosine2(const LaneRealPlan<Real>& plan, Line<Real> x, Real sign, Line<Real> y, Lane<Real>* z,
             LaneScratch<Real> scratch) {
  const Folded<Real> points{x, plan.n, sign};
  const Rotated<Real> modes{y, plan.n, plan.roots};
  const LaneScratch<Real> rest = behind(scratch, plan.complex.n);
  if (plan.n % 2 != 0)
    return dft(plan.complex, OddPoints<Real, Folded<Real>>{points}, StoreOddModes<Real, Rotated<Real>>{modes},
               scratch.a, rest);
  Prefetch<Real> nothing;
  split_forward(plan.complex, plan.split, FoldedPairs<Real>{points}, lanes_in(scratch.a), z,
                StorePairRotated<Real>{modes}, every_point, rest, nothing);
}

// X_k = x_0 + 2 sum x_j cos(pi j (k+1/2) / n): the inverses of the steps of cosine2 in reverse order.
template <class Real>
void cosine3(const LaneRealPlan<Real>& plan, Line<Real> x, Line<Real> y, Real sign, LaneScratch<Real> scratch) {
  const Rotated<Real> modes{x, plan.n, plan.roots};
  const Folded<Real> points{y, plan.n, sign};
  const int64_t n = plan.complex.n;
  const LaneScratch<Real> rest = behind(scratch, n);
  if (plan.n % 2 != 0)
    return dft(plan.complex, OddModes<Real, Rotated<Real>>{modes}, StoreOddPoints<Real, Folded<Real>>{points},
               scratch.a, rest);
  Lane<Real>* z = lanes_in(scratch.a);
  const auto mode = [&](int64_t k) { return modes.get(k); };
  join_modes(n, plan.split, mode, z);
  dft(plan.complex, block_load(z), StoreFoldedPairs<Real>{points}, scratch.a, rest);
}

// X_k = 2 sum x_j cos(pi (j+1/2) (k+1/2) / n); `sign` is the sign of the odd modes.
template <class Real>
void cosine4(const LaneRealPlan<Real>& plan, Line<Real> x, Line<Real> y, Real sign, LaneScratch<Real> scratch) {
  const int64_t n = plan.n;
  const LaneScratch<Real> rest = behind(scratch, plan.complex.n);
  if (n % 2 == 0)
    return dft(plan.complex, RotatedPairs<Real>{x, n, plan.roots}, StoreRotatedPairs<Real>{y, n, plan.roots + n, sign},
               scratch.a, rest);
  dft(plan.complex, OddPoints<Real, Reordered<Real>>{{x, plan.order, plan.roots}},
      StoreReordered<Real>{y, plan.order + n, plan.roots + 2 * n}, scratch.a, rest);
}

// --- types I -----------------------------------------------------------------------------------------------------

// N intervals: X_k = x_0 + (-1)^k x_N + 2 sum x_j cos(pi j k / N), or 2 sum x_j sin(pi (j+1) (k+1) / N). Even N: a type
// I of the even points and a type II of the odd points, each of half the size. All steps are additions; the shorter way
// through sums of sines loses accuracy as sqrt(N).
template <bool Sine, class Real>
void type1(const LaneRealPlan<Real>& plan, Line<Real> x, Line<Real> y, LaneScratch<Real> scratch) {
  const int64_t last = plan.n - 1, intervals = Sine ? plan.n + 1 : last,
                pairs = Sine ? intervals / 2 - 1 : intervals / 2;
  if (plan.type2 == nullptr)
    return dft(plan.complex, ContinuedPairs<Sine, Real>{x, intervals}, StoreContinued<Sine, Real>{y, intervals},
               scratch.a, behind(scratch, plan.complex.n));
  const Line<Real> even_points = Sine ? x.from(1) : x, odd_points = Sine ? x : x.from(1), back = y.backwards(last);
  if (plan.type1 != nullptr) type1<Sine>(*plan.type1, even_points.every_second(), y, scratch);
  cosine2(*plan.type2, odd_points.every_second(), Sine ? Real(-1) : Real(1), Sine ? back.backwards(pairs) : back,
          lanes_in(scratch.b), scratch);
  for (int64_t k = 0; k < pairs; k++) {
    const Vector<Real> even = y[k], odd = y[last - k];
    y[k] = even + odd;
    y[last - k] = Sine ? odd - even : even - odd;
  }
}

// --- all kinds ---------------------------------------------------------------------------------------------------

template <class Real>
void cosine_or_sine(const LaneRealPlan<Real>& plan, Line<Real> x, Line<Real> y, LaneScratch<Real> scratch) {
  const int64_t last = plan.n - 1;
  const Real same = 1, alternating = -1;
  // With one real per point x itself can hold z: one block less in cache. With two, the other part is read later.
  Lane<Real>* z = plan.width == 1 ? reinterpret_cast<Lane<Real>*>(x.first) : lanes_in(scratch.b);
  switch (plan.kind) {
    case LaneRealKind::dct1:
      return type1<false>(plan, x, y, scratch);
    case LaneRealKind::dct2:
      return cosine2(plan, x, same, y, z, scratch);
    case LaneRealKind::dct3:
      return cosine3(plan, x, y, same, scratch);
    case LaneRealKind::dct4:
      return cosine4(plan, x, y, same, scratch);
    case LaneRealKind::dst1:
      return type1<true>(plan, x, y, scratch);
    case LaneRealKind::dst2:
      return cosine2(plan, x, alternating, y.backwards(last), z, scratch);
    case LaneRealKind::dst3:
      return cosine3(plan, x.backwards(last), y, alternating, scratch);
    case LaneRealKind::dst4:
      return cosine4(plan, x.backwards(last), y, alternating, scratch);
    default:
      return;
  }
}

// Returns `out`, which holds the result unless points.to does.
template <class Real>
Real* real_transform(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
                     LaneScratch<Real> scratch) {
  const bool forward = plan.kind == LaneRealKind::forward;
  if (forward || plan.kind == LaneRealKind::backward) {
    if (plan.n % 2 != 0) return forward ? r2c_odd(plan, in, out, scratch) : c2r_odd(plan, in, out, scratch);
    return for_each_batch(points, forward ? 1 : 2, forward ? 2 : 1, [&](const LanePoints<Real>& batch) {
      return forward ? r2c_even(plan, batch, in, out, scratch) : c2r_even(plan, batch, in, out, scratch);
    });
  }
  for (int part = 0; part < plan.width; part++)
    cosine_or_sine(plan, {rows_of(in) + part, plan.width}, {rows_of(out) + part, plan.width}, scratch);
  return out;
}
