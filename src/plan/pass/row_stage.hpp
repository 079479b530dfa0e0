// Rows whose vectors are not streamed one by one: some batches of a row are gathered in a staging buffer in cache and
// streamed from there. For rows that begin inside a cache line, every line of the result would otherwise be read from
// memory before it is overwritten. If each point is a single cache line, memory takes such lines far apart at a third
// of the speed of stretches.
#pragma once

#include <algorithm>

#include "plan/pass/line_way.hpp"

namespace weft {

template <class Real>
class RowStage {
 public:
  /// For the results of a way, in the staging buffer of its workspace.
  explicit RowStage(const LineWay<Real>& way)
      : way_(way),
        width_(way.pass->width_after(way.direction)),
        axis_(way.pass->axis()),
        inner_(way.pass->inner()),
        lanes_(way.kernels->lanes),
        stage_(way.workspace->stage.size() > 0 ? way.workspace->stage.data() : nullptr) {
    const LineMoves<Real>& store = *way_.store_moves;
    if (is_empty() || store.empty() || !store.front().stream) return;  // arrays that stay in cache
    constexpr index_t cache_line = cache_line_reals<Real>;
    const index_t set_reals = lanes_ * width_;
    index_t points = 1;
    for (const LineMove<Real>& move : store) points = std::max(points, move.first + move.count);
    most_ = std::min(way.workspace->stage.size() / points - cache_line, longest_run * cache_line) / set_reals;
    gathers_ = set_reals == cache_line && most_ >= least_run;
    pitch_ = most_ * lanes_ * width_ + cache_line;  // so that rows do not all begin in the same set of the cache
    moves_ = store;
    for (LineMove<Real>& move : moves_) {
      move.stride = Extents(move.stride.dims(), 0);
      move.stride[axis_] = pitch_;
      if (inner_ >= 0) move.stride[inner_] = width_;
      move.stream = false;
    }
  }

  /// Whether there is no staging buffer: in plans of small arrays, which run again and again.
  bool is_empty() const { return stage_ == nullptr; }

  /// Whether rows that begin with `set` gain by staging.
  bool serves(const LineSet& set) const {
    const LineMoves<Real>& store = *way_.store_moves;
    return most_ > 1 && set.neighbours && (gathers_ || !way_.full_cache_lines(store, set, width_)) &&
           std::all_of(store.begin(), store.end(), [this](const LineMove<Real>& move) {
             return move.stream && !move.zero && move.stride[inner_] == width_;
           });
  }

  /// The moves that store batches to the staging buffer; valid after put().
  const LineMoves<Real>& moves() const { return moves_; }

  /// Makes room for a batch; returns whether it is the first in the buffer.
  bool put(const LineSet& set) {
    if (waiting_++ > 0) return false;
    first_ = set.index[0];
    for (LineMove<Real>& move : moves_) move.base = stage_ + move.first * pitch_ - first_[inner_] * width_;
    return true;
  }

  /// Called after a batch was stored to the buffer: streams its contents if it is full or the row ends there, and
  /// returns whether it did.
  bool stored(const LineBatch& batch) {
    const LineSet* next = batch.following;
    const bool goes_on =
        next != nullptr && next->neighbours && next->index[0][inner_] == batch.set->index[0][inner_] + lanes_;
    if (goes_on && waiting_ < most_) return false;
    const index_t reals = waiting_ * lanes_ * width_;
    for (const LineMove<Real>& move : *way_.store_moves) {
      Real* to = address(move, first_);
      for (index_t j = 0; j < move.count; j++)
        way_.kernels->stream(stage_ + (move.first + j) * pitch_, to + j * move.stride[axis_], reals, 0);
    }
    waiting_ = 0;
    return true;
  }

 private:
  /// Cache lines of a row that are streamed together. If they are whole anyway, fewer gain nothing (3 take 1.05 times
  /// as long as single lines); more only take more of the cache.
  static constexpr index_t least_run = 8, longest_run = 12;

  const LineWay<Real>& way_;
  LineMoves<Real> moves_;
  int width_, axis_, inner_;
  index_t lanes_, most_ = 0, pitch_ = 0, waiting_ = 0;
  bool gathers_ = false;  ///< stages rows of whole cache lines, too
  Real* stage_;
  Extents first_;  // index of the first batch in the buffer
};

}  // namespace weft
