// Where the lines of a pass are in memory.
#pragma once

#include <vector>

#include "plan/pass/line_rows.hpp"

namespace weft {

/// A range of the points or modes of all lines, in elements of a lane block.
template <class Real>
struct LineMove {
  index_t first = 0, count = 0;
  Real* base = nullptr;  ///< of element `first` of the line of index 0
  Extents stride;        ///< reals from one index to the next, per axis
  bool zero = false;     ///< zeros are stored
  bool stream = false;
};

/// All of a line, but for what is padding.
template <class Real>
using LineMoves = std::vector<LineMove<Real>>;

template <class Real>
Real* address(const LineMove<Real>& move, const Extents& index) {
  Real* at = move.base;
  for (int a = 0; a < index.dims(); a++) at += index[a] * move.stride[a];
  return at;
}

/// The addresses of the lines of a set within a move, for all lanes, and of the lines of sets behind it in the row
/// where there are more lanes; returns whether they are neighbours in memory.
template <class Real>
bool addresses(const LineMove<Real>& move, const LineSet& set, int inner, int width, int lanes, Real** lines) {
  if (set.neighbours) {
    Real* first = address(move, set.index[0]);
    const index_t step = move.stride[inner];
    for (int l = 0; l < lanes; l++) lines[l] = first + l * step;
    return step == width;
  }
  for (int l = 0; l < set.used; l++) lines[l] = address(move, set.index[static_cast<std::size_t>(l)]);
  for (int l = set.used; l < lanes; l++) lines[l] = lines[0];
  return false;
}

}  // namespace weft
