// Lengths of fast transforms.
#pragma once

#include <algorithm>

#include "weft/types.hpp"

namespace weft {

/// The smallest number 2^a 3^b 5^c that is at least `least`.
inline index_t fast_length(index_t least) {
  index_t best = 1;
  while (best < least) best *= 2;
  for (index_t fives = 1; fives < best; fives *= 5) {
    for (index_t odd = fives; odd < best; odd *= 3) {
      index_t length = odd;
      while (length < least) length *= 2;
      best = std::min(best, length);
    }
  }
  return best;
}

}  // namespace weft
