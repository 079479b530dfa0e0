// Adjacent complex numbers of contiguous lines in vectors: the forms of LaneLineForm. Each defines how many numbers of
// how many lines a point holds, and how points are loaded and transposed; LineStore stores them. Included by
// lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_butterfly.hpp"
#include "lane_copy.hpp"

// Interleaved forms are used where vectors are cache lines, as for adjacent lines (lane_points.hpp).
constexpr bool may_interleave_lines = fills_cache_line;

// Splits the numbers of two vectors into real and imaginary parts: even lanes come from the first vector, odd lanes
// from the second, so that shuffles within pairs of lanes suffice.
template <class Real>
WEFT_INLINE Lane<Real> split_pairs(const Real* p, const Real* q) {
  constexpr LaneIndices<Real> lanes{};
  const Vector<Real> a = load_unaligned(p), b = load_unaligned(q);
  return {swapped_upper<1>(a, b, lanes), swapped_lower<1>(a, b, lanes)};
}
// Transposes as many points as each has numbers, of `Width` lanes: rows become columns. Row r is point place(r).
template <int Width, class Real, class Place>
WEFT_INLINE void transpose_split(Lane<Real>* points, const Place& place) {
  constexpr int numbers = lanes_of<Real> / Width;
  Vector<Real> re[numbers], im[numbers];
  WEFT_UNROLL
  for (int row = 0; row < numbers; row++) {
    re[row] = points[place(row)].re;
    im[row] = points[place(row)].im;
  }
  transpose_elements<Width, Real>(re);
  transpose_elements<Width, Real>(im);
  WEFT_UNROLL
  for (int row = 0; row < numbers; row++) points[place(row)] = {re[row], im[row]};
}

// Numbers of one line, parts split, lanes in the order of split_pairs().
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
  WEFT_INLINE static void transpose(Point* points) {
    transpose_split<1, Real>(points, [](int row) { return line_point_in_lane(row, numbers); });
  }
};

// Interleaved numbers of one line or, when stored, of two lines with half a vector each.
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
};

// Numbers of two lines, parts split. Pairs of lanes are transposed, one step less than for single lanes.
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
  WEFT_INLINE static void transpose(Point* points) {
    transpose_split<2, Real>(points, [](int row) { return row; });
  }
};
