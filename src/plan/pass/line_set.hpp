// The lines that a lane block holds.
#pragma once

#include <array>

#include "weft/types.hpp"

namespace weft {

/// Up to L lines: neighbours along the innermost batch axis, or any lines.
struct LineSet {
  static constexpr int most = 16;
  int used = 0;
  bool neighbours = false;  ///< all L lanes are used, and line l is index[0] moved by l along the inner axis
  std::array<Extents, most> index;
};

}  // namespace weft
