// The table of transform kinds: one row defines a kind, except for its 1-D transform in kernels/.
#pragma once

#include "transform/kernels/lane_kernels.hpp"
#include "weft/kind.hpp"

namespace weft {

/// Whether the first and the last point (or mode) is its own mirror image.
struct MirrorEnds {
  bool first = false, last = false;
};

struct KindRow {
  Kind kind;
  const char* name;
  Kind inverse;
  /// The period in points is period_factor * (n + period_shift); for real kinds it includes the mirror images.
  int period_factor, period_shift;
  double first_point;  ///< position of point 0 in the period, in points
  double first_mode;   ///< number of mode 0
  MirrorEnds points, modes;
  int fftw;           ///< FFTW's number for a real-to-real kind (fftw_r2r_kind), else -1
  LaneRealKind lane;  ///< the kernel for a real-to-real kind
};

const KindRow& row_of(Kind kind);
/// The period, in points, of an axis with n points.
inline index_t period(Kind kind, index_t n) { return row_of(kind).period_factor * (n + row_of(kind).period_shift); }

}  // namespace weft
