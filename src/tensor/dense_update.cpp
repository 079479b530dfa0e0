// Converts shares of an axis to the arguments of the dense kernels.
#include "tensor/dense_update.hpp"

#include <algorithm>

#include "transform/chosen_kernels.hpp"

namespace weft {

namespace {

template <class Real>
const DenseKernels<Real>& kernels() {
  return *lane_kernels<Real>().dense;
}

// Larger results use streaming stores, so that the cache holds the data that are read.
constexpr index_t streamed_bytes = index_t{1} << 24;

// Rows of one kind alone.
DensePairs plain_rows(index_t rows) { return {rows, 0, rows}; }

DensePairs pairs_of(const AxisShare& share) {
  const index_t sums = share.even.size();
  return {sums, share.odd.size(), std::min(share.odd.lo - share.even.lo, sums)};
}

// The row of each pair and each single in the panels with the products of sums.
index_t single_row(const DensePairs& out, index_t single) { return single < out.first ? single : single + out.pairs; }

// A matrix that does not fit in a core's cache beside the other data is read once for several strips.
template <class Real>
int strips_in_a_group(const DensePairs& in, const DensePairs& out) {
  constexpr index_t matrix_cache = index_t{1} << 20, strip_cache = index_t{1} << 19;
  constexpr auto size = static_cast<index_t>(sizeof(Real));
  if ((in.sums * out.sums + in.pairs * out.pairs) * size <= matrix_cache) return 1;
  const index_t strip = (in.sums + in.pairs) * kernels<Real>().strip_columns * size;
  return static_cast<int>(std::clamp<index_t>(strip_cache / std::max<index_t>(strip, 1), 1, largest_dense_group));
}

DenseStore folded_store(ProductKind kind) {
  if (kind == ProductKind::complex_to_complex) return DenseStore::unfolded;
  return kind == ProductKind::real_to_half ? DenseStore::halves : DenseStore::points;
}

}  // namespace

template <class Real>
DensePairs DenseUpdate<Real>::rows_in(const AxisShare& in) const {
  if (folded_) return pairs_of(in);
  return plain_rows(in.count() * (complex() ? 1 : width_in(kind_)));
}

template <class Real>
DensePairs DenseUpdate<Real>::rows_out(const AxisShare& out) const {
  return folded_ ? pairs_of(out) : plain_rows(out.count() * width_out(kind_));
}

template <class Real>
void DenseUpdate<Real>::lay_out(const AxisShare& in, const AxisShare& out, const Real* block, Real* panels) const {
  const DensePairs from = rows_in(in), to = rows_out(out);
  const index_t most = kernels<Real>().panel_rows, singles = to.sums - to.pairs;
  const Real* const differences = block + from.sums * to.sums;
  for (index_t first = 0; first < to.pairs; first += most) {
    const index_t rows = std::min(most, to.pairs - first);
    for (index_t p = 0; p < from.sums; p++) panels = std::copy_n(block + p * to.sums + to.first + first, rows, panels);
    for (index_t p = 0; p < from.pairs; p++) panels = std::copy_n(differences + p * to.pairs + first, rows, panels);
  }
  for (index_t first = 0; first < singles; first += most)
    for (index_t p = 0; p < from.sums; p++)
      for (index_t r = first; r < std::min(first + most, singles); r++)
        *panels++ = block[p * to.sums + single_row(to, r)];
}

template <class Real>
DenseProduct<Real> DenseUpdate<Real>::product(const AxisShare& in, const AxisShare& out, UpdateForm form) const {
  DenseProduct<Real> product{};
  product.in = rows_in(in);
  product.out = rows_out(out);
  product.columns = slices_.lines() * (complex() ? 2 : 1);
  product.group = strips_in_a_group<Real>(product.in, product.out);
  product.rotation = direction_ == Direction::forward ? Real(1) : Real(-1);
  product.rows_in = product.in.sums + product.in.pairs;
  product.rows_out = product.out.sums + product.out.pairs;
  product.load = DenseLoad::rows;
  product.store = DenseStore::rows;
  if (form == UpdateForm::folded_slices) return product;
  product.width = slices_.from_right() ? (complex() ? 2 : 1) : 0;
  if (folded_) {
    product.load = kind_ == ProductKind::half_to_real ? DenseLoad::halves : DenseLoad::pairs;
    product.store = folded_store(kind_);
    if (kind_ == ProductKind::half_to_real) product.rows_in = 2 * product.in.sums;
    if (kind_ == ProductKind::real_to_half) product.rows_out = 2 * product.out.sums;
  } else if (complex()) {
    product.store = DenseStore::complex;
    product.rows_out /= 2;
  }
  return product;
}

template <class Real>
index_t DenseUpdate<Real>::scratch(const AxisShare& in, const AxisShare& out, UpdateForm form) const {
  const DenseProduct<Real> p = product(in, out, form);
  const index_t packed = p.in.sums + p.in.pairs, to_transpose = p.width == 0 ? 0 : p.rows_out;
  const index_t transposed = p.width == 0 || p.load == DenseLoad::rows ? 0 : p.rows_in;
  const index_t tiles = 2 * kernels<Real>().panel_rows;
  return (p.group * (packed + to_transpose) + transposed + tiles) * kernels<Real>().strip_columns;
}

template <class Real>
void DenseUpdate<Real>::multiply(const AxisShare& in, const AxisShare& out, UpdateForm form, const Real* x,
                                 const Real* panels, bool accumulate, Real* y, Real* scratch) const {
  DenseProduct<Real> p = product(in, out, form);
  p.panels = panels;
  p.accumulate = accumulate;
  if (form == UpdateForm::folded_slices)
    return kernels<Real>().multiply(p, {x, p.columns, y, p.columns, x + p.rows_in * p.columns, false, scratch});
  const SliceStrides from(slices_, in.count(), width_in(kind_)), to(slices_, out.count(), width_out(kind_));
  const index_t result = slices_.slices() * slices_.lines() * out.count() * width_out(kind_);
  const bool stream = !accumulate && result * static_cast<index_t>(sizeof(Real)) > streamed_bytes;
  kernels<Real>().multiply(p, {x, from.pitch, y, to.pitch, from.begin(x, 1), stream, scratch});
  if (stream) lane_kernels<Real>().fence();
}

template class DenseUpdate<float>;
template class DenseUpdate<double>;

}  // namespace weft
