// Neighbouring complex numbers of contiguous lines in vectors: the forms that LaneLineForm names. Each says how many
// numbers of how many lines a point has, and how points are loaded and transposed; LineStore stores them. Included by
// lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_butterfly.hpp"
#include "lane_copy.hpp"

// Lines are worked on interleaved where vectors are cache lines, as neighbouring lines are (lane_points.hpp).
constexpr bool may_interleave_lines = fills_cache_line;

// Numbers of two vectors with real and imaginary parts split: the even lanes are the first vector's, the odd
// ones the second's, so that shuffles within pairs of lanes do.
template <class Real>
WEFT_INLINE Lane<Real> split_pairs(const Real* p, const Real* q) {
  constexpr LaneIndices<Real> lanes{};
  const Vector<Real> a = load_unaligned(p), b = load_unaligned(q);
  return {swapped_upper<1>(a, b, lanes), swapped_lower<1>(a, b, lanes)};
}
// Numbers of one line, parts split, in the lanes in the order that split_pairs() leaves.
template <class Number>
struct SplitLines {
  using Real = Number;
  using Point = Lane<Real>;
  static constexpr int lines = 1, numbers = lanes_of<Real>;
  static constexpr bool interleaved = false;

  WEFT_INLINE static void load(const Real* const* from, int64_t at, Point& a) {
    a = split_pairs(from[0] + at, from[0] + at + lanes_of<Real>);
  }
  WEFT_INLINE static void prefetch_next(const Real* const* from, int64_t at) {
    prefetch_vectors<2, false>(from[0] + at);
  }
  WEFT_INLINE static std::ptrdiff_t second(Real* const*) { return lanes_of<Real>; }
  // The numbers of as many points as each has: rows become columns.
  WEFT_INLINE static void transpose(Point* points) {
    Vector<Real> re[numbers], im[numbers];
    WEFT_UNROLL
    for (int row = 0; row < numbers; row++) {
      re[row] = points[in_lane(row)].re;
      im[row] = points[in_lane(row)].im;
    }
    transpose_elements<1, Real>(re);
    transpose_elements<1, Real>(im);
    WEFT_UNROLL
    for (int row = 0; row < numbers; row++) points[in_lane(row)] = {re[row], im[row]};
  }
  WEFT_INLINE static void put_transposed(const Point* points, Point* work) {
    put_part_transposed<0>(points, work);
    put_part_transposed<1>(points, work);
  }

 private:
  static constexpr int in_lane(int lane) { return line_point_in_lane(lane, numbers); }

  template <int Part>
  WEFT_INLINE static void put_part_transposed(const Point* points, Point* work) {
    Vector<Real> square[numbers];
    Real* to[numbers];
    WEFT_UNROLL
    for (int row = 0; row < numbers; row++) {
      const Point& point = points[in_lane(row)];
      square[row] = Part == 0 ? point.re : point.im;
      to[row] = reinterpret_cast<Real*>(work + in_lane(row)) + Part * numbers;
    }
    // Whole vectors, which are soon to be loaded: halves of them would have to reach the cache first.
    if constexpr (has_cheap_halves) {
      transpose_elements<1, Real>(square);
      WEFT_UNROLL
      for (int row = 0; row < numbers; row++) put<false>(to[row], square[row]);
    } else {
      store_rows<false>(to, numbers, 0, square);
    }
  }
};

// Numbers of one line as they lie in memory, or, half of a vector each, of two.
template <class Number>
struct InterleavedLines {
  using Real = Number;
  using Point = Interleaved<Real>;
  static constexpr int lines = 1, numbers = lanes_of<Real> / 2;
  static constexpr bool interleaved = true;

  WEFT_INLINE static void load(const Real* const* from, int64_t at, Point& a) { a.v = load_unaligned(from[0] + at); }
  WEFT_INLINE static void prefetch_next(const Real* const* from, int64_t at) {
    prefetch_vectors<1, false>(from[0] + at);
  }
  WEFT_INLINE static std::ptrdiff_t second(Real* const* to) { return to[1] - to[0]; }
  WEFT_INLINE static void transpose(Point* points) {
    Vector<Real> rows[numbers];
    WEFT_UNROLL
    for (int row = 0; row < numbers; row++) rows[row] = points[row].v;
    transpose_elements<2, Real>(rows);
    WEFT_UNROLL
    for (int row = 0; row < numbers; row++) points[row].v = rows[row];
  }
  WEFT_INLINE static void put_transposed(Point* points, Point* work) {
    transpose(points);
    WEFT_UNROLL
    for (int row = 0; row < numbers; row++) work[row] = points[row];
  }
};

// Numbers of two lines, parts split: what is transposed is pairs of lanes, a step less than lanes, and no halves of
// vectors need be stored for it.
template <class Number>
struct SplitTwoLines {
  using Real = Number;
  using Point = Lane<Real>;
  static constexpr int lines = 2, numbers = lanes_of<Real> / 2;
  static constexpr bool interleaved = false;

  WEFT_INLINE static void load(const Real* const* from, int64_t at, Point& a) {
    a = split_pairs(from[0] + at, from[1] + at);
  }
  WEFT_INLINE static void prefetch_next(const Real* const* from, int64_t at) {
    for (int line = 0; line < lines; line++) prefetch_vectors<1, false>(from[line] + at);
  }
  WEFT_INLINE static std::ptrdiff_t second(Real* const* to) { return to[1] - to[0]; }
  WEFT_INLINE static void put_transposed(const Point* points, Point* work) {
    Vector<Real> re[numbers], im[numbers];
    WEFT_UNROLL
    for (int row = 0; row < numbers; row++) {
      re[row] = points[row].re;
      im[row] = points[row].im;
    }
    transpose_elements<2, Real>(re);
    transpose_elements<2, Real>(im);
    WEFT_UNROLL
    for (int row = 0; row < numbers; row++) work[row] = {re[row], im[row]};
  }
};
