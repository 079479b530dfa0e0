// The table of transform kinds: one row defines a kind, except for its kernel in kernels/.
#pragma once

#include "weft/kind.hpp"

namespace weft {

/// Whether the first and the last point (or mode) is its own mirror image.
struct MirrorEnds {
  bool first = false, last = false;
};

/// Roots of unity of a kernel: cos and sin of 2 pi (first + step k) / (turn n), times `factor`, for k = 0 .. n/2.
struct RootStretch {
  int first, step, turn, factor;
};

/// The tables that the kernel of a real kind reads (LaneRealPlan), beside those of its complex transform.
struct LaneRecipe {
  double split = 0;        ///< even n: factor of LaneRealPlan::split (1 for r2c backward); 0: none
  bool separates = false;  ///< even n: modes are separated in the last stage of the complex transform
  RootStretch roots[2]{};  ///< LaneRealPlan::roots, one stretch after the other; turn 0: none
  int reorders = 0;        ///< odd n: roots and order of a type IV instead, odd modes with this sign; 0: no
  Kind half = Kind::none;  ///< even number of intervals: the kind of the odd points, the even ones keep theirs
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
  int fftw;  ///< FFTW's number for a real-to-real kind (fftw_r2r_kind), else -1
  LaneRecipe lane{};
};

const KindRow& row_of(Kind kind);
/// The period, in points, of an axis with n points.
inline index_t period(Kind kind, index_t n) { return row_of(kind).period_factor * (n + row_of(kind).period_shift); }

}  // namespace weft
