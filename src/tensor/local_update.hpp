// The local update: what one rank multiplies between two communication events, slice by slice (Algorithms 1 and 2).
#pragma once

#include "base/buffer.hpp"
#include "tensor/axis_cut.hpp"
#include "tensor/dft_matrix.hpp"
#include "tensor/folding.hpp"
#include "tensor/slices.hpp"

namespace weft {

/// Updates of one product on one rank. Blocks of points travel in one of two forms: unfolded as C-ordered arrays,
/// folded as folded slices (folding.hpp) one behind the other. A slice belongs to one thread throughout a product.
template <class Real>
class LocalUpdate {
 public:
  LocalUpdate(const SliceShape& slices, const DftMatrix& matrix)
      : slices_(slices),
        kind_(matrix.kind()),
        direction_(matrix.direction()),
        folded_(matrix.folded()),
        fold_{slices.from_right(), slices.lines(), kind_ == ProductKind::complex_to_complex ? 2 : 1} {}

  const SliceShape& shape() const { return slices_; }
  bool folded() const { return folded_; }
  ProductKind kind() const { return kind_; }
  /// Reals of a block of this share, as it travels.
  index_t travelling_reals(const AxisShare& share) const;
  /// Reals of a folded slice; 0 where nothing is folded.
  index_t folded_slice(const AxisShare& share) const { return folded_ ? folded_reals(fold_, share) : 0; }

  /// y += x c, or y = x c, for one slice. x and y are blocks as they travel, c is a block of the matrix.
  void multiply(index_t slice, const AxisShare& in, const AxisShare& out, const Real* x, const Real* c, bool accumulate,
                Real* y) const;
  /// One slice of an array in C order to a folded block, and back from one.
  void fold_slice(index_t slice, const AxisShare& in, const Real* array, Real* folded) const;
  void unfold_slice(index_t slice, const AxisShare& out, const Real* folded, Real* array) const;
  /// Array to array for a whole axis on one rank: fold, multiply, unfold while the slice is in the cache. `scratch` has
  /// room for a folded slice of `in` and one of `out`.
  void transform_slice(index_t slice, const AxisShare& in, const AxisShare& out, const Real* array, const Real* c,
                       Real* result, Real* scratch) const;
  /// Real operations of one multiply() of all slices.
  double flops(const AxisShare& in, const AxisShare& out) const;

 private:
  void multiply_folded(const AxisShare& in, const AxisShare& out, const Real* x, const Real* c, bool accumulate,
                       Real* y) const;
  template <class T>
  void multiply_slice(index_t slice, index_t in, index_t out, const T* x, const T* c, bool accumulate, T* y) const;

  SliceShape slices_;
  ProductKind kind_;
  Direction direction_;
  bool folded_;
  FoldShape fold_;
};

}  // namespace weft
