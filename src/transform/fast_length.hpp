// Lengths of fast transforms.
#pragma once

#include <algorithm>

#include "weft/types.hpp"

namespace weft {

/// The smallest multiple of `step` that is at least n and has, divided by `step`, prime factors 2, 3 and 5 only.
inline index_t fast_length(index_t n, index_t step = 1) {
  const auto is_fast = [](index_t rest) {
    for (const index_t prime : {2, 3, 5})
      while (rest % prime == 0) rest /= prime;
    return rest == 1;
  };
  index_t parts = std::max<index_t>((n + step - 1) / step, 1);
  while (!is_fast(parts)) parts++;
  return parts * step;
}

}  // namespace weft
