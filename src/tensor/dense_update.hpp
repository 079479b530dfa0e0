// Local updates by own kernels: slices are split into strips of columns, which are packed into the nearest cache and
// multiplied. Folding and unfolding are part of the packing and storing.
#pragma once

#include "tensor/axis_partition.hpp"
#include "tensor/dft_matrix.hpp"
#include "tensor/slices.hpp"
#include "transform/kernels/dense_kernels.hpp"

namespace weft {

/// The forms of the data on both sides of an update: arrays in C order, or folded slices (folding.hpp).
enum class UpdateForm { arrays, folded_slices };

/// Updates of one product on one rank. The matrix is first laid out in panels of a few rows each, in the order in which
/// the kernels read them.
template <class Real>
class DenseUpdate {
 public:
  DenseUpdate(const SliceShape& slices, ProductKind kind, Direction direction, bool folded)
      : slices_(slices), kind_(kind), direction_(direction), folded_(folded) {}

  /// Converts a block of the matrix (DftMatrix::fill) to panels of the same number of reals.
  void lay_out(const AxisShare& in, const AxisShare& out, const Real* block, Real* panels) const;
  /// Reals of scratch that multiply() needs, aligned to a cache line.
  index_t scratch(const AxisShare& in, const AxisShare& out, UpdateForm form) const;
  /// y += x c, or y = x c, for the slice that begins at x and y. `row` is used for folded slices only.
  void multiply(const AxisShare& in, const AxisShare& out, UpdateForm form, const Real* x, const Real* panels,
                bool accumulate, Real* y, Real* scratch) const;

 private:
  bool complex() const { return kind_ == ProductKind::complex_to_complex; }
  DensePairs rows_in(const AxisShare& in) const;
  DensePairs rows_out(const AxisShare& out) const;
  DenseProduct<Real> product(const AxisShare& in, const AxisShare& out, UpdateForm form) const;

  SliceShape slices_;
  ProductKind kind_;
  Direction direction_;
  bool folded_;
};

}  // namespace weft
