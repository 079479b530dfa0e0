// One axis of a local box: the transform of its lines, their engines, and the memory of their points and modes.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "base/buffer.hpp"
#include "plan/pass/line_prefetch.hpp"
#include "plan/pass/line_symbol.hpp"
#include "plan/space.hpp"
#include "transform/chosen_kernels.hpp"
#include "transform/engine/line_engine.hpp"

namespace weft {

/// A range of points or modes of all lines, in elements of a lane block.
template <class Real>
struct LineMove {
  index_t first = 0, count = 0;
  Real* base = nullptr;  ///< address of element `first` of the line with index 0
  Extents stride;        ///< reals between successive indices, per axis
  bool zero = false;     ///< store zeros
  bool stream = false;
};

/// All moves of a line, which omit its padding.
template <class Real>
using LineMoves = std::vector<LineMove<Real>>;

template <class Real>
Real* address(const LineMove<Real>& move, const Extents& index) {
  Real* at = move.base;
  for (int a = 0; a < index.dims(); a++) at += index[a] * move.stride[a];
  return at;
}

/// Sets the addresses of the lines of a set in a move, `shift` reals further on, for all lanes; if there are more
/// lanes, those of the following sets in the row. Returns whether the lines are adjacent in memory.
template <class Real>
bool addresses(const LineMove<Real>& move, const LineSet& set, int inner, int width, int lanes, Real** lines,
               index_t shift = 0) {
  if (set.neighbours) {
    Real* first = address(move, set.index[0]) + shift;
    const index_t step = move.stride[inner];
    for (int l = 0; l < lanes; l++) lines[l] = first + l * step;
    return step == width;
  }
  for (int l = 0; l < set.used; l++) lines[l] = address(move, set.index[static_cast<std::size_t>(l)]) + shift;
  for (int l = set.used; l < lanes; l++) lines[l] = lines[0];
  return false;
}

/// The first zero after the points of a padded Fourier transform; every_point without zeros, or with others in front.
inline index_t padding_begin(const AxisTransform& transform) {
  const bool after = is_fourier(transform.kind) && transform.pad == 0 && transform.count < transform.length;
  return after ? transform.count : every_point;
}

/// One end of a sweep over lines: the memory that they are loaded from or stored to.
template <class Real>
struct LineEnd {
  LineEnd(const SegmentedView<Real>& view, Memory where, const PointOperation<Real>* operation = nullptr)
      : segments(view.segments), stream(view.stream), memory(where), loaded(operation) {}
  LineEnd(const Segment<Real>& segment, Memory where) : segments(&segment, 1), memory(where) {}

  std::span<const Segment<Real>> segments;
  bool stream = false;  ///< stores should bypass the cache
  Memory memory;
  const PointOperation<Real>* loaded = nullptr;  ///< changes points after they are loaded; may be null
};

template <class Real>
class LinePass {
 public:
  /// `batch` gives the extents of the local box; its entry for `axis` is ignored. `width` is that of the physical side.
  /// Neighbours along the axis `inner` (-1: none) are transformed side by side.
  LinePass(int axis, int inner, const AxisTransform& transform, int width, const Extents& batch,
           std::shared_ptr<const LineEngine<Real>> forward, std::shared_ptr<const LineEngine<Real>> backward)
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

  int axis() const { return axis_; }
  int inner() const { return inner_; }
  const AxisTransform& transform() const { return transform_; }
  const LineRanges& all_lines() const { return lines_; }
  const LineEngine<Real>& engine(Direction direction) const {
    return direction == Direction::forward ? *forward_ : *backward_;
  }
  std::string engine_name() const { return forward_ == nullptr ? "none" : forward_->name(); }
  /// The number of sets of up to L lines.
  index_t batches() const { return LineRows(lines_, inner_, lane_kernels<Real>().lanes).batches(); }
  /// Reals that each block of a PassWorkspace must hold, and the largest number of points or modes of a line.
  index_t block_reals() const {
    return std::max(forward_->reals_per_lane(), backward_->reals_per_lane()) * lane_kernels<Real>().lanes;
  }
  index_t most_points() const { return std::max(transform_.length, transform_.modes); }

  /// Reals per element on the side that a direction loads from (before) or stores to (after).
  int width_before(Direction direction) const { return direction == Direction::forward ? width_ : spectral_width_; }
  int width_after(Direction direction) const { return direction == Direction::forward ? spectral_width_ : width_; }
  LineModes modes() const { return {axis_, inner_, transform_.first_mode, transform_.made_modes()}; }

  /// Sets `moves` to the ranges of points, or of modes, that an end of a sweep holds, for a transform in the given
  /// direction.
  void physical_moves(const LineEnd<Real>& end, Direction direction, LineMoves<Real>& moves) const {
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
  void spectral_moves(const LineEnd<Real>& end, Direction direction, LineMoves<Real>& moves) const {
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

  /// Whether every point is stored, and every mode as computed. Their numbers alone do not tell: r2c of an odd number
  /// of points, truncated to one point less, stores as many modes, but folds the last one.
  bool is_full() const { return full_; }
  /// Whether stored points lie outside the transform.
  bool has_ends() const { return !transform_.ends.empty(); }
  /// Whether each line is contiguous in memory; the last mode of a half spectrum may be stored separately.
  bool is_contiguous(const LineMoves<Real>& moves, Space space) const {
    if (moves.empty() || moves.front().zero || moves.front().first != 0) return false;
    const bool physical = space == Space::physical, half = !physical && transform_.kind == Kind::r2c;
    const index_t points = half ? transform_.length / 2 : transform_.length, all = half ? points + 1 : points;
    const LineMove<Real>&front = moves.front(), &back = moves.back();
    const bool last_by_itself =
        half && moves.size() == 2 && front.count == points && back.first == points && !back.zero;
    return front.stride[axis_] == (physical ? width_ : spectral_width_) &&
           (last_by_itself || (moves.size() == 1 && front.count == all));
  }
  /// Whether neighbouring lines are adjacent in memory, with elements of `width` reals.
  bool neighbours_touch(const LineMoves<Real>& moves, int width) const {
    return inner_ >= 0 && std::all_of(moves.begin(), moves.end(), [&](const LineMove<Real>& move) {
             return !move.zero && move.stride[inner_] == width;
           });
  }
  /// Sets the padding around the points of a block to zero.
  void clear_padding(Real* block) const {
    if (transform_.count == transform_.length) return;
    const index_t element = index_t{width_} * lane_kernels<Real>().lanes, begin = transform_.pad + transform_.count;
    std::fill_n(block, transform_.pad * element, Real(0));
    // An engine that knows where the zeros begin still reads points in pairs.
    const bool known = forward_->routes().padding && padding_begin(transform_) == begin;
    const index_t end = known ? std::min(begin + 1, transform_.length) : transform_.length;
    std::fill(block + begin * element, block + end * element, Real(0));
  }

 private:
  int axis_, inner_;
  AxisTransform transform_;
  int width_, spectral_width_;
  bool full_;
  LineRanges lines_;
  std::shared_ptr<const LineEngine<Real>> forward_, backward_;
};

}  // namespace weft
