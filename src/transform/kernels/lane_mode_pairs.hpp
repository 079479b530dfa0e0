// Modes k and n-k of interleaved lines: the separation into modes of a real line of 2n points and its inverse, for
// several adjacent k at a time, in whole vectors at both ends. The steps are those of separate() and join(), to the
// bit. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_numbers.hpp"

// Separates or joins modes k (a) and n-k (b). Forward, the lanes of a mode are cos, -cos in w[0] and -sin, -sin in
// w[1], all halved; backward cos, cos and sin, -sin, and both results have their parts exchanged.
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

// read(i) and write(i, v) access vector i of a line, modes i * lanes / 2 and following. The count of vectors is even.
template <bool Forward, class Real, class Read, class Write>
struct ModePairs {
  int64_t vectors;
  const Vector<Real>* split;
  Read read;
  Write write;
  Vector<Real> from = {}, result = {};

  // `low` holds the modes from 0 on; the first mode in `high` is mode n, whose result is returned.
  WEFT_INLINE Real begin(Vector<Real> low, Vector<Real> high) {
    from = high;
    rotate(0, low);
    return result[0];
  }
  WEFT_INLINE void step(int64_t i) {
    const Vector<Real> last = result;
    rotate(i, read(i));
    write(vectors - i, mirrored(last, result, LaneIndices<Real>{}));
  }
  // Mode n/2 is its own partner: the first of its two results is stored.
  WEFT_INLINE void finish() {
    Vector<Real> low = from, high = from;
    rotate_pair<Forward, Real>(low, high, split + vectors);
    write(vectors / 2, mirrored(result, low, LaneIndices<Real>{}));
  }

 private:
  WEFT_INLINE void rotate(int64_t i, Vector<Real> low) {
    const Vector<Real> before = read(vectors - 1 - i);
    result = mirrored(before, from, LaneIndices<Real>{});
    from = before;
    rotate_pair<Forward, Real>(low, result, split + 2 * i);
    write(i, low);
  }
};

// `Count` vectors in registers or, if 0, `vectors` vectors in memory.
template <bool Forward, int Count, class Real, class Read, class Write>
WEFT_INLINE Real rotate_pairs(int64_t vectors, const Real* split, Vector<Real> low, Vector<Real> high, Read read,
                              Write write) {
  ModePairs<Forward, Real, Read, Write> pairs{Count > 0 ? Count : vectors, rows_of(split), read, write};
  const Real last = pairs.begin(low, high);
  if constexpr (Count > 0) {
    WEFT_UNROLL
    for (int i = 1; i < Count / 2; i++) pairs.step(i);
  } else {
    for (int64_t i = 1; i < vectors / 2; i++) pairs.step(i);
  }
  pairs.finish();
  return last;
}

// Turns the modes of the complex line, vectors read(i), into those of the real line, whose last goes to `last`.
template <int Count, class Real, class Read>
WEFT_INLINE void separate_vectors(int64_t vectors, const Real* split, Read read, Real* to, Real* last, Real scale) {
  const auto write = [&](int64_t i, Vector<Real> v) { store_unaligned<Real>(to + i * lanes_of<Real>, scale * v); };
  const Vector<Real> first = read(0);
  last[0] = scale * rotate_pairs<true, Count>(vectors, split, first, first, read, write);
  last[1] = 0;
}

// The inverse of separate_vectors(); ignores the imaginary parts of modes 0 and n. `prefetch_distance`: reals to the
// line needed next, 0: none.
template <int Count, class Real, class Write>
WEFT_INLINE void join_vectors(int64_t vectors, const Real* split, const Real* from, const Real* last,
                              std::ptrdiff_t prefetch_distance, Write write) {
  const auto read = [&](int64_t i) {
    const Real* p = from + i * lanes_of<Real>;
    if (prefetch_distance != 0) prefetch_vectors<1, false>(p + prefetch_distance);
    return load_unaligned(p);
  };
  Vector<Real> low = read(0), high{};
  low[1] = 0;
  high[0] = last[0];
  rotate_pairs<false, Count>(vectors, split, low, high, read, write);
}
