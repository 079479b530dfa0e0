// The table of the transform kinds: all that one of them is, in one row. Its 1-D transform is in kernels/.
#pragma once

#include "transform/kernels/lane_kernels.hpp"
#include "weft/kind.hpp"

namespace weft {

/// Whether the first and the last of some points, or modes, are their own mirror images.
struct MirrorEnds {
  bool first = false, last = false;
};

struct KindRow {
  Kind kind;
  const char* name;
  Kind inverse;
  /// The data, real ones with their mirror images, repeat after period_factor * (n + period_shift) points.
  int period_factor, period_shift;
  double first_point;  ///< the place of point 0 within the period, in points
  double first_mode;   ///< the number of mode 0
  MirrorEnds points, modes;
  int fftw;           ///< FFTW's number of a real-to-real kind (fftw_r2r_kind), else -1
  LaneRealKind lane;  ///< the kernel of a real-to-real kind
};

const KindRow& row_of(Kind kind);
/// The period of n points.
inline index_t period(Kind kind, index_t n) { return row_of(kind).period_factor * (n + row_of(kind).period_shift); }

}  // namespace weft
