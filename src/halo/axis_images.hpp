// The points of an array that the points beyond its ends show, along one axis. Pure arithmetic.
#pragma once

#include <vector>

#include "weft/boundary.hpp"
#include "weft/box.hpp"

namespace weft {

/// An axis of a global array and the conditions at its ends.
struct HaloAxis {
  index_t points = 0;
  Boundary boundary;
  Centring centring = Centring::cell;
};

/// Adjacent points that show adjacent points of the array.
struct AxisImage {
  Range target;           ///< their indices, which may lie beyond the array
  Range source;           ///< the indices within the array that they show
  bool reversed = false;  ///< the first one shows the last one of the source
  bool negated = false;   ///< with the opposite sign
};

/// The images of the points of a range, in ascending order. Points that show nothing are omitted. The part of the range
/// within the array shows itself.
std::vector<AxisImage> axis_images(const HaloAxis& axis, Range range);

}  // namespace weft
