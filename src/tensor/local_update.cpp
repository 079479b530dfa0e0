// Local updates: by the BLAS here, by own kernels in dense_update.cpp.
#include "tensor/local_update.hpp"

#include <complex>

#include "tensor/blas.hpp"

namespace weft {

template <class Real>
index_t LocalUpdate<Real>::travelling_reals(const AxisShare& share) const {
  if (folded_) return slices_.slices() * folded_slice(share);
  return slices_.slices() * slices_.lines() * share.count() * width_in(kind_);
}

// T is complex if both sides are; else rows of complex numbers are rows of twice as many reals.
template <class Real>
template <class T>
void LocalUpdate<Real>::multiply_slice(index_t slice, index_t in, index_t out, const T* x, const T* c, bool accumulate,
                                       T* y) const {
  const SliceStrides from(slices_, in, 1), to(slices_, out, 1);
  x = from.begin(x, slice);
  y = to.begin(y, slice);
  if (slices_.from_right())
    weft::multiply<T>({slices_.lines(), out, in}, false, {x, from.pitch}, {c, out}, accumulate, {y, to.pitch});
  else
    weft::multiply<T>({out, slices_.lines(), in}, true, {c, out}, {x, from.pitch}, accumulate, {y, to.pitch});
}

template <class Real>
void LocalUpdate<Real>::multiply_folded(const AxisShare& in, const AxisShare& out, const Real* x, const Real* c,
                                        bool accumulate, Real* y) const {
  const index_t row = fold_.row();
  const auto half = [&](index_t points, index_t modes) {
    weft::multiply<Real>({modes, row, points}, true, {c, modes}, {x, row}, accumulate, {y, row});
    x += points * row;
    c += points * modes;
    y += modes * row;
  };
  half(in.even.size(), out.even.size());
  half(in.odd.size(), out.odd.size());
}

template <class Real>
const Real* LocalUpdate<Real>::factors(const AxisShare& in, const AxisShare& out, const Real* block,
                                       Real* panels) const {
  if (kernel_ == UpdateKernel::blas) return block;
  own_.lay_out(in, out, block, panels);
  return panels;
}

template <class Real>
index_t LocalUpdate<Real>::multiply_scratch(const AxisShare& in, const AxisShare& out) const {
  if (kernel_ == UpdateKernel::blas) return 0;
  return own_.scratch(in, out, folded_ ? UpdateForm::folded_slices : UpdateForm::arrays);
}

template <class Real>
index_t LocalUpdate<Real>::transform_scratch(const AxisShare& in, const AxisShare& out) const {
  if (kernel_ == UpdateKernel::own) return own_.scratch(in, out, UpdateForm::arrays);
  return folded_slice(in) + folded_slice(out);
}

template <class Real>
void LocalUpdate<Real>::multiply_own(index_t slice, const AxisShare& in, const AxisShare& out, const Real* x,
                                     const Real* c, bool accumulate, Real* y, Real* scratch) const {
  if (folded_)
    return own_.multiply(in, out, UpdateForm::folded_slices, x + slice * folded_slice(in), c, accumulate,
                         y + slice * folded_slice(out), scratch);
  const SliceStrides from(slices_, in.count(), width_in(kind_)), to(slices_, out.count(), width_out(kind_));
  own_.multiply(in, out, UpdateForm::arrays, from.begin(x, slice), c, accumulate, to.begin(y, slice), scratch);
}

template <class Real>
void LocalUpdate<Real>::multiply(index_t slice, const AxisShare& in, const AxisShare& out, const Real* x, const Real* c,
                                 bool accumulate, Real* y, Real* scratch) const {
  using Complex = std::complex<Real>;
  if (kernel_ == UpdateKernel::own)
    multiply_own(slice, in, out, x, c, accumulate, y, scratch);
  else if (folded_)
    multiply_folded(in, out, x + slice * folded_slice(in), c, accumulate, y + slice * folded_slice(out));
  else if (kind_ == ProductKind::complex_to_complex)
    multiply_slice(slice, in.count(), out.count(), reinterpret_cast<const Complex*>(x),
                   reinterpret_cast<const Complex*>(c), accumulate, reinterpret_cast<Complex*>(y));
  else
    multiply_slice(slice, width_in(kind_) * in.count(), width_out(kind_) * out.count(), x, c, accumulate, y);
}

template <class Real>
void LocalUpdate<Real>::fold_slice(index_t slice, const AxisShare& in, const Real* array, Real* folded) const {
  const SliceStrides from(slices_, in.count(), width_in(kind_));
  fold(fold_, kind_, in, from.begin(array, slice), from.pitch, folded + slice * folded_slice(in));
}

template <class Real>
void LocalUpdate<Real>::unfold_slice(index_t slice, const AxisShare& out, const Real* folded, Real* array) const {
  const SliceStrides to(slices_, out.count(), width_out(kind_));
  unfold(fold_, kind_, direction_, out, folded + slice * folded_slice(out), to.begin(array, slice), to.pitch);
}

template <class Real>
void LocalUpdate<Real>::transform_slice(index_t slice, const AxisShare& in, const AxisShare& out, const Real* array,
                                        const Real* c, Real* result, Real* scratch) const {
  if (!folded_) return multiply(slice, in, out, array, c, false, result, scratch);
  const SliceStrides from(slices_, in.count(), width_in(kind_)), to(slices_, out.count(), width_out(kind_));
  if (kernel_ == UpdateKernel::own)
    return own_.multiply(in, out, UpdateForm::arrays, from.begin(array, slice), c, false, to.begin(result, slice),
                         scratch);
  Real* const product = scratch + folded_slice(in);
  fold(fold_, kind_, in, from.begin(array, slice), from.pitch, scratch);
  multiply_folded(in, out, scratch, c, false, product);
  unfold(fold_, kind_, direction_, out, product, to.begin(result, slice), to.pitch);
}

template <class Real>
double LocalUpdate<Real>::flops(const AxisShare& in, const AxisShare& out) const {
  const auto product = [](index_t a, index_t b) { return 2.0 * static_cast<double>(a) * static_cast<double>(b); };
  const auto lines = static_cast<double>(slices_.slices() * slices_.lines());
  if (folded_)
    return lines * fold_.planes * (product(in.even.size(), out.even.size()) + product(in.odd.size(), out.odd.size()));
  return lines * width_in(kind_) * width_out(kind_) * product(in.count(), out.count());
}

template class LocalUpdate<float>;
template class LocalUpdate<double>;

}  // namespace weft
