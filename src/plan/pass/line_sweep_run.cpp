// Loads, transforms and stores the batches of a sweep.
#include <algorithm>
#include <cstdint>

#include "plan/pass/line_sweep.hpp"
#include "plan/pass/mode_folding.hpp"
#include "plan/pass/row_stage.hpp"

namespace weft {

// --- the loop ----------------------------------------------------------------------------------------------------

template <class Real>
template <class Body>
void LineSweep<Real>::for_each_batch(index_t first, index_t last, const Body& body) {
  if (first == last) return;
  int now = 0;
  index_t before = 0;
  const auto follow = [this](index_t batch, const LineSet& set, index_t sets, LineSet& next) {
    batch < rows_.full_sets() ? rows_.go_on(set, sets, next) : rows_.select(batch, next);
  };
  rows_.select(first, sets_[now]);
  for (index_t batch = first; batch < last;) {
    const index_t behind = std::min(rows_.behind(sets_[now]), last - batch - 1);
    const bool more = batch + 1 < last;
    LineSet& next = sets_[1 - now];
    if (more) follow(batch + 1, sets_[now], 1, next);
    const index_t done = body(LineBatch{&sets_[now], before, behind, more ? &next : nullptr, 1});
    batch += done;
    before = done > behind ? 0 : before + done;
    if (done > 1 && batch < last) follow(batch, sets_[now], done, next);
    now = 1 - now;
  }
}

template <class Real>
void LineSweep<Real>::run(index_t first, index_t last) {
  Real *in = workspace_->in.data(), *out = workspace_->out.data();
  RowStage<Real> stage(*this, pass_->width_behind(there_.direction));
  const Way staged = stage.is_empty() ? there_ : way(there_.direction, &load_, &stage.moves(), Memory::cache);
  for_each_batch(first, last, [&](LineBatch batch) {
    if (!stage.serves(*batch.set)) {
      batch.count = sets_per_call(there_, batch);
      transform(there_, batch, in, out);
      return batch.count;
    }
    if (stage.put(*batch.set)) to_points_.line = nullptr;
    transform(staged, batch, in, out);
    if (stage.stored(batch)) to_points_.line = nullptr;
    return batch.count;
  });
  kernels_.fence();
}

template <class Real>
void LineSweep<Real>::convolve(const LineSymbol<Real>& symbol, index_t first, index_t last) {
  Real *in = workspace_->in.data(), *out = workspace_->out.data();
  const bool at_once = symbol.operation == nullptr && (symbol.addition == nullptr || symbol.width == 1) &&
                       pass_->engine(Direction::forward).routes().convolution && !pass_->transform().is_truncated();
  for_each_batch(first, last, [&](const LineBatch& batch) {
    if (at_once) {
      convolve_at_once(symbol, batch);
    } else {
      Real* modes = transform(there_, batch, in, out);
      Real* free = modes == in ? out : in;
      apply(symbol, *batch.set, modes, free);
      transform(back_, batch, modes, free);
    }
    return batch.count;
  });
  kernels_.fence();
}

template <class Real>
void LineSweep<Real>::convolve_at_once(const LineSymbol<Real>& symbol, const LineBatch& batch) {
  Real* block = workspace_->in.data();
  LanePoints<Real> points;
  load(there_, batch, points, block);
  const bool stored = batch.set->neighbours && store_points(back_, batch, points);
  const RowPosition row{batch.before, batch.behind, batch.following};
  auto factors = line_factors(kernels_, symbol, pass_->modes(), *batch.set, row, workspace_->factor.data());
  if (symbol.addition != nullptr) {
    Real* sums = workspace_->out.data();
    std::fill_n(sums, pass_->modes().count * 2 * kernels_.lanes, Real(0));
    symbol.addition->apply({*batch.set, pass_->axis(), pass_->inner(), 2, nullptr, nullptr}, sums);
    factors.added = sums;
  }
  pass_->engine(Direction::forward).convolve(points, factors, block);
  if (!stored) copy_out(back_, batch, block);
}

template <class Real>
void LineSweep<Real>::apply(const LineSymbol<Real>& symbol, const LineSet& set, Real* block, Real* free) const {
  const LineModes modes = pass_->modes();
  Real* factor = workspace_->factor.data();
  const int width = pass_->width_behind(Direction::forward);
  const ModeLines<Real> lines{set, modes.axis, modes.inner, width, factor, free};
  if (symbol.operation != nullptr) return symbol.operation->apply(lines, block);
  multiply_lines(kernels_, symbol, modes, set, width, factor, block);
  if (symbol.addition != nullptr) symbol.addition->apply(lines, block);
}

template <class Real>
void LineSweep<Real>::combine(std::span<LineSweep> from, std::span<LineSweep> to, const ModeOperation<Real>& operation,
                              index_t first, index_t last) {
  const auto block = [](const LineSweep& sweep, Real* data) {
    const LineModes modes = sweep.pass_->modes();
    return ModeBlock<Real>{data, modes.first, modes.count};
  };
  std::vector<ModeBlock<Real>> in(from.size()), out;
  for (const LineSweep& sweep : to) out.push_back(block(sweep, sweep.workspace_->in.data()));
  LineSweep& any = from.front();
  any.for_each_batch(first, last, [&](const LineBatch& batch) {
    for (std::size_t i = 0; i < from.size(); i++) {
      LineSweep& sweep = from[i];
      in[i] =
          block(sweep, sweep.transform(sweep.there_, batch, sweep.workspace_->in.data(), sweep.workspace_->out.data()));
    }
    const ModeLines<Real> where{*batch.set,
                                any.pass_->axis(),
                                any.pass_->inner(),
                                any.pass_->width_behind(Direction::forward),
                                from.front().workspace_->factor.data(),
                                from.back().workspace_->factor.data()};
    operation.apply(where, in, out);
    for (LineSweep& sweep : to)
      sweep.transform(sweep.back_, batch, sweep.workspace_->in.data(), sweep.workspace_->out.data());
    return batch.count;
  });
  any.kernels_.fence();
}

// --- one batch ---------------------------------------------------------------------------------------------------

template <class Real>
Real* LineSweep<Real>::transform(const Way& way, const LineBatch& batch, Real* in, Real* out) {
  const bool forward = way.direction == Direction::forward, neighbours = batch.set->neighbours;
  const bool whole = way.route == Route::lines && !changes_points(*batch.set);
  if (whole || (way.route == Route::row && neighbours)) {
    whole ? transform_lines(way, batch, in, out) : transform_row(way, batch, in, out);
    return nullptr;  // from memory to memory
  }
  LanePoints<Real> points;
  points.batches = batch.count;
  load(way, batch, points, in);
  const bool stored = neighbours && store_points(way, batch, points);
  Real* result = pass_->engine(way.direction).transform(points, in, out);
  if (forward) fold_modes(pass_->transform(), pass_->width_behind(way.direction), kernels_.lanes, result);
  if (way.store != nullptr && !stored) copy_out(way, batch, result);
  return result;
}

// Sets of a row one after another: only their addresses differ, so everything else is determined once.
template <class Real>
void LineSweep<Real>::transform_row(const Way& way, const LineBatch& batch, Real* in, Real* out) const {
  const LineMove<Real>&load = way.load->front(), &store = way.store->front();
  const LineEngine<Real>& engine = pass_->engine(way.direction);
  const int lanes = kernels_.lanes, inner = pass_->inner();
  Real *from[LineSet::most], *to[LineSet::most];
  const LineCopy<Real> copy_in = copy_of(load, *batch.set, pass_->width_before(way.direction),
                                         prefetch_distance(*way.load, batch, from_), from),
                       copy_out = copy_of(store, *batch.set, pass_->width_behind(way.direction),
                                          way.in_place ? 0 : prefetch_distance(*way.store, batch, way.to), to);
  for (index_t set = 0; set < batch.count; set++) {
    kernels_.load(copy_in, in);
    kernels_.store(copy_out, engine.transform(in, out), scale_);
    for (int l = 0; l < lanes; l++) {
      from[l] += lanes * load.stride[inner];
      to[l] += lanes * store.stride[inner];
    }
  }
}

template <class Real>
void LineSweep<Real>::load(const Way& way, const LineBatch& batch, LanePoints<Real>& points, Real* in) {
  const bool forward = way.direction == Direction::forward;
  const int width = pass_->width_before(way.direction);
  if (way.points_in && batch.set->neighbours) {
    find_points(*way.load, batch, from_points_, points.from);
    if (way.prefetches) {
      points.prefetch = prefetch(*way.load, batch, width);
    } else {
      points.from.prefetch_distance = prefetch_distance(*way.load, batch, from_);
    }
  } else if (way.load != nullptr) {
    if (forward) pass_->clear_padding(in);
    copy_in(way, batch, in);
    const AxisTransform& transform = pass_->transform();
    const index_t element = index_t{width} * kernels_.lanes;
    if (check_finite_)
      kernels_.mark_non_finite(in + transform.pad * element, transform.count * element, workspace_->non_finite.data());
    if (changes_points(*batch.set))
      loaded_->apply(*batch.set, pass_->axis(), pass_->inner(), in + transform.pad * element);
  }
  if (!forward) unfold_modes(pass_->transform(), width, kernels_.lanes, in);
}

// Sets where the points or modes of neighbours are stored; returns false if the engine cannot store them.
template <class Real>
bool LineSweep<Real>::store_points(const Way& way, const LineBatch& batch, LanePoints<Real>& points) {
  if (!way.points_out) return false;
  points.scale = scale_;
  if (way.in_place && points.from.at != nullptr) {
    points.to.at = points.from.at;
    points.to.shift = points.from.shift;
    return true;
  }
  find_points(*way.store, batch, to_points_, points.to);
  points.stream = full_cache_lines(*way.store, *batch.set, pass_->width_behind(way.direction));
  if (!points.stream) points.to.prefetch_distance = prefetch_distance(*way.store, batch, way.to);
  return true;
}

// The copy of a range of points of a set of lines; their addresses are written to `lines`.
template <class Real>
LineCopy<Real> LineSweep<Real>::copy_of(const LineMove<Real>& move, const LineSet& set, int width,
                                        index_t prefetch_distance, Real** lines) const {
  const bool adjacent = addresses(move, set, pass_->inner(), width, kernels_.lanes, lines);
  return {.lines = lines,
          .first = move.first,
          .count = move.count,
          .step = move.stride[pass_->axis()],
          .width = width,
          .used = set.used,
          .adjacent = adjacent,
          .stream = move.stream,
          .prefetch_distance = prefetch_distance};
}

template <class Real>
void LineSweep<Real>::copy_in(const Way& way, const LineBatch& batch, Real* block) const {
  const index_t next = prefetch_distance(*way.load, batch, from_);
  Real* lines[LineSet::most];
  for (const LineMove<Real>& move : *way.load)
    kernels_.load(copy_of(move, *batch.set, pass_->width_before(way.direction), next, lines), block);
}

template <class Real>
void LineSweep<Real>::copy_out(const Way& way, const LineBatch& batch, const Real* block) const {
  alignas(64) static constexpr Real zeros[2 * LineSet::most] = {};
  const index_t next = way.in_place ? 0 : prefetch_distance(*way.store, batch, way.to);
  Real* lines[LineSet::most];
  for (const LineMove<Real>& move : *way.store)
    kernels_.store(copy_of(move, *batch.set, pass_->width_behind(way.direction), next, lines),
                   move.zero ? zeros : block, scale_);
}

// The distance in reals from a batch to the next one.
template <class Real>
index_t LineSweep<Real>::prefetch_distance(const Moves& moves, const LineBatch& batch, Memory where) const {
  if (where == Memory::cache || batch.following == nullptr || moves.empty()) return 0;
  index_t distance = 0;
  for (int a = 0; a < batch.set->index[0].dims(); a++)
    distance += (batch.following->index[0][a] - batch.set->index[0][a]) * moves.front().stride[a];
  return distance;
}

// The data that later batches load.
template <class Real>
PrefetchRange LineSweep<Real>::prefetch(const Moves& moves, const LineBatch& batch, int width) const {
  const index_t points = moves.back().first + moves.back().count;
  const Memory where = batch.behind == 0 ? Memory::main : Memory::cache;
  return prefetch_range<Real>({batch.before, batch.behind, batch.following}, points, kernels_.lanes * width,
                              prefetch_distance(moves, batch, where));
}

// --- points ------------------------------------------------------------------------------------------------------
// Engines that can load and store points themselves receive the addresses of the elements of one line. A table of
// addresses serves segments, padding and truncation alike.

// Fills the table for the first batch. It serves all lines whose elements have the same distances, or else those of one
// row; with padding or truncation, a single batch. Entries without memory are left unchanged.
template <class Real>
void LineSweep<Real>::find_points(const Moves& moves, const LineBatch& batch, PointTable& table,
                                  PointAddresses<Real>& points) const {
  const Extents& index = batch.set->index[0];
  const Real* line = address(moves.front(), index);
  points.at = table.at;
  if (pass_->is_full() && table.line != nullptr && (table.serves_all || batch.before > 0)) {
    points.shift = line - table.line;
    return;
  }
  table.line = line;
  for (const LineMove<Real>& move : moves) {
    Real *point = address(move, index), **at = table.at + move.first;
    const index_t step = move.stride[pass_->axis()];
    for (index_t j = 0; j < move.count; j++, point += step) at[j] = point;
  }
}

// Whether points may be streamed: only if each is whole cache lines, since parts would go to memory one by one.
template <class Real>
bool LineSweep<Real>::full_cache_lines(const Moves& moves, const LineSet& set, int width) const {
  constexpr index_t line = cache_line_reals<Real>;
  return kernels_.lanes * width % line == 0 && std::all_of(moves.begin(), moves.end(), [&](const LineMove<Real>& move) {
           return move.stream && reinterpret_cast<std::intptr_t>(address(move, set.index[0])) % cache_line_bytes == 0 &&
                  move.stride[pass_->axis()] % line == 0;
         });
}

#define WEFT_SWEEP(Real)                                                                                         \
  template void LineSweep<Real>::run(index_t, index_t);                                                          \
  template void LineSweep<Real>::convolve(const LineSymbol<Real>&, index_t, index_t);                            \
  template void LineSweep<Real>::combine(std::span<LineSweep>, std::span<LineSweep>, const ModeOperation<Real>&, \
                                         index_t, index_t);                                                      \
  template bool LineSweep<Real>::full_cache_lines(const Moves&, const LineSet&, int) const;                      \
  template index_t LineSweep<Real>::prefetch_distance(const Moves&, const LineBatch&, Memory) const;
WEFT_SWEEP(double)
WEFT_SWEEP(float)
#undef WEFT_SWEEP

}  // namespace weft
