// One of the three products of a tensor transform on one rank: alignment, then updates and shifts at the same time.
#pragma once

#include <array>

#include "tensor/block_move.hpp"
#include "tensor/local_update.hpp"
#include "tensor/ring_matrix.hpp"

namespace weft {

/// The threads of a rank.
struct Crew {
  int threads = 1;
  bool communication_thread = false;  ///< thread 0 handles the messages of a product and does not compute meanwhile
};

/// Reals of the memory that a transform needs.
struct TensorSizes {
  index_t array = 0, ring = 0, scratch = 0, sent = 0, received = 0;
  void cover(const TensorSizes& other);
};

/// Memory that the products of a transform share.
template <class Real>
struct TensorBuffers {
  TensorBuffers() = default;
  explicit TensorBuffers(const TensorSizes& sizes);
  index_t bytes() const;

  std::array<Buffer<Real>, 2> arrays;  ///< the array between two products
  std::array<Buffer<Real>, 3> rings;   ///< two for travelling blocks, one for a folded result
  Buffer<Real> scratch;                ///< of all threads, one after the other
  Buffer<Real> sent, received;         ///< packed by a move
};

/// The messages and times of a product in the last transform.
struct ProductRecord {
  MessageCount alignment, shifts;
  double aligning = 0, computing = 0, waiting = 0;  ///< seconds
};

/// A product: the input is the aligned array (`in`), and the result has its final distribution (`out`).
template <class Real>
class Product {
 public:
  struct Parts {
    int axis;
    ProductRing ring;
    TensorLayout in, out;
    DftMatrix matrix;
    UpdateKernel kernel;
  };
  Product(const ProcessGrid& mesh, int rank, Parts parts, const Crew& crew);

  int axis() const { return parts_.axis; }
  const Parts& parts() const { return parts_; }
  /// The buffers that it needs, without those of its moves.
  TensorSizes sizes() const;
  index_t matrix_bytes() const { return matrix_.bytes() + static_cast<index_t>(panels_.size() * sizeof(Real)); }
  double flops() const;
  const ProductRecord& record() const { return record_; }

  /// The largest number of pending messages of run(), sent and received.
  index_t under_way(const BlockMove<Real>& move, const Messages& messages) const;

  /// Collective over the mesh: `move` moves `from` to `aligned`, then the product of `aligned` is stored to `result`.
  /// If there is nothing to move, `aligned` is `from`.
  void run(const BlockMove<Real>& move, const Real* from, Real* aligned, Real* result, TensorBuffers<Real>& buffers,
           Messages& messages);

 private:
  bool travels() const { return parts_.ring.steps() > 1; }
  const AxisShare& share_in(int step) const;
  index_t ring_reals() const;
  index_t scratch_reals() const;
  const Real* factors(int step);
  void run_here(const Real* array, Real* result, TensorBuffers<Real>& buffers);
  void run_steps(const Real* array, Real* result, TensorBuffers<Real>& buffers, Messages& messages);
  void start_shift(int step, const Real* x, Real* next, Messages& messages);
  template <class Work>
  void in_slices(Messages* messages, Work work);

  Parts parts_;
  Crew crew_;
  ProductRing::Position position_;
  LocalUpdate<Real> update_;
  AxisShare out_;
  RingMatrix<Real> matrix_;
  AlignedVector<Real> panels_;  // the current block in the form of own kernels
  ProductRecord record_;
};

}  // namespace weft
