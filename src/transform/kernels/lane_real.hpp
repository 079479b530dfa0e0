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
  with_store(points, Numbers::as_they_are, other, [&](auto store) {
    const auto run = [&](auto load) {
      split_forward(plan.complex, plan.split, load, block, other, store, pairs_before(plan), scratch, prefetch);
    };
    points.from.at == nullptr ? run(BlockLoad<Real>{block}) : run(RealPointLoad<Real>{moved(points.from)});
  });
  return out;
}

template <class Real>
Real* c2r_even(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
               LaneScratch<Real> scratch) {
  Prefetch<Real> prefetch(points, plan.complex.smooth.butterflies);
  Lane<Real>* z = lanes_in(in);
  with_load(points, z, [&](auto load) { join_modes(plan.complex.n, plan.split, load, z); });
  if (plan.complex.primes > 0) {
    conjugate_block(plan.complex.n, dft_block(plan.complex, in, out, scratch));
    return out;
  }
  const auto run = [&](auto store) {
    run_stages(plan.complex.smooth, BlockLoad<Real>{z}, z, store, {every_point, pairs_before(plan)}, prefetch);
  };
  if (points.to.at == nullptr) {
    run(BlockStore<Real>{lanes_in(out)});
    conjugate_block(plan.complex.n, lanes_in(out));
  } else {
    with_stores(points, [&]<Stores How>() {
      run(RealPointStore<Real, How>{moved(points.to), scale_of(points.scale, Numbers::conjugate)});
    });
  }
  return out;
}

// --- cosine transforms -------------------------------------------------------------------------------------------

// A complex transform that is one butterfly, whose points begin() sets and whose modes end() takes.
template <class Real, class Begin, class End>
struct OneButterfly {
  const Begin& begin_of;
  const End& end_of;

  template <int R>
  WEFT_INLINE void run() const {
    const Begin begin = begin_of;
    const End end = end_of;
    Lane<Real> x[R];
    begin.template operator()<R>(x);
    butterfly<R, true>(x);
    end.template operator()<R>(x);
  }
};

template <int R, class Real, class Load>
WEFT_INLINE void get_loaded(const Load& load, Lane<Real>* x) {
  WEFT_UNROLL
  for (int j = 0; j < R; j++) x[j] = load(j);
}

// Does a complex transform by one butterfly, or returns false if it takes more.
template <class Real, class Begin, class End>
WEFT_INLINE bool by_one_butterfly(const LaneDft<Real>& plan, const Begin& begin, const End& end) {
  const bool one = plan.primes == 0 && plan.smooth.stages == 1 && plan.n > 1 && plan.n <= largest_radix;
  if (one) dispatch<largest_radix>(int(plan.n), OneButterfly<Real, Begin, End>{begin, end});
  return one;
}

// One part of the points of a block.
template <class Real>
Line<Real> in_block(const LaneRealPlan<Real>& plan, Real* block, int part) {
  return {plan.block, block - plan.block[0] + part * lanes_of<Real>, 1, Real(1)};
}

// X_k = 2 sum x_j cos(pi (j+1/2) k / n). `z` is room for the modes of the complex line; it may share the memory of x.
template <class Real>
void cosine2(const LaneRealPlan<Real>& plan, const Line<Real>& x, Real sign, const Line<Real>& y, Lane<Real>* z,
             LaneScratch<Real> scratch) {
  const Folded<Real> points{x, plan.n, sign};
  const Rotated<Real> modes{y, plan.n, plan.roots};
  if (plan.n % 2 != 0) return odd_forward(plan, points, modes, scratch);
  const auto load = [points](int64_t j) WEFT_ALWAYS { return Lane<Real>{points.get(2 * j), points.get(2 * j + 1)}; };
  const auto store = [modes](int64_t k, Lane<Real> a) WEFT_ALWAYS { modes.set(k, a); };
  const auto begin = [load]<int R>(Lane<Real>* z) WEFT_ALWAYS { get_loaded<R>(load, z); };
  const auto end = [store, split = plan.split]<int R>(Lane<Real>* z) WEFT_ALWAYS { put_first<R>(store, split, 1, z); };
  if (by_one_butterfly(plan.complex, begin, end)) return;
  Prefetch<Real> nothing;
  split_forward(plan.complex, plan.split, load, lanes_in(scratch.a), z, store, every_point,
                scratch_after(scratch, plan.complex.n), nothing);
}

