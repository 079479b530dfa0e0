// Makes the distributions, moves and products of a tensor transform.
#include "tensor/tensor_pipeline.hpp"

#include <algorithm>
#include <utility>

namespace weft {

namespace {

// The shares of an axis on one side of its product.
AxisPartition axis_partition(const TensorShape& shape, int axis, bool modes, int parts) {
  const index_t n = shape.points[axis];
  const bool folded = shape.ways.folded[static_cast<std::size_t>(axis)];
  if (modes && shape.half(axis)) return partition_half_spectrum(n, parts);
  return folded ? partition_in_pairs(n, parts) : partition_in_blocks(n, parts);
}

// The distribution of the users' blocks.
TensorLayout home(const TensorShape& shape, bool modes) {
  TensorLayout distribution;
  for (int axis = 0; axis < 3; axis++) {
    const index_t n = shape.points[axis];
    const index_t count = modes && shape.half(axis) ? n / 2 + 1 : n;
    distribution[static_cast<std::size_t>(axis)] = {partition_in_blocks(count, shape.mesh[axis]), axis, -1, {}};
  }
  return distribution;
}

ProductKind product_kind(const TensorShape& shape, int axis, Direction direction) {
  if (!shape.half(axis)) return ProductKind::complex_to_complex;
  return direction == Direction::forward ? ProductKind::real_to_half : ProductKind::half_to_real;
}

// The product along `axis`; `modes` tells which axes already hold modes.
template <class Real>
typename Product<Real>::Parts parts(const TensorShape& shape, Direction direction, double scale, int axis,
                                    std::array<bool, 3> modes) {
  std::array<int, 3> mesh_axis{0, 1, 2};
  if (shape.algorithm == TensorAlgorithm::transpose) std::swap(mesh_axis[static_cast<std::size_t>(axis)], mesh_axis[2]);
  const int along = mesh_axis[static_cast<std::size_t>(axis)], across = along == 1 ? 2 : 1;
  const ProductRing ring(shape.mesh, along, across, shape.matrix == MatrixBlocks::own);
  const auto distribution = [&] {
    TensorLayout result;
    for (std::size_t a = 0; a < 3; a++) {
      const int on = mesh_axis[a];
      result[a] = {axis_partition(shape, static_cast<int>(a), modes[a], shape.mesh[on]), on, -1, {}};
    }
    return result;
  };
  const auto transformed = static_cast<std::size_t>(axis);
  TensorLayout in = distribution();
  in[transformed].skewed_by = across;
  in[transformed].skew = ring.skew();
  modes[transformed] = !modes[transformed];
  return {axis,
          ring,
          std::move(in),
          distribution(),
          DftMatrix(shape.points[axis], direction, product_kind(shape, axis, direction), shape.ways.folded[transformed],
                    scale),
          shape.ways.kernels[transformed]};
}

}  // namespace

template <class Real>
TensorPipeline<Real>::TensorPipeline(const TensorShape& shape, Direction direction, double scale, int rank,
                                     const Crew& crew) {
  const bool forward = direction == Direction::forward;
  std::array<bool, 3> modes{!forward, !forward, !forward};
  const auto width = [&] { return shape.kind == Kind::r2c && !modes[2] ? 1 : 2; };
  TensorLayout before = home(shape, !forward);
  const auto move_to = [&](const TensorLayout& next) {
    moves_.emplace_back(shape.mesh, rank, before, next, width());
    array_reals_ = std::max(array_reals_, extents(next, shape.mesh, rank).product() * width());
    before = next;
  };
  for (int step = 0; step < 3; step++) {
    const int axis = forward ? 2 - step : step;
    auto next = parts<Real>(shape, direction, step == 2 ? scale : 1, axis, modes);
    move_to(next.in);
    modes[static_cast<std::size_t>(axis)] = forward;
    before = next.out;
    array_reals_ = std::max(array_reals_, extents(next.out, shape.mesh, rank).product() * width());
    products_.emplace_back(shape.mesh, rank, std::move(next), crew);
  }
  move_to(home(shape, forward));
}

template <class Real>
TensorSizes TensorPipeline<Real>::sizes() const {
  TensorSizes sizes{array_reals_, 0, 0, 0, 0};
  for (const Product<Real>& product : products_) sizes.cover(product.sizes());
  for (const BlockMove<Real>& move : moves_) sizes.cover({0, 0, 0, move.send_reals(), move.receive_reals()});
  return sizes;
}

template <class Real>
index_t TensorPipeline<Real>::under_way(const Messages& messages) const {
  index_t most = moves_.back().under_way(messages);
  for (std::size_t step = 0; step < products_.size(); step++)
    most = std::max(most, products_[step].under_way(moves_[step], messages));
  return most;
}

template <class Real>
void TensorPipeline<Real>::run(const Real* in, Real* out, TensorBuffers<Real>& buffers, Messages& messages) {
  const BlockMove<Real>& last = moves_.back();
  const auto other = [&](const Real* current) {
    return buffers.arrays[current == buffers.arrays[0].data() ? 1 : 0].data();
  };
  const Real* current = in;
  for (std::size_t step = 0; step < products_.size(); step++) {
    Real* const aligned = other(current);
    const bool stays = moves_[step].nothing();
    Real* const result = step == 2 && last.nothing() ? out : other(stays ? current : aligned);
    products_[step].run(moves_[step], current, aligned, result, buffers, messages);
    current = result;
  }
  if (!last.nothing()) last.run(current, out, messages, buffers.sent.data(), buffers.received.data());
  last_count_ = messages.take_count();
}

template class TensorPipeline<float>;
template class TensorPipeline<double>;

}  // namespace weft
