// Truncates and pads spectra in lane blocks.
#include "plan/pass/mode_folding.hpp"

#include <algorithm>

namespace weft {

namespace {

template <class Real>
void scale(Real* elements, index_t reals, Real factor) {
  std::for_each_n(elements, reals, [factor](Real& value) { value *= factor; });
}

// Multiplies a last mode that stands for itself and its mirror image by `factor`; of r2c the real part only.
template <class Real>
void scale_last(const AxisTransform& transform, int width, int lanes, Real* block, Real factor) {
  if (!has_folded_mode(transform.kind, transform.kept_points())) return;
  Real* last = block + (transform.modes - 1) * width * lanes;
  const bool half_spectrum = transform.kind == Kind::r2c;
  scale(last, half_spectrum ? lanes : width * lanes, factor);
  if (half_spectrum) std::fill_n(last + lanes, lanes, Real(0));
}

}  // namespace

// In a full complex spectrum the negative modes come last; the first `low` modes are the others that are kept.
template <class Real>
void fold_modes(const AxisTransform& transform, int width, int lanes, Real* block) {
  if (!transform.is_truncated()) return;
  if (transform.kind != Kind::c2c) return scale_last(transform, width, lanes, block, Real(2));
  const index_t element = width * lanes, negative = transform.kept / 2, low = transform.kept - negative;
  Real* from = block + (transform.length - negative) * element;
  if (has_folded_mode(transform.kind, transform.kept)) {
    const Real* mirrored = block + negative * element;
    std::transform(from, from + element, mirrored, from, [](Real a, Real b) { return a + b; });
  }
  std::copy(from, from + negative * element, block + low * element);
}

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
  scale(to, element, Real(0.5));
  std::copy_n(to, element, block + negative * element);
}

template void fold_modes<double>(const AxisTransform&, int, int, double*);
template void fold_modes<float>(const AxisTransform&, int, int, float*);
template void unfold_modes<double>(const AxisTransform&, int, int, double*);
template void unfold_modes<float>(const AxisTransform&, int, int, float*);

}  // namespace weft
