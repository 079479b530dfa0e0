// The way of the lines of a sweep through one transform: from memory or a lane block to memory or a block.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/buffer.hpp"
#include "plan/pass/line_calls.hpp"
#include "plan/pass/line_pass.hpp"
#include "plan/pass/mode_folding.hpp"

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
  Buffer<Real> non_finite;           ///< NaN once a value that is not finite was loaded, else 0
  Buffer<Real> stage;                ///< staging buffer of RowStage; may be empty
  LineCalls<Real>* calls = nullptr;  ///< calls are added to these; may be null
};

/// The addresses of the elements of one line.
template <class Real>
struct PointTable {
  Real** at = nullptr;
  const Real* line = nullptr;  ///< the line they belong to; null: not filled
  bool serves_all = false;     ///< the elements of all lines have the same distances
};

/// What all batches of a way have in common, and the way of one batch.
template <class Real>
struct LineWay {
  using Moves = LineMoves<Real>;

  /// The route of whole sets of a row. Remaining lines go through a block.
  enum class Route {
    block,   ///< loaded to a lane block, stored from one, or both; the engine may access points in memory at one end
    row,     ///< through a block from one run of points to another, all sets of a row alike
    points,  ///< the engine loads and stores neighbours itself, all sets of a row alike
    lines,   ///< the engine transforms whole contiguous lines from memory to memory
  };

  const LinePass<Real>* pass = nullptr;
  const PassWorkspace<Real>* workspace = nullptr;
  PointTable<Real>*from_points = nullptr, *to_points = nullptr;
  Direction direction = Direction::forward;
  Real scale = 1;
  bool check_finite = false;
  const PointOperation<Real>* loaded = nullptr;                 ///< changes points after they are loaded; may be null
  Memory from_memory = Memory::main, to_memory = Memory::main;  ///< the places of what is loaded and of the results
  const Moves* load_moves = nullptr;                            ///< null: from the block
  const Moves* store_moves = nullptr;                           ///< null: to the block
  bool in_place = false;  ///< results are stored to the memory of the points loaded
  /// Prefetches for other sets are spread over the transform instead of preceding it.
  bool prefetches = false;
  bool points_in = false, points_out = false;  ///< the engine itself loads, or stores, the points of neighbours
  Route route = Route::block;
  const LaneKernels<Real>* kernels = &lane_kernels<Real>();

  /// The same from one end to another.
  LineWay between(const Moves* load, const Moves* store, Memory to) const;

  bool is_near() const { return from_memory == Memory::cache && to_memory == Memory::cache; }

  // The number of sets in a row that take the same route as the first, and are done in one call. The last set of a row
  // is excluded if data are prefetched, since its next set is elsewhere.
  index_t sets_per_call(const LineBatch& batch) const {
    if (!batch.set->neighbours || route == Route::block || loaded != nullptr) return 1;
    const index_t alike = is_near() ? batch.after + 1 : std::max<index_t>(batch.after, 1);
    if (route == Route::points || route == Route::row) return alike;
    return store_moves->front().stream ? 1 : std::min(alike, most_lines / kernels->lanes);
  }

  /// Loads a batch to `in` or passes the addresses of its points, transforms it, and stores it. Returns the block with
  /// the result if it is not stored.
  Real* transform(const LineBatch& batch, Real* in, Real* out) const {
    const bool forward = direction == Direction::forward, neighbours = batch.set->neighbours;
    const bool whole = route == Route::lines && !changes_points(*batch.set);
    if (whole || (route == Route::row && neighbours)) {
      whole ? transform_lines(batch, in, out) : transform_row(batch, in, out);
      return nullptr;  // from memory to memory
    }
    LanePoints<Real> points;
    points.batches = batch.count;
    load(batch, points, in);
    const bool stored = neighbours && store_points(batch, points);
    Real* result = call_engine(points, in, out);
    if (forward) fold_modes(pass->transform(), pass->width_after(direction), kernels->lanes, result);
    if (store_moves != nullptr && !stored) copy_out(batch, result);
    return result;
  }

