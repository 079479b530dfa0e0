// Vectors of AVX2 with FMA. Included by vector.hpp only, inside the namespace of one instruction set.
#pragma once

constexpr const char* vector_isa = "avx2";
constexpr int vector_bytes = 32, vector_registers = 16;
constexpr bool has_line_transforms = true;
// A vector has two halves of 128 bits: shuffles within halves are cheap, shuffles across them are not.
constexpr bool has_fused_products = true, has_cheap_halves = true;

#include "vector_types.hpp"

WEFT_INLINE void finish_streaming_stores() { __builtin_ia32_sfence(); }

#if !defined(__clang__)
typedef double Double4 __attribute__((vector_size(32)));

#define WEFT_HAS_STREAMING_STORES 1
template <class Real>
WEFT_INLINE void streaming_store(Real* p, Vector<Real> a) {
  __builtin_ia32_movntpd256(reinterpret_cast<double*>(p), reinterpret_cast<Double4>(a));
}

// GCC 12 would copy the upper half to the front of another register before it stores it.
#define WEFT_TAKES_UPPER_HALF 1
template <class Half, class V>
WEFT_INLINE Half upper_half(V a) {
  return Half(__builtin_ia32_vextractf128_pd256(reinterpret_cast<Double4>(a), 1));
}

// So that interleaved numbers have the bits of lanes, as in avx512.hpp.
#if defined(__OPTIMIZE__)
#define WEFT_FUSES_BY_NAME 1
template <bool Minus, class Real>
WEFT_INLINE Vector<Real> fused_add_product(Vector<Real> c, Vector<Real> a, Vector<Real> b) {
  const Vector<Real> factor = Minus ? -a : a;
  if constexpr (sizeof(Real) == 8) {
    return __builtin_ia32_vfmaddpd256(factor, b, c);
  } else {
    return __builtin_ia32_vfmaddps256(factor, b, c);
  }
}
#define WEFT_ALTERNATES_BY_NAME 1
template <class Real>
WEFT_INLINE Vector<Real> fused_product_and_sums(Vector<Real> a, Vector<Real> b, Vector<Real> c) {
  if constexpr (sizeof(Real) == 8) {
    return __builtin_ia32_vfmaddsubpd256(a, b, c);
  } else {
    return __builtin_ia32_vfmaddsubps256(a, b, c);
  }
}
#endif
#endif
