// A sweep over lines, the one loop that touches memory: for each batch of L lines along an axis, load a lane block from
// any ranges, transform it, store it to any ranges. Padding, truncation, packing and unpacking are choices of the
// two ends; a symbol can be multiplied between a transform and its inverse. What all batches have in common, above all
// the way that they take from memory to memory, is decided once, when the sweep is prepared.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/buffer.hpp"
#include "plan/pass/line_pass.hpp"
#include "plan/pass/mode_operation.hpp"

namespace weft {

/// Room for rows that are put together before they are streamed (row_stage.hpp): a part of the second cache.
constexpr index_t stage_bytes = 1 << 18;

/// What a thread works with: lane blocks, the addresses of the points of a line, and one element for points that have
/// no memory.
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
  Buffer<Real> non_finite;  ///< NaN since something was loaded that is not finite, else 0
  Buffer<Real> stage;       ///< for RowStage; may be empty
};

template <class Real>
class RowStage;

template <class Real>
class LineSweep {
 public:
  LineSweep() = default;
  /// A sweep points into itself: one that was moved has to be prepared anew.
  LineSweep(LineSweep&&) noexcept : LineSweep() {}
  LineSweep& operator=(LineSweep&&) = delete;

  struct Options {
    Real scale = 1;             ///< of what is stored
    bool check_finite = false;  ///< whether real data that are loaded are finite is noted in PassWorkspace::non_finite
    bool alone = false;         ///< no other thread has batches of these lines
  };
  /// Prepares a transform of the lines from one end to the other: points to modes or back. Nothing is allocated once
  /// the sweep has been prepared for as many ranges before.
  void prepare(const LinePass<Real>& pass, Direction direction, const LineEnd<Real>& from, const LineEnd<Real>& to,
               const LineRanges& lines, const PassWorkspace<Real>& workspace, const Options& options);
  /// The same from points through the modes and back to points, for convolve() and combine(); where there is no second
  /// or first end, half of the way.
  void prepare_there_and_back(const LinePass<Real>& pass, const LineEnd<Real>* from, const LineEnd<Real>* to,
                              const LineRanges& lines, const PassWorkspace<Real>& workspace, Real scale);

  /// Sets of L lines, at least.
  index_t batches() const { return rows_.batches(); }
  /// Batches first .. last: load, transform, store.
  void run(index_t first, index_t last);
  /// The same with forward transform, symbol and backward transform.
  void convolve(const LineSymbol<Real>& symbol, index_t first, index_t last);
  /// One sweep for each component of a field. Batches first .. last of all components together: forward transforms of
  /// `from`, an operation that mixes their modes, backward transforms of its results to `to`. The passes differ in
  /// their transforms alone.
  static void combine(std::span<LineSweep> from, std::span<LineSweep> to, const ModeOperation<Real>& operation,
                      index_t first, index_t last);

 private:
  using Moves = LineMoves<Real>;
  friend class RowStage<Real>;

  /// How whole sets of a row go. Lines that are left go through a block.
  enum class Route {
    block,   ///< loaded to a lane block or stored from one, or both; the engine may take points at one end
    row,     ///< through a block from one run of points to another, all sets of a row alike
    points,  ///< the engine loads and stores neighbours itself, all sets of a row alike
    lines,   ///< the engine takes whole contiguous lines from memory to memory
  };
  /// The way from memory, or from a block, through one transform.
  struct Way {
    Direction direction = Direction::forward;
    const Moves* load = nullptr;   ///< null: from the block
    const Moves* store = nullptr;  ///< null: to the block
    Memory to = Memory::main;      ///< where what is stored is to be
    bool in_place = false;         ///< points are loaded from where they are stored
    /// What other sets load is fetched bit by bit, not all of it with the first points of a set.
    bool prefetches = false;
    bool points_in = false, points_out = false;  ///< the engine loads, or stores, the points of neighbours
    Route route = Route::block;
  };
  Way way(Direction direction, const Moves* load, const Moves* store, Memory to) const;
  Route route(const Way& way) const;
  bool loads_points(Direction direction, const Moves* load) const;
  bool stores_points(Direction direction, const Moves* store) const;
  bool has_ends() const { return !pass_->transform().ends.empty(); }
  bool prefetches(bool in_place, const Moves& store, Memory to) const;
  void start(const LinePass<Real>& pass, const PassWorkspace<Real>& workspace, const LineRanges& lines,
             RowRest rest = RowRest::gathered);

  /// Calls body(LineBatch) for the batches first .. last. It returns how many of the row it has done.
  template <class Body>
  void for_each_batch(index_t first, index_t last, const Body& body);
  /// Loads a batch to `in` or says where its points are, transforms it, stores it. Returns the block that holds the
  /// result where it is not stored.
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

  /// The addresses of the elements of a line, and the line that they are those of.
  struct PointTable {
    Real** at = nullptr;
    const Real* line = nullptr;  ///< null: not filled
    bool serves_all = false;     ///< the elements of all lines lie as far apart
  };
  PointTable table(const Moves& moves, const Buffer<Real*>& addresses) const;
  void find_points(const Moves& moves, const LineBatch& batch, PointTable& table, PointAddresses<Real>& points) const;
  bool full_cache_lines(const Moves& moves, const LineSet& set, int width) const;

  /// Lines that are contiguous each and are handed to an engine together.
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
  Way there_, back_;  // of a transform from end to end: there_ alone
};

}  // namespace weft
