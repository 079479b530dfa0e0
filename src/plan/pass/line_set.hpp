// The lines of a lane block.
#pragma once

#include <array>

#include "weft/types.hpp"

namespace weft {

/// Up to L lines: neighbours along the innermost batch axis, or any lines.
struct LineSet {
  static constexpr int most = 16;
  int used = 0;
  bool neighbours = false;  ///< all L lanes are used; line l has index[0] plus l along the inner axis
  std::array<Extents, most> index;
};

}  // namespace weft
