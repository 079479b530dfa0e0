// Real lines that are each contiguous in memory: complex lines of half as many points, whose modes k and n-k are
// separated or joined for adjacent k in the lanes. Included by lane_table.hpp only, inside the namespace of one
// instruction set.
#pragma once

#include "lane_line.hpp"
#include "lane_mode_pairs.hpp"
#include "lane_split.hpp"

// Loads L modes of a line from `p` on, in the lane order of split_pairs() or, if `Reversed`, in the opposite order.
template <bool Reversed, class Real>
WEFT_INLINE Lane<Real> load_modes(const Real* p) {
  constexpr LaneIndices<Real> lanes{};
  const Vector<Real> low = load_unaligned(p), high = load_unaligned(p + lanes_of<Real>);
  if constexpr (Reversed) return {reversed_pick<0>(high, low, lanes), reversed_pick<1>(high, low, lanes)};
  return {swapped_upper<1>(low, high, lanes), swapped_lower<1>(low, high, lanes)};
}

template <bool Reversed, class Real>
WEFT_INLINE void store_modes(Real* p, Lane<Real> a) {
  constexpr LaneIndices<Real> lanes{};
  store_unaligned(p, Reversed ? reversed_pairs<1>(a.re, a.im, lanes) : swapped_upper<1>(a.re, a.im, lanes));
  store_unaligned(p + lanes_of<Real>,
                  Reversed ? reversed_pairs<0>(a.re, a.im, lanes) : swapped_lower<1>(a.re, a.im, lanes));
}

// Calls body(k, first of modes n-k, cos, -sin) for L pairs k, n-k at a time. The last group overlaps the previous one.
template <class Real, class Body>
WEFT_INLINE void for_mode_pairs(int64_t n, const Real* split, const Body& body) {
  constexpr int lanes = lanes_of<Real>;
  const Vector<Real>* w = rows_of(split);
  for (int64_t k = 1; k <= n / 2; k += lanes, w += 2) {
    const int64_t begin = k + lanes <= n / 2 + 1 ? k : n / 2 + 1 - lanes;
    body(begin, n - begin - lanes + 1, w[0], w[1]);
  }
}

// Turns the modes of the complex line into those of the real line, whose last goes to `last`. Where a pair is one mode,
// its first result is stored last and counts.
template <class Real>
WEFT_INLINE void separate_line(int64_t n, const Real* split, const Real* from, Real* to, Real* last, Real scale) {
  for_mode_pairs(n, split, [&](int64_t k, int64_t other, Vector<Real> c, Vector<Real> s) {
    Lane<Real> low = load_modes<false>(from + 2 * k), high = load_modes<true>(from + 2 * other);
    separate(low, high, c, s);
    store_modes<true>(to + 2 * other, scale * high);
    store_modes<false>(to + 2 * k, scale * low);
  });
  const Real re = from[0], im = from[1];
  to[0] = scale * (re + im);
  last[0] = scale * (re - im);
  to[1] = last[1] = 0;
}

// Inverse of separate_line(). `prefetch_distance`: reals to the line needed next, 0: none.
template <class Real>
WEFT_INLINE void join_line(int64_t n, const Real* split, const Real* from, const Real* last, Real* to,
                           std::ptrdiff_t prefetch_distance) {
  for_mode_pairs(n, split, [&](int64_t k, int64_t other, Vector<Real> c, Vector<Real> s) {
    if (prefetch_distance != 0) {
      prefetch_vectors<2, false>(from + 2 * (k - 1) + prefetch_distance);
      prefetch_vectors<2, false>(from + 2 * other + prefetch_distance);
    }
    Lane<Real> low = load_modes<false>(from + 2 * k), high = load_modes<true>(from + 2 * other);
    join(low, high, c, s);
    store_modes<true>(to + 2 * other, high);
    store_modes<false>(to + 2 * k, low);
  });
  const Real first = from[0], mode = last[0];
  to[0] = first + mode;
  to[1] = first - mode;
}

// Ends of real lines. `scratch`, the second half of the work space, holds the complex lines outside the transform.
template <bool Forward, class Form>
struct RealEnds {
  using Real = typename Form::Real;
  using Point = typename Form::Point;

