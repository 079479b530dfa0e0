// Matrix products of a BLAS that is loaded at run time, so that the kernel for this processor can be requested first.
#pragma once

#include <complex>
#include <string>

#include "weft/types.hpp"

namespace weft {

/// A row-major matrix: its first element, and elements from one row to the next.
template <class T>
struct Matrix {
  T* data;
  index_t pitch;
};

/// rows x inner times inner x columns.
struct ProductSize {
  index_t rows, columns, inner;
};

/// c = a b, or c += a b; with `transpose_a` a is stored as its transpose, inner x rows. One thread. T: float, double or
/// std::complex of them. Throws Error (Fault::resource) if no BLAS can be loaded.
template <class T>
void multiply(const ProductSize& size, bool transpose_a, Matrix<const T> a, Matrix<const T> b, bool accumulate,
              Matrix<T> c);

/// Loads the BLAS unless it is loaded. Throws Error (Fault::resource) if there is none.
void require_blas();
/// The BLAS's name of its kernel: "OpenBLAS SkylakeX".
std::string blas_kernel();

}  // namespace weft
