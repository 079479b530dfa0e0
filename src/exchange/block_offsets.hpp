// The offsets of the blocks of an exchange in the memory of one of its ends.
#pragma once

#include <functional>
#include <vector>

#include "exchange/exchange.hpp"

namespace weft {

/// How an end stores its elements: as separate blocks, one after the other, or in one ordinary array.
enum class Storage { blocks, array };

/// A block in the memory of an end.
struct StoredBlock {
  Box box;            ///< global indices
  index_t offset;     ///< reals from the beginning of the memory
  Extents strides;    ///< reals from one index to the next, per axis
  index_t reals = 0;  ///< that the block spans
};

/// Which end of an exchange.
enum class ExchangeEnd { near, far };

/// All blocks of one end on a rank. Both ends are padded alike, so that a block has the same size at both.
struct BlockOffsets {
  Box box;                                       ///< the rank's part of the global array
  std::vector<std::vector<StoredBlock>> chunks;  ///< by chunk and peer
  index_t reals = 0;                             ///< that the end's memory must hold
};

/// Blocks of peers for which is_stored(peer) is false take no memory in Storage::blocks. Pure arithmetic.
template <class Real>
BlockOffsets block_offsets(const ExchangePlan& plan, int rank, ExchangeEnd end, Storage storage,
                           const std::function<bool(int)>& is_stored);

}  // namespace weft
