// Conditions for long lines, and their shapes as matrices.
#include "plan/line/line_shape.hpp"

#include <cmath>
#include <initializer_list>

namespace weft {

LineShape::LineShape(index_t n) {
  rows = static_cast<index_t>(std::sqrt(static_cast<double>(n)));
  while (rows > 1 && n % rows != 0) rows--;
  columns = n / rows;
}

bool LineShape::is_balanced() const {
  constexpr index_t most = 64;
  return columns <= most * rows;
}

// 2^a times one of 1, 3, 5, 9, 15: at most a quarter more than requested.
index_t balanced_length(index_t least) {
  index_t best = 1;
  while (best < least) best *= 2;
  for (const index_t odd : std::initializer_list<index_t>{3, 5, 9, 15}) {
    index_t length = odd;
    while (length < least) length *= 2;
    if (length < best && LineShape(length).is_balanced()) best = length;
  }
  return best;
}

LongLine LongLine::complex_line() const {
  LongLine result = *this;
  result.kind = Kind::c2c;
  if (kind == Kind::r2c) {
    result.order = LineOrder::natural;
    if (n % 2 == 0) result.n = n / 2;
  }
  return result;
}

LineCut LongLine::cut(int rank) const {
  if (kind == Kind::r2c) {
    const bool halved = n % 2 == 0;
    LineCut found = complex_line().cut(rank);
    Range &points = found.points, &modes = found.modes;
    if (halved) {
      points = {2 * points.lo, 2 * points.hi};
      if (modes.size() > 0 && modes.hi == n / 2) modes.hi++;
    } else {
      modes = intersect(modes, {0, n / 2 + 1});
    }
    return found;
  }
  const LineShape own(n), shape = own.is_balanced() ? own : LineShape(chirp_length());
  const auto numbers = [&](index_t rows, index_t columns) {
    const Range mine = Partition(rows, ranks, scheme).range(rank);
    return Range{mine.lo * columns, mine.hi * columns};
  };
  const Range points = intersect(numbers(shape.rows, shape.columns), {0, n});
  const bool by_columns = own.is_balanced() && order == LineOrder::natural;
  return {points, by_columns ? numbers(shape.columns, shape.rows) : points};
}

bool is_long_line(const ScheduleInput& input, const PlanOptions& options) {
  if (input.axes.size() != 1 || options.in_place) return false;
  const AxisTransform& line = input.axes.front();
  return is_fourier(line.kind) && !line.is_truncated() && line.points >= least_long_line;
}

Schedule line_schedule(const ScheduleInput& input, int ranks) {
  const AxisTransform& line = input.axes.front();
  Schedule schedule;
  schedule.axes = input.axes;
  schedule.physical = Layout({line.points}, ProcessGrid({ranks}), {0}, input.scheme);
  schedule.spectral = schedule.physical.with_extents({line.modes});
  schedule.width_physical = line.kind == Kind::r2c ? 1 : 2;
  schedule.width_spectral = 2;
  return schedule;
}

LongLine line_of(const Schedule& schedule, const PlanOptions& options) {
  const AxisTransform& line = schedule.axes.front();
  return {.kind = line.kind,
          .n = line.points,
          .order = options.output == Output::scrambled ? LineOrder::scrambled : LineOrder::natural,
          .scheme = options.scheme,
          .ranks = schedule.physical.ranks()};
}

}  // namespace weft