// X_k = x_0 + 2 sum x_j cos(pi j (k+1/2) / n): the inverses of the steps of cosine2 in reverse order.
template <class Real>
void cosine3(const LaneRealPlan<Real>& plan, const Line<Real>& x, const Line<Real>& y, Real sign,
             LaneScratch<Real> scratch) {
  const Rotated<Real> modes{x, plan.n, plan.roots};
  const Folded<Real> points{y, plan.n, sign};
  if (plan.n % 2 != 0) return odd_backward(plan, modes, points, scratch);
  Lane<Real>* z = lanes_in(scratch.a);
  const auto mode = [modes](int64_t k) WEFT_ALWAYS { return modes.get(k); };
  const auto store = [points](int64_t j, Lane<Real> a) WEFT_ALWAYS {
    points.set(2 * j, a.re);
    points.set(2 * j + 1, conjugate(a).im);
  };
  const auto begin = [mode, split = plan.split]<int R>(Lane<Real>* z) WEFT_ALWAYS { get_joined<R>(mode, split, z); };
  const auto end = [store]<int R>(Lane<Real>* z) WEFT_ALWAYS { put_results<R>(store, 0, 1, z); };
  if (by_one_butterfly(plan.complex, begin, end)) return;
  join_modes(plan.complex.n, plan.split, mode, z);
  dft(plan.complex, BlockLoad<Real>{z}, store, scratch.a, scratch_after(scratch, plan.complex.n));
}

// X_k = 2 sum x_j cos(pi (j+1/2) (k+1/2) / n); `sign` is the sign of the odd modes. n even: the even points, and the
// odd points backwards, form a complex line of n/2 points, rotated before and after. n odd: the angles pi (2j+1)(2k+1)
// / 4n are sums of multiples of 1/8 and of 1/n of a turn, so type IV is a real DFT of n points in another order and
// with other signs (Chan and Ho 1992).
template <class Real>
void cosine4(const LaneRealPlan<Real>& plan, const Line<Real>& x, const Line<Real>& y, Real sign,
             LaneScratch<Real> scratch) {
  const LaneScratch<Real> rest = scratch_after(scratch, plan.complex.n);
  if (plan.n % 2 == 0) {
    const auto load = [x, n = plan.n, roots = plan.roots](int64_t j) WEFT_ALWAYS {
      return rotate_back(Lane<Real>{x[2 * j], x[n - 1 - 2 * j]}, roots + 2 * j);
    };
    const auto store = [y, n = plan.n, roots = plan.roots + plan.n + 2, sign](int64_t k, Lane<Real> a) WEFT_ALWAYS {
      const Lane<Real> b = rotate_back(a, roots + 2 * k);
      y.set(2 * k, b.re);
      y.set(n - 1 - 2 * k, -sign * b.im);
    };
    const auto begin = [load]<int R>(Lane<Real>* z) WEFT_ALWAYS { get_loaded<R>(load, z); };
    const auto end = [store]<int R>(Lane<Real>* z) WEFT_ALWAYS { put_results<R>(store, 0, 1, z); };
    if (by_one_butterfly(plan.complex, begin, end)) return;
    return dft(plan.complex, load, store, scratch.a, rest);
  }
  const auto load = [x, order = plan.order, signs = plan.roots](int64_t t) WEFT_ALWAYS {
    return Lane<Real>{signs[2 * t] * x[order[t]], Vector<Real>{}};
  };
  const auto store = [y, order = plan.order + plan.n, roots = plan.roots + 2 * plan.n](int64_t m, Lane<Real> a)
                         WEFT_ALWAYS { y.set(order[m], roots[2 * m] * a.re + roots[2 * m + 1] * a.im); };
  dft(plan.complex, ForOddLines{load}, ForOddLines{store}, scratch.a, rest);
}