  void load(const LineBatch& batch, LanePoints<Real>& points, Real* in) const {
    const bool forward = direction == Direction::forward;
    const int width = pass->width_before(direction);
    if (points_in && batch.set->neighbours) {
      find_points(*load_moves, batch, *from_points, points.from);
      if (prefetches) {
        points.prefetch = prefetch(*load_moves, batch, width);
      } else {
        points.from.prefetch_distance = prefetch_distance(*load_moves, batch, from_memory);
      }
    } else if (load_moves != nullptr) {
      if (forward) pass->clear_padding(in);
      const index_t next = prefetch_distance(*load_moves, batch, from_memory);
      Real* lines[LineSet::most];
      for (const LineMove<Real>& move : *load_moves) call_load(copy_of(move, *batch.set, width, next, lines), in);
      const AxisTransform& transform = pass->transform();
      const index_t element = index_t{width} * kernels->lanes;
      Real* given = in + transform.pad * element;
      if (check_finite) call_check(&given, 1, transform.count * element);
      if (changes_points(*batch.set)) loaded->apply(*batch.set, pass->axis(), pass->inner(), given);
    }
    if (!forward) unfold_modes(pass->transform(), width, kernels->lanes, in);
  }

  // Sets where the points or modes of neighbours are stored; returns false if the engine cannot store them.
  bool store_points(const LineBatch& batch, LanePoints<Real>& points) const {
    if (!points_out) return false;
    points.scale = scale;
    if (in_place && points.from.at != nullptr) {
      points.to.at = points.from.at;
      points.to.shift = points.from.shift;
      points.to.batch_step = points.from.batch_step;
      return true;
    }
    find_points(*store_moves, batch, *to_points, points.to);
    points.stream = full_cache_lines(*store_moves, *batch.set, pass->width_after(direction));
    if (!points.stream) points.to.prefetch_distance = prefetch_distance(*store_moves, batch, to_memory);
    return true;
  }

  void copy_out(const LineBatch& batch, const Real* block) const {
    alignas(64) static constexpr Real zeros[2 * LineSet::most] = {};
    const index_t next = in_place ? 0 : prefetch_distance(*store_moves, batch, to_memory);
    Real* lines[LineSet::most];
    for (const LineMove<Real>& move : *store_moves)
      call_store(copy_of(move, *batch.set, pass->width_after(direction), next, lines), move.zero ? zeros : block);
  }

  // Whether points may be streamed: only if each is whole cache lines, since parts would go to memory one by one.
  bool full_cache_lines(const Moves& moves, const LineSet& set, int width) const {
    constexpr index_t line = cache_line_reals<Real>;
    return kernels->lanes * width % line == 0 &&
           std::all_of(moves.begin(), moves.end(), [&](const LineMove<Real>& move) {
             return move.stream &&
                    reinterpret_cast<std::intptr_t>(address(move, set.index[0])) % cache_line_bytes == 0 &&
                    move.stride[pass->axis()] % line == 0;
           });
  }

 private:
  bool changes_points(const LineSet& set) const {
    return loaded != nullptr && loaded->concerns(set, pass->axis(), pass->inner());
  }

  /// The most contiguous lines that an engine receives together.
  static constexpr index_t most_lines = 64;

  // Whether lines can be streamed vector by vector as computed: all begin at a vector, and are not half spectra.
  bool may_stream(Real* const* lines, int count) const {
    const index_t vector_bytes = kernels->lanes * static_cast<index_t>(sizeof(Real));
    return pass->engine(direction).routes().streams_lines &&
           !(direction == Direction::forward && pass->transform().kind == Kind::r2c) &&
           std::all_of(lines, lines + count,
                       [&](const Real* line) { return reinterpret_cast<std::intptr_t>(line) % vector_bytes == 0; });
  }

