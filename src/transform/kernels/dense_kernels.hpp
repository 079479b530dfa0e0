// What the compiled instruction-set variants offer for products with dense, constant matrices: whole slices, from where
// points lie to where modes belong. Plain data and function pointers only, like lane_kernels.hpp.
#pragma once

#include <cstdint>

namespace weft {

/// Rows of a product that come as pairs: `first` sums without a difference, then `pairs` with one, then what is left of
/// the sums; the differences lie behind all sums. Without pairs (first = sums) just `sums` rows.
struct DensePairs {
  std::int64_t sums = 0, pairs = 0, first = 0;
};

/// What the rows of a product are made of.
///  rows    the rows of the slice
///  pairs   of the rows n and partner of a pair their sum and their difference; single rows as they are
///  halves  a sum is every second row of the slice, beginning with row 0, a difference the row behind its sum
enum class DenseLoad { rows, pairs, halves };

/// What becomes of products A (of sums) and B (of differences).
///  rows      the rows of the slice, A then B
///  complex   rows are pairs: real and imaginary parts of entries times rows of complex numbers, to be A + iB
///  unfolded  complex rows: A -+ iB to the row of a pair and A +- iB to its partner
///  points    A - B to the row of a pair and A + B to its partner
///  halves    A to every second row, beginning with row 0, and -B, or 0 for singles, to the row behind it
enum class DenseStore { rows, complex, unfolded, points, halves };

/// A product of a constant matrix with the rows of a slice, without what differs from slice to slice.
template <class Real>
struct DenseProduct {
  DensePairs in, out;
  DenseLoad load;
  DenseStore store;
  std::int64_t rows_in, rows_out;  ///< of a slice
  std::int64_t columns;            ///< reals of a row
  int width;        ///< 0: rows are contiguous; else lines are, of elements of 1 or 2 reals: a row has one of each line
  Real rotation;    ///< unfolded: 1 for A - iB, -1 for A + iB to the row of a pair
  bool accumulate;  ///< adds to what is there
  const Real* panels;  ///< the matrix as dense_panels() lays it out
  int group;           ///< strips of columns that are multiplied by a panel before the next one is looked at
};

/// One slice. Pitches are reals from one contiguous row or line to the next.
template <class Real>
struct DenseSlice {
  const Real* from;
  std::int64_t from_pitch;
  Real* to;
  std::int64_t to_pitch;
  const Real* next;  ///< the slice that comes behind it, to be fetched by then
  bool stream;       ///< results should go past the cache
  Real* scratch;     ///< dense_scratch() reals, aligned to a cache line
};

template <class Real>
struct DenseKernels {
  int panel_rows;     ///< R, most rows of a panel
  int strip_columns;  ///< most columns of a strip
  void (*multiply)(const DenseProduct<Real>& product, const DenseSlice<Real>& slice);
};

constexpr int largest_dense_group = 8;

// Files that are compiled for an instruction set see the tables of that one; all others reach them by
// LaneKernels::dense.
#ifdef WEFT_ISA
namespace WEFT_ISA {
extern const DenseKernels<double> dense_double;
extern const DenseKernels<float> dense_float;
}  // namespace WEFT_ISA
#endif

}  // namespace weft
