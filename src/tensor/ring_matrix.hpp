// The blocks of a DFT matrix that one rank holds in a product, and how they get to it.
#pragma once

#include <vector>

#include "tensor/dft_matrix.hpp"
#include "tensor/messages.hpp"
#include "tensor/product_ring.hpp"
#include "weft/memory.hpp"

namespace weft {

/// A column of blocks [kk][here], spread over the ranks of a ring: a rank is home to a few of them, the alignment
/// brings each to where it is needed first, shifts pass them on.
template <class Real>
class RingMatrix {
 public:
  RingMatrix(const DftMatrix& matrix, const AxisPartition& in, const AxisShare& out, const ProductRing& ring,
             const ProductRing::Position& position);

  /// The most messages that align() or shift() has under way, sent and received.
  index_t under_way(const Messages& messages) const;
  /// The messages of the alignment. The blocks are there when `messages` has been waited for.
  void align(Messages& messages);
  /// The messages that bring block step + queue and hand on the one of this step, which stays valid until the next.
  void shift(int step, Messages& messages);
  /// The block of a step; aligned, and all shifts before it waited for.
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
  std::vector<Block> home_;     // blocks skew .. skew + queue - 1; of a rank alone, all
  std::vector<Block> slots_;    // those of the steps t .. t + queue
};

}  // namespace weft