  // Streams contiguous lines of `reals` reals each; lines that touch in memory are streamed as one.
  void stream_lines(const Real* from, Real* const* to, int count, index_t reals) const {
    for (int first = 0, next = 1; first < count; first = next++) {
      while (next < count && to[next] == to[next - 1] + reals) next++;
      kernels->stream(from + first * reals, to[first], (next - first) * reals, 0);
    }
  }

  // --- calls of kernels and engines --------------------------------------------------------------------------------

  void call_load(const LineCopy<Real>& copy, Real* block) const {
    if (workspace->calls != nullptr) workspace->calls->load(copy, block);
    kernels->load(copy, block);
  }
  void call_store(const LineCopy<Real>& copy, const Real* block) const {
    if (workspace->calls != nullptr) workspace->calls->store(copy, block, scale);
    kernels->store(copy, block, scale);
  }
  void call_check(Real* const* lines, int count, index_t reals) const {
    Real* sum = workspace->non_finite.data();
    if (workspace->calls != nullptr) workspace->calls->mark_non_finite(lines, count, reals, sum);
    kernels->mark_non_finite(lines, count, reals, sum);
  }
  Real* call_engine(LanePoints<Real>& points, Real* in, Real* out) const {
    const auto elements = [](const Moves* moves) {
      index_t count = 0;
      for (std::size_t i = 0; moves != nullptr && i < moves->size(); i++)
        count = std::max(count, (*moves)[i].first + (*moves)[i].count);
      return count;
    };
    const LineEngine<Real>& engine = pass->engine(direction);
    if (workspace->calls != nullptr)
      workspace->calls->transform(engine, points, elements(load_moves), elements(store_moves), in, out);
    return engine.transform(points, in, out);
  }
  void call_engine(LaneLines<Real>& lines, Real* const* last, Real* work) const {
    const LineEngine<Real>& engine = pass->engine(direction);
    if (workspace->calls != nullptr) workspace->calls->transform(engine, lines, last, work);
    engine.transform(lines, last, work);
  }

  // --- lines and rows ----------------------------------------------------------------------------------------------

  // Lines that are contiguous at both ends, a few at a time from memory to memory, to the bits of lane blocks. Lines
  // that begin inside a vector go through a staging buffer in cache before they are streamed.
  void transform_lines(const LineBatch& batch, Real* in, Real* out) const {
    const bool forward = direction == Direction::forward, stream = store_moves->front().stream;
    const int used = batch.set->neighbours ? static_cast<int>(batch.count) * kernels->lanes : batch.set->used,
              lanes = std::max(used, kernels->lanes), modes_width = pass->width_after(Direction::forward);
    const index_t reals = store_moves->front().count * pass->width_after(direction);
    const index_t points = pass->transform().length;
    Real *from[most_lines], *to[most_lines], *last[most_lines];
    Real* stage[LineSet::most];  // streamed lines come set by set
    const auto find = [&](const LineMove<Real>& move, Real** lines, index_t shift = 0) {
      addresses(move, *batch.set, pass->inner(), 1, lanes, lines, shift);
    };
    find(load_moves->front(), from);
    find(store_moves->front(), to);
    const bool staged = stream && !may_stream(to, used);
    for (int l = 0; staged && l < used; l++) stage[l] = out + l * reals;
    Real* const* results = staged ? stage : to;
    // Addresses are computed anew: vectors of those just stored one by one would wait for them.
    const Moves& spectral = forward ? *store_moves : *load_moves;
    const index_t last_mode = spectral.size() > 1 ? 0 : points / 2 * modes_width;
    find(spectral.back(), last, last_mode);
    for (int l = 0; forward && staged && spectral.size() == 1 && l < used; l++) last[l] = out + l * reals + last_mode;
    if (check_finite) call_check(from, used, points * pass->width_before(direction));
    LaneLines<Real> lines{.from = from,
                          .to = results,
                          .count = used,
                          .scale = scale,
                          .stream = stream && !staged,
                          .prefetch_distance = prefetch_distance(*load_moves, batch, from_memory)};
    call_engine(lines, last, in);
    if (staged) stream_lines(out, to, used, reals);
  }

