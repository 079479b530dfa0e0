// Neighbouring complex numbers of a line in the lanes of a point: with their parts in vectors of their own (Lane), or
// as they lie in memory (Interleaved). Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_butterfly.hpp"
#include "lane_copy.hpp"

// Lines are worked on interleaved where vectors are cache lines, as neighbouring lines are (lane_points.hpp).
constexpr bool may_interleave_lines = WEFT_VECTOR_BYTES == cache_line_bytes;

template <class Point>
constexpr int numbers_in = 0;
template <class Real>
constexpr int numbers_in<Lane<Real>> = lanes_of<Real>;
template <class Real>
constexpr int numbers_in<Interleaved<Real>> = lanes_of<Real> / 2;

template <class Point>
constexpr bool has_parts_apart = false;
template <class Real>
constexpr bool has_parts_apart<Lane<Real>> = true;

// Parts do not lie in the lanes in the order of the numbers, but so that shuffles within pairs of lanes take complex
// numbers apart and put them together.
template <class Real>
constexpr int in_lane(int lane) {
  return line_point_in_lane(lane, lanes_of<Real>);
}

template <class Real>
WEFT_INLINE void load_numbers(const Real* p, Lane<Real>& a) {
  constexpr LaneIndices<Real> lanes{};
  const Vector<Real> low = load_unaligned(p), high = load_unaligned(p + lanes_of<Real>);
  a = {swapped_upper<1>(low, high, lanes), swapped_lower<1>(low, high, lanes)};
}
template <class Real>
WEFT_INLINE void load_numbers(const Real* p, Interleaved<Real>& a) {
  a.v = load_unaligned(p);
}

template <class Point, class Real>
WEFT_INLINE void fetch_numbers(const Real* p) {
  fetch<has_parts_apart<Point> ? 2 : 1, false>(p);
}

// The first half of the numbers at p, the others at q. Halves of vectors go through the cache.
template <bool Stream, class Real>
WEFT_INLINE void put_halves(Real* p, Real* q, Lane<Real> a) {
  constexpr LaneIndices<Real> lanes{};
  put<Stream>(p, swapped_upper<1>(a.re, a.im, lanes));
  put<Stream>(q, swapped_lower<1>(a.re, a.im, lanes));
}
template <bool Stream, class Real>
WEFT_INLINE void put_halves(Real* p, Real* q, Interleaved<Real> a) {
  store_halves(p, q, a.v);
}

template <bool Stream, class Real>
WEFT_INLINE void put_numbers(Real* p, Interleaved<Real> a) {
  put<Stream>(p, a.v);
}
template <bool Stream, class Real>
WEFT_INLINE void put_numbers(Real* p, Lane<Real> a) {
  put_halves<Stream>(p, p + lanes_of<Real>, a);
}

// The numbers of as many points as each has: rows become columns.
template <class Real>
WEFT_INLINE void transpose_numbers(Lane<Real>* points) {
  constexpr int lanes = lanes_of<Real>;
  Vector<Real> re[lanes], im[lanes];
  WEFT_UNROLL
  for (int row = 0; row < lanes; row++) {
    re[row] = points[in_lane<Real>(row)].re;
    im[row] = points[in_lane<Real>(row)].im;
  }
  transpose_elements<1, Real>(re);
  transpose_elements<1, Real>(im);
  WEFT_UNROLL
  for (int row = 0; row < lanes; row++) points[in_lane<Real>(row)] = {re[row], im[row]};
}
template <class Real>
WEFT_INLINE void transpose_numbers(Interleaved<Real>* points) {
  constexpr int numbers = numbers_in<Interleaved<Real>>;
  Vector<Real> rows[numbers];
  WEFT_UNROLL
  for (int row = 0; row < numbers; row++) rows[row] = points[row].v;
  transpose_elements<2, Real>(rows);
  WEFT_UNROLL
  for (int row = 0; row < numbers; row++) points[row].v = rows[row];
}

// One part of them, to `work`.
template <int Part, class Real>
WEFT_INLINE void put_part_transposed(const Lane<Real>* points, Lane<Real>* work) {
  constexpr int lanes = lanes_of<Real>;
  Vector<Real> square[lanes];
  Real* to[lanes];
  WEFT_UNROLL
  for (int row = 0; row < lanes; row++) {
    const Lane<Real>& point = points[in_lane<Real>(row)];
    square[row] = Part == 0 ? point.re : point.im;
    to[row] = reinterpret_cast<Real*>(work + in_lane<Real>(row)) + Part * lanes;
  }
  // Whole vectors, which are soon to be loaded: halves of them would have to reach the cache first.
  if constexpr (has_cheap_halves) {
    transpose_elements<1, Real>(square);
    WEFT_UNROLL
    for (int row = 0; row < lanes; row++) put<false>(to[row], square[row]);
  } else {
    store_rows<false>(to, lanes, 0, square);
  }
}

template <class Real>
WEFT_INLINE void put_transposed(const Lane<Real>* points, Lane<Real>* work) {
  put_part_transposed<0>(points, work);
  put_part_transposed<1>(points, work);
}
template <class Real>
WEFT_INLINE void put_transposed(Interleaved<Real>* points, Interleaved<Real>* work) {
  transpose_numbers(points);
  WEFT_UNROLL
  for (int row = 0; row < numbers_in<Interleaved<Real>>; row++) work[row] = points[row];
}
