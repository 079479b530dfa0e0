// Prepares a sweep: determines once what all of its batches have in common.
#include "plan/pass/line_sweep.hpp"

#include <algorithm>
#include <utility>

#include "transform/simd/processor.hpp"

namespace weft {

namespace {

template <class Real>
bool same_points(const LineMove<Real>& a, const LineMove<Real>& b) {
  return a.base == b.base && a.first == b.first && a.count == b.count && a.stride == b.stride;
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

}  // namespace

template <class Real>
void LineSweep<Real>::prepare(const LinePass<Real>& pass, Direction direction, const LineEnd<Real>& from,
                              const LineEnd<Real>& to, const LineRanges& lines, const PassWorkspace<Real>& workspace,
                              const Options& options) {
  const bool forward = direction == Direction::forward;
  forward ? pass.physical_moves(from, direction, load_) : pass.spectral_moves(from, direction, load_);
  forward ? pass.spectral_moves(to, direction, store_) : pass.physical_moves(to, direction, store_);
  LineRanges rows = lines;
  loaded_ = from.loaded;
  if (loaded_ == nullptr) lengthen_rows(rows, pass.axis(), pass.inner(), load_, store_);
  from_ = from.memory;
  scale_ = options.scale;
  check_finite_ = options.check_finite;
  const bool overlapped = options.alone && worth_overlapping(rows, pass.inner(), kernels_.lanes) &&
                          lie_apart(load_, store_, rows, pass.axis());
  start(pass, workspace, rows, overlapped ? RowRest::overlapped : RowRest::gathered);
  there_ = way(direction, &load_, &store_, to.memory);
}

// Symbols depend on the axes of the lines, as operations on points do, so rows are not lengthened.
template <class Real>
void LineSweep<Real>::prepare_there_and_back(const LinePass<Real>& pass, const LineEnd<Real>* from,
                                             const LineEnd<Real>* to, const LineRanges& lines,
                                             const PassWorkspace<Real>& workspace, Real scale) {
  load_.clear();
  store_.clear();
  if (from != nullptr) pass.physical_moves(*from, Direction::forward, load_);
  if (to != nullptr) pass.physical_moves(*to, Direction::backward, store_);
  from_ = from != nullptr ? from->memory : Memory::cache;
  scale_ = scale;
  check_finite_ = false;
  loaded_ = from != nullptr ? from->loaded : nullptr;
  start(pass, workspace, lines);
  const Memory where = to != nullptr ? to->memory : Memory::cache;
  there_ = way(Direction::forward, &load_, nullptr, where);
  back_ = way(Direction::backward, nullptr, &store_, where);
  // Tells the backward way if it stores to the points that were loaded.
  back_.in_place = pass.is_full() && !has_ends() &&
                   std::equal(load_.begin(), load_.end(), store_.begin(), store_.end(), same_points<Real>);
}

// Points without memory: zeros are loaded from one element, truncated results are stored to another.
template <class Real>
void LineSweep<Real>::start(const LinePass<Real>& pass, const PassWorkspace<Real>& workspace, const LineRanges& lines,
                            RowRest rest) {
  pass_ = &pass;
  workspace_ = &workspace;
  rows_ = LineRows(lines, pass.inner(), kernels_.lanes, rest);
  from_points_ = table(load_, workspace.from);
  to_points_ = table(store_, workspace.to);
  if (pass.is_full()) return;
  Real *zeros = workspace.missing.data(), *sink = zeros + PassWorkspace<Real>::most_missing / 2;
  std::fill_n(zeros, PassWorkspace<Real>::most_missing, Real(0));
  std::fill_n(workspace.from.data(), pass.most_points() + 1, zeros);
  std::fill_n(workspace.to.data(), pass.most_points() + 1, sink);
}

template <class Real>
typename LineSweep<Real>::PointTable LineSweep<Real>::table(const Moves& moves, const Buffer<Real*>& addresses) const {
  bool alike = true;
  for (const LineMove<Real>& move : moves)
    for (int a = 0; a < move.stride.dims(); a++)
      alike = alike && (a == pass_->axis() || move.stride[a] == moves.front().stride[a]);
  return {addresses.data(), nullptr, alike};
}

// Prefetches spread over a set, measured from 32 to 2048 points with AVX-512 (AMD Zen 5), are best in place, with
// streaming stores, and into a cache for blocks of medium size. They are not if the memory stored to has to be loaded
// into the cache first, nor, out of place, on an Intel Xeon or a Zen 3 with AVX2.
template <class Real>
bool LineSweep<Real>::prefetches(bool in_place, const Moves& store, Memory to) const {
  if (from_ == Memory::cache || store.empty()) return false;
  if (in_place) return true;
  if (has_few_buffers() || kernels_.lanes < cache_line_reals<Real>) return false;
  const index_t block = pass_->block_reals() * static_cast<index_t>(sizeof(Real));
  return store.front().stream || (to == Memory::cache && block >= 16384 && block <= 65536);
}

// Whether the engine itself loads the points of neighbours. Modes of a truncated spectrum are unfolded in a block
// instead.
template <class Real>
bool LineSweep<Real>::loads_points(Direction direction, const Moves* load) const {
  if (load == nullptr || check_finite_ || loaded_ != nullptr || !pass_->engine(direction).routes().points) return false;
  const bool counted = direction == Direction::backward && pass_->transform().is_truncated();
  return !counted && pass_->neighbours_touch(*load, pass_->width_before(direction));
}

// Whether the engine stores neighbours itself. End points, repeated or zeros, do not fit into a table of addresses.
template <class Real>
bool LineSweep<Real>::stores_points(Direction direction, const Moves* store) const {
  if (store == nullptr || !pass_->engine(direction).routes().points) return false;
  const AxisTransform& transform = pass_->transform();
  const bool forward = direction == Direction::forward, other = forward ? transform.is_truncated() : has_ends();
  return !other && pass_->neighbours_touch(*store, pass_->width_behind(direction));
}

template <class Real>
typename LineSweep<Real>::Way LineSweep<Real>::way(Direction direction, const Moves* load, const Moves* store,
                                                   Memory to) const {
  Way way{.direction = direction, .load = load, .store = store, .to = to};
  way.points_in = loads_points(direction, load);
  way.points_out = stores_points(direction, store);
  if (load == nullptr || store == nullptr || !pass_->is_full()) return way;
  way.in_place = !has_ends() && std::equal(load->begin(), load->end(), store->begin(), store->end(), same_points<Real>);
  way.prefetches = prefetches(way.in_place, *store, to);  // other data with each set
  way.route = route(way);
  return way;
}

// The route of whole lines from memory to memory.
template <class Real>
typename LineSweep<Real>::Route LineSweep<Real>::route(const Way& way) const {
  if (pass_->engine(way.direction).routes().lines && pass_->is_contiguous(*way.load, space_before(way.direction)) &&
      pass_->is_contiguous(*way.store, space_behind(way.direction)))
    return Route::lines;
  if (has_ends()) return Route::block;
  if (way.points_in && way.points_out) return way.prefetches ? Route::block : Route::points;
  const bool runs = way.load->size() == 1 && way.store->size() == 1;
  return runs && !check_finite_ && loaded_ == nullptr && !way.points_in && !way.points_out ? Route::row : Route::block;
}

// The number of sets in a row that take the same route as the first, and are done in one call. The last set of a row is
// excluded if data are prefetched, since its next set is elsewhere.
template <class Real>
index_t LineSweep<Real>::sets_per_call(const Way& way, const LineBatch& batch) const {
  if (!batch.set->neighbours || way.route == Route::block || loaded_ != nullptr) return 1;
  const bool far = from_ == Memory::main || way.to == Memory::main;
  const index_t alike = far ? std::max<index_t>(batch.behind, 1) : batch.behind + 1;
  if (way.route == Route::points || way.route == Route::row) return alike;
  return way.store->front().stream ? 1 : std::min(alike, most_lines / kernels_.lanes);
}

template class LineSweep<double>;
template class LineSweep<float>;

}  // namespace weft
