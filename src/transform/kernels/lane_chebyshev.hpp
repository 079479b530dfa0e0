// Chebyshev lines: u'' - shift u = f with conditions at both ends, for the coefficients of L lines at once. Included by
// lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "transform/simd/vector.hpp"

// Twice integrated, the equation of coefficient k = 2, 3, ... is
//   u[k] - shift I(u)[k] = I(f)[k],  I(w)[k] = c w[k-2] / 4k(k-1) - w[k] / 2(k^2-1) + w[k+2] / 4k(k+1),
// c = 2 for k = 2, else 1, without the terms of w[N-1] and w[N] (the tau method). So even and odd coefficients have
// separate tridiagonal systems, and the conditions determine u[0] and u[1]. In each row the entries beside the diagonal
// are not positive and the row sum is positive, so elimination from the last row down needs no subtraction, like that
// of finite differences. Rows N-1 and N, to which other rows do not refer, follow from u.
//
// For coefficients with k^2 < shift the terms of I(f) would cancel to f/shift. The unknown is therefore v = u +
// f/shift, whose source is f/shift. moved() is f/shift for these coefficients and 0 for all others.
template <class Real>
struct ChebyshevRows {
  const LaneChebyshev<Real>& lines;
  Vector<Real> shift, inverse_shift;
  const Vector<Real>* f;

  WEFT_INLINE int64_t last() const { return lines.intervals; }
  WEFT_INLINE Real square(int64_t k) const { return static_cast<Real>(k) * static_cast<Real>(k); }
  // The source of coefficient k in the lanes whose shift is at most k^2, 0 in the others.
  WEFT_INLINE Vector<Real> kept(int64_t k, Vector<Real> source) const {
    if (k > last() - 2) return Vector<Real>{};
    const Real turn = k < 2 ? Real(1) : square(k);
    return shift > turn ? Vector<Real>{} : source;
  }
  // The source of coefficient k over the shift in the lanes where kept() is 0.
  WEFT_INLINE Vector<Real> moved(int64_t k, Vector<Real> source) const {
    if (k > last() - 2) return Vector<Real>{};
    return (source - kept(k, source)) * inverse_shift;
  }
};

// The state of the elimination that passes from a row to the row two below it.
template <int Parts, class Real>
struct ChebyshevRow {
  Vector<Real> excess = Vector<Real>{} + Real(1);  // the sum of the row over its pivot
  Vector<Real> value[Parts] = {};
  Vector<Real> here[Parts] = {}, beyond[Parts] = {};  // kept() of the sources k and k + 2 for the next row k
};

// Eliminates row k after the rows above it: v[k] = ratio[k] v[k-2] + value[k].
template <int Parts, class Real>
WEFT_INLINE void eliminate_row(const ChebyshevRows<Real>& rows, int64_t k, ChebyshevRow<Parts, Real>& above,
                               Vector<Real>* ratio, Vector<Real>* value) {
  const Real lower = rows.lines.lower[k], upper = rows.lines.upper[k], twice = k == 2 ? Real(2) : Real(1);
  const bool inner = k <= rows.last() - 2;
  const Vector<Real> one = Vector<Real>{} + Real(1);
  const Vector<Real> down = rows.shift * lower, up = rows.shift * upper, reach = up * above.excess;
  const Vector<Real> inverse = inner ? Real(1) / (one + down + reach) : one;
  if (inner) above.excess = (one + reach) * inverse;
  ratio[k] = down * twice * inverse;
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    const Vector<Real> mine = above.here[part], before = rows.kept(k - 2, rows.f[(k - 2) * Parts + part]);
    Vector<Real> sum = before * (twice * lower);
    if (inner) {
      sum += above.beyond[part] * upper - mine * (lower + upper) + above.value[part] * up;
      sum += (rows.f[k * Parts + part] - mine) * rows.inverse_shift;
    }
    value[k * Parts + part] = sum * inverse;
    if (inner) above.value[part] = sum * inverse;
    above.beyond[part] = mine;
    above.here[part] = before;
  }
}

// Eliminates the rows of both parities, from the last ones down.
template <int Parts, class Real>
void eliminate_rows(const ChebyshevRows<Real>& rows, Vector<Real>* ratio, Vector<Real>* value) {
  ChebyshevRow<Parts, Real> first, second;
  for (int64_t k = rows.last(); k >= 2; k -= 2) {
    eliminate_row<Parts>(rows, k, first, ratio, value);
    if (k > 2) eliminate_row<Parts>(rows, k - 1, second, ratio, value);
  }
}

// Sums over the even or the odd coefficients: the value and the slope of u at an end, up to signs.
template <class Real>
struct EndSums {
  Vector<Real> value{}, slope{};

  WEFT_INLINE void add(Vector<Real> coefficient, Real square) {
    value += coefficient;
    slope += coefficient * square;
  }
  WEFT_INLINE Vector<Real> of(const LaneChebyshev<Real>& lines, int end) const {
    return value * lines.value[end] + slope * lines.slope[end];
  }
};

// End sums of the coefficients of one parity.
template <int Parts, class Real>
struct ChebyshevSums {
  EndSums<Real> source[Parts];  // of v whose first coefficient is 0, less moved()
  EndSums<Real> free;           // of the solution without a source whose first coefficient is 1
  Vector<Real> last_ratio = Vector<Real>{} + Real(1), last_value[Parts] = {};
};

