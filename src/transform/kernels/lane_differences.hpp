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

// A row with what is eliminated from it: the rest of its row sum, its right-hand side and, in a cyclic line, its
// coupling to the last cell.
template <int Parts, bool Cyclic, class Real>
struct LaneRow {
  Vector<Real> rest{}, reach{}, value[Parts] = {};

  template <class Rows>
  WEFT_INLINE static LaneRow of(const Rows& rows, int64_t j, const Vector<Real>* block) {
    LaneRow row{rows.row_sum(j)};
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) row.value[part] = block[j * Parts + part] * rows.factor(j);
    return row;
  }
  // What lies beyond an end: the wall, or the last cell of a cyclic line.
  template <class Rows>
  WEFT_INLINE static LaneRow beyond(const Rows& rows, int end) {
    if constexpr (Cyclic) return {Vector<Real>{}, Vector<Real>{} + Real(1)};
    return {rows.lost(end)};
  }
  template <class Coupling>
  WEFT_INLINE void add(Coupling coupling, const LaneRow& other) {
    rest += other.rest * coupling;
    if constexpr (Cyclic) reach += other.reach * coupling;
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) value[part] += other.value[part] * coupling;
  }
  // Over its pivot. What fades from cell to cell is kept from becoming so small that processors are slow with it.
  WEFT_INLINE void multiply(Vector<Real> inverse) {
    rest *= inverse;
    if constexpr (Cyclic) reach = reach * inverse + faint();
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) value[part] *= inverse;
  }
  static constexpr Real faint() { return sizeof(Real) == 8 ? Real(1e-150) : Real(1e-20); }
};

// The cells from one end on, eliminated one after the other towards the middle. Each pivot waits for the one before it,
// so the two halves of a line are eliminated side by side.
//
// The matrix has no positive entry off its diagonal and no negative row sum. Each pivot is a sum of non-negative terms:
// the coupling to the next cell, and what is left of the row sum. Nothing cancels, so a pivot is 0 only where the
// matrix is singular, and then exactly, because no row has a sum. Compact rows have entries of either sign if the shift
// is large. They are then diagonally dominant, so that whatever cancels is part of a larger sum.
template <int Step, int Parts, bool Cyclic, class Real, class Rows>
struct HalfLine {
  const Rows& rows;
  Vector<Real>*block, *factor, *reach;  // of each cell: the solution, and what it takes of the next and the last cell
  LaneRow<Parts, Cyclic, Real> row;     // of the cell before
  Vector<Real> weight;                  // of the next cell in the last row of a cyclic line

  WEFT_INLINE auto before(int64_t j) const { return Step > 0 ? rows.lower(j) : rows.upper(j); }
  WEFT_INLINE auto ahead(int64_t j) const { return Step > 0 ? rows.upper(j) : rows.lower(j); }

  WEFT_INLINE void eliminate(int64_t j, LaneRow<Parts, Cyclic, Real>& last) {
    auto next = LaneRow<Parts, Cyclic, Real>::of(rows, j, block);
    next.add(before(j), row);
    const Vector<Real> pivot = Cyclic ? next.rest + (next.reach + ahead(j)) : next.rest + ahead(j);
    const Vector<Real> over = Real(1) / pivot;
    next.multiply(over);
    factor[j] = over * ahead(j);
    if constexpr (Cyclic) {
      reach[j] = next.reach;
      last.add(weight, next);
      weight = weight * factor[j] + row.faint();
    }
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) block[j * Parts + part] = next.value[part];
    row = next;
  }

  // Solves cell j after the solution of the next cell.
  WEFT_INLINE void substitute(int64_t j, const LaneRow<Parts, Cyclic, Real>& last) const {
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) {
      Vector<Real> here = block[j * Parts + part];
      if constexpr (Cyclic) here += reach[j] * last.value[part];
      block[j * Parts + part] = here + factor[j] * block[(j + Step) * Parts + part];
    }
  }
};

// The last cell of a cyclic line is eliminated after all others, which are an open line that couples to it at both
// ends. Its pivot has no subtraction either.
template <int Parts, bool Cyclic, class Real, class Rows>
void solve_rows(const Rows& rows, Vector<Real>* block, LaneScratch<Real> scratch) {
  using Row = LaneRow<Parts, Cyclic, Real>;
  const int64_t last = rows.lines.cells - 1, cells = Cyclic ? last : last + 1, middle = cells / 2;
  Vector<Real>*factor = rows_of(scratch.a), *reach = rows_of(scratch.b);
  const Vector<Real> none{};
  HalfLine<1, Parts, Cyclic, Real, Rows> left{
      rows, block, factor, reach, Row::beyond(rows, 0), none + rows.upper(last)};
  HalfLine<-1, Parts, Cyclic, Real, Rows> right{
      rows, block, factor, reach, Row::beyond(rows, 1), none + rows.lower(last)};
  Row end = Cyclic ? Row::of(rows, last, block) : Row{}, centre;
  for (int64_t i = 0; i < middle; i++) {
    left.eliminate(i, end);
    if (cells - 1 - i > middle) right.eliminate(cells - 1 - i, end);
  }
  if (cells > 0) {
    centre = Row::of(rows, middle, block);
    centre.add(rows.lower(middle), left.row);
    centre.add(rows.upper(middle), right.row);
    centre.multiply(inverse_or_zero<Real>(Cyclic ? centre.rest + centre.reach : centre.rest));
    if constexpr (Cyclic) end.add(left.weight + right.weight, centre);
  }
  if constexpr (Cyclic) end.multiply(inverse_or_zero<Real>(end.rest));
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    if constexpr (Cyclic) block[last * Parts + part] = end.value[part];
    if (cells > 0) block[middle * Parts + part] = centre.value[part] + centre.reach * end.value[part];
  }
  for (int64_t i = middle - 1; i >= 0; i--) {
    left.substitute(i, end);
    if (cells - 1 - i > middle) right.substitute(cells - 1 - i, end);
  }
}

template <int Parts, class Real>
void solve_parts(const LaneDifferences<Real>& lines, const Real* shift, Real* block, LaneScratch<Real> scratch) {
  const auto solve = [&](const auto& rows) {
    lines.cyclic ? solve_rows<Parts, true>(rows, rows_of(block), scratch)
                 : solve_rows<Parts, false>(rows, rows_of(block), scratch);
  };
  if (lines.compact == nullptr) return solve(PlainRows<Real>{lines, *rows_of(shift)});
  const CompactRows<Real> rows{lines, *lines.compact, *rows_of(shift)};
  gather_rows<Parts>(rows, rows_of(block));
  solve(rows);
}

template <class Real>
void solve_differences(const LaneDifferences<Real>& lines, const Real* shift, int width, Real* block,
                       LaneScratch<Real> scratch) {
  width == 1 ? solve_parts<1>(lines, shift, block, scratch) : solve_parts<2>(lines, shift, block, scratch);
}
