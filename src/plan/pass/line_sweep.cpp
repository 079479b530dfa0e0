// Prepares a sweep, which determines once what all of its batches have in common, and runs it.
#include "plan/pass/line_sweep.hpp"

#include <algorithm>
#include <utility>

#include "plan/pass/row_stage.hpp"
#include "transform/simd/processor.hpp"

namespace weft {

namespace {

template <class Real>
bool same_points(const LineMoves<Real>& load, const LineMoves<Real>& store) {
  return std::equal(load.begin(), load.end(), store.begin(), store.end(),
                    [](const LineMove<Real>& a, const LineMove<Real>& b) {
                      return a.base == b.base && a.first == b.first && a.count == b.count && a.stride == b.stride;
                    });
}

// Whether the elements of all lines have the same distances.
template <class Real>
bool lie_alike(const LineMoves<Real>& moves, int axis) {
  bool alike = true;
  for (const LineMove<Real>& move : moves)
    for (int a = 0; a < move.stride.dims(); a++)
      alike = alike && (a == axis || move.stride[a] == moves.front().stride[a]);
  return alike;
}

// Appends the following rows to a row if their lines continue it in memory with the same stride: rows of small arrays
// have fewer lines than a vector has lanes.
template <class Real>
void lengthen_rows(LineRanges& lines, int axis, int inner, LineMoves<Real>& load, LineMoves<Real>& store) {
  if (inner < 0) return;
  const auto goes_on = [&](const LineMoves<Real>& moves, int a) {
    const index_t row = lines.end[inner] - lines.begin[inner];
    return std::all_of(moves.begin(), moves.end(),
                       [&](const LineMove<Real>& move) { return move.stride[a] == row * move.stride[inner]; });
  };
  for (int a = lines.begin.dims() - 1; a >= 0; a--) {
    const index_t begin = lines.begin[a], rows = lines.end[a] - begin;
    if (a == axis || a == inner || rows <= 1 || !goes_on(load, a) || !goes_on(store, a)) continue;
    for (LineMoves<Real>* moves : {&load, &store})
      for (LineMove<Real>& move : *moves) move.base += begin * move.stride[a];
    lines.end[inner] = lines.begin[inner] + rows * (lines.end[inner] - lines.begin[inner]);
    lines.begin[a] = 0;
    lines.end[a] = 1;
    a = lines.begin.dims();  // another axis may continue the row now
  }
}

// Whether transforming some lines of each row twice costs less than gathering the lines beyond its whole sets.
bool worth_overlapping(const LineRanges& lines, int inner, int lanes) {
  if (inner < 0) return false;
  const index_t row = lines.end[inner] - lines.begin[inner];
  return row > lanes && row % lanes >= lanes / 2;
}

// The range of addresses of all elements.
template <class Real>
std::pair<const Real*, const Real*> span_of(const LineMoves<Real>& moves, const LineRanges& lines, int axis) {
  std::pair<const Real*, const Real*> span{nullptr, nullptr};
  for (const LineMove<Real>& move : moves) {
    index_t low = 0, high = 0;
    for (int a = 0; a < lines.begin.dims(); a++) {
      const index_t first = a == axis ? 0 : lines.begin[a] * move.stride[a];
      const index_t last = (a == axis ? move.count - 1 : lines.end[a] - 1) * move.stride[a];
      low += std::min(first, last);
      high += std::max(first, last);
    }
    const Real *begin = move.base + low, *end = move.base + high + 1;  // room for the second real of an element
    if (span.first == nullptr || begin < span.first) span.first = begin;
    if (end >= span.second) span.second = end + 1;
  }
  return span;
}

// Whether no result overwrites lines that overlapping sets load again.
template <class Real>
bool lie_apart(const LineMoves<Real>& load, const LineMoves<Real>& store, const LineRanges& lines, int axis) {
  const auto from = span_of(load, lines, axis), to = span_of(store, lines, axis);
  return from.second <= to.first || to.second <= from.first;
}

// Whether prefetches are spread over a set, where vectors are cache lines: always in place. In a pass to another array
// they suit streaming stores, and blocks of medium size in a cache, but not memory that has to be loaded into the cache
// before it is stored to, nor processors whose loads and streaming stores share few buffers.
template <class Real>
bool spreads_prefetches(const LineWay<Real>& way) {
  if (is_real_to_real(way.pass->transform().kind)) return false;  // their kernels prefetch all at once
  if (way.from_memory == Memory::cache || way.kernels->lanes < cache_line_reals<Real>) return false;
  if (way.in_place) return true;
  if (has_few_buffers()) return false;
  const index_t block = way.pass->block_reals() * static_cast<index_t>(sizeof(Real));
  return way.store_moves->front().stream || (way.to_memory == Memory::cache && block >= 16384 && block <= 65536);
}

// Whether the engine itself loads the points of neighbours. Modes of a truncated spectrum are unfolded in a block
// instead.
template <class Real>
bool loads_points(const LinePass<Real>& pass, Direction direction, const LineMoves<Real>& load) {
  const bool counted = direction == Direction::backward && pass.transform().is_truncated();
  return pass.engine(direction).routes().points && !counted &&
         pass.neighbours_touch(load, pass.width_before(direction));
}

// Whether the engine stores neighbours itself. End points, repeated or zeros, do not fit into a table of addresses.
template <class Real>
bool stores_points(const LinePass<Real>& pass, Direction direction, const LineMoves<Real>& store) {
  const bool other = direction == Direction::forward ? pass.transform().is_truncated() : pass.has_ends();
  return pass.engine(direction).routes().points && !other && pass.neighbours_touch(store, pass.width_after(direction));
}

// Whether points of a line are whole pages apart: they fall into one set of the nearest cache.
template <class Real>
bool pages_apart(const LineMoves<Real>& moves, int axis) {
  constexpr index_t page_reals = 4096 / static_cast<index_t>(sizeof(Real));
  return std::any_of(moves.begin(), moves.end(),
                     [axis](const LineMove<Real>& move) { return move.stride[axis] % page_reals == 0; });
}

// Whether the engine may access points in memory. Those of cosine and sine transforms are half cache lines with AVX2,
// loaded and stored twice, and their kernels have no streaming stores.
template <class Real>
bool accesses_points(const LineWay<Real>& way) {
  if (!is_real_to_real(way.pass->transform().kind) || way.is_near()) return true;
  const auto lies_badly = [axis = way.pass->axis()](const LineMoves<Real>* moves) {
    return moves != nullptr && pages_apart(*moves, axis);
  };
  const bool streams = way.store_moves != nullptr && !way.store_moves->empty() && way.store_moves->front().stream;
  return !streams && !lies_badly(way.load_moves) && !lies_badly(way.store_moves);
}

// The route of whole lines from memory to memory.
template <class Real>
typename LineWay<Real>::Route route_of(const LineWay<Real>& way) {
  using Route = typename LineWay<Real>::Route;
  const LinePass<Real>& pass = *way.pass;
  if (pass.engine(way.direction).routes().lines && pass.is_contiguous(*way.load_moves, space_before(way.direction)) &&
      pass.is_contiguous(*way.store_moves, space_after(way.direction)))
    return Route::lines;
  if (pass.has_ends()) return Route::block;
  if (way.points_in && way.points_out) return way.prefetches ? Route::block : Route::points;
  const bool runs = way.load_moves->size() == 1 && way.store_moves->size() == 1;
  return runs && !way.check_finite && way.loaded == nullptr && !way.points_in && !way.points_out ? Route::row
                                                                                                 : Route::block;
}

}  // namespace

template <class Real>
LineWay<Real> LineWay<Real>::between(const Moves* load, const Moves* store, Memory to) const {
  LineWay way = *this;
  way.load_moves = load;
  way.store_moves = store;
  way.to_memory = to;
  const bool points = accesses_points(way);
  way.points_in =
      points && load != nullptr && !check_finite && loaded == nullptr && loads_points(*pass, direction, *load);
  way.points_out = points && store != nullptr && stores_points(*pass, direction, *store);
  way.in_place = way.prefetches = false;
  way.route = Route::block;
  if (load == nullptr || store == nullptr || !pass->is_full()) return way;
  way.in_place = !pass->has_ends() && same_points(*load, *store);
  way.prefetches = !store->empty() && spreads_prefetches(way);
  way.route = route_of(way);
  return way;
}

template <class Real>
void LineSweep<Real>::prepare(const LinePass<Real>& pass, Direction direction, const LineEnd<Real>& from,
                              const LineEnd<Real>& to, const LineRanges& lines, const PassWorkspace<Real>& workspace,
                              const Options& options) {
  const bool forward = direction == Direction::forward;
  forward ? pass.physical_moves(from, direction, load_) : pass.spectral_moves(from, direction, load_);
  forward ? pass.spectral_moves(to, direction, store_) : pass.physical_moves(to, direction, store_);
  LineRanges rows = lines;
  if (from.loaded == nullptr) lengthen_rows(rows, pass.axis(), pass.inner(), load_, store_);
  const bool overlapped = options.alone && worth_overlapping(rows, pass.inner(), lane_kernels<Real>().lanes) &&
                          lie_apart(load_, store_, rows, pass.axis());
  const LineWay<Real> way{.pass = &pass,
                          .workspace = &workspace,
                          .from_points = &from_points_,
                          .to_points = &to_points_,
                          .direction = direction,
                          .scale = options.scale,
                          .check_finite = options.check_finite,
                          .loaded = from.loaded,
                          .from_memory = from.memory};
  start(way, rows, overlapped ? RowRest::overlapped : RowRest::gathered);
  way_ = way.between(&load_, &store_, to.memory);
  // Prefetches of arrays in main memory need rows as they lie there.
  const bool alike = from_points_.serves_all && to_points_.serves_all, near = way_.is_near();
  if (alike && near && (way_.route == LineWay<Real>::Route::points || way_.route == LineWay<Real>::Route::row))
    rows_.join_rows();
}

// Symbols depend on the axes of the lines, as operations on points do, so rows are not lengthened.
template <class Real>
void LineSweep<Real>::prepare_forward_and_backward(const LinePass<Real>& pass, const LineEnd<Real>* from,
                                                   const LineEnd<Real>* to, const LineRanges& lines,
                                                   const PassWorkspace<Real>& workspace, Real scale) {
  load_.clear();
  store_.clear();
  if (from != nullptr) pass.physical_moves(*from, Direction::forward, load_);
  if (to != nullptr) pass.physical_moves(*to, Direction::backward, store_);
  LineWay<Real> way{.pass = &pass,
                    .workspace = &workspace,
                    .from_points = &from_points_,
                    .to_points = &to_points_,
                    .scale = scale,
                    .loaded = from != nullptr ? from->loaded : nullptr,
                    .from_memory = from != nullptr ? from->memory : Memory::cache};
  start(way, lines);
  const Memory where = to != nullptr ? to->memory : Memory::cache;
  way_ = way.between(&load_, nullptr, where);
  way.direction = Direction::backward;
  way_back_ = way.between(nullptr, &store_, where);
  // Whether the backward transform stores to the points that were loaded.
  way_back_.in_place = pass.is_full() && !pass.has_ends() && same_points(load_, store_);
}

// Points without memory: zeros are loaded from one element, truncated results are stored to another.
template <class Real>
void LineSweep<Real>::start(const LineWay<Real>& way, const LineRanges& lines, RowRest rest) {
  const LinePass<Real>& pass = *way.pass;
  const PassWorkspace<Real>& workspace = *way.workspace;
  rows_ = LineRows(lines, pass.inner(), way.kernels->lanes, rest);
  from_points_ = {workspace.from.data(), nullptr, lie_alike(load_, pass.axis())};
  to_points_ = {workspace.to.data(), nullptr, lie_alike(store_, pass.axis())};
  if (pass.is_full()) return;
  Real *zeros = workspace.missing.data(), *sink = zeros + PassWorkspace<Real>::most_missing / 2;
  std::fill_n(zeros, PassWorkspace<Real>::most_missing, Real(0));
  std::fill_n(workspace.from.data(), pass.most_points() + 1, zeros);
  std::fill_n(workspace.to.data(), pass.most_points() + 1, sink);
}

template <class Real>
template <class Body>
void LineSweep<Real>::for_each_batch(index_t first, index_t last, const Body& body) {
  if (first == last) return;
  int now = 0;
  index_t before = 0;
  const auto follow = [this](index_t batch, const LineSet& set, index_t sets, LineSet& next) {
    batch < rows_.full_sets() ? rows_.advance(set, sets, next) : rows_.select(batch, next);
  };
  rows_.select(first, sets_[now]);
  for (index_t batch = first; batch < last;) {
    const index_t after = std::min(rows_.after(sets_[now]), last - batch - 1);
    const bool more = batch + 1 < last;
    LineSet& next = sets_[1 - now];
    if (more) follow(batch + 1, sets_[now], 1, next);
    const index_t done =
        body(LineBatch{{before, after, more ? &next : nullptr}, &sets_[now], rows_.along(), rows_.step()});
    batch += done;
    before = done > after ? 0 : before + done;
    if (done > 1 && batch < last) follow(batch, sets_[now], done, next);
    now = 1 - now;
  }
}

template <class Real>
void LineSweep<Real>::run(index_t first, index_t last) {
  RowStage<Real> stage(way_);
  const LineWay<Real> staged = stage.is_empty() ? way_ : way_.between(&load_, &stage.moves(), Memory::cache);
  for_each_batch(first, last, [&](LineBatch batch) {
    if (!stage.serves(*batch.set)) {
      batch.count = way_.sets_per_call(batch);
      transform(way_, batch);
      return batch.count;
    }
    if (stage.put(*batch.set)) to_points_.line = nullptr;
    transform(staged, batch);
    if (stage.stored(batch)) to_points_.line = nullptr;
    return batch.count;
  });
  way_.kernels->fence();
}

template <class Real>
void LineSweep<Real>::convolve(const LineSymbol<Real>& symbol, index_t first, index_t last) {
  const LinePass<Real>& pass = *way_.pass;
  const LineModes modes = pass.modes();
  const int width = pass.width_after(Direction::forward);
  Real *in = way_.workspace->in.data(), *out = way_.workspace->out.data(), *factor = way_.workspace->factor.data();
  const bool at_once = symbol.operation == nullptr && (symbol.addition == nullptr || symbol.width == 1) &&
                       pass.engine(Direction::forward).routes().convolution && !pass.transform().is_truncated();
  for_each_batch(first, last, [&](const LineBatch& batch) {
    if (at_once) {
      convolve_at_once(symbol, batch);
      return batch.count;
    }
    Real* block = way_.transform(batch, in, out);
    Real* free = block == in ? out : in;
    const ModeLines<Real> lines{*batch.set, batch, modes.axis, modes.inner, width, factor, free};
    if (symbol.operation != nullptr) {
      symbol.operation->apply(lines, block);
    } else {
      const auto by = line_factors(*way_.kernels, symbol, modes, *batch.set, batch, factor);
      symbol.addition != nullptr ? symbol.addition->apply(lines, &by, block)
                                 : way_.kernels->multiply(by, modes.count, width, block);
    }
    way_back_.transform(batch, block, free);
    return batch.count;
  });
  way_.kernels->fence();
}

template <class Real>
void LineSweep<Real>::convolve_at_once(const LineSymbol<Real>& symbol, const LineBatch& batch) const {
  const PassWorkspace<Real>& workspace = *way_.workspace;
  const LinePass<Real>& pass = *way_.pass;
  Real* block = workspace.in.data();
  LanePoints<Real> points;
  way_.load(batch, points, block);
  const bool stored = batch.set->neighbours && way_back_.store_points(batch, points);
  auto factors = line_factors(*way_.kernels, symbol, pass.modes(), *batch.set, batch, workspace.factor.data());
  if (symbol.addition != nullptr) {
    Real* sums = workspace.out.data();
    std::fill_n(sums, pass.modes().count * 2 * way_.kernels->lanes, Real(0));
    symbol.addition->apply({*batch.set, batch, pass.axis(), pass.inner(), 2, nullptr, nullptr}, nullptr, sums);
    factors.added = sums;
  }
  pass.engine(Direction::forward).convolve(points, factors, block);
  if (!stored) way_back_.copy_out(batch, block);
}

template <class Real>
void LineSweep<Real>::combine(std::span<LineSweep> from, std::span<LineSweep> to, const ModeOperation<Real>& operation,
                              index_t first, index_t last) {
  const auto block = [](const LineWay<Real>& way, Real* data) {
    const LineModes modes = way.pass->modes();
    return ModeBlock<Real>{data, modes.first, modes.count};
  };
  std::vector<ModeBlock<Real>> in(from.size()), out;
  for (const LineSweep& sweep : to) out.push_back(block(sweep.way_back_, sweep.way_back_.workspace->in.data()));
  LineSweep& any = from.front();
  const LinePass<Real>& pass = *any.way_.pass;
  any.for_each_batch(first, last, [&](const LineBatch& batch) {
    for (std::size_t i = 0; i < from.size(); i++) in[i] = block(from[i].way_, from[i].transform(from[i].way_, batch));
    const ModeLines<Real> where{*batch.set,
                                batch,
                                pass.axis(),
                                pass.inner(),
                                pass.width_after(Direction::forward),
                                any.way_.workspace->factor.data(),
                                from.back().way_.workspace->factor.data()};
    operation.apply(where, in, out);
    for (const LineSweep& sweep : to) sweep.transform(sweep.way_back_, batch);
    return batch.count;
  });
  any.way_.kernels->fence();
}

template class LineSweep<double>;
template class LineSweep<float>;

}  // namespace weft
