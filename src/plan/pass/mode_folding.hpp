// Truncation and padding of spectra in a lane block: from all modes of a transform to the stored ones, and back.
#pragma once

#include <algorithm>

#include "weft/kind.hpp"

namespace weft {

template <class Real>
void scale_reals(Real* elements, index_t reals, Real factor) {
  std::for_each_n(elements, reals, [factor](Real& value) { value *= factor; });
}

// Multiplies a last mode that stands for itself and its mirror image by `factor`; of r2c the real part only.
template <class Real>
void scale_last(const AxisTransform& transform, int width, int lanes, Real* block, Real factor) {
  if (!has_folded_mode(transform.kind, transform.kept_points())) return;
  Real* last = block + (transform.modes - 1) * width * lanes;
  const bool half_spectrum = transform.kind == Kind::r2c;
  scale_reals(last, half_spectrum ? lanes : width * lanes, factor);
  if (half_spectrum) std::fill_n(last + lanes, lanes, Real(0));
}

/// `block` holds every mode of the transform of `lanes` lines, `width` reals per mode and lane. Moves the modes that
/// are stored to its beginning, in their order. A mode that stands for two becomes their sum: X[n/2] + X[-n/2] for c2c,
/// 2 Re X[n/2] for r2c, twice the last mode for dct1 and dst2. Does nothing if all modes are stored.
template <class Real>
void fold_modes(const AxisTransform& transform, int width, int lanes, Real* block) {
  if (!transform.is_truncated()) return;
  if (transform.kind != Kind::c2c) return scale_last(transform, width, lanes, block, Real(2));
  // In a full complex spectrum the negative modes come last; the first `low` modes are the others that are kept.
  const index_t element = width * lanes, negative = transform.kept / 2, low = transform.kept - negative;
  Real* from = block + (transform.length - negative) * element;
  if (has_folded_mode(transform.kind, transform.kept)) {
    const Real* mirrored = block + negative * element;
    std::transform(from, from + element, mirrored, from, [](Real a, Real b) { return a + b; });
  }
  std::copy(from, from + negative * element, block + low * element);
}

/// The inverse of fold_modes(): `block` begins with the stored modes and becomes all modes, with zeros for the others.
/// A mode that stands for two is split in halves; for r2c its imaginary part is dropped, since real data have none.
template <class Real>
void unfold_modes(const AxisTransform& transform, int width, int lanes, Real* block) {
  if (!transform.is_truncated()) return;
  const index_t element = width * lanes, all = output_length(transform.kind, transform.length);
  if (transform.kind != Kind::c2c) {
    scale_last(transform, width, lanes, block, Real(0.5));
    std::fill(block + transform.modes * element, block + all * element, Real(0));
    return;
  }
  const index_t negative = transform.kept / 2, low = transform.kept - negative;
  Real* to = block + (all - negative) * element;
  std::copy_backward(block + low * element, block + transform.kept * element, block + all * element);
  std::fill(block + low * element, to, Real(0));
  if (!has_folded_mode(transform.kind, transform.kept)) return;
  scale_reals(to, element, Real(0.5));
  std::copy_n(to, element, block + negative * element);
}

}  // namespace weft
