// Blocks of a C-ordered array in bounded pieces and contiguous runs.
#pragma once

#include <functional>
#include <vector>

#include "weft/box.hpp"

namespace weft::io {

/// The largest number of elements that one call of HDF5 reads or one buffer holds: far below the 2^31 bytes of MPI's
/// counts.
inline constexpr index_t piece_elements = index_t{1} << 22;

/// Cuts a block into boxes of at most `most` elements, in the order of memory. Only the slowest axis of more than one
/// index is ever cut, so that every piece is contiguous in the block's own C-ordered array. Empty block: no pieces.
std::vector<Box> pieces(const Box& block, index_t most = piece_elements);

/// Calls run(first, count) for each run of at most `most` elements of the block that is contiguous in the global array,
/// in the order of memory of the block. `first` is the offset in the global array.
void for_each_run(const Extents& global, const Box& block, index_t most,
                  const std::function<void(index_t first, index_t count)>& run);

/// Throws Error(Fault::argument) unless the block lies within the array.
void check_block(const Extents& global, const Box& block);

}  // namespace weft::io
