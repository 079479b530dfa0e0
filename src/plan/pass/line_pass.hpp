// One axis of a local box: the transform of its lines, their engines, and the memory of their points and modes.
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

/// The first zero after the points of a padded Fourier transform; every_point without zeros, or with others in front.
index_t padding_begin(const AxisTransform& transform);

/// One end of a sweep over lines: the memory that they are loaded from or stored to.
template <class Real>
struct LineEnd {
  LineEnd(const SegmentedView<Real>& view, Memory where, const PointOperation<Real>* operation = nullptr)
      : segments(view.segments), stream(view.stream), memory(where), loaded(operation) {}
  LineEnd(const Segment<Real>& segment, Memory where) : segments(&segment, 1), memory(where) {}

  std::span<const Segment<Real>> segments;
  bool stream = false;  ///< stores should bypass the cache
  Memory memory;
  const PointOperation<Real>* loaded = nullptr;  ///< changes points behind loads; may be null
};

template <class Real>
class LinePass {
 public:
  /// `batch` gives the extents of the local box; its entry for `axis` is ignored. `width` is that of the physical side.
  /// Neighbours along the axis `inner` (-1: none) are transformed side by side.
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
  /// The number of sets of up to L lines.
  index_t batches() const;
  /// Reals that each block of a PassWorkspace must hold, and the largest number of points or modes of a line.
  index_t block_reals() const;
  index_t most_points() const { return std::max(transform_.length, transform_.modes); }

  /// Reals per element on the side that a direction loads from (before) or stores to (behind).
  int width_before(Direction direction) const { return direction == Direction::forward ? width_ : spectral_width_; }
  int width_behind(Direction direction) const { return direction == Direction::forward ? spectral_width_ : width_; }
  LineModes modes() const { return {axis_, inner_, transform_.first_mode, transform_.made_modes()}; }

  /// Sets `moves` to the ranges of points, or of modes, that an end of a sweep holds, for a transform in the given
  /// direction.
  void physical_moves(const LineEnd<Real>& end, Direction direction, LineMoves<Real>& moves) const;
  void spectral_moves(const LineEnd<Real>& end, Direction direction, LineMoves<Real>& moves) const;

  /// Whether every point is stored, and every mode as computed. Their numbers alone do not tell: r2c of an odd number
  /// of points, truncated to one point less, stores as many modes, but folds the last one.
  bool is_full() const { return full_; }
  /// Whether each line is contiguous in memory; the last mode of a half spectrum may be stored separately.
  bool is_contiguous(const LineMoves<Real>& moves, Space space) const;
  /// Whether neighbouring lines are adjacent in memory, with elements of `width` reals.
  bool neighbours_touch(const LineMoves<Real>& moves, int width) const;
  /// Sets the padding around the points of a block to zero.
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
