// Tridiagonal and cyclic systems of L lines at once (finite volumes along an axis), by an elimination without
// subtractions. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_compact.hpp"
#include "transform/simd/vector.hpp"

/// Rows whose right-hand side weights a cell by its own width only.
template <class Real>
struct PlainRows {
  const LaneDifferences<Real>& lines;
  Vector<Real> shift;

  WEFT_INLINE Vector<Real> row_sum(int64_t j) const { return shift * lines.widths[j]; }
  /// The off-diagonal entries of the matrix, negated.
  WEFT_INLINE Real lower(int64_t j) const { return lines.couplings[j]; }
  WEFT_INLINE Real upper(int64_t j) const { return lines.couplings[j + 1]; }
  /// The factor of the block's value in row j on the right-hand side.
  WEFT_INLINE Real factor(int64_t j) const { return -lines.widths[j]; }
  /// The fraction of the wall's coupling that a row next to the wall loses; 1: the value at the wall is 0.
  WEFT_INLINE Vector<Real> lost(int) const { return Vector<Real>{} + Real(1); }
};

// The matrix has no positive entry off its diagonal and no negative row sum. Each pivot is a sum of non-negative terms:
// the coupling to the next cell, and `excess`, the remainder of the row sum. Nothing cancels, so a pivot is 0 only
// where the matrix is singular, and then exactly, because no cell has any excess. Compact rows have entries of either
// sign if the shift is large. They are then diagonally dominant, so that whatever cancels is part of a larger sum.
template <class Real, class Rows>
struct LaneElimination {
  const Rows& rows;
  Vector<Real>* inverse;  // 1 / pivot of each cell
  Vector<Real> carried;   // excess / pivot of the previous cell; before the first cell, the loss to the wall

  WEFT_INLINE Vector<Real> excess(int64_t j) const { return rows.row_sum(j) + carried * rows.lower(j); }
  // Eliminates cell j after the cells before it.
  WEFT_INLINE void go_on(int64_t j) {
    const Vector<Real> left = excess(j);
    inverse[j] = Real(1) / (left + rows.upper(j));
    carried = left * inverse[j];
  }
};

// Back substitution: cell `last` holds its solution; the cells before it are computed from the eliminated rows.
template <int Parts, class Real, class Rows>
WEFT_INLINE void substitute(const LaneElimination<Real, Rows>& elimination, int64_t last, Vector<Real>* block) {
  for (int64_t j = last - 1; j >= 0; j--) {
    const Vector<Real> factor = elimination.inverse[j] * elimination.rows.upper(j);
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) block[j * Parts + part] += factor * block[(j + 1) * Parts + part];
  }
}

// Forward elimination of cell j of the block: (value + coupling * previous) / pivot.
template <int Parts, class Real, class Rows>
WEFT_INLINE void eliminate(const LaneElimination<Real, Rows>& elimination, int64_t j, Vector<Real>* block) {
  const auto coupling = elimination.rows.lower(j);
  const Real factor = elimination.rows.factor(j);
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    Vector<Real> value = block[j * Parts + part] * factor;
    if (j > 0) value += block[(j - 1) * Parts + part] * coupling;
    block[j * Parts + part] = value * elimination.inverse[j];
  }
}

template <int Parts, class Real, class Rows>
void solve_open(LaneElimination<Real, Rows>& elimination, int64_t last, Vector<Real>* block) {
  const Rows& rows = elimination.rows;
  for (int64_t j = 0; j < last; j++) {
    elimination.go_on(j);
    eliminate<Parts>(elimination, j, block);
  }
  elimination.inverse[last] = inverse_or_zero<Real>(elimination.excess(last) + rows.lost(1) * rows.upper(last));
  eliminate<Parts>(elimination, last, block);
  substitute<Parts>(elimination, last, block);
}

// The last cell is eliminated separately. Without it the others are an open line, whose solution is block + last * (1 -
// rest). `rest` solves this line for the row sums, so that the last pivot has no subtraction either.
template <int Parts, class Real, class Rows>
void solve_cyclic(LaneElimination<Real, Rows>& elimination, int64_t last, Vector<Real>* block, Vector<Real>* rest) {
  const Rows& rows = elimination.rows;
  for (int64_t j = 0; j < last; j++) {
    elimination.go_on(j);
    eliminate<Parts>(elimination, j, block);
    Vector<Real> sum = rows.row_sum(j);
    if (j > 0) sum += rest[j - 1] * rows.lower(j);
    rest[j] = sum * elimination.inverse[j];
  }
  substitute<Parts>(elimination, last - 1, block);
  substitute<1>(elimination, last - 1, rest);
  Vector<Real> pivot = rows.row_sum(last);
  if (last > 0) pivot += rest[last - 1] * rows.lower(last) + rest[0] * rows.upper(last);
  const Vector<Real> inverse = inverse_or_zero<Real>(pivot);
  Vector<Real> value[Parts];
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    Vector<Real>& at = block[last * Parts + part];
    at *= rows.factor(last);
    if (last > 0) at += block[(last - 1) * Parts + part] * rows.lower(last) + block[part] * rows.upper(last);
    value[part] = at *= inverse;
  }
  for (int64_t j = 0; j < last; j++) {
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) block[j * Parts + part] += value[part] * (Real(1) - rest[j]);
  }
}

template <int Parts, class Real, class Rows>
void solve_rows(const LaneDifferences<Real>& lines, const Rows& rows, Real* block, LaneScratch<Real> scratch) {
  const int64_t last = lines.cells - 1;
  const Vector<Real> one = Vector<Real>{} + Real(1);
  LaneElimination<Real, Rows> elimination{rows, rows_of(scratch.a), lines.cyclic ? one : rows.lost(0)};
  if (lines.cyclic)
    solve_cyclic<Parts>(elimination, last, rows_of(block), rows_of(scratch.b));
  else
    solve_open<Parts>(elimination, last, rows_of(block));
}

template <int Parts, class Real>
void solve_parts(const LaneDifferences<Real>& lines, const Real* shift, Real* block, LaneScratch<Real> scratch) {
  if (lines.compact == nullptr)
    return solve_rows<Parts>(lines, PlainRows<Real>{lines, *rows_of(shift)}, block, scratch);
  const CompactRows<Real> rows{lines, *lines.compact, *rows_of(shift)};
  gather_rows<Parts>(rows, rows_of(block));
  solve_rows<Parts>(lines, rows, block, scratch);
}

template <class Real>
void solve_differences(const LaneDifferences<Real>& lines, const Real* shift, int width, Real* block,
                       LaneScratch<Real> scratch) {
  width == 1 ? solve_parts<1>(lines, shift, block, scratch) : solve_parts<2>(lines, shift, block, scratch);
}