  static constexpr int most_lines = lanes_of<Real> / 2;

  const LaneRealLinePlan<Real>& plan;
  const LaneLines<Real>& lines;
  Real* const* last;
  int64_t n;
  Real* scratch;

  WEFT_INLINE Real* place(int i) const { return scratch + 2 * n * i; }
  WEFT_INLINE const Real* from(int line, int i) const { return Forward ? lines.from[line] : place(i); }
  WEFT_INLINE Real* to(int line, int i) const { return Forward ? place(i) : lines.to[line]; }
  WEFT_INLINE void before(int line, int i) const {
    if constexpr (Forward) return;
    Real* to = place(i);
    if constexpr (by_vectors) {
      join<0>(line, [to](int64_t at, Vector<Real> v) { store_unaligned(to + at * lanes_of<Real>, v); });
    } else {
      join_line(n, plan.split, lines.from[line], last[line], to, lines.prefetch_distance);
    }
  }
  WEFT_INLINE void after(int line, int i) const {
    if constexpr (!Forward) return;
    const Real* modes = place(i);
    if constexpr (by_vectors) {
      const auto read = [modes](int64_t at) { return load_unaligned(modes + at * lanes_of<Real>); };
      separate_vectors<0>(2 * n / lanes_of<Real>, plan.split, read, lines.to[line], last[line], lines.scale);
    } else {
      separate_line(n, plan.split, modes, lines.to[line], last[line], lines.scale);
    }
  }

  // get() and put() do the steps of before() and after() on lines in registers.
  template <int Count>
  WEFT_INLINE void get(int line, Point* z) const {
    if constexpr (Forward) {
      get_line<Count, Form>(lines, lines.from[line], z);
    } else if constexpr (by_vectors) {
      join<Count>(line, [z](int64_t at, Vector<Real> v) { z[at].v = v; });
      exchange_line<Count>(z);
    } else {
      before(line, 0);
      LaneLines<Real> near = lines;
      near.prefetch_distance = 0;
      get_line<Count, Form>(near, from(line, 0), z);
      exchange_line<Count>(z);
    }
  }
  template <int Count>
  WEFT_INLINE void put(int line, Point* z) const {
    if constexpr (Forward && by_vectors) {
      const auto read = [z](int64_t at) { return z[at].v; };
      separate_vectors<Count>(Count, plan.split, read, lines.to[line], last[line], lines.scale);
    } else {
      Real* target[] = {to(line, 0)};
      LaneLines<Real> own = lines;
      own.to = target;
      if constexpr (Forward) own.scale = 1;
      ComplexEnds<Form>{own}.template put<Count>(0, z);
      after(line, 0);
    }
  }

 private:
  static constexpr bool by_vectors = Form::interleaved;  // modes k and n-k are rotated in whole vectors

  template <int Count, class Write>
  WEFT_INLINE void join(int line, Write write) const {
    join_vectors<Count>(2 * n / lanes_of<Real>, plan.split, lines.from[line], last[line], lines.prefetch_distance,
                        write);
  }
};

// Forward, the first stage reads the real lines and the separation that follows it applies the scale. Backward, the
// joining of modes reads.
template <bool Forward, class Real>
void real_lines_to(const LaneRealLinePlan<Real>& plan, const LaneLines<Real>& lines, Real* const* last, Real* work) {
  const LaneLinePlan<Real>& complex = plan.complex;
  const int64_t n = complex.radix * complex.rest.n;
  LaneLines<Real> own = lines;
  if constexpr (Forward) {
    own.scale = 1;
  } else {
    own.prefetch_distance = 0;
  }
  with_form(complex, [&]<class Form>() {
    const RealEnds<Forward, Form> ends{plan, lines, last, n, work + n * lanes_of<Real>};
    run_lines<Form>(complex, own, ends, work);
  });
}

template <class Real>
void real_lines(const LaneRealLinePlan<Real>& plan, const LaneLines<Real>& lines, Real* const* last, Real* work) {
  lines.backward ? real_lines_to<false>(plan, lines, last, work) : real_lines_to<true>(plan, lines, last, work);
}
