// The view of a field for ParaView: a copy in single precision with reversed axes.
#pragma once

#include "io/hdf5_output.hpp"

namespace weft::io {

/// Extents of a field as ParaView sees it: three axes, the last one first.
Extents view_extents(const Extents& extents);

/// This rank's part of the view of a field of at most 3 axes; Real is float or double. `data` is used later.
template <class Real>
Source view_source(const Box& mine, const Real* data);

}  // namespace weft::io
