// Where the lines of a set are in memory.
#pragma once

#include "plan/line_set.hpp"

namespace weft {

template <class Real>
Real* address(Real* base, const Extents& stride, const Extents& index) {
  for (int a = 0; a < index.dims(); a++) base += index[a] * stride[a];
  return base;
}

/// The addresses of the lines of a set within a move, for all lanes, and of the lines of sets behind it in the row
/// where there are more lanes; returns whether they are neighbours in memory.
template <class Real, class Move>
bool addresses(const Move& move, const LineSet& set, int inner, int width, int lanes, Real** lines) {
  if (set.neighbours) {
    Real* first = address(move.base, move.stride, set.index[0]);
    const index_t step = move.stride[inner];
    for (int l = 0; l < lanes; l++) lines[l] = first + l * step;
    return step == width;
  }
  for (int l = 0; l < set.used; l++) lines[l] = address(move.base, move.stride, set.index[static_cast<std::size_t>(l)]);
  for (int l = set.used; l < lanes; l++) lines[l] = lines[0];
  return false;
}

}  // namespace weft
