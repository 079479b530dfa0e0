// An exchange as data: the blocks and their senders and receivers. Pure arithmetic: no MPI, no memory.
//
// Every exchange here is a rotation of one process axis: before it (the near side) a rank owns all of array axis
// near_axis and a part of far_axis, after it (the far side) a part of near_axis and all of far_axis.
#pragma once

#include <vector>

#include "weft/layout.hpp"

namespace weft {

struct ExchangePlan {
  int process_axis = 0;
  Layout near, far;
  int near_axis = 0, far_axis = 0;
  int width = 1;  ///< reals per element
  /// Parts that are sent one after the other, and the array axis that is cut into them: far_axis (every rank cuts its
  /// block before the exchange), near_axis (its block after it), or an axis that the exchange does not touch.
  int chunks = 1, chunk_axis = -1;
  /// The order in which elements lie in memory on both sides: axes from the slowest to the contiguous one; empty: C
  /// order.
  std::vector<int> memory_order{};

  /// Whether data have to move, because the process axis cuts the array.
  bool moves() const { return process_axis >= 0 && near.grid()[process_axis] > 1; }
};

/// The blocks that one rank and one peer exchange, in global indices.
struct Block {
  int peer;     ///< position of the peer along the process axis
  Box send;     ///< the part of my near box that the peer owns on the far side
  Box receive;  ///< the part of my far box that the peer owns on the near side
};

/// The part of a chunk that `sender` owns on the near side and `receiver` on the far side. Both are ranks of the
/// communicator of the layouts. Pure arithmetic.
Box exchange_block(const ExchangePlan& plan, int sender, int receiver, int chunk);
/// One block for each coordinate of the process axis, in order, the rank itself included.
std::vector<Block> exchange_blocks(const ExchangePlan& plan, int rank, int chunk);

}  // namespace weft