// Turns an eliminated row into v with v[0] = v[1] = 0 in `value`, and into the free solution in `ratio`.
template <int Parts, class Real>
WEFT_INLINE void substitute_row(const ChebyshevRows<Real>& rows, int64_t k, ChebyshevSums<Parts, Real>& sums,
                                Vector<Real>* ratio, Vector<Real>* value) {
  const Real square = rows.square(k);
  const bool first = k < 2;
  const Vector<Real> factor = first ? Vector<Real>{} : ratio[k];
  if (!first) sums.last_ratio *= factor;
  ratio[k] = sums.last_ratio;
  sums.free.add(sums.last_ratio, square);
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    Vector<Real>& here = value[k * Parts + part];
    here = sums.last_value[part] = first ? Vector<Real>{} : here + factor * sums.last_value[part];
    sums.source[part].add(here - rows.moved(k, rows.f[k * Parts + part]), square);
  }
}

// 1 in the lanes of lines in which a constant is free, else 0.
template <class Real>
WEFT_INLINE Vector<Real> free_lanes(const LaneChebyshev<Real>& lines, Vector<Real> shift) {
  Vector<Real> result{};
  if (lines.value[0] != Real(0) || lines.value[1] != Real(0)) return result;
  for (int l = 0; l < lanes_of<Real>; l++) result[l] = shift[l] == Real(0) ? Real(1) : Real(0);
  return result;
}

template <class Real>
WEFT_INLINE Vector<Real> given_at(const LaneChebyshev<Real>& lines, int end, int part) {
  return lines.given[end] == nullptr ? Vector<Real>{} : rows_of(lines.given[end])[part];
}

// Where a constant is free, adds a constant to f that makes its integral, by the rows, that of the slopes at the ends.
template <int Parts, class Real>
void match_means(const LaneChebyshev<Real>& lines, Vector<Real> where, Vector<Real>* f) {
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    Vector<Real> excess = (given_at(lines, 0, part) + given_at(lines, 1, part)) * Real(-0.5);
    for (int64_t k = 0; k <= lines.intervals - 2; k += 2)
      excess += f[k * Parts + part] * (Real(1) / (Real(1) - static_cast<Real>(k) * static_cast<Real>(k)));
    f[part] -= excess * where;
  }
}

// The first even and odd coefficients that meet the conditions at both ends; `where` is the result of free_lanes().
template <int Parts, class Real>
void meet_ends(const LaneChebyshev<Real>& lines, const ChebyshevSums<Parts, Real> (&sums)[2], Vector<Real> where,
               Vector<Real> (&first)[2][Parts]) {
  const Vector<Real> even[2] = {sums[0].free.of(lines, 0) + where, sums[0].free.of(lines, 1) + where};
  const Vector<Real> odd[2] = {sums[1].free.of(lines, 0), sums[1].free.of(lines, 1)};
  const Vector<Real> inverse = Real(1) / (even[0] * odd[1] + odd[0] * even[1]);
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    Vector<Real> rest[2];
    for (int end = 0; end < 2; end++) {
      const Vector<Real> of_odd = sums[1].source[part].of(lines, end);
      rest[end] = given_at(lines, end, part) - sums[0].source[part].of(lines, end) -
                  (end == 0 ? of_odd : Vector<Real>{} - of_odd);
    }
    first[0][part] = (odd[1] * rest[0] + odd[0] * rest[1]) * inverse;
    first[1][part] = (even[1] * rest[0] - even[0] * rest[1]) * inverse;
  }
}

// Where a constant is free, sets the first coefficient so that the mean is 0; `value` is v, which is u there.
template <int Parts, class Real>
void take_mean_zero(const LaneChebyshev<Real>& lines, Vector<Real> where, const Vector<Real>* value,
                    Vector<Real> (&first)[2][Parts]) {
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) {
    Vector<Real> sum{};
    for (int64_t k = 2; k <= lines.intervals; k += 2)
      sum += value[k * Parts + part] * (Real(1) / (static_cast<Real>(k) * static_cast<Real>(k) - Real(1)));
    first[0][part] = where * sum + (Real(1) - where) * first[0][part];
  }
}

template <int Parts, class Real>
void solve_chebyshev_parts(const LaneChebyshev<Real>& lines, const Real* shifts, Real* block,
                           LaneScratch<Real> scratch) {
  const int64_t last = lines.intervals;
  Vector<Real>*f = rows_of(block), *ratio = rows_of(scratch.a), *value = rows_of(scratch.b);
  const Vector<Real> shift = *rows_of(shifts), where = free_lanes(lines, shift);
  bool any = false;
  for (int l = 0; l < lanes_of<Real>; l++) any = any || where[l] != Real(0);
  const ChebyshevRows<Real> rows{lines, shift, inverse_or_zero<Real>(shift), f};
  WEFT_UNROLL
  for (int part = 0; part < Parts; part++) f[part] *= Real(0.5);
  if (any) match_means<Parts>(lines, where, f);
  eliminate_rows<Parts>(rows, ratio, value);
  ChebyshevSums<Parts, Real> sums[2];
  for (int64_t k = 0; k <= last; k += 2) {
    substitute_row<Parts>(rows, k, sums[0], ratio, value);
    if (k < last) substitute_row<Parts>(rows, k + 1, sums[1], ratio, value);
  }
  Vector<Real> first[2][Parts];
  meet_ends<Parts>(lines, sums, where, first);
  if (any) take_mean_zero<Parts>(lines, where, value, first);
  for (int64_t k = 0; k <= last; k++) {
    const Real factor = k == 0 || k == last ? Real(2) : Real(1);
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) {
      Vector<Real>& here = f[k * Parts + part];
      here = (value[k * Parts + part] + first[k % 2][part] * ratio[k] - rows.moved(k, here)) * factor;
    }
  }
}

template <class Real>
void solve_chebyshev(const LaneChebyshev<Real>& lines, const Real* shift, int width, Real* block,
                     LaneScratch<Real> scratch) {
  width == 1 ? solve_chebyshev_parts<1>(lines, shift, block, scratch)
             : solve_chebyshev_parts<2>(lines, shift, block, scratch);
}
