// The local update: the products of one rank between two communication events, slice by slice (Algorithms 1 and 2).
#pragma once

#include "base/buffer.hpp"
#include "tensor/axis_partition.hpp"
#include "tensor/dense_update.hpp"
#include "tensor/dft_matrix.hpp"
#include "tensor/folding.hpp"
#include "tensor/slices.hpp"
#include "tensor/update_kernel.hpp"

namespace weft {

/// Updates of one product on one rank. Blocks of points travel in one of two forms: unfolded as C-ordered arrays,
/// folded as consecutive folded slices (folding.hpp). A slice belongs to one thread throughout a product.
template <class Real>
class LocalUpdate {
 public:
  LocalUpdate(const SliceShape& slices, const DftMatrix& matrix, UpdateKernel kernel)
      : slices_(slices),
        kernel_(kernel),
        kind_(matrix.kind()),
        direction_(matrix.direction()),
        folded_(matrix.folded()),
        own_(slices, kind_, direction_, folded_),
        fold_{slices.from_right(), slices.lines(), kind_ == ProductKind::complex_to_complex ? 2 : 1} {}

  const SliceShape& shape() const { return slices_; }
  UpdateKernel kernel() const { return kernel_; }
  bool folded() const { return folded_; }
  ProductKind kind() const { return kind_; }
  /// Reals of a block of this share, as it travels.
  index_t travelling_reals(const AxisShare& share) const;
  /// Reals of a folded slice; 0 without folding.
  index_t folded_slice(const AxisShare& share) const { return folded_ ? folded_reals(fold_, share) : 0; }

  /// A block of the matrix in the form of the kernel: unchanged for the BLAS, laid out in `panels` for own kernels.
  /// `panels` has room for as many reals.
  const Real* factors(const AxisShare& in, const AxisShare& out, const Real* block, Real* panels) const;
  /// Reals of scratch, aligned to a cache line, that multiply() or transform_slice() needs.
  index_t multiply_scratch(const AxisShare& in, const AxisShare& out) const;
  index_t transform_scratch(const AxisShare& in, const AxisShare& out) const;

  /// y += x c, or y = x c, for one slice. x and y are blocks as they travel, c are factors().
  void multiply(index_t slice, const AxisShare& in, const AxisShare& out, const Real* x, const Real* c, bool accumulate,
                Real* y, Real* scratch) const;
  /// One slice of an array in C order to a folded block, and back from one.
  void fold_slice(index_t slice, const AxisShare& in, const Real* array, Real* folded) const;
  void unfold_slice(index_t slice, const AxisShare& out, const Real* folded, Real* array) const;
  /// Array to array for a whole axis on one rank: fold, multiply, unfold while the slice is in the cache.
  void transform_slice(index_t slice, const AxisShare& in, const AxisShare& out, const Real* array, const Real* c,
                       Real* result, Real* scratch) const;
  /// Real operations of one multiply() of all slices.
  double flops(const AxisShare& in, const AxisShare& out) const;

 private:
  void multiply_own(index_t slice, const AxisShare& in, const AxisShare& out, const Real* x, const Real* c,
                    bool accumulate, Real* y, Real* scratch) const;
  void multiply_folded(const AxisShare& in, const AxisShare& out, const Real* x, const Real* c, bool accumulate,
                       Real* y) const;
  template <class T>
  void multiply_slice(index_t slice, index_t in, index_t out, const T* x, const T* c, bool accumulate, T* y) const;

  SliceShape slices_;
  UpdateKernel kernel_;
  ProductKind kind_;
  Direction direction_;
  bool folded_;
  DenseUpdate<Real> own_;
  FoldShape fold_;
};

}  // namespace weft