  // Sets of a row one after another: only their addresses differ, so everything else is determined once.
  void transform_row(const LineBatch& batch, Real* in, Real* out) const {
    const LineMove<Real>&load = load_moves->front(), &store = store_moves->front();
    const int lanes = kernels->lanes;
    Real *from[LineSet::most], *to[LineSet::most];
    const LineCopy<Real> copy_in = copy_of(load, *batch.set, pass->width_before(direction),
                                           prefetch_distance(*load_moves, batch, from_memory), from),
                         copy_out = copy_of(store, *batch.set, pass->width_after(direction),
                                            in_place ? 0 : prefetch_distance(*store_moves, batch, to_memory), to);
    for (index_t set = 0; set < batch.count; set++) {
      LanePoints<Real> none;
      call_load(copy_in, in);
      call_store(copy_out, call_engine(none, in, out));
      for (int l = 0; l < lanes; l++) {
        from[l] += step_of(load, batch);
        to[l] += step_of(store, batch);
      }
    }
  }

  // The distance in reals from a set of a row to the next.
  static index_t step_of(const LineMove<Real>& move, const LineBatch& batch) {
    return batch.step * move.stride[batch.along];
  }

  // The copy of a range of points of a set of lines; their addresses are written to `lines`.
  LineCopy<Real> copy_of(const LineMove<Real>& move, const LineSet& set, int width, index_t prefetch_distance,
                         Real** lines) const {
    const bool adjacent = addresses(move, set, pass->inner(), width, kernels->lanes, lines);
    return {.lines = lines,
            .first = move.first,
            .count = move.count,
            .step = move.stride[pass->axis()],
            .width = width,
            .used = set.used,
            .adjacent = adjacent,
            .stream = move.stream,
            .prefetch_distance = prefetch_distance};
  }

  // The distance in reals from a batch to the next one.
  index_t prefetch_distance(const Moves& moves, const LineBatch& batch, Memory where) const {
    if (where == Memory::cache || batch.following == nullptr || moves.empty()) return 0;
    index_t distance = 0;
    for (int a = 0; a < batch.set->index[0].dims(); a++)
      distance += (batch.following->index[0][a] - batch.set->index[0][a]) * moves.front().stride[a];
    return distance;
  }

  // The data that later batches load.
  PrefetchRange prefetch(const Moves& moves, const LineBatch& batch, int width) const {
    const index_t points = moves.back().first + moves.back().count;
    const Memory where = batch.after == 0 ? Memory::main : Memory::cache;
    return prefetch_range<Real>(batch, points, kernels->lanes * width, prefetch_distance(moves, batch, where));
  }

  // --- points ------------------------------------------------------------------------------------------------------
  // Engines that can load and store points themselves receive the addresses of the elements of one line. A table of
  // addresses serves segments, padding and truncation alike.

  // Fills the table for the first batch. It serves all lines whose elements have the same distances, or else those of
  // one row; with padding or truncation, a single batch. Entries without memory are left unchanged.
  void find_points(const Moves& moves, const LineBatch& batch, PointTable<Real>& table,
                   PointAddresses<Real>& points) const {
    const Extents& index = batch.set->index[0];
    const Real* line = address(moves.front(), index);
    points.at = table.at;
    points.batch_step = step_of(moves.front(), batch);
    if (pass->is_full() && table.line != nullptr && (table.serves_all || batch.before > 0)) {
      points.shift = line - table.line;
      return;
    }
    table.line = line;
    for (const LineMove<Real>& move : moves) {
      Real *point = address(move, index), **at = table.at + move.first;
      const index_t step = move.stride[pass->axis()];
      for (index_t j = 0; j < move.count; j++, point += step) at[j] = point;
    }
  }
};

}  // namespace weft
