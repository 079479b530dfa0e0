// Copies between arrays without a lane block: matrices transposed in registers. Included by lane_table.hpp only, inside
// the namespace of one instruction set.
#pragma once

#include "lane_copy.hpp"

// Transposes a square tile, one cache line wide on either side: loads every cache line once and stores it whole.
template <int Width, bool Stream, class Real>
WEFT_INLINE void transpose_tile(const Real* from, int64_t from_step, Real* to, int64_t to_step) {
  constexpr int lanes = lanes_of<Real>, square = lanes / Width;
  constexpr int vectors = int(cache_line_bytes / sizeof(Real)) / lanes;
  WEFT_UNROLL
  for (int down = 0; down < vectors; down++) {
    Vector<Real> rows[vectors][square];
    WEFT_UNROLL
    for (int across = 0; across < vectors; across++) {
      WEFT_UNROLL
      for (int l = 0; l < square; l++)
        rows[across][l] = load_unaligned(from + (across * square + l) * from_step + down * lanes);
      transpose_elements<Width, Real>(rows[across]);
    }
    WEFT_UNROLL
    for (int l = 0; l < square; l++) {
      WEFT_UNROLL
      for (int across = 0; across < vectors; across++)
        put<Stream>(to + (down * square + l) * to_step + across * lanes, rows[across][l]);
    }
  }
}

template <int Width, class Real>
void transpose_plain(const MatrixCopy<Real>& copy, int64_t rows_done, int64_t columns_done) {
  for (int64_t j = 0; j < copy.columns; j++)
    for (int64_t i = j < columns_done ? rows_done : 0; i < copy.rows; i++)
      for (int part = 0; part < Width; part++)
        copy.to[j * copy.to_step + i * Width + part] = copy.from[i * copy.from_step + j * Width + part];
}

template <int Width, bool Stream, class Real>
void transpose_matrix(const MatrixCopy<Real>& copy) {
  constexpr int64_t side = cache_line_bytes / int64_t(sizeof(Real)) / Width;
  const int64_t rows = copy.rows / side * side, columns = copy.columns / side * side;
  // Patches of a few cache lines of several rows, accessed line by adjacent line: pages and rows of the memory chips
  // change less often. 8 x 4 tiles are within a few per cent of the best on 256^3 elements of 16 bytes.
  constexpr int64_t patch_columns = 8 * side, patch_rows = 4 * side;
  for (int64_t first = 0; first < columns; first += patch_columns)
    for (int64_t top = 0; top < rows; top += patch_rows) {
      const int64_t right = first + patch_columns < columns ? first + patch_columns : columns;
      const int64_t bottom = top + patch_rows < rows ? top + patch_rows : rows;
      for (int64_t j = first; j < right; j += side)
        for (int64_t i = top; i < bottom; i += side) {
          const Real* from = copy.from + i * copy.from_step + j * Width;
          // The same place in the next patch: hardware prefetchers do not follow steps as large as those between rows.
          WEFT_UNROLL
          for (int l = 0; l < side; l++) __builtin_prefetch(from + (patch_rows + l) * copy.from_step, 0, 2);
          transpose_tile<Width, Stream>(from, copy.from_step, copy.to + j * copy.to_step + i * Width, copy.to_step);
        }
    }
  transpose_plain<Width>(copy, rows, columns);
}

// Rows of elements before the first whole cache line of `to`; -1 if there is none, or if the rows of `to` begin at
// different places in their cache lines.
template <int Width, class Real>
int64_t rows_to_line(const MatrixCopy<Real>& copy) {
  constexpr int64_t size = sizeof(Real), line = cache_line_bytes / size;
  const auto past = int64_t(reinterpret_cast<std::uintptr_t>(copy.to) % std::uintptr_t(cache_line_bytes)) / size;
  const int64_t reals = past == 0 ? 0 : line - past;
  return copy.to_step % line == 0 && reals % Width == 0 && reals / Width < copy.rows ? reals / Width : -1;
}

template <int Width, class Real>
void transpose_width(const MatrixCopy<Real>& copy) {
  const int64_t before = copy.stream ? rows_to_line<Width>(copy) : -1;
  if (before < 0) return transpose_matrix<Width, false>(copy);
  MatrixCopy<Real> edge = copy, rest = copy;
  edge.rows = before;
  rest.rows -= before;
  rest.from += before * copy.from_step;
  rest.to += before * Width;
  transpose_plain<Width>(edge, 0, 0);
  transpose_matrix<Width, true>(rest);
}

template <class Real>
void transpose_copy(const MatrixCopy<Real>& copy) {
  copy.width == 1 ? transpose_width<1>(copy) : transpose_width<2>(copy);
}
