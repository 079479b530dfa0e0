// Vectors of NEON (Advanced SIMD), which every AArch64 processor has. Included by vector.hpp only, inside the namespace
// of one instruction set.
#pragma once

constexpr const char* vector_isa = "neon";
constexpr int vector_bytes = 16, vector_registers = 32;
constexpr bool has_line_transforms = true;
constexpr bool has_fused_products = true, has_cheap_halves = false;

#include "vector_types.hpp"

// The compiler turns the shuffles of vector.hpp into single instructions (zip1, zip2, uzp1, uzp2, trn1, trn2, ext).
// Only clang emits pairs of streaming stores (stnp); GCC stores as usual. A barrier orders both, like all stores of
// this architecture.
WEFT_INLINE void finish_streaming_stores() { __atomic_thread_fence(__ATOMIC_RELEASE); }

// So that sums of two products have the same bits wherever they are computed: GCC would fuse one or the other.
#if defined(__OPTIMIZE__) && !defined(__clang__)
#define WEFT_FUSES_BY_NAME 1
template <bool Minus, class Real>
WEFT_INLINE Vector<Real> fused_add_product(Vector<Real> c, Vector<Real> a, Vector<Real> b) {
  if constexpr (sizeof(Real) == 8) {
    return Minus ? __builtin_aarch64_fnmav2df(a, b, c) : __builtin_aarch64_fmav2df(a, b, c);
  } else {
    return Minus ? __builtin_aarch64_fnmav4sf(a, b, c) : __builtin_aarch64_fmav4sf(a, b, c);
  }
}
#endif
