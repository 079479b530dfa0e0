// The two spaces that a plan transforms between.
#pragma once

#include "weft/kind.hpp"

namespace weft {

/// Points are in physical space, modes in spectral space.
enum class Space { physical, spectral };

/// The spaces of the input and of the result of a transform in a direction.
inline Space space_before(Direction direction) {
  return direction == Direction::forward ? Space::physical : Space::spectral;
}
inline Space space_after(Direction direction) {
  return direction == Direction::forward ? Space::spectral : Space::physical;
}

}  // namespace weft
