// Loads and stores of dense products: rows of strips, and lines that are transposed to rows and back. Included by
// dense_kernels.cpp only, inside the namespace of one instruction set.
#pragma once

#include "dense_tile.hpp"

// How results are stored: added to the contents of memory, or past the cache (whole vectors only).
struct Manner {
  bool add, stream;
};

template <class Real>
WEFT_INLINE void put_part(Real* to, Vector<Real> value, int used, Manner manner) {
  if (manner.stream && used == lanes_of<Real>) return put<true>(to, value);
  if (manner.add) value += load_first(to, used);
  store_first(to, value, used);
}

// Transposes lines to rows: element i of line l, `Width` reals, goes to to[i * to_pitch + l * Width]. Rows hold a whole
// number of vectors; missing lines repeat the last one.
template <int Width, class Real>
void transpose_in(const Real* from, int64_t from_pitch, int64_t lines, int64_t elements, Real* to, int64_t to_pitch) {
  constexpr int lanes = lanes_of<Real>, side = lanes / Width;
  for (int64_t first = 0; first * Width < to_pitch; first += side) {
    const Real* line[side];
    for (int l = 0; l < side; l++) line[l] = from + (first + l < lines ? first + l : lines - 1) * from_pitch;
    Real* const column = to + first * Width;
    int64_t i = 0;
    for (; i + side <= elements; i += side) {
      Vector<Real> square[side];
      WEFT_UNROLL
      for (int l = 0; l < side; l++) square[l] = load_unaligned(line[l] + i * Width);
      transpose_elements<Width, Real>(square);
      WEFT_UNROLL
      for (int l = 0; l < side; l++) store_unaligned(column + (i + l) * to_pitch, square[l]);
    }
    for (; i < elements; i++)
      for (int c = 0; c < lanes; c++) column[i * to_pitch + c] = line[c / Width][i * Width + c % Width];
  }
}

// Transposes rows back to lines; stores only the `lines` lines that exist.
template <int Width, class Real>
void transpose_out(const Real* from, int64_t from_pitch, int64_t lines, int64_t elements, Real* to, int64_t to_pitch,
                   Manner manner) {
  constexpr int lanes = lanes_of<Real>, side = lanes / Width;
  for (int64_t first = 0; first < lines; first += side) {
    const int64_t here = lines - first < side ? lines - first : side;
    const Real* const column = from + first * Width;
    Real* const line = to + first * to_pitch;
    int64_t i = 0;
    for (; i + side <= elements; i += side) {
      Vector<Real> square[side];
      WEFT_UNROLL
      for (int l = 0; l < side; l++) square[l] = load_unaligned(column + (i + l) * from_pitch);
      transpose_elements<Width, Real>(square);
      WEFT_UNROLL
      for (int l = 0; l < side; l++)
        if (l < here) put_part(line + l * to_pitch + i * Width, square[l], lanes, manner);
    }
    for (; i < elements; i++)
      for (int64_t c = 0; c < here * Width; c++) {
        Real* const at = line + c / Width * to_pitch + i * Width + c % Width;
        *at = column[i * from_pitch + c] + (manner.add ? *at : Real(0));
      }
  }
}

// Rows to be packed into a strip: those of a slice, or transposed lines.
template <class Real>
struct Rows {
  const Real* at;
  int64_t pitch;
  int used;  // reals in use of the last vector
};

template <int Vectors, class Real>
WEFT_INLINE Vector<Real> row_part(Rows<Real> rows, int64_t row, int v) {
  constexpr int lanes = lanes_of<Real>;
  return load_first(rows.at + row * rows.pitch + v * lanes, v + 1 == Vectors ? rows.used : lanes);
}
template <int Vectors, class Real>
WEFT_INLINE void load_row(Rows<Real> rows, int64_t row, Vector<Real>* to) {
  WEFT_UNROLL
  for (int v = 0; v < Vectors; v++) to[v] = row_part<Vectors>(rows, row, v);
}

template <int Vectors, class Real>
void load_as_they_are(int64_t count, Rows<Real> rows, Vector<Real>* strip) {
  for (int64_t i = 0; i < count; i++) load_row<Vectors>(rows, i, strip + i * Vectors);
}

template <int Vectors, class Real>
void load_pairs(DensePairs in, Rows<Real> rows, Vector<Real>* strip) {
  Vector<Real>* const differences = strip + in.sums * Vectors;
  for (int64_t i = 0; i < in.first; i++) load_row<Vectors>(rows, i, strip + i * Vectors);
  for (int64_t i = in.first + in.pairs; i < in.sums; i++) load_row<Vectors>(rows, i, strip + i * Vectors);
  for (int64_t j = 0; j < in.pairs; j++) {
    WEFT_UNROLL
    for (int v = 0; v < Vectors; v++) {
      const Vector<Real> a = row_part<Vectors>(rows, in.first + j, v),
                         b = row_part<Vectors>(rows, in.sums + in.pairs - 1 - j, v);
      strip[(in.first + j) * Vectors + v] = a + b;
      differences[j * Vectors + v] = a - b;
    }
  }
}

template <int Vectors, class Real>
void load_halves(DensePairs in, Rows<Real> rows, Vector<Real>* strip) {
  for (int64_t i = 0; i < in.sums; i++) load_row<Vectors>(rows, 2 * i, strip + i * Vectors);
  for (int64_t j = 0; j < in.pairs; j++)
    load_row<Vectors>(rows, 2 * (in.first + j) + 1, strip + (in.sums + j) * Vectors);
}
