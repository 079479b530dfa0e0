// The memory that the lines of a pass occupy.
#pragma once

#include <vector>

#include "plan/pass/line_rows.hpp"

namespace weft {

/// A range of points or modes of all lines, in elements of a lane block.
template <class Real>
struct LineMove {
  index_t first = 0, count = 0;
  Real* base = nullptr;  ///< address of element `first` of the line with index 0
  Extents stride;        ///< reals between successive indices, per axis
  bool zero = false;     ///< store zeros
  bool stream = false;
};

/// All moves of a line, which omit its padding.
template <class Real>
using LineMoves = std::vector<LineMove<Real>>;

template <class Real>
Real* address(const LineMove<Real>& move, const Extents& index) {
  Real* at = move.base;
  for (int a = 0; a < index.dims(); a++) at += index[a] * move.stride[a];
  return at;
}

/// Sets the addresses of the lines of a set in a move, for all lanes; if there are more lanes, those of the following
/// sets in the row. Returns whether the lines are adjacent in memory.
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
