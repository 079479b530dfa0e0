// The compact rows of finite-difference lines: their matrix for L shifts, and their right-hand sides with the walls
// eliminated. Included by lane_differences.hpp only, inside the namespace of one instruction set.
#pragma once

#include "transform/simd/vector.hpp"

/// Rows whose right-hand side weights a cell and its two neighbours. PlainRows documents the functions.
template <class Real>
struct CompactRows {
  const LaneDifferences<Real>& lines;
  const LaneCompact<Real>& compact;
  Vector<Real> shift;

  WEFT_INLINE Vector<Real> row_sum(int64_t j) const { return shift * lines.widths[j]; }
  WEFT_INLINE Vector<Real> lower(int64_t j) const { return lines.couplings[j] - shift * compact.before[j]; }
  WEFT_INLINE Vector<Real> upper(int64_t j) const { return lines.couplings[j + 1] - shift * compact.after[j]; }
  WEFT_INLINE Real factor(int64_t) const { return Real(-1); }
  WEFT_INLINE Vector<Real> lost(int wall) const { return at(compact.walls[wall].excess) / pivot(wall); }

  WEFT_INLINE Vector<Real> pivot(int wall) const { return at(compact.walls[wall].pivot); }
  WEFT_INLINE Vector<Real> at(const Real* polynomial) const { return polynomial[0] + shift * polynomial[1]; }
  /// The matrix entry of a wall in the row next to it.
  WEFT_INLINE Vector<Real> beside(int wall) const { return wall == 0 ? lower(0) : upper(lines.cells - 1); }
};

// The contribution of a wall to the right-hand side of the row next to it.
template <int Parts, class Real>
WEFT_INLINE Vector<Real> of_wall(const CompactRows<Real>& rows, int wall, const Vector<Real>* block, int part) {
  const LaneWall<Real>& at = rows.compact.walls[wall];
  const int64_t last = rows.lines.cells - 1;
  Vector<Real> inner{}, moved{};
  for (int64_t i = 0; i <= last && i < 3; i++) {
    const Vector<Real> value = block[(wall == 0 ? i : last - i) * Parts + part];
    inner += value * at.inner[i];
    moved += value * at.moved[i];
  }
  if (const Real* given = rows.lines.given[wall]; given != nullptr) moved -= rows.at(at.given) * rows_of(given)[part];
  return inner + moved * rows.beside(wall) / rows.pivot(wall);
}

// Turns f in the block into the right-hand sides of the rows.
template <int Parts, class Real>
void gather_rows(const CompactRows<Real>& rows, Vector<Real>* block) {
  const LaneCompact<Real>& compact = rows.compact;
  const int64_t last = rows.lines.cells - 1;
  const bool cyclic = rows.lines.cyclic;
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    Vector<Real> ends[2] = {};
    if (!cyclic)
      for (int wall = 0; wall < 2; wall++) ends[wall] = of_wall<Parts>(rows, wall, block, part);
    const Vector<Real> none{};
    const Vector<Real> beyond = cyclic ? block[part] : none;
    Vector<Real> before = cyclic ? block[last * Parts + part] : none;
    for (int64_t j = 0; j <= last; j++) {
      Vector<Real>& here = block[j * Parts + part];
      const Vector<Real> after = j == last ? beyond : block[(j + 1) * Parts + part], value = here;
      here = before * compact.before[j] + value * compact.middle[j] + after * compact.after[j];
      before = value;
    }
    block[part] += ends[0];
    block[last * Parts + part] += ends[1];
  }
}
