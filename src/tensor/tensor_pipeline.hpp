// One direction of a tensor transform: three products and the moves between them.
#pragma once

#include <array>
#include <vector>

#include "tensor/product.hpp"
#include "weft/tensor.hpp"

namespace weft {

/// The kernels and the folding of the products along the three axes.
struct UpdateWays {
  std::array<bool, 3> folded{};
  std::array<UpdateKernel, 3> kernels{UpdateKernel::own, UpdateKernel::own, UpdateKernel::own};
};

/// The shape and the options of a transform, the same on every rank.
struct TensorShape {
  Extents points;
  Kind kind = Kind::c2c;
  ProcessGrid mesh;
  TensorAlgorithm algorithm = TensorAlgorithm::cannon;
  MatrixBlocks matrix = MatrixBlocks::circulate;
  UpdateWays ways{};

  /// Whether an axis holds half the modes of real points.
  bool half(int axis) const { return kind == Kind::r2c && axis == 2; }
};

/// Runs the products in the order of the axes 2, 1, 0 (forward) or 0, 1, 2. Between two products each block moves
/// directly to the rank where the next product needs it first: moves for folded shares and transpositions over the mesh
/// are part of the alignment, so that they cost one message event together.
template <class Real>
class TensorPipeline {
 public:
  TensorPipeline(const TensorShape& shape, Direction direction, double scale, int rank, const Crew& crew);

  const std::vector<Product<Real>>& products() const { return products_; }
  /// The messages to the users' blocks after the last product.
  const MessageCount& last_move() const { return last_count_; }
  TensorSizes sizes() const;
  /// The largest number of pending messages of run(), sent and received.
  index_t under_way(const Messages& messages) const;
  /// Collective over the mesh. `in` may be `out`.
  void run(const Real* in, Real* out, TensorBuffers<Real>& buffers, Messages& messages);

 private:
  std::vector<Product<Real>> products_;
  std::vector<BlockMove<Real>> moves_;  // before each product, and after the last
  index_t array_reals_ = 0;             // of the largest array between two steps
  MessageCount last_count_;
};

}  // namespace weft
