// Where the blocks of an exchange lie in the memory of a side.
#pragma once

#include <functional>
#include <vector>

#include "exchange/exchange.hpp"

namespace weft {

/// How a side keeps its elements: every block for itself, one behind the other, or all in one ordinary array.
enum class Storage { blocks, array };

/// A block in the memory of a side.
struct BlockPlace {
  Box box;            ///< global indices
  index_t offset;     ///< reals from the beginning of the memory
  Extents strides;    ///< reals from one index to the next, per axis
  index_t reals = 0;  ///< that the block spans
};

/// Which side of an exchange.
enum class SideName { near, far };

/// All blocks of one side of a rank; both sides are padded alike, so that a block has the same size on either.
struct SidePlaces {
  Box box;                                      ///< the rank's part of the global array
  std::vector<std::vector<BlockPlace>> chunks;  ///< by chunk and peer
  index_t reals = 0;                            ///< that the side's memory must hold
};

/// Blocks of peers for which has_room(peer) is false get no room in Storage::blocks. Pure arithmetic.
template <class Real>
SidePlaces side_places(const ExchangePlan& plan, int rank, SideName side, Storage storage,
                       const std::function<bool(int)>& has_room);

}  // namespace weft
