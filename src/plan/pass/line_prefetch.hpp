// Prefetches from main memory while other lines are transformed.
#pragma once

#include "plan/pass/line_rows.hpp"
#include "transform/chosen_kernels.hpp"

namespace weft {

/// The place of arrays. Those in main memory are prefetched.
enum class Memory { main, cache };

/// Bytes of the second-level cache of a core, and those that it finds in all caches: ten times as many, at most 20 MB.
double second_cache();
double all_caches();
/// Passes over more bytes than this use streaming stores: their results would leave the caches that are near before
/// they are read. 20 MB, or 2.5 times the second-level cache where the third level is far.
double stream_from_bytes();
/// Passes over more bytes than this meet in the result where they can (Pipeline::works_in_result): with a third array
/// they would leave the caches that are near. 20 MB, or the second-level cache where the third level is far.
double meet_from_bytes();
/// The place of the arrays of a pass that loads and stores `bytes` bytes: in cache up to all_caches(), since the third
/// level delivers in time without prefetches, or where that is far, up to second_cache().
Memory memory_of(double bytes);

/// The memory to be prefetched with a set of lines for later ones. The sets of a row form groups, whose elements are
/// stretches of memory: each set of a group prefetches a part of the elements of the whole next group. An element has
/// `reals` reals per set. After the last set of a row, another row begins at `distance` reals (0: unknown).
template <class Real>
PrefetchRange prefetch_range(const RowPosition& row, index_t elements, index_t reals, index_t distance);

}  // namespace weft
