// Transforms whose input and output share memory: checks, and reasons why others are not possible.
#pragma once

#include <string>

#include "plan/run/in_place.hpp"
#include "plan/schedule/schedule.hpp"

namespace weft {

/// A local array, its extents and the reals of its elements.
template <class Real>
struct ShapedArray {
  LocalArray<Real> array;
  Extents extents;
  int width = 1;
};

/// Whether two arrays have an element in common. Interleaved arrays, whose rows or planes lie between those of the
/// other, have none if the strides prove it (all outer strides are multiples of a stride that has room for both). All
/// other arrays with intersecting address ranges count as overlapping.
template <class Real>
bool overlap(const ShapedArray<Real>& a, const ShapedArray<Real>& b);

/// The reason, for users, why the schedule cannot transform from `in` to `out` on this rank; empty if it can. With an
/// exchange or a local buffer between passes, all data are loaded before any are stored. A single pass goes line by
/// line or plane by plane and must not overwrite lines that it has not yet loaded.
template <class Real>
std::string overlap_problem(const Schedule& schedule, const ShapedArray<Real>& in, const ShapedArray<Real>& out);

}  // namespace weft
