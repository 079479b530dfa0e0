// Products of modes in lane blocks with their factors. Included by lane_table.hpp only, inside the namespace of one
// instruction set.
#pragma once

#include "lane_points.hpp"

// How factors are stored, and whether something is added.
enum class FactorForm { real, real_and_sum, complex, interleaved };

template <FactorForm Form, class Real>
WEFT_INLINE Lane<Real> multiplied(Lane<Real> a, const Real* p) {
  if constexpr (Form == FactorForm::real || Form == FactorForm::real_and_sum) {
    const Vector<Real> by = load_unaligned(p);
    return {a.re * by, a.im * by};
  }
  Vector<Real> by[2] = {load_unaligned(p), load_unaligned(p + lanes_of<Real>)};
  if constexpr (Form == FactorForm::interleaved) split_parts<2>(p, by, 1);
  return {a.re * by[0] - a.im * by[1], a.re * by[1] + a.im * by[0]};
}

template <class Real>
WEFT_INLINE const Real* factor_address(const LineFactors<Real>& factors, int64_t mode) {
  const Real* p = factors.data + (factors.offsets != nullptr ? factors.offsets[mode] : mode) * factors.step;
  const PrefetchRange& prefetch = factors.prefetch;
  if (mode >= prefetch.first && mode < prefetch.end) prefetch_lines(p + prefetch.distance, prefetch.lines);
  return p;
}

template <class Real>
FactorForm form_of(const LineFactors<Real>& factors) {
  if (factors.width == 1) return FactorForm::real;
  return factors.interleaved ? FactorForm::interleaved : FactorForm::complex;
}

template <FactorForm Form, class Real>
void multiply_complex_modes(const LineFactors<Real> factors, int64_t modes, Vector<Real>* to) {
  for (int64_t mode = 0; mode < modes; mode++) {
    const Lane<Real> product =
        multiplied<Form>(Lane<Real>{to[2 * mode], to[2 * mode + 1]}, factor_address(factors, mode));
    to[2 * mode] = product.re;
    to[2 * mode + 1] = product.im;
  }
}

template <class Real>
void multiply_real_modes(const LineFactors<Real> factors, int64_t modes, Vector<Real>* to) {
  for (int64_t mode = 0; mode < modes; mode++) to[mode] *= load_unaligned(factor_address(factors, mode));
}

template <class Real>
void multiply(const LineFactors<Real>& factors, int64_t modes, int width, Real* block) {
  Vector<Real>* to = rows_of(block);
  if (width == 1) return multiply_real_modes(factors, modes, to);
  const FactorForm form = form_of(factors);
  if (form == FactorForm::real) return multiply_complex_modes<FactorForm::real>(factors, modes, to);
  if (form == FactorForm::interleaved) return multiply_complex_modes<FactorForm::interleaved>(factors, modes, to);
  multiply_complex_modes<FactorForm::complex>(factors, modes, to);
}