// --- types I -----------------------------------------------------------------------------------------------------

// An odd number N of intervals. The line is continued to a period of 2N points. Its even points are the real parts, and
// its odd points, from point N on, the imaginary parts of a complex line of N points. Both parts are even (cosine) or
// odd (sine). Point j is at x[j], or at x[j - 1] for sines.
template <bool Sine, class Real>
void continued(const LaneRealPlan<Real>& plan, Rows<Real> x, Rows<Real> y, LaneScratch<Real> scratch) {
  const int64_t intervals = plan.complex.n;
  const auto load = [x, intervals](int64_t j) WEFT_ALWAYS {
    const bool second_half = 2 * j > intervals;
    const int64_t even = second_half ? 2 * (intervals - j) : 2 * j, odd = intervals - even;
    if constexpr (!Sine) return Lane<Real>{x[even], x[odd]};
    if (j == 0) return Lane<Real>{};
    const Vector<Real> a = x[even - 1], b = x[odd - 1];
    return second_half ? Lane<Real>{-a, b} : Lane<Real>{a, -b};
  };
  const auto store = [y, intervals](int64_t k, Lane<Real> a) WEFT_ALWAYS {
    if (2 * k > intervals || (Sine && k == 0)) return;
    const Real sign = k % 2 == 0 ? Real(1) : Real(-1);
    y[Sine ? k - 1 : k] = Sine ? sign * a.re - a.im : a.re + sign * a.im;
    y[Sine ? intervals - k - 1 : intervals - k] = Sine ? sign * a.re + a.im : a.re - sign * a.im;
  };
  dft(plan.complex, ForOddLines{load}, ForOddLines{store}, scratch.a, scratch_after(scratch, intervals));
}

// Four intervals, where most types I of 2^k intervals end.
template <bool Sine, class Real>
WEFT_INLINE void type1_of_four(const Line<Real>& x, const Line<Real>& y) {
  constexpr Real root = Real(1.41421356237309504880L);
  if constexpr (Sine) {
    const Vector<Real> sum = root * (x[0] + x[2]), middle = Real(2) * x[1], difference = Real(2) * (x[0] - x[2]);
    y.set(0, sum + middle);
    y.set(1, difference);
    y.set(2, sum - middle);
  } else {
    const Vector<Real> ends = x[0] + x[4], between = x[0] - x[4], middle = Real(2) * x[2];
    const Vector<Real> sum = Real(2) * (x[1] + x[3]), difference = root * (x[1] - x[3]), even = ends + middle;
    y.set(0, even + sum);
    y.set(1, between + difference);
    y.set(2, ends - middle);
    y.set(3, between - difference);
    y.set(4, even - sum);
  }
}

// N intervals: X_k = x_0 + (-1)^k x_N + 2 sum x_j cos(pi j k / N), or 2 sum x_j sin(pi (j+1) (k+1) / N). Even N: a type
// I of the even points and a type II of the odd points, each of half the size. All steps are additions; the shorter way
// through sums of sines loses accuracy as sqrt(N).
template <bool Sine, class Real>
void type1(const LaneRealPlan<Real>& plan, const Line<Real>& x, const Line<Real>& y, LaneScratch<Real> scratch) {
  if (plan.n == (Sine ? 3 : 5)) return type1_of_four<Sine>(x, y);
  if (plan.type2 == nullptr) return continued<Sine>(plan, x.rows(), y.rows(), scratch);
  const int64_t last = plan.n - 1, pairs = Sine ? last / 2 : plan.n / 2;
  const Line<Real> even_points = Sine ? x.from(1) : x, odd_points = Sine ? x : x.from(1), back = y.backwards(last);
  if (plan.type1 != nullptr) type1<Sine>(*plan.type1, even_points.every_second(), y, scratch);
  cosine2(*plan.type2, odd_points.every_second(), Sine ? Real(-1) : Real(1), Sine ? back.backwards(pairs) : back,
          lanes_in(scratch.b), scratch);
  if (pairs == 0) return;
  const Rows<Real> modes = y.rows();
  for (int64_t k = 0; k < pairs; k++) {
    const Vector<Real> even = modes[k], odd = modes[last - k];
    modes[k] = even + odd;
    modes[last - k] = Sine ? odd - even : even - odd;
  }
}

