// Any boxes to any boxes, once: used at planning, where a schedule's rotations do not fit.
#pragma once

#include "weft/box.hpp"
#include "weft/comm.hpp"

namespace weft {

/// Every rank holds the C-ordered array of `mine` and gets the one of `wanted`, which may overlap what others want.
/// Elements that nobody holds keep the value that `result` had. Collective.
template <class Real>
void redistribute(const Comm& comm, const Box& mine, const Real* data, const Box& wanted, Real* result);

}  // namespace weft
