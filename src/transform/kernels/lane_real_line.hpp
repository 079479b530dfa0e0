// Real lines that are each contiguous in memory: complex lines of half as many points, whose modes k and n-k are
// separated or joined for several adjacent k at a time, in whole vectors at both ends. The steps are those of
// separate() and join(), to the bit. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_line.hpp"

// Separates or joins modes k (a) and n-k (b). Forward, the lanes of a mode are cos, -cos in w[0] and -sin, -sin in
// w[1], all halved; backward cos, cos and sin, -sin.
template <bool Forward, class Real>
WEFT_INLINE void rotate_pair(Vector<Real>& a, Vector<Real>& b, const Vector<Real>* w) {
  constexpr LaneIndices<Real> lanes{};
  const Vector<Real> conjugate = alternating<Real>(1, -1, lanes);
  const Vector<Real> even = add_product<false, Real>(a, b, conjugate), both = add_product<true, Real>(a, b, conjugate);
  const Vector<Real> odd = add_product<false, Real>(both * w[1], swapped_pairs(both, lanes), w[0]);
  if constexpr (Forward) {
    a = add_product<false, Real>(odd, even, alternating<Real>(0.5, 0.5, lanes));
    b = product_and_sums<Real>(even, alternating<Real>(0.5, -0.5, lanes), odd);
  } else {
    a = product_and_sums<Real>(even, alternating<Real>(1, 1, lanes), odd);
    b = add_product<false, Real>(odd, even, conjugate);
  }
}

// read(i) and write(i, v) access vector i of a line, modes i * lanes / 2 and following. `low` holds the modes from 0
// on; the first mode in `high` is mode n, whose result is returned. `Count` vectors in registers or, if 0, `vectors` in
// memory.
template <bool Forward, int Count, class Real, class Read, class Write>
WEFT_INLINE Real rotate_pairs(int64_t vectors, const Real* split, Vector<Real> low, Vector<Real> high, Read read,
                              Write write) {
  constexpr LaneIndices<Real> lanes{};
  const int64_t count = Count > 0 ? Count : vectors;
  const Vector<Real>* w = rows_of(split);
  Vector<Real> from = high, result;  // of modes n-k: the vector that the next partners begin with, and the last results
  const auto rotate = [&](int64_t i) WEFT_ALWAYS {
    const Vector<Real> before = read(count - 1 - i);
    result = mirrored(before, from, lanes);
    from = before;
    rotate_pair<Forward, Real>(low, result, w + 2 * i);
  };
  rotate(0);
  write(0, low);
  const Real last = result[0];
  const auto step = [&](int64_t i) WEFT_ALWAYS {
    const Vector<Real> previous = result;
    low = read(i);
    rotate(i);
    write(i, low);
    write(count - i, mirrored(previous, result, lanes));
  };
  if constexpr (Count > 0) {
    WEFT_UNROLL
    for (int i = 1; i < Count / 2; i++) step(i);
  } else {
    for (int64_t i = 1; i < count / 2; i++) step(i);
  }
  const int64_t middle = count / 2;
  if (count % 2 == 0) {  // mode n/2 is its own partner: the first of its two results is stored
    low = high = from;
    rotate_pair<Forward, Real>(low, high, w + count);
    write(middle, mirrored(result, low, lanes));
  } else {  // a vector holds both modes of pairs
    step(middle);
    write(middle, first_half_of(low, mirrored(result, low, lanes), lanes));
  }
  return last;
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

  template <class Run>
  WEFT_INLINE void with_direction(const Run& run) const {
    run.template operator()<Forward ? Numbers::as_they_are : Numbers::conjugate>();
  }
  WEFT_INLINE Real* place(int i) const { return scratch + 2 * n * i; }
  WEFT_INLINE const Real* from(int line, int i) const { return Forward ? lines.from[line] : place(i); }
  WEFT_INLINE Real* to(int line, int i) const { return Forward ? place(i) : lines.to[line]; }
  WEFT_INLINE void before(int line, int i) const {
    if constexpr (!Forward)
      join<0>(line, [to = place(i)](int64_t at, Vector<Real> v) { store_unaligned(to + at * lanes_of<Real>, v); });
  }
  WEFT_INLINE void after(int line, int i) const {
    if constexpr (Forward)
      separate<0>(line, [from = place(i)](int64_t at) { return load_unaligned(from + at * lanes_of<Real>); });
  }

  // get() and put() do the steps of before() and after() on lines in registers.
  template <int Count>
  WEFT_INLINE void get(int line, Point* z) const {
    if constexpr (Forward) {
      get_line<Count, Form>(lines, lines.from[line], z);
    } else if constexpr (Form::interleaved) {
      join<Count>(line, [z](int64_t at, Vector<Real> v) { z[at].v = v; });
      take_conjugates<Count>(z);
    } else {
      before(line, 0);
      LaneLines<Real> near = lines;
      near.prefetch_distance = 0;
      get_line<Count, Form>(near, from(line, 0), z);
      take_conjugates<Count>(z);
    }
  }
  template <int Count>
  WEFT_INLINE void put(int line, Point* z) const {
    if constexpr (Forward && Form::interleaved) {
      separate<Count>(line, [z](int64_t at) { return z[at].v; });
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
  // Turns the modes of the complex line, vectors read(i), into those of the real line.
  template <int Count, class Read>
  WEFT_INLINE void separate(int line, Read read) const {
    const Real scale = lines.scale;
    const auto write = [scale, to = lines.to[line]](int64_t i, Vector<Real> v) {
      store_unaligned<Real>(to + i * lanes_of<Real>, scale * v);
    };
    const Vector<Real> first = read(0);
    Real* end = last[line];
    end[0] = scale * rotate_pairs<true, Count>(vectors(), plan.split, first, first, read, write);
    end[1] = 0;
  }
  // The inverse; ignores the imaginary parts of modes 0 and n.
  template <int Count, class Write>
  WEFT_INLINE void join(int line, Write write) const {
    const auto read = [from = lines.from[line], distance = lines.prefetch_distance](int64_t i) {
      const Real* p = from + i * lanes_of<Real>;
      if (distance != 0) prefetch_vectors<1, false>(p + distance);
      return load_unaligned(p);
    };
    Vector<Real> low = read(0), high{};
    low[1] = 0;
    high[0] = last[line][0];
    rotate_pairs<false, Count>(vectors(), plan.split, low, high, read, write);
  }
  WEFT_INLINE int64_t vectors() const { return 2 * n / lanes_of<Real>; }
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
  if (plan.complex.form == LaneLineForm::across) return short_real_lines(plan, lines, last);
  lines.backward ? real_lines_to<false>(plan, lines, last, work) : real_lines_to<true>(plan, lines, last, work);
}