// --- all kinds ---------------------------------------------------------------------------------------------------

template <class Real>
void cosine_or_sine(const LaneRealPlan<Real>& plan, const Line<Real>& x, const Line<Real>& y, Real* in,
                    LaneScratch<Real> scratch) {
  const int64_t last = plan.n - 1;
  const Real same = 1, alternating = -1;
  // With one real per point the block of x itself can hold z: one block less in cache. With two, the other part is
  // read later.
  Lane<Real>* z = lanes_in(plan.width == 1 ? in : scratch.b);
  switch (plan.kind) {
    case Kind::dct1:
      return type1<false>(plan, x, y, scratch);
    case Kind::dct2:
      return cosine2(plan, x, same, y, z, scratch);
    case Kind::dct3:
      return cosine3(plan, x, y, same, scratch);
    case Kind::dct4:
      return cosine4(plan, x, y, same, scratch);
    case Kind::dst1:
      return type1<true>(plan, x, y, scratch);
    case Kind::dst2:
      return cosine2(plan, x, alternating, y.backwards(last), z, scratch);
    case Kind::dst3:
      return cosine3(plan, x.backwards(last), y, alternating, scratch);
    case Kind::dst4:
      return cosine4(plan, x.backwards(last), y, alternating, scratch);
    default:
      return;
  }
}

// Prefetches the points of the next lines.
template <bool Write, class Real>
void prefetch_next(const PointAddresses<Real>& points, int64_t n) {
  if (points.at == nullptr || points.prefetch_distance == 0) return;
  for (int64_t j = 0; j < n; j++) prefetch_vectors<1, Write>(points.at[j] + points.shift + points.prefetch_distance);
}

// All parts of lines, from the block or points to the block or points.
template <class Real>
Real* cosines_or_sines(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
                       LaneScratch<Real> scratch) {
  prefetch_next<false>(points.from, plan.n);
  prefetch_next<true>(points.to, plan.n);
  const auto line = [&](const PointAddresses<Real>& memory, Real* block, int part) {
    if (memory.at == nullptr) return in_block(plan, block, part);
    return Line<Real>{memory.at, memory.shift, 1, points.scale};
  };
  for (int part = 0; part < plan.width; part++)
    cosine_or_sine(plan, line(points.from, in, part), line(points.to, out, part), in, scratch);
  return out;
}

// Returns `out`, which holds the result unless points.to does.
template <class Real>
Real* real_transform(const LaneRealPlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out,
                     LaneScratch<Real> scratch) {
  if (plan.kind != Kind::r2c)
    return for_each_batch(
        points, [&](const LanePoints<Real>& batch) { return cosines_or_sines(plan, batch, in, out, scratch); });
  if (plan.n % 2 == 0)
    return for_each_batch(points, [&](const LanePoints<Real>& batch) {
      return plan.backward ? c2r_even(plan, batch, in, out, scratch) : r2c_even(plan, batch, in, out, scratch);
    });
  const Rows<Real> line{rows_of(plan.backward ? out : in), 1};
  const HalfSpectrum<Real> modes{lanes_in(plan.backward ? in : out)};
  plan.backward ? odd_backward(plan, modes, line, scratch) : odd_forward(plan, line, modes, scratch);
  return out;
}
