// What is fetched from main memory while other lines are worked on.
#pragma once

#include "plan/pass/line_set.hpp"
#include "transform/chosen_kernels.hpp"

namespace weft {

/// Where arrays are: what is in main memory is fetched before it is wanted.
enum class Memory { main, cache };

/// Whether what a pass loads and what it stores are one array.
enum class PassArrays { distinct, same };

/// Passes over more memory than this store past the cache: what they store would not be there any more when it is read.
constexpr double stream_from_bytes = 20 << 20;

/// Where a pass that loads and stores so many bytes finds its arrays and leaves them: in a cache up to twice that of
/// the second level, where both are one array up to eight times (four times the array).
Memory memory_of(double bytes, PassArrays arrays);

/// Where a set of lines is among those of its row, and what comes next.
struct RowPosition {
  index_t before, behind;    ///< sets of neighbours in the row
  const LineSet* following;  ///< the next set; null where there is none
};

/// What to fetch with a set of lines for those behind it, as stretches of some sets together: of each element of a
/// line, `reals` a set, so that a part of the elements comes with each of as many sets. Behind the last set of a row
/// another row begins, `distance` reals away (0: not known).
template <class Real>
PrefetchRange prefetch_range(const RowPosition& row, index_t elements, index_t reals, index_t distance);

}  // namespace weft
