// Kernels for products with dense, constant matrices, as compiled for each instruction set. They take whole slices,
// from points in memory to modes in memory. Plain data and function pointers only, as in lane_kernels.hpp.
#pragma once

#include <cstdint>

namespace weft {

/// Rows of a product as sums and differences. There are `sums` rows of sums; sums first .. first + pairs - 1 have a
/// difference, and the `pairs` rows of differences follow all sums. Without pairs, first = sums.
struct DensePairs {
  std::int64_t sums = 0, pairs = 0, first = 0;
};

/// How the rows of a slice become the rows that are multiplied.
///  rows    the rows of the slice, unchanged
///  pairs   the sum and the difference of rows n and partner of each pair; single rows unchanged
///  halves  sums are the even rows of the slice; a difference is the odd row that follows its sum
enum class DenseLoad { rows, pairs, halves };

/// How products A (of sums) and B (of differences) are stored.
///  rows      as rows of the slice, A then B
///  complex   product rows are real and imaginary parts of matrix entries times complex rows: stores A + iB
///  unfolded  complex rows: A -+ iB in the first row of a pair, A +- iB in its partner
///  points    A - B in the first row of a pair, A + B in its partner
///  halves    A in the even rows; -B, or 0 for single rows, in the odd row that follows
enum class DenseStore { rows, complex, unfolded, points, halves };

/// A product of a constant matrix with the rows of a slice: all parameters that do not depend on the slice.
template <class Real>
struct DenseProduct {
  DensePairs in, out;
  DenseLoad load;
  DenseStore store;
  std::int64_t rows_in, rows_out;  ///< rows of a slice
  std::int64_t columns;            ///< reals of a row
  int width;           ///< 0: contiguous rows; 1, 2: contiguous lines of such elements, row i is element i of each
  Real rotation;       ///< unfolded: 1 stores A - iB in the first row of a pair, -1 stores A + iB
  bool accumulate;     ///< adds to the contents of the slice
  const Real* panels;  ///< the matrix in the order of dense_panels()
  int group;           ///< strips of columns that are multiplied by one panel before the next panel is loaded
};

/// One slice. A pitch is the distance in reals between contiguous rows, or between contiguous lines.
template <class Real>
struct DenseSlice {
  const Real* from;
  std::int64_t from_pitch;
  Real* to;
  std::int64_t to_pitch;
  const Real* next;  ///< the following slice, to be prefetched
  bool stream;       ///< results should bypass the cache
  Real* scratch;     ///< dense_scratch() reals, aligned to a cache line
};

template <class Real>
struct DenseKernels {
  int panel_rows;     ///< R, the most rows of a panel
  int strip_columns;  ///< the most columns of a strip
  void (*multiply)(const DenseProduct<Real>& product, const DenseSlice<Real>& slice);
};

constexpr int largest_dense_group = 8;

// Files compiled for an instruction set see its own tables. All others reach them through LaneKernels::dense.
#ifdef WEFT_ISA
namespace WEFT_ISA {
extern const DenseKernels<double> dense_double;
extern const DenseKernels<float> dense_float;
}  // namespace WEFT_ISA
#endif

}  // namespace weft
