// Folding: sums and differences of the points n and N-n of a slice, for products with cosines and sines alone.
#pragma once

#include "tensor/axis_partition.hpp"
#include "tensor/dft_matrix.hpp"

namespace weft {

/// A folded slice is two matrices one behind the other: sums for `even`, then differences for `odd`, a row for each. A
/// row has all lines of the slice, `planes` reals each. The BLAS is fastest that way round: it works in wide vectors
/// along a row and in small steps over rows, and a folded axis of 128 has 65 sums and 63 differences. So slices whose
/// points lie along their rows are transposed while they are folded, and transposed back at the end.
struct FoldShape {
  bool along_rows;  ///< of the slice lie the points of a line, else along its columns
  index_t lines;
  int planes;  ///< 2 where points and modes are complex, else 1
  index_t row() const { return lines * planes; }
};

/// Reals of a folded slice of this share.
inline index_t folded_reals(const FoldShape& shape, const AxisShare& share) {
  return (share.even.size() + share.odd.size()) * shape.row();
}

/// Reads a slice (its rows `pitch` reals apart) of points, or of half the modes of real points (half_to_real: their
/// real parts are the sums, their imaginary parts the differences), and writes it folded.
template <class Real>
void fold(const FoldShape& shape, ProductKind kind, const AxisShare& share, const Real* slice, index_t pitch,
          Real* folded);

/// Takes a folded slice of products A (cosines) and B (sines) apart: A - iB to n and A + iB to N-n, forward; backward
/// the other way round.
template <class Real>
void unfold(const FoldShape& shape, ProductKind kind, Direction direction, const AxisShare& share, const Real* folded,
            Real* slice, index_t pitch);

}  // namespace weft
