// A sweep over lines, the one loop that touches memory: for each batch of L lines along an axis, it loads a lane block
// from any ranges, transforms it, and stores it to any ranges. The two ends determine padding, truncation, packing and
// unpacking; a symbol can be multiplied between a transform and its inverse. What all batches have in common, above all
// their route from memory to memory, is decided once, when the sweep is prepared.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "plan/pass/line_pass.hpp"
#include "plan/pass/mode_operation.hpp"

namespace weft {

/// Staging buffer for rows that are gathered before they are streamed (row_stage.hpp): part of the second-level cache.
constexpr index_t stage_bytes = 1 << 18;

/// The work space of a thread: lane blocks, the addresses of the points of a line, and one element for points without
/// memory.
template <class Real>
struct PassWorkspace {
  PassWorkspace(index_t block_reals, index_t points, const Arena& arena = {}, index_t stage_reals = 0)
      : in(std::max(block_reals, least_block_bytes / static_cast<index_t>(sizeof(Real))), arena),
        out(block_reals, arena),
        factor(block_reals, arena),
        from(points + 1, arena),
        to(points + 1, arena),
        missing(most_missing, arena),
        non_finite(LineSet::most, arena),
        stage(stage_reals, arena) {}
  index_t bytes() const {
    return in.bytes() + 2 * out.bytes() + 2 * from.bytes() + missing.bytes() + non_finite.bytes() + stage.bytes();
  }

  static constexpr index_t most_missing = 64;
  Buffer<Real> in, out, factor;
  Buffer<Real*> from, to;
  Buffer<Real> missing;
  Buffer<Real> non_finite;  ///< NaN once a value that is not finite was loaded, else 0
  Buffer<Real> stage;       ///< staging buffer of RowStage; may be empty
};

template <class Real>
class RowStage;

template <class Real>
class LineSweep {
 public:
  LineSweep() = default;
  /// Moving invalidates the preparation: a sweep points into itself, and must be prepared again.
  LineSweep(LineSweep&&) noexcept : LineSweep() {}
  LineSweep& operator=(LineSweep&&) = delete;

  struct Options {
    Real scale = 1;             ///< factor of the results
    bool check_finite = false;  ///< sets PassWorkspace::non_finite if real data that are loaded are not finite
    bool alone = false;         ///< no other thread has batches of these lines
  };
  /// Prepares a transform of the lines from one end to the other: points to modes or back. Allocates nothing if the
  /// sweep has been prepared for as many ranges before.
  void prepare(const LinePass<Real>& pass, Direction direction, const LineEnd<Real>& from, const LineEnd<Real>& to,
               const LineRanges& lines, const PassWorkspace<Real>& workspace, const Options& options);
  /// Prepares transforms from points to modes and back to points, for convolve() and combine(). Without one of the
  /// ends, only the other half of the way.
  void prepare_there_and_back(const LinePass<Real>& pass, const LineEnd<Real>* from, const LineEnd<Real>* to,
                              const LineRanges& lines, const PassWorkspace<Real>& workspace, Real scale);

  /// The number of sets of up to L lines.
  index_t batches() const { return rows_.batches(); }
  /// Batches first .. last - 1: load, transform, store.
  void run(index_t first, index_t last);
  /// Batches first .. last - 1: load, forward transform, symbol, backward transform, store.
  void convolve(const LineSymbol<Real>& symbol, index_t first, index_t last);
  /// Batches first .. last - 1 of all components of a field together, with a sweep for each component: forward
  /// transforms of `from`, an operation that mixes their modes, backward transforms of its results to `to`. The passes
  /// differ in their transforms only.
  static void combine(std::span<LineSweep> from, std::span<LineSweep> to, const ModeOperation<Real>& operation,
                      index_t first, index_t last);

 private:
  using Moves = LineMoves<Real>;
  friend class RowStage<Real>;

