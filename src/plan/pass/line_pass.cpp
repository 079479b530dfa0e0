// Turns views of arrays into the ranges of lines that a transform loads and stores.
#include "plan/pass/line_pass.hpp"

#include <algorithm>
#include <utility>

namespace weft {

index_t padding_begin(const AxisTransform& transform) {
  const bool behind = is_fourier(transform.kind) && transform.pad == 0 && transform.count < transform.length;
  return behind ? transform.count : every_point;
}

template <class Real>
LinePass<Real>::LinePass(int axis, int inner, const AxisTransform& transform, int width, const Extents& batch,
                         std::shared_ptr<const LineEngine<Real>> forward,
                         std::shared_ptr<const LineEngine<Real>> backward)
    : axis_(axis),
      inner_(inner),
      transform_(transform),
      width_(width),
      spectral_width_(is_fourier(transform.kind) ? 2 : width),
      full_(transform.count == transform.length && !transform.is_truncated() &&
            transform.modes == output_length(transform.kind, transform.length)),
      lines_{Extents(batch.dims()), batch},
      forward_(std::move(forward)),
      backward_(std::move(backward)) {
  lines_.end[axis] = 1;
}

template <class Real>
index_t LinePass<Real>::batches() const {
  return LineRows(lines_, inner_, lane_kernels<Real>().lanes).batches();
}

template <class Real>
index_t LinePass<Real>::block_reals() const {
  return std::max(forward_->reals_per_lane(), backward_->reals_per_lane()) * lane_kernels<Real>().lanes;
}

template <class Real>
void LinePass<Real>::physical_moves(const LineEnd<Real>& end, Direction direction, LineMoves<Real>& moves) const {
  const AxisTransform& t = transform_;
  moves.clear();
  for (const Segment<Real>& segment : end.segments) {
    const index_t lo = std::max(segment.first, t.first_point);
    const index_t hi = std::min(segment.first + segment.count, t.first_point + t.count);
    if (lo < hi)
      moves.push_back({.first = lo - t.first_point + t.pad,
                       .count = hi - lo,
                       .base = segment.base + (lo - segment.first) * segment.stride[axis_],
                       .stride = segment.stride,
                       .stream = end.stream});
    if (direction == Direction::forward) continue;
    for (const EndPoint& point : t.ends) {
      const index_t place = point.point - segment.first;
      if (place < 0 || place >= segment.count) continue;
      const index_t source = point.periodic ? t.pad - t.first_point : 0;
      moves.push_back({.first = source,
                       .count = 1,
                       .base = segment.base + place * segment.stride[axis_],
                       .stride = segment.stride,
                       .zero = !point.periodic});
    }
  }
}

template <class Real>
void LinePass<Real>::spectral_moves(const LineEnd<Real>& end, Direction direction, LineMoves<Real>& moves) const {
  const index_t made_lo = transform_.first_mode, made_hi = made_lo + transform_.made_modes();
  moves.clear();
  for (const Segment<Real>& segment : end.segments) {
    const index_t first = segment.first, last = segment.first + segment.count;
    const auto move = [&](index_t lo, index_t hi, bool made) {
      if (lo < hi)
        moves.push_back({.first = made ? lo - made_lo : 0,
                         .count = hi - lo,
                         .base = segment.base + (lo - first) * segment.stride[axis_],
                         .stride = segment.stride,
                         .zero = !made,
                         .stream = made && end.stream});
    };
    move(std::max(first, made_lo), std::min(last, made_hi), true);
    if (direction == Direction::backward) continue;
    for (index_t mode = first; mode < last; mode++)
      if (mode < made_lo || mode >= made_hi) move(mode, mode + 1, false);
  }
}

template <class Real>
bool LinePass<Real>::is_contiguous(const LineMoves<Real>& moves, Space space) const {
  if (moves.empty() || moves.front().zero || moves.front().first != 0) return false;
  const bool physical = space == Space::physical, half = !physical && transform_.kind == Kind::r2c;
  const index_t points = half ? transform_.length / 2 : transform_.length, all = half ? points + 1 : points;
  const LineMove<Real>&front = moves.front(), &back = moves.back();
  const bool last_by_itself = half && moves.size() == 2 && front.count == points && back.first == points && !back.zero;
  return front.stride[axis_] == (physical ? width_ : spectral_width_) &&
         (last_by_itself || (moves.size() == 1 && front.count == all));
}

template <class Real>
bool LinePass<Real>::neighbours_touch(const LineMoves<Real>& moves, int width) const {
  return inner_ >= 0 && std::all_of(moves.begin(), moves.end(), [&](const LineMove<Real>& move) {
           return !move.zero && move.stride[inner_] == width;
         });
}

template <class Real>
void LinePass<Real>::clear_padding(Real* block) const {
  if (transform_.count == transform_.length) return;
  const index_t element = index_t{width_} * lane_kernels<Real>().lanes, begin = transform_.pad + transform_.count;
  std::fill_n(block, transform_.pad * element, Real(0));
  // An engine that knows where the zeros begin still reads points in pairs.
  const bool known = forward_->routes().padding && padding_begin(transform_) == begin;
  const index_t end = known ? std::min(begin + 1, transform_.length) : transform_.length;
  std::fill(block + begin * element, block + end * element, Real(0));
}

template class LinePass<double>;
template class LinePass<float>;

}  // namespace weft
