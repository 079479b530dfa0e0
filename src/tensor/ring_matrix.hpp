// The blocks of a DFT matrix that one rank holds in a product, and the messages that bring them.
#pragma once

#include <vector>

#include "tensor/dft_matrix.hpp"
#include "tensor/messages.hpp"
#include "tensor/product_ring.hpp"
#include "weft/memory.hpp"

namespace weft {

/// A column of blocks [kk][here], spread over the ranks of a ring: a rank is the home of a few blocks, the alignment
/// brings each block to the rank that needs it first, and shifts pass the blocks on.
template <class Real>
class RingMatrix {
 public:
  RingMatrix(const DftMatrix& matrix, const AxisPartition& in, const AxisShare& out, const ProductRing& ring,
             const ProductRing::Position& position);

  /// The largest number of pending messages of align() or shift(), sent and received.
  index_t under_way(const Messages& messages) const;
  /// Starts the messages of the alignment. The blocks are complete after waiting for `messages`.
  void align(Messages& messages);
  /// Starts the messages that bring block step + queue and pass on the block of this step, which stays valid until the
  /// next.
  void shift(int step, Messages& messages);
  /// The block of a step, after the alignment and all earlier shifts are complete.
  const Real* block(int step) const;
  index_t bytes() const;

 private:
  using Block = AlignedVector<Real>;
  Block& slot(int step) { return slots_[static_cast<std::size_t>(step) % slots_.size()]; }
  index_t reals(int step) const {
    return reals_[static_cast<std::size_t>((position_.here + position_.skew + step) % steps_)];
  }

  int steps_;
  ProductRing::Position position_;
  std::vector<index_t> reals_;  // of every block of the column
  std::vector<Block> home_;     // blocks skew .. skew + queue - 1; all blocks for a single rank
  std::vector<Block> slots_;    // those of the steps t .. t + queue
};

}  // namespace weft
