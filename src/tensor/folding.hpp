// Folding: sums and differences of the points n and N-n of a slice, for products with cosines and sines alone.
#pragma once

#include "tensor/axis_partition.hpp"
#include "tensor/dft_matrix.hpp"

namespace weft {

/// A folded slice is two matrices, one after the other: sums for `even`, then differences for `odd`, a row for each. A
/// row has all lines of the slice, `planes` reals each. The BLAS is fastest in this order: it uses wide vectors along a
/// row and small steps over rows, and a folded axis of 128 has 65 sums and 63 differences. Slices whose points lie
/// along their rows are therefore transposed during folding, and transposed back at the end.
struct FoldShape {
  bool along_rows;  ///< of the slice lie the points of a line, else along its columns
  index_t lines;
  int planes;  ///< 2 if points and modes are complex, else 1
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

/// Unfolds a slice of products A (cosines) and B (sines): forward, A - iB goes to n and A + iB to N-n; backward, A + iB
/// goes to n and A - iB to N-n.
template <class Real>
void unfold(const FoldShape& shape, ProductKind kind, Direction direction, const AxisShare& share, const Real* folded,
            Real* slice, index_t pitch);

}  // namespace weft
