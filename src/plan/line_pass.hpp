// The line pass, the one loop that touches memory: for each batch of L lines along an axis, load a lane block from any
// segments, transform it, store it to any segments. Padding, truncation, packing and unpacking are choices of the two
// views; a symbol can be multiplied between a transform and its inverse.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "base/buffer.hpp"
#include "plan/line_fetch.hpp"
#include "plan/line_set.hpp"
#include "plan/line_symbol.hpp"
#include "plan/mode_operation.hpp"
#include "transform/lane_tables.hpp"
#include "transform/line_engine.hpp"

namespace weft {

/// Room for rows that are put together before they are streamed (row_stage.hpp): a part of the second cache.
constexpr index_t stage_bytes = 1 << 18;

/// Where the zeros of a padded Fourier transform begin that has no others; every_point where there are none.
index_t padding_begin(const AxisTransform& transform);

/// What a thread works with: lane blocks, the addresses of points that LanePlaces asks for, and one element for points
/// that have no memory.
template <class Real>
struct PassWorkspace {
  PassWorkspace(index_t block_reals, index_t points, const Arena& arena = {}, index_t stage_reals = 0)
      : in(std::max(block_reals, least_block_bytes / static_cast<index_t>(sizeof(Real))), arena),
        out(block_reals, arena),
        factor(block_reals, arena),
        from(points + 1, arena),
        to(points + 1, arena),
        missing(most_missing, arena),
        watched(LineSet::most, arena),
        stage(stage_reals, arena) {}
  index_t bytes() const {
    return in.bytes() + 2 * out.bytes() + 2 * from.bytes() + missing.bytes() + watched.bytes() + stage.bytes();
  }

  static constexpr index_t most_missing = 64;
  Buffer<Real> in, out, factor;
  Buffer<Real*> from, to;
  Buffer<Real> missing;
  Buffer<Real> watched;  ///< NaN since something was loaded that is not finite, else 0; see LinePass::Sweep
  Buffer<Real> stage;    ///< for RowStage; may be empty
};

template <class Real>
class LinePass {
 public:
  /// `batch` are the extents of the local box; its entry for `axis` is ignored. `width` is that of the physical side.
  /// Lines that are neighbours along the axis `inner` (-1: none) are transformed side by side.
  LinePass(int axis, int inner, const AxisTransform& transform, int width, const Extents& batch,
           std::shared_ptr<const LineEngine<Real>> forward, std::shared_ptr<const LineEngine<Real>> backward);

  int axis() const { return axis_; }
  const AxisTransform& transform() const { return transform_; }
  index_t lines() const { return lines_in(whole_); }
  std::string engine() const { return forward_ == nullptr ? "none" : forward_->name(); }
  /// Reals that each block of a PassWorkspace must hold, and the most points or modes of a line.
  index_t block_reals() const;
  index_t most_points() const { return std::max(transform_.length, transform_.modes); }

  /// One stretch of a view, clipped to the transform and expressed in elements of the lane block.
  struct Move {
    index_t first = 0, count = 0;
    Real* base = nullptr;
    Extents stride;
    bool zero = false;  ///< zeros are stored
    bool stream = false;
  };
  using Moves = std::vector<Move>;
  Moves physical_moves(const SegmentedView<Real>& view, Direction direction) const;
  Moves spectral_moves(const SegmentedView<Real>& view, Direction direction) const;

  /// The lines whose index along every other axis lies in `lines`.
  using Lines = std::vector<std::array<index_t, 2>>;
  const Lines& all_lines() const { return whole_; }
  index_t batches(const Lines& lines) const;

  /// What a sweep over lines does.
  struct Sweep {
    const Moves& load;
    const Moves& store;
    Real scale = 1;              ///< of what is stored
    Memory from = Memory::main;  ///< where what is loaded is
    Memory to = Memory::main;    ///< where what is stored is to be
    bool watch = false;          ///< whether real data that are loaded are finite is noted in PassWorkspace::watched
  };
  /// Batches first .. last of `lines`: load, transform, store.
  void run(Direction direction, const Sweep& sweep, const Lines& lines, index_t first, index_t last,
           const PassWorkspace<Real>& workspace) const;
  /// The same with forward transform, symbol and backward transform; both sides are physical.
  void convolve(const LineSymbol<Real>& symbol, const Sweep& sweep, const Lines& lines, index_t first, index_t last,
                const PassWorkspace<Real>& workspace) const;

  /// One component of a field: its pass, where its lines are or go, and room to work.
  struct Component {
    const LinePass* pass;
    Moves moves;
    Memory memory;  ///< where they are
    const PassWorkspace<Real>* workspace;
  };
  using Components = std::vector<Component>;
  /// Batches first .. last of `lines` of all components together: forward transforms of `from`, an operation that mixes
  /// their modes, backward transforms of its results to `to`, times `scale`. The passes differ in their transforms
  /// alone.
  static void combine(const Components& from, const Components& to, const ModeOperation<Real>& operation, Real scale,
                      const Lines& lines, index_t first, index_t last);