  /// The route of whole sets of a row. Remaining lines go through a block.
  enum class Route {
    block,   ///< loaded to a lane block, stored from one, or both; the engine may access points in memory at one end
    row,     ///< through a block from one run of points to another, all sets of a row alike
    points,  ///< the engine loads and stores neighbours itself, all sets of a row alike
    lines,   ///< the engine transforms whole contiguous lines from memory to memory
  };
  /// The way from memory or a block to memory or a block through one transform.
  struct Way {
    Direction direction = Direction::forward;
    const Moves* load = nullptr;   ///< null: from the block
    const Moves* store = nullptr;  ///< null: to the block
    Memory to = Memory::main;      ///< the place of the results
    bool in_place = false;         ///< results are stored to the memory of the points loaded
    /// Prefetches for other sets are spread over the transform instead of preceding it.
    bool prefetches = false;
    bool points_in = false, points_out = false;  ///< the engine itself loads, or stores, the points of neighbours
    Route route = Route::block;
  };
  Way way(Direction direction, const Moves* load, const Moves* store, Memory to) const;
  Route route(const Way& way) const;
  bool loads_points(Direction direction, const Moves* load) const;
  bool stores_points(Direction direction, const Moves* store) const;
  bool changes_points(const LineSet& set) const {
    return loaded_ != nullptr && loaded_->concerns(set, pass_->axis(), pass_->inner());
  }
  bool has_ends() const { return !pass_->transform().ends.empty(); }
  bool prefetches(bool in_place, const Moves& store, Memory to) const;
  void start(const LinePass<Real>& pass, const PassWorkspace<Real>& workspace, const LineRanges& lines,
             RowRest rest = RowRest::gathered);

  /// Calls body(LineBatch) for batches first .. last - 1; it returns the number of sets of the row that it has done.
  template <class Body>
  void for_each_batch(index_t first, index_t last, const Body& body);
  /// Loads a batch to `in` or passes the addresses of its points, transforms it, and stores it. Returns the block with
  /// the result if it is not stored.
  Real* transform(const Way& way, const LineBatch& batch, Real* in, Real* out);
  index_t sets_per_call(const Way& way, const LineBatch& batch) const;
  void transform_row(const Way& way, const LineBatch& batch, Real* in, Real* out) const;
  void load(const Way& way, const LineBatch& batch, LanePoints<Real>& points, Real* in);
  bool store_points(const Way& way, const LineBatch& batch, LanePoints<Real>& points);
  void copy_in(const Way& way, const LineBatch& batch, Real* block) const;
  void copy_out(const Way& way, const LineBatch& batch, const Real* block) const;
  LineCopy<Real> copy_of(const LineMove<Real>& move, const LineSet& set, int width, index_t prefetch_distance,
                         Real** lines) const;
  index_t prefetch_distance(const Moves& moves, const LineBatch& batch, Memory where) const;
  PrefetchRange prefetch(const Moves& moves, const LineBatch& batch, int width) const;
  void apply(const LineSymbol<Real>& symbol, const LineSet& set, Real* block, Real* free) const;
  void convolve_at_once(const LineSymbol<Real>& symbol, const LineBatch& batch);

  /// The addresses of the elements of one line.
  struct PointTable {
    Real** at = nullptr;
    const Real* line = nullptr;  ///< the line they belong to; null: not filled
    bool serves_all = false;     ///< the elements of all lines have the same distances
  };
  PointTable table(const Moves& moves, const Buffer<Real*>& addresses) const;
  void find_points(const Moves& moves, const LineBatch& batch, PointTable& table, PointAddresses<Real>& points) const;
  bool full_cache_lines(const Moves& moves, const LineSet& set, int width) const;

  /// The most contiguous lines that an engine receives together.
  static constexpr index_t most_lines = 64;
  void transform_lines(const Way& way, const LineBatch& batch, Real* in, Real* out);
  bool may_stream(Direction direction, Real* const* lines, int count) const;
  void stream_lines(const Real* from, Real* const* to, int count, index_t reals) const;

  const LaneKernels<Real>& kernels_ = lane_kernels<Real>();
  const LinePass<Real>* pass_ = nullptr;
  const PassWorkspace<Real>* workspace_ = nullptr;
  LineRows rows_;
  LineSet sets_[2];
  Moves load_, store_;
  PointTable from_points_, to_points_;
  Memory from_ = Memory::main;
  Real scale_ = 1;
  bool check_finite_ = false;
  const PointOperation<Real>* loaded_ = nullptr;
  Way there_, back_;  // for a transform from end to end there_ only
};

}  // namespace weft
