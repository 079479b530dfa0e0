// Truncation and padding of spectra: from all modes of a transform in a lane block to those that are stored, and back.
#pragma once

#include "weft/kind.hpp"

namespace weft {

/// `block` holds every mode of the transform of `lanes` lines, `width` reals per mode and lane. Puts the modes that are
/// stored at its beginning, in their order. A mode that stands for two becomes their sum: X[n/2] + X[-n/2] of c2c,
/// 2 Re X[n/2] of r2c, twice the last of dct1 and dst2. Where all modes are stored, nothing is done.
template <class Real>
void fold_modes(const AxisTransform& transform, int width, int lanes, Real* block);

/// Backward: `block` begins with the stored modes and becomes all modes, zeros where none is stored. A mode that
/// stands for two gives half to each; along r2c its imaginary part, which no transform of real data has, is dropped.
template <class Real>
void unfold_modes(const AxisTransform& transform, int width, int lanes, Real* block);

}  // namespace weft
