// The arithmetic of dense products: a panel of a matrix times a strip of columns, with all sums in registers. Included
// by dense_kernels.cpp only, inside the namespace of one instruction set.
#pragma once

#include "transform/simd/vector.hpp"

// The sums, one row of the strip and one matrix entry fill the 32 or 16 registers (13 of 16 where an unfused product
// needs one more). A fused multiply-add takes 4 cycles and two start in each cycle, so 8 sums suffice to keep the
// processor busy; more sums save loads.
constexpr int panel_rows = vector_registers / 4, strip_vectors = has_fused_products ? 3 : 2;
template <class Real>
constexpr int strip_reals = strip_vectors* lanes_of<Real>;

// Memory to be prefetched during the arithmetic: one cache line for each row of the strip, `step` reals apart.
template <class Real>
struct RowPrefetch {
  const Real* at;
  int64_t step;
};

// result[r][v] = sum over p of a[p][r] b[p][v].
template <int Rows, int Vectors, class Real>
void multiply_tile(int64_t depth, const Real* a, const Vector<Real>* b, Vector<Real>* result,
                   RowPrefetch<Real> prefetch) {
  Vector<Real> sum[Rows][Vectors] = {};
  for (int64_t p = 0; p < depth; p++) {
    __builtin_prefetch(prefetch.at, 0, 2);
    Vector<Real> x[Vectors];
    WEFT_UNROLL
    for (int v = 0; v < Vectors; v++) x[v] = b[v];
    WEFT_UNROLL
    for (int r = 0; r < Rows; r++) {
      WEFT_UNROLL
      for (int v = 0; v < Vectors; v++) sum[r][v] += a[r] * x[v];
    }
    a += Rows;
    b += Vectors;
    prefetch.at += prefetch.step;
  }
  WEFT_UNROLL
  for (int r = 0; r < Rows; r++) {
    WEFT_UNROLL
    for (int v = 0; v < Vectors; v++) result[r * Vectors + v] = sum[r][v];
  }
}

// multiply_tile() for any number of rows up to panel_rows.
template <int Vectors, int Rows = panel_rows, class Real>
WEFT_INLINE void multiply_rows(int rows, int64_t depth, const Real* a, const Vector<Real>* b, Vector<Real>* result,
                               RowPrefetch<Real> prefetch) {
  if (rows == Rows) return multiply_tile<Rows, Vectors>(depth, a, b, result, prefetch);
  if constexpr (Rows > 1) multiply_rows<Vectors, Rows - 1>(rows, depth, a, b, result, prefetch);
}

template <int N>
struct Number {
  static constexpr int value = N;
};

// Calls work(Number<vectors>), the number of vectors as a compile-time constant.
template <int Vectors = strip_vectors, class Work>
WEFT_INLINE void with_vectors(int vectors, Work work) {
  if (vectors == Vectors) return work(Number<Vectors>{});
  if constexpr (Vectors > 1) with_vectors<Vectors - 1>(vectors, work);
}
