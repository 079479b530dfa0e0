// Tridiagonal and cyclic systems of L lines at once: finite volumes along an axis, elimination without subtractions.
// Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "transform/simd/vector.hpp"

// The matrix has no positive entry off its diagonal and no negative row sum. Each pivot is a sum of terms that are not
// negative: the coupling to the next cell, and `excess`, what is left of the row sum. Nothing cancels, so a pivot is 0
// only where the matrix is singular, and then exactly; all cells are without excess in that case.
template <class Real>
struct LaneElimination {
  const LaneDifferences<Real>& lines;
  Vector<Real> shift;
  Vector<Real>* inverse;  // of the pivot of each cell
  Vector<Real> carried;   // excess over pivot of the cell before; 1 before the first, whose wall takes all of it

  WEFT_INLINE Vector<Real> row_sum(int64_t j) const { return shift * lines.widths[j]; }
  WEFT_INLINE Vector<Real> excess(int64_t j) const { return row_sum(j) + carried * lines.couplings[j]; }
  // Takes cell j out, behind those before it.
  WEFT_INLINE void go_on(int64_t j) {
    const Vector<Real> left = excess(j);
    inverse[j] = Real(1) / (left + lines.couplings[j + 1]);
    carried = left * inverse[j];
  }
};

// 1/x, and 0 for 0.
template <class Real>
WEFT_INLINE Vector<Real> inverse_or_zero(Vector<Real> x) {
  Vector<Real> result{};
  for (int l = 0; l < lanes_of<Real>; l++) result[l] = x[l] == Real(0) ? Real(0) : Real(1) / x[l];
  return result;
}

// The last of the cells from `last` to 0 has its value: the others get theirs from what the elimination has left.
template <int Parts, class Real>
WEFT_INLINE void substitute(const LaneElimination<Real>& elimination, int64_t last, Vector<Real>* block) {
  const Real* couplings = elimination.lines.couplings;
  for (int64_t j = last - 1; j >= 0; j--) {
    const Vector<Real> factor = elimination.inverse[j] * couplings[j + 1];
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) block[j * Parts + part] += factor * block[(j + 1) * Parts + part];
  }
}

// What cell j of a block holds over the matrix that the cells before it have: (value + coupling * before) / pivot.
template <int Parts, class Real>
WEFT_INLINE void eliminate(const LaneElimination<Real>& elimination, int64_t j, Vector<Real>* block) {
  const Real coupling = elimination.lines.couplings[j], width = -elimination.lines.widths[j];
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    Vector<Real> value = block[j * Parts + part] * width;
    if (j > 0) value += block[(j - 1) * Parts + part] * coupling;
    block[j * Parts + part] = value * elimination.inverse[j];
  }
}

template <int Parts, class Real>
void solve_open(LaneElimination<Real>& elimination, Vector<Real>* block) {
  const int64_t last = elimination.lines.cells - 1;
  for (int64_t j = 0; j < last; j++) {
    elimination.go_on(j);
    eliminate<Parts>(elimination, j, block);
  }
  elimination.inverse[last] = inverse_or_zero<Real>(elimination.excess(last) + elimination.lines.couplings[last + 1]);
  eliminate<Parts>(elimination, last, block);
  substitute<Parts>(elimination, last, block);
}

// The last cell is taken out: the others, without it, are an open line, whose solution is block + last * (1 - rest).
// `rest` solves that line for the row sums, so that what remains of the last row has no subtraction either.
template <int Parts, class Real>
void solve_cyclic(LaneElimination<Real>& elimination, Vector<Real>* block, Vector<Real>* rest) {
  const int64_t last = elimination.lines.cells - 1;
  const Real* couplings = elimination.lines.couplings;
  for (int64_t j = 0; j < last; j++) {
    elimination.go_on(j);
    eliminate<Parts>(elimination, j, block);
    Vector<Real> sum = elimination.row_sum(j);
    if (j > 0) sum += rest[j - 1] * couplings[j];
    rest[j] = sum * elimination.inverse[j];
  }
  substitute<Parts>(elimination, last - 1, block);
  substitute<1>(elimination, last - 1, rest);
  Vector<Real> pivot = elimination.row_sum(last);
  if (last > 0) pivot += rest[last - 1] * couplings[last] + rest[0] * couplings[last + 1];
  const Vector<Real> inverse = inverse_or_zero<Real>(pivot);
  Vector<Real> value[Parts];
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    Vector<Real>& at = block[last * Parts + part];
    at *= -elimination.lines.widths[last];
    if (last > 0) at += block[(last - 1) * Parts + part] * couplings[last] + block[part] * couplings[last + 1];
    value[part] = at *= inverse;
  }
  for (int64_t j = 0; j < last; j++) {
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) block[j * Parts + part] += value[part] * (Real(1) - rest[j]);
  }
}

template <int Parts, class Real>
void solve_parts(const LaneDifferences<Real>& lines, const Real* shift, Real* block, LaneScratch<Real> scratch) {
  LaneElimination<Real> elimination{lines, *rows_of(shift), rows_of(scratch.a), Vector<Real>{} + Real(1)};
  if (lines.cyclic)
    solve_cyclic<Parts, Real>(elimination, rows_of(block), rows_of(scratch.b));
  else
    solve_open<Parts, Real>(elimination, rows_of(block));
}

template <class Real>
void solve_differences(const LaneDifferences<Real>& lines, const Real* shift, int width, Real* block,
                       LaneScratch<Real> scratch) {
  width == 1 ? solve_parts<1>(lines, shift, block, scratch) : solve_parts<2>(lines, shift, block, scratch);
}
