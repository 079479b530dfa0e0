// Prepares a sweep: determines once what all of its batches have in common.
#include "plan/pass/line_sweep.hpp"

#include <algorithm>
#include <utility>

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

// Whether prefetches spread over a set suit a pass to another array: measured from 32 to 2048 points with AVX-512 (AMD
// Zen 5), with streaming stores and into a cache for blocks of medium size, not where the memory stored to has to be
// loaded into the cache first, nor on an Intel Xeon or a Zen 3 with AVX2. In place they are best.
template <class Real>
bool spreads_prefetches(const LinePass<Real>& pass, bool streams, Memory to) {
  if (has_few_buffers() || lane_kernels<Real>().lanes < cache_line_reals<Real>) return false;
  const index_t block = pass.block_reals() * static_cast<index_t>(sizeof(Real));
  return streams || (to == Memory::cache && block >= 16384 && block <= 65536);
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
  return pass.engine(direction).routes().points && !other && pass.neighbours_touch(store, pass.width_behind(direction));
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
  lengthen_rows(rows, pass.axis(), pass.inner(), load_, store_);
  from_ = from.memory;
  scale_ = options.scale;
  check_finite_ = options.check_finite;
  const bool overlapped = options.alone && worth_overlapping(rows, pass.inner(), kernels_.lanes) &&
                          lie_apart(load_, store_, rows, pass.axis());
  start(pass, workspace, rows, overlapped ? RowRest::overlapped : RowRest::gathered);
  there_ = way(direction, &load_, &store_, to.memory);
}

// Symbols depend on the axes of the lines, so rows are not lengthened.
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
  start(pass, workspace, lines);
  const Memory where = to != nullptr ? to->memory : Memory::cache;
  there_ = way(Direction::forward, &load_, nullptr, where);
  back_ = way(Direction::backward, nullptr, &store_, where);
  // Tells the backward way if it stores to the points that were loaded.
  back_.in_place = pass.is_full() && !pass.has_ends() && same_points(load_, store_);
}

// Points without memory: zeros are loaded from one element, truncated results are stored to another.
template <class Real>
void LineSweep<Real>::start(const LinePass<Real>& pass, const PassWorkspace<Real>& workspace, const LineRanges& lines,
                            RowRest rest) {
  pass_ = &pass;
  workspace_ = &workspace;
  rows_ = LineRows(lines, pass.inner(), kernels_.lanes, rest);
  from_points_ = {workspace.from.data(), nullptr, lie_alike(load_, pass.axis())};
  to_points_ = {workspace.to.data(), nullptr, lie_alike(store_, pass.axis())};
  if (pass.is_full()) return;
  Real *zeros = workspace.missing.data(), *sink = zeros + PassWorkspace<Real>::most_missing / 2;
  std::fill_n(zeros, PassWorkspace<Real>::most_missing, Real(0));
  std::fill_n(workspace.from.data(), pass.most_points() + 1, zeros);
  std::fill_n(workspace.to.data(), pass.most_points() + 1, sink);
}

template <class Real>
typename LineSweep<Real>::Way LineSweep<Real>::way(Direction direction, const Moves* load, const Moves* store,
                                                   Memory to) const {
  Way way{.direction = direction, .load = load, .store = store, .to = to};
  const LinePass<Real>& pass = *pass_;
  way.points_in = load != nullptr && !check_finite_ && loads_points(pass, direction, *load);
  way.points_out = store != nullptr && stores_points(pass, direction, *store);
  if (load == nullptr || store == nullptr || !pass.is_full()) return way;
  way.in_place = !pass.has_ends() && same_points(*load, *store);
  way.prefetches = from_ == Memory::main && !store->empty() &&
                   (way.in_place || spreads_prefetches(pass, store->front().stream, to));  // other data with each set
  const bool runs = load->size() == 1 && store->size() == 1 && !check_finite_;
  if (pass.engine(direction).routes().lines && pass.is_contiguous(*load, space_before(direction)) &&
      pass.is_contiguous(*store, space_behind(direction)))
    way.route = Route::lines;
  else if (pass.has_ends())
    way.route = Route::block;
  else if (way.points_in && way.points_out)
    way.route = way.prefetches ? Route::block : Route::points;
  else if (runs && !way.points_in && !way.points_out)
    way.route = Route::row;
  return way;
}

template class LineSweep<double>;
template class LineSweep<float>;

}  // namespace weft
