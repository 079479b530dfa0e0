// Which points of an array the points beyond its ends show, along one axis. Pure arithmetic.
#pragma once

#include <vector>

#include "weft/boundary.hpp"
#include "weft/box.hpp"

namespace weft {

/// An axis of a global array, and what lies beyond its ends.
struct HaloAxis {
  index_t points = 0;
  Boundary boundary;
  Centring centring = Centring::cell;
};

/// Neighbouring points that show neighbouring points of the array.
struct AxisImage {
  Range target;           ///< where they are; may lie beyond the array
  Range source;           ///< what they show, within the array
  bool reversed = false;  ///< the first one shows the last one of the source
  bool negated = false;   ///< with the opposite sign
};

/// What the points of a range show, in ascending order; those that show nothing are left out. The part of the range
/// within the array shows itself.
std::vector<AxisImage> axis_images(const HaloAxis& axis, Range range);

}  // namespace weft
