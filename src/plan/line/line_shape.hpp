// A long line as a matrix of rows x columns points in C order, and the conditions for long lines. Pure arithmetic.
#pragma once

#include "plan/schedule/schedule.hpp"
#include "weft/options.hpp"

namespace weft {

/// From this number of points on, a plan of one axis transforms its line as a matrix, for any number of ranks, so that
/// the bits do not depend on it. Shorter lines stay on one rank.
constexpr index_t least_long_line = 1 << 15;

/// The factors of n that are closest to its square root, rows <= columns. Point j1 columns + j2 lies at (j1, j2), mode
/// k1 + rows k2 at (k1, k2).
struct LineShape {
  index_t rows = 1, columns = 1;

  explicit LineShape(index_t n);
  LineShape(index_t rows, index_t columns) : rows(rows), columns(columns) {}
  LineShape transposed() const { return {columns, rows}; }
  /// Whether the matrix is close enough to a square to be efficient. It is not if n has a large prime factor.
  bool is_balanced() const;
  /// The mode at a place of the scrambled order, which is that of the matrix.
  index_t mode_at(index_t place) const { return place / columns + rows * (place % columns); }
};

/// A number of points, at least `least`, whose line is balanced and which has no prime factors over 5.
index_t balanced_length(index_t least);

/// The order of the modes of a complex line: by number, or, with one exchange less, in the order of the matrix
/// (LineShape::mode_at).
enum class LineOrder { natural, scrambled };

/// The part of a line on a rank: whole rows of a matrix on either side.
struct LineCut {
  Range points, modes;
};

/// A Fourier line of n points over some ranks.
struct LongLine {
  Kind kind = Kind::c2c;
  index_t n = 0;
  LineOrder order = LineOrder::natural;  ///< of balanced complex lines; other lines have the natural order
  Scheme scheme = Scheme::even;
  int ranks = 1;

  /// The complex line that computes this one: with half of the points if these are real and their number is even.
  LongLine complex_line() const;
  /// For a line with a large prime factor, the longer line whose transforms compute it (Bluestein 1970).
  index_t chirp_length() const { return balanced_length(2 * n - 1); }
  LineCut cut(int rank) const;
};

/// Whether a plan transforms its only axis as a long line: c2c or r2c, all modes, out of place, long enough.
bool is_long_line(const ScheduleInput& input, const PlanOptions& options);

/// The schedule of a long line as users see it: both sides are cut over all ranks. There are no passes.
Schedule line_schedule(const ScheduleInput& input, int ranks);
/// Whether a schedule is one of a long line.
inline bool is_line(const Schedule& schedule) { return schedule.passes.empty(); }
/// The long line of a schedule.
LongLine line_of(const Schedule& schedule, const PlanOptions& options);

}  // namespace weft
