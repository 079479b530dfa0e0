// Lengths of fast transforms.
#pragma once

#include <algorithm>

#include "weft/types.hpp"

namespace weft {

/// The smallest multiple of `step` that is at least n and has, divided by `step`, prime factors 2, 3 and 5 only.
inline index_t fast_length(index_t n, index_t step = 1) {
  // Products are listed, since these numbers are far apart where they are large.
  const index_t least = (n + step - 1) / step;
  index_t best = 1;
  while (best < least) best *= 2;
  for (index_t fives = 1; fives < best; fives *= 5) {
    for (index_t odd = fives; odd < best; odd *= 3) {
      index_t parts = odd;
      while (parts < least) parts *= 2;
      best = std::min(best, parts);
    }
  }
  return best * step;
}

}  // namespace weft
