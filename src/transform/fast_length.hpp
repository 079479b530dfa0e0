// Lengths of fast transforms.
#pragma once

#include <algorithm>
#include <limits>

#include "weft/types.hpp"

namespace weft {

/// Calls visit(n) for the numbers n = 2^a 3^b 5^c, at least `least`, with the smallest a for each b and c: the next
/// such number, and all that may have faster transforms.
template <class Visit>
void for_each_fast_length(index_t least, const Visit& visit) {
  least = std::max<index_t>(least, 1);
  for (index_t fives = 1; fives < 2 * least; fives *= 5) {
    for (index_t odd = fives; odd < 2 * least; odd *= 3) {
      index_t n = odd;
      while (n < least) n *= 2;
      visit(n);
    }
  }
}

/// The smallest multiple of `step` that is at least n and has, divided by `step`, prime factors 2, 3 and 5 only.
inline index_t fast_length(index_t n, index_t step = 1) {
  index_t best = std::numeric_limits<index_t>::max();
  for_each_fast_length((n + step - 1) / step, [&best](index_t parts) { best = std::min(best, parts); });
  return best * step;
}

}  // namespace weft
