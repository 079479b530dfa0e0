// Transforms whose input and output share memory: which are possible, and what is wrong with the others.
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

/// Whether two arrays have an element in common. Arrays whose rows or planes lie between those of the other have none
/// where the strides show it (all outer strides are multiples of one in which both find a place); otherwise arrays that
/// reach into each other's range count as overlapping.
template <class Real>
bool overlap(const ShapedArray<Real>& a, const ShapedArray<Real>& b);

/// Why the schedule cannot go from `in` to `out` on this rank, for users; empty if it can. Where there is an exchange
/// or a local buffer between passes, all is loaded before anything is stored. A single pass goes line by line or plane
/// by plane: nothing may be stored over lines that wait.
template <class Real>
std::string overlap_problem(const Schedule& schedule, const ShapedArray<Real>& in, const ShapedArray<Real>& out);

}  // namespace weft
