// Truncation and padding of spectra in a lane block: from all modes of a transform to the stored ones, and back.
#pragma once

#include "weft/kind.hpp"

namespace weft {

/// `block` holds every mode of the transform of `lanes` lines, `width` reals per mode and lane. Moves the modes that
/// are stored to its beginning, in their order. A mode that stands for two becomes their sum: X[n/2] + X[-n/2] for c2c,
/// 2 Re X[n/2] for r2c, twice the last mode for dct1 and dst2. Does nothing if all modes are stored.
template <class Real>
void fold_modes(const AxisTransform& transform, int width, int lanes, Real* block);

/// The inverse of fold_modes(): `block` begins with the stored modes and becomes all modes, with zeros for the others.
/// A mode that stands for two is split in halves; for r2c its imaginary part is dropped, since real data have none.
template <class Real>
void unfold_modes(const AxisTransform& transform, int width, int lanes, Real* block);

}  // namespace weft
