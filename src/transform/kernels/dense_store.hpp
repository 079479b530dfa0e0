// Stores the products of a tile as rows of the slice, or as rows to be transposed later. Included by dense_kernels.cpp
// only, inside the namespace of one instruction set.
#pragma once

#include "dense_transpose.hpp"

// Some columns of a slice: their packed rows, and where their products are stored.
template <class Real>
struct Strip {
  int64_t column, count;  // of the slice
  int vectors, used;      // `used` reals of the last vector of a row are stored
  Vector<Real>* packed;
  Real* to;  // the first row of the slice, or of the rows to be transposed
  int64_t pitch;
  Manner manner;
};

// Stores part(v), v = 0 .. Vectors - 1, as a row.
template <int Vectors, class Real, class Part>
WEFT_INLINE void put_row(Strip<Real> strip, int64_t row, Part part) {
  constexpr int lanes = lanes_of<Real>;
  Real* const to = strip.to + row * strip.pitch;
  WEFT_UNROLL
  for (int v = 0; v < Vectors; v++)
    put_part(to + v * lanes, part(v), v + 1 == Vectors ? strip.used : lanes, strip.manner);
}

// Multiplies by -i, or by i, for signs_of() 1 or -1: (re, im) becomes (im, -re) or (-im, re).
template <class Real>
WEFT_INLINE Vector<Real> times_minus_i(Vector<Real> a, Vector<Real> signs) {
  return swapped_pairs(a, LaneIndices<Real>{}) * signs;
}
template <class Real>
WEFT_INLINE Vector<Real> signs_of(Real sign) {
  return alternating(sign, -sign, LaneIndices<Real>{});
}

// Stores rows first .. first + rows - 1 of the products without a partner.
template <int Vectors, class Real>
void store_singles(const DenseProduct<Real>& product, Strip<Real> strip, int64_t first, int rows,
                   const Vector<Real>* tile) {
  const auto row_of = [&](int64_t single) { return single < product.out.first ? single : single + product.out.pairs; };
  const auto put = [&](int64_t row, int r) {
    put_row<Vectors>(strip, row, [&](int v) { return tile[r * Vectors + v]; });
  };
  if (product.store == DenseStore::complex) {
    const Vector<Real> signs = signs_of(Real(-1));
    for (int r = 0; r < rows; r += 2)
      put_row<Vectors>(strip, (first + r) / 2, [&](int v) {
        return tile[r * Vectors + v] + times_minus_i<Real>(tile[(r + 1) * Vectors + v], signs);
      });
  } else if (product.store == DenseStore::halves) {
    for (int r = 0; r < rows; r++) {
      put(2 * row_of(first + r), r);
      put_row<Vectors>(strip, 2 * row_of(first + r) + 1, [](int) { return Vector<Real>{}; });
    }
  } else {
    for (int r = 0; r < rows; r++) put(row_of(first + r), r);
  }
}

// Stores a - b in the first row of each pair and a + b in its partner.
template <int Vectors, class Real, class Difference>
WEFT_INLINE void put_partners(DensePairs out, Strip<Real> strip, int64_t first, int rows, const Vector<Real>* a,
                              Difference b) {
  for (int r = 0; r < rows; r++) {
    const int64_t pair = first + r;
    put_row<Vectors>(strip, out.first + pair, [&](int v) { return a[r * Vectors + v] - b(r * Vectors + v); });
    put_row<Vectors>(strip, out.sums + out.pairs - 1 - pair,
                     [&](int v) { return a[r * Vectors + v] + b(r * Vectors + v); });
  }
}

// Stores pairs first .. first + rows - 1: products a of sums and b of differences.
template <int Vectors, class Real>
void store_pairs(const DenseProduct<Real>& product, Strip<Real> strip, int64_t first, int rows, const Vector<Real>* a,
                 const Vector<Real>* b) {
  const DensePairs out = product.out;
  if (product.store == DenseStore::unfolded) {
    const Vector<Real> signs = signs_of(-product.rotation);
    put_partners<Vectors>(out, strip, first, rows, a, [&](int at) { return times_minus_i<Real>(b[at], signs); });
  } else if (product.store == DenseStore::points) {
    put_partners<Vectors>(out, strip, first, rows, a, [&](int at) { return b[at]; });
  } else {
    const bool halves = product.store == DenseStore::halves;
    for (int r = 0; r < rows; r++) {
      const int64_t row = out.first + first + r;
      put_row<Vectors>(strip, halves ? 2 * row : row, [&](int v) { return a[r * Vectors + v]; });
      put_row<Vectors>(strip, halves ? 2 * row + 1 : out.sums + first + r,
                       [&](int v) { return halves ? -b[r * Vectors + v] : b[r * Vectors + v]; });
    }
  }
}
