// Rows of lines that are not streamed vector by vector: some batches of a row are put together in the cache and
// streamed from there. Of rows that begin anywhere in a cache line, every line of the result would otherwise be fetched
// from memory in order to be overwritten; and where each point is one line, memory takes such lines far apart at a
// third of the speed of stretches.
#pragma once

#include <algorithm>

#include "plan/line_pass.hpp"

namespace weft {

template <class Real>
class LinePass<Real>::RowStage {
 public:
  /// For what `pass` stores to `store`, `width` reals a point, in the room that a workspace has for it.
  RowStage(const LinePass& pass, const Moves& store, int width, const Buffer<Real>& room)
      : pass_(pass), store_(store), width_(width), lanes_(pass.kernels_.lanes), room_(room.data()) {
    if (room.size() == 0) return;  // plans of small arrays, which run again and again
    constexpr index_t cache_line = cache_line_reals<Real>;
    const index_t stretch = lanes_ * width;
    index_t points = 1;
    for (const Move& move : store) points = std::max(points, move.first + move.count);
    most_ = std::min(room.size() / points - cache_line, longest_run * cache_line) / stretch;
    gathers_ = stretch == cache_line && most_ >= least_run;
    pitch_ = most_ * lanes_ * width + cache_line;  // rows do not all begin in the same place of the cache
    moves_ = store;
    for (Move& move : moves_) {
      move.stride = Extents(move.stride.dims(), 0);
      move.stride[pass.axis_] = pitch_;
      if (pass.inner_ >= 0) move.stride[pass.inner_] = width;
      move.stream = false;
    }
  }

  /// Whether rows that begin with `set` gain by it.
  bool serves(const LineSet& set) const {
    return most_ > 1 && set.neighbours && (gathers_ || !pass_.whole_cache_lines(store_, set, width_)) &&
           std::all_of(store_.begin(), store_.end(), [this](const Move& move) {
             return move.stream && !move.zero && move.stride[pass_.inner_] == width_;
           });
  }

  /// Where batches are to be stored: valid from put() on.
  const Moves& moves() const { return moves_; }

  /// Makes room for a batch; returns the lines between it and the first one that is waiting.
  index_t put(const LineSet& set) {
    if (waiting_ == 0) {
      first_ = set.index[0];
      for (Move& move : moves_) move.base = room_ + move.first * pitch_ - first_[pass_.inner_] * width_;
    }
    return waiting_++ * lanes_;
  }

  /// To be called when a batch has been stored: streams what waits if no more fits or belongs to it.
  void stored(const Batch& batch) {
    const LineSet* next = batch.following;
    const bool goes_on = next != nullptr && next->neighbours &&
                         next->index[0][pass_.inner_] == batch.set->index[0][pass_.inner_] + lanes_;
    if (goes_on && waiting_ < most_) return;
    const index_t reals = waiting_ * lanes_ * width_;
    for (const Move& move : store_) {
      Real* to = move.base;
      for (int a = 0; a < first_.dims(); a++) to += first_[a] * move.stride[a];
      for (index_t j = 0; j < move.count; j++)
        pass_.kernels_.stream(room_ + (move.first + j) * pitch_, to + j * move.stride[pass_.axis_], reals, 0);
    }
    waiting_ = 0;
  }

 private:
  /// Cache lines of a row that are streamed together: fewer gain nothing where they are whole anyway (3 take 1.05 times
  /// as long as lines one by one), more only take more of the cache.
  static constexpr index_t least_run = 8, longest_run = 12;

  const LinePass& pass_;
  const Moves& store_;
  Moves moves_;
  int width_;
  index_t lanes_, most_ = 0, pitch_ = 0, waiting_ = 0;
  bool gathers_ = false;  ///< whole cache lines, too
  Real* room_;
  Extents first_;  // index of the first batch that waits
};

}  // namespace weft
