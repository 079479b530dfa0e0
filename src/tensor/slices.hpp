// A local array as a stack of slices, each of which takes one matrix product (or two).
#pragma once

#include "weft/types.hpp"

namespace weft {

/// The slices of an array of 3 axes for products along one of them. A slice is a matrix of that axis and one other: the
/// last, contiguous axis if possible (rows are points, the matrix is the left factor: Algorithm 2 of the paper), else
/// columns are points and the matrix is the right factor (Algorithm 1).
///
/// Axis 0 is transformed in place, in slices of axes 0 and 2: the BLAS packs distant rows just like adjacent rows, so
/// the local transpositions of Algorithms 5 and 7 (tau_2) are not needed.
struct SliceShape {
  int axis = 2;
  Extents others;  ///< extents of the array; that of `axis` does not matter

  bool from_right() const { return axis == 2; }
  index_t slices() const { return axis == 0 ? others[1] : others[0]; }
  /// Lines of a slice: its length across the axis.
  index_t lines() const { return axis == 2 ? others[1] : others[2]; }
};

/// The slices of a contiguous array in C order that has `count` elements along the axis, in reals.
struct SliceStrides {
  index_t slice;  ///< from one slice to the next
  index_t pitch;  ///< from one row of a slice to the next
  SliceStrides(const SliceShape& shape, index_t count, int width) {
    const index_t last = shape.axis == 2 ? count : shape.others[2];
    const index_t middle = shape.axis == 1 ? count : shape.others[1];
    slice = width * (shape.axis == 0 ? last : middle * last);
    pitch = width * (shape.axis == 0 ? middle * last : last);
  }

  /// The address of a slice of an array. A rank without points may have no memory, so no offset is added to its
  /// address.
  template <class Real>
  Real* begin(Real* array, index_t number) const {
    return array == nullptr ? nullptr : array + number * slice;
  }
};

/// The range of `count` items of a thread. It is always the same, so that data stay with their thread.
struct ThreadShare {
  index_t first, last;
  ThreadShare(index_t count, int worker, int workers)
      : first(count * worker / workers), last(count * (worker + 1) / workers) {}
};

}  // namespace weft
