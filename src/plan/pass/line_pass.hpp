// One axis of a local box: which transform its lines take, by which engines, and what of them is stored where.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include "base/buffer.hpp"
#include "plan/pass/line_moves.hpp"
#include "plan/pass/line_prefetch.hpp"
#include "plan/pass/line_symbol.hpp"
#include "plan/space.hpp"
#include "transform/chosen_kernels.hpp"
#include "transform/engine/line_engine.hpp"

namespace weft {

/// Where the zeros of a padded Fourier transform begin that has no others; every_point where there are none.
index_t padding_begin(const AxisTransform& transform);

/// Where a sweep over lines finds them, or leaves them.
template <class Real>
struct LineEnd {
  LineEnd(const SegmentedView<Real>& view, Memory where)
      : segments(view.segments), stream(view.stream), memory(where) {}
  LineEnd(const Segment<Real>& segment, Memory where) : segments(&segment, 1), memory(where) {}

  std::span<const Segment<Real>> segments;
  bool stream = false;  ///< stores should bypass the cache
  Memory memory;
};

template <class Real>
class LinePass {
 public:
  /// `batch` are the extents of the local box; its entry for `axis` is ignored. `width` is that of the physical side.
  /// Lines that are neighbours along the axis `inner` (-1: none) are transformed side by side.
  LinePass(int axis, int inner, const AxisTransform& transform, int width, const Extents& batch,
           std::shared_ptr<const LineEngine<Real>> forward, std::shared_ptr<const LineEngine<Real>> backward);

  int axis() const { return axis_; }
  int inner() const { return inner_; }
  const AxisTransform& transform() const { return transform_; }
  const LineRanges& all_lines() const { return lines_; }
  const LineEngine<Real>& engine(Direction direction) const {
    return direction == Direction::forward ? *forward_ : *backward_;
  }
  std::string engine_name() const { return forward_ == nullptr ? "none" : forward_->name(); }
  /// Sets of L lines, at least.
  index_t batches() const;
  /// Reals that each block of a PassWorkspace must hold, and the most points or modes of a line.
  index_t block_reals() const;
  index_t most_points() const { return std::max(transform_.length, transform_.modes); }

  /// Reals of an element on the side that a direction loads from, or stores to.
  int width_before(Direction direction) const { return direction == Direction::forward ? width_ : spectral_width_; }
  int width_behind(Direction direction) const { return direction == Direction::forward ? spectral_width_ : width_; }
  LineModes modes() const { return {axis_, inner_, transform_.first_mode, transform_.made_modes()}; }

  /// What an end of a sweep holds of the points, or of the modes, for a transform in the direction given. Replaces what
  /// is in `moves`.
  void physical_moves(const LineEnd<Real>& end, Direction direction, LineMoves<Real>& moves) const;
  void spectral_moves(const LineEnd<Real>& end, Direction direction, LineMoves<Real>& moves) const;

  /// Whether every point of the transform is stored, and every mode as it is made: an odd line keeps as many of its
  /// half spectrum as one of a point less, whose last is folded.
  bool is_full() const { return full_; }
  /// Whether each line lies contiguous in memory; of half a spectrum the last mode may lie by itself.
  bool is_contiguous(const LineMoves<Real>& moves, Space space) const;
  /// Whether neighbouring lines are neighbours in memory, elements of `width` reals.
  bool neighbours_touch(const LineMoves<Real>& moves, int width) const;
  /// Zeros around the points of a block.
  void clear_padding(Real* block) const;

 private:
  int axis_, inner_;
  AxisTransform transform_;
  int width_, spectral_width_;
  bool full_;
  LineRanges lines_;
  std::shared_ptr<const LineEngine<Real>> forward_, backward_;
};

}  // namespace weft
