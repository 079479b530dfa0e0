// Loading, transforming and storing batches of lines.
#include "plan/line_pass.hpp"

#include <algorithm>
#include <utility>

#include "plan/line_batches.hpp"
#include "plan/line_places.hpp"
#include "plan/mode_folding.hpp"
#include "plan/row_stage.hpp"

namespace weft {

index_t padding_begin(const AxisTransform& transform) {
  const bool behind = is_fourier(transform.kind) && transform.pad == 0 && transform.count < transform.length;
  return behind ? transform.count : every_point;
}

template <class Real>
LinePass<Real>::LinePass(int axis, int inner, const AxisTransform& transform, int width, const Extents& batch,
                         std::shared_ptr<const LineEngine<Real>> forward,
                         std::shared_ptr<const LineEngine<Real>> backward)
    : kernels_(lane_kernels<Real>()),
      axis_(axis),
      inner_(inner),
      transform_(transform),
      width_(width),
      spectral_width_(is_fourier(transform.kind) ? 2 : width),
      forward_(std::move(forward)),
      backward_(std::move(backward)) {
  for (int a = 0; a < batch.dims(); a++) whole_.push_back({0, a == axis ? 1 : batch[a]});
}

template <class Real>
index_t LinePass<Real>::block_reals() const {
  return std::max(forward_->reals_per_lane(), backward_->reals_per_lane()) * kernels_.lanes;
}

// --- from views to moves -----------------------------------------------------------------------------------------

template <class Real>
typename LinePass<Real>::Moves LinePass<Real>::physical_moves(const SegmentedView<Real>& view,
                                                              Direction direction) const {
  const AxisTransform& t = transform_;
  Moves moves;
  for (const Segment<Real>& segment : view.segments) {
    const index_t lo = std::max(segment.first, t.first_point);
    const index_t hi = std::min(segment.first + segment.count, t.first_point + t.count);
    if (lo < hi)
      moves.push_back({.first = lo - t.first_point + t.pad,
                       .count = hi - lo,
                       .base = segment.base + (lo - segment.first) * segment.stride[axis_],
                       .stride = segment.stride,
                       .stream = view.stream});
    if (direction == Direction::forward) continue;
    for (const EndPoint& end : t.ends) {
      const index_t place = end.point - segment.first;
      if (place < 0 || place >= segment.count) continue;
      const index_t source = end.periodic ? t.pad - t.first_point : 0;
      moves.push_back({.first = source,
                       .count = 1,
                       .base = segment.base + place * segment.stride[axis_],
                       .stride = segment.stride,
                       .zero = !end.periodic});
    }
  }
  return moves;
}

template <class Real>
typename LinePass<Real>::Moves LinePass<Real>::spectral_moves(const SegmentedView<Real>& view,
                                                              Direction direction) const {
  const index_t made_lo = transform_.first_mode, made_hi = made_lo + transform_.made_modes();
  Moves moves;
  for (const Segment<Real>& segment : view.segments) {
    const index_t begin = segment.first, end = segment.first + segment.count;
    const auto move = [&](index_t lo, index_t hi, bool made) {
      if (lo < hi)
        moves.push_back({.first = made ? lo - made_lo : 0,
                         .count = hi - lo,
                         .base = segment.base + (lo - begin) * segment.stride[axis_],
                         .stride = segment.stride,
                         .zero = !made,
                         .stream = made && view.stream});
    };
    move(std::max(begin, made_lo), std::min(end, made_hi), true);
    if (direction == Direction::backward) continue;
    for (index_t mode = begin; mode < end; mode++)
      if (mode < made_lo || mode >= made_hi) move(mode, mode + 1, false);
  }
  return moves;
}

// Reals from where a batch is to where the next one is.
template <class Real>
index_t LinePass<Real>::ahead(const Moves& moves, const Batch& batch, Memory where) const {
  if (where == Memory::cache || batch.following == nullptr || moves.empty()) return 0;
  index_t distance = 0;
  for (int a = 0; a < batch.set->index[0].dims(); a++)
    distance += (batch.following->index[0][a] - batch.set->index[0][a]) * moves.front().stride[a];
  return distance;
}

// What the batches behind this one load.
template <class Real>
LaneFetch LinePass<Real>::fetch(const Moves& moves, const Batch& batch, int width) const {
  const index_t points = moves.back().first + moves.back().count;
  const Memory where = batch.behind == 0 ? Memory::main : Memory::cache;
  return fetched_with<Real>(row_place(batch), points, kernels_.lanes * width, ahead(moves, batch, where));
}

// A run of the points of a set of lines, whose addresses come to `lines`.
template <class Real>
LineCopy<Real> LinePass<Real>::copy_of(const Move& move, const LineSet& set, int width, index_t ahead,
                                       Real** lines) const {
  const bool adjacent = addresses(move, set, inner_, width, kernels_.lanes, lines);
  return {.lines = lines,
          .first = move.first,
          .count = move.count,
          .step = move.stride[axis_],
          .width = width,
          .used = set.used,
          .adjacent = adjacent,
          .stream = move.stream,
          .ahead = ahead};
}

template <class Real>
void LinePass<Real>::copy_in(const Job& job, const Batch& batch) const {
  const index_t next = ahead(*job.load, batch, job.sweep.from);
  Real* lines[LineSet::most];
  for (const Move& move : *job.load)
    kernels_.load(copy_of(move, *batch.set, width_before(job.direction), next, lines), job.in);
}

template <class Real>
void LinePass<Real>::copy_out(const Job& job, const Batch& batch, const Real* block) const {
  alignas(64) static constexpr Real zeros[2 * LineSet::most] = {};
  const index_t next = job.in_place ? 0 : ahead(*job.store, batch, job.sweep.to);
  Real* lines[LineSet::most];
  for (const Move& move : *job.store)
    kernels_.store(copy_of(move, *batch.set, width_behind(job.direction), next, lines), move.zero ? zeros : block,
                   job.sweep.scale);
}

template <class Real>
void LinePass<Real>::clear_padding(Real* block) const {
  const index_t element = width_ * kernels_.lanes, begin = transform_.pad + transform_.count;
  std::fill_n(block, transform_.pad * element, Real(0));
  // An engine that knows where zeros begin still reads points in pairs.
  const bool known = forward_->knows_padding() && padding_begin(transform_) == begin;
  const index_t end = known ? std::min(begin + 1, transform_.length) : transform_.length;
  std::fill(block + begin * element, block + end * element, Real(0));
}

// --- points ------------------------------------------------------------------------------------------------------
// Engines that can load and store points themselves get the addresses of the first line's; a table of addresses makes
// segments, padding and truncation all the same to them.

// Entries without memory are left alone.
template <class Real>
void LinePass<Real>::fill_points(const Moves& moves, const LineSet& set, Real** points) const {
  for (const Move& move : moves) {
    Real* point = address(move.base, move.stride, set.index[0]);
    const index_t step = move.stride[axis_];
    for (index_t j = 0; j < move.count; j++, point += step) points[move.first + j] = point;
  }
}

// Whether points may be streamed to: each is whole cache lines then. Halves of them would go to memory one by one.
template <class Real>
bool LinePass<Real>::whole_cache_lines(const Moves& moves, const LineSet& set, int width) const {
  constexpr index_t line = cache_line_reals<Real>;
  return kernels_.lanes * width % line == 0 && std::all_of(moves.begin(), moves.end(), [&](const Move& move) {
           const Real* point = address(move.base, move.stride, set.index[0]);
           return move.stream && reinterpret_cast<std::intptr_t>(point) % cache_line_bytes == 0 &&
                  move.stride[axis_] % line == 0;
         });
}

// --- the loop ----------------------------------------------------------------------------------------------------

// The table of addresses is made for the first batch of a row and serves all of it; where padding has a place that is
// no part of the row, for every batch.
template <class Real>
LanePlaces<Real> LinePass<Real>::places(const Moves& moves, const LineSet& set, index_t shift, int width,
                                        Real** table) const {
  if (!is_whole()) shift = 0;
  if (shift == 0) fill_points(moves, set, table);
  return {table, shift * width};
}

template <class Real>
bool LinePass<Real>::load_points(const Job& job, const Batch& batch, const PassWorkspace<Real>& workspace,
                                 LanePoints<Real>& points) const {
  const int width = width_before(job.direction);
  if (job.sweep.watch || !neighbours_touch(*job.load, width)) return false;
  points.from = places(*job.load, *batch.set, batch.shift, width, workspace.from.data());
  if (job.fetches) {
    points.fetch = fetch(*job.load, batch, width);
  } else {
    points.from.ahead = ahead(*job.load, batch, job.sweep.from);
  }
  return true;
}

// End points are stored twice or as zeros, which a table of one address per element cannot say.
template <class Real>
bool LinePass<Real>::store_points(const Job& job, const Batch& batch, const PassWorkspace<Real>& workspace,
                                  LanePoints<Real>& points) const {
  const int width = width_behind(job.direction);
  if (!neighbours_touch(*job.store, width) || (job.direction == Direction::backward && !transform_.ends.empty()))
    return false;
  points.scale = job.sweep.scale;
  if (job.in_place && points.from.at != nullptr) {
    points.to = {points.from.at, points.from.shift};
    return true;
  }
  points.to = places(*job.store, *batch.set, batch.store_shift, width, workspace.to.data());
  points.stream = whole_cache_lines(*job.store, *batch.set, width);
  if (!points.stream) points.to.ahead = ahead(*job.store, batch, job.sweep.to);
  return true;
}

// Whether the engine takes points or modes out of memory and puts them there itself. Those of a truncated spectrum are
// counted off in a block.
template <class Real>
bool LinePass<Real>::may_use_points(const LineEngine<Real>& engine, const Batch& batch, bool physical) const {
  return batch.set->neighbours && engine.can_use_points() && (physical || !transform_.is_truncated());
}

template <class Real>
void LinePass<Real>::load(const Job& job, const Batch& batch, const PassWorkspace<Real>& workspace,
                          const LineEngine<Real>& engine, LanePoints<Real>& points) const {
  const bool forward = job.direction == Direction::forward;
  if (job.load != nullptr && !(may_use_points(engine, batch, forward) && load_points(job, batch, workspace, points))) {
    if (forward) clear_padding(job.in);
    copy_in(job, batch);
    const index_t element = index_t{width_} * kernels_.lanes;
    if (job.sweep.watch)
      kernels_.watch(job.in + transform_.pad * element, transform_.count * element, workspace.watched.data());
  }
  if (!forward) unfold_modes(transform_, spectral_width_, kernels_.lanes, job.in);
}

template <class Real>
Real* LinePass<Real>::transform(const Job& job, const Batch& batch, const PassWorkspace<Real>& workspace) const {
  const bool forward = job.direction == Direction::forward;
  const LineEngine<Real>& engine = engine_for(job.direction);
  if (transform_lines(job, batch, workspace) || transform_gathered(job, batch)) return nullptr;
  LanePoints<Real> points;
  points.batches = batch.count;
  load(job, batch, workspace, engine, points);
  const bool stored =
      job.store != nullptr && may_use_points(engine, batch, !forward) && store_points(job, batch, workspace, points);
  const bool has_points = points.from.at != nullptr || stored;
  Real* result = has_points ? engine.transform(points, job.in, job.out) : engine.transform(job.in, job.out);
  if (forward) fold_modes(transform_, spectral_width_, kernels_.lanes, result);
  if (job.store != nullptr && !stored) copy_out(job, batch, result);
  return result;
}

template <class Real>
void LinePass<Real>::run(Direction direction, const Sweep& sweep, const Lines& lines, index_t first, index_t last,
                         const PassWorkspace<Real>& workspace) const {
  prepare(workspace);
  const int width = width_behind(direction);
  RowStage stage(*this, sweep.store, width, workspace.stage);
  Sweep to_stage{sweep.load, stage.moves(), sweep.scale, sweep.from, Memory::cache, sweep.watch};
  const Job direct = job(direction, &sweep.load, &sweep.store, sweep, workspace.in.data(), workspace.out.data()),
            staged = job(direction, &sweep.load, &stage.moves(), to_stage, direct.in, direct.out);
  for_each_batch(lines, first, last, [&](Batch batch) {
    if (!stage.serves(*batch.set)) {
      batch.count = together(direct, batch);
      transform(direct, batch, workspace);
      return batch.count;
    }
    batch.store_shift = stage.put(*batch.set);
    transform(staged, batch, workspace);
    stage.stored(batch);
    return batch.count;
  });
  kernels_.fence();
}

template <class Real>
void LinePass<Real>::convolve(const LineSymbol<Real>& symbol, const Sweep& sweep, const Lines& lines, index_t first,
                              index_t last, const PassWorkspace<Real>& workspace) const {
  prepare(workspace);
  if (convolves_at_once()) {
    for_each_batch(lines, first, last, [&](const Batch& batch) {
      convolve_at_once(symbol, sweep, batch, workspace);
      return batch.count;
    });
    return kernels_.fence();
  }
  Real *in = workspace.in.data(), *out = workspace.out.data();
  const Job there = job(Direction::forward, &sweep.load, nullptr, sweep, in, out);
  for_each_batch(lines, first, last, [&](const Batch& batch) {
    Real* modes = transform(there, batch, workspace);
    apply(symbol, *batch.set, workspace.factor.data(), modes);
    const Job back = job(Direction::backward, nullptr, &sweep.store, sweep, modes, modes == in ? out : in);
    transform(back, batch, workspace);
    return batch.count;
  });
  kernels_.fence();
}

template <class Real>
void LinePass<Real>::convolve_at_once(const LineSymbol<Real>& symbol, const Sweep& sweep, const Batch& batch,
                                      const PassWorkspace<Real>& workspace) const {
  Real* block = workspace.in.data();
  const Job there = job(Direction::forward, &sweep.load, nullptr, sweep, block, nullptr);
  const Job back = job(Direction::backward, &sweep.load, &sweep.store, sweep, block, nullptr);
  LanePoints<Real> points;
  load(there, batch, workspace, *forward_, points);
  const bool stored = may_use_points(*forward_, batch, true) && store_points(back, batch, workspace, points);
  const auto factors =
      line_factors(kernels_, symbol, line_modes(), *batch.set, row_place(batch), workspace.factor.data());
  forward_->convolve(points, factors, block);
  if (!stored) copy_out(back, batch, block);
}

// Points without memory: zeros are read from one element, what is cut off goes to another.
template <class Real>
void LinePass<Real>::prepare(const PassWorkspace<Real>& workspace) const {
  Real *zeros = workspace.missing.data(), *sink = zeros + PassWorkspace<Real>::most_missing / 2;
  std::fill_n(zeros, PassWorkspace<Real>::most_missing, Real(0));
  std::fill_n(workspace.from.data(), most_points() + 1, zeros);
  std::fill_n(workspace.to.data(), most_points() + 1, sink);
}

template <class Real>
void LinePass<Real>::apply(const LineSymbol<Real>& symbol, const LineSet& set, Real* factor, Real* block) const {
  const LineModes modes = line_modes();
  load_factors(kernels_, symbol, modes, set, factor);
  if (symbol.width == 2) {
    kernels_.multiply_complex(block, factor, modes.count);
  } else {
    kernels_.multiply(block, factor, modes.count, spectral_width_);
  }
}

template class LinePass<double>;
template class LinePass<float>;

}  // namespace weft