 private:
  index_t lines_in(const Lines& lines) const;
  void select(const Lines& lines, index_t batch, LineSet& set) const;
  index_t whole_sets(const Lines& lines, const LineSet& set) const;
  void prepare(const PassWorkspace<Real>& workspace) const;
  bool neighbours_touch(const Moves& moves, int width) const;
  void fill_points(const Moves& moves, const LineSet& set, Real** points) const;
  bool whole_cache_lines(const Moves& moves, const LineSet& set, int width) const;

  /// One set of lines on its way: where it is among the sets of its row, and what comes next.
  struct Batch {
    const LineSet* set;
    index_t shift;             ///< lines since the first set of the row
    index_t behind;            ///< whole sets that follow in the row
    const LineSet* following;  ///< the next set; null where there is none
    index_t store_shift;       ///< as `shift`, where it is stored
    index_t count;             ///< sets of the row, from this one on, that go the same way together
    /// Lines that they have; a vector holds `lanes`.
    int lines(int lanes) const { return set->neighbours ? static_cast<int>(count) * lanes : set->used; }
  };
  class RowStage;
  /// Calls body(Batch) for the batches first .. last of `lines`. It returns how many of the row it has done.
  template <class Body>
  void for_each_batch(const Lines& lines, index_t first, index_t last, const Body& body) const;

  /// Loads a batch to `in` or says where its points are, transforms it, stores it. Without `load` it is in `in`
  /// already, without `store` it stays in the block that transform() returns.
  struct Job {
    Direction direction;
    const Moves* load;
    const Moves* store;
    const Sweep& sweep;
    bool in_place;    ///< points are loaded from where they are stored
    bool fetches;     ///< what other sets load is fetched bit by bit, not all of it with the first points of a set
    bool contiguous;  ///< whole lines on both sides, contiguous each
    bool points;  ///< neighbours are points on both sides, for the engine to load and store, all sets of a row alike
    Real *in, *out;
  };
  Job job(Direction direction, const Moves* load, const Moves* store, const Sweep& sweep, Real* in, Real* out) const;
  Real* transform(const Job& job, const Batch& batch, const PassWorkspace<Real>& workspace) const;
  index_t together(const Job& job, const Batch& batch) const;
  void load(const Job& job, const Batch& batch, const PassWorkspace<Real>& workspace, const LineEngine<Real>& engine,
            LanePoints<Real>& points) const;
  bool takes_points(Direction direction, const Moves& load, const Moves& store) const;
  bool may_use_points(const LineEngine<Real>& engine, const Batch& batch, bool physical) const;
  bool load_points(const Job& job, const Batch& batch, const PassWorkspace<Real>& workspace,
                   LanePoints<Real>& points) const;
  bool store_points(const Job& job, const Batch& batch, const PassWorkspace<Real>& workspace,
                    LanePoints<Real>& points) const;
  /// Lines that are contiguous each and are handed to an engine together.
  static constexpr index_t most_lines = 64;
  const LineEngine<Real>& engine_for(Direction direction) const {
    return direction == Direction::forward ? *forward_ : *backward_;
  }
  LanePlaces<Real> places(const Moves& moves, const LineSet& set, index_t shift, int width, Real** table) const;
  index_t ahead(const Moves& moves, const Batch& batch, Memory where) const;
  RowPlace row_place(const Batch& batch) const { return {batch.shift / kernels_.lanes, batch.behind, batch.following}; }
  bool fetches(bool in_place, const Moves& store, const Sweep& sweep) const;
  LaneFetch fetch(const Moves& moves, const Batch& batch, int width) const;
  /// Whether every point of the transform is stored, and every mode.
  bool is_whole() const {
    return transform_.count == transform_.length &&
           transform_.modes == output_length(transform_.kind, transform_.length);
  }
  bool is_contiguous(const Moves& moves, bool physical) const;
  bool may_stream(Direction direction, Real* const* lines, int count) const;
  void stream_lines(const Real* from, Real* const* to, int count, index_t reals) const;
  bool transform_lines(const Job& job, const Batch& batch, const PassWorkspace<Real>& workspace) const;
  bool transform_gathered(const Job& job, const Batch& batch) const;
  LineCopy<Real> copy_of(const Move& move, const LineSet& set, int width, index_t ahead, Real** lines) const;
  void copy_in(const Job& job, const Batch& batch) const;
  void copy_out(const Job& job, const Batch& batch, const Real* block) const;
  void clear_padding(Real* block) const;
  bool convolves_at_once() const { return forward_->can_convolve() && !transform_.is_truncated(); }
  void convolve_at_once(const LineSymbol<Real>& symbol, const Sweep& sweep, const Batch& batch,
                        const PassWorkspace<Real>& workspace) const;
  /// Reals of an element on the side that a direction loads from, or stores to.
  int width_before(Direction direction) const { return direction == Direction::forward ? width_ : spectral_width_; }
  int width_behind(Direction direction) const { return direction == Direction::forward ? spectral_width_ : width_; }
  LineModes line_modes() const { return {axis_, inner_, transform_.first_mode, transform_.made_modes()}; }
  void apply(const LineSymbol<Real>& symbol, const LineSet& set, Real* factor, Real* block) const;

  const LaneKernels<Real>& kernels_;
  int axis_, inner_;
  AxisTransform transform_;
  int width_, spectral_width_;
  Lines whole_;
  std::shared_ptr<const LineEngine<Real>> forward_, backward_;
};

}  // namespace weft
