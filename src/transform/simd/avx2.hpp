// Vectors of AVX2 with FMA. Included by vector.hpp only, inside the namespace of one instruction set.
#pragma once

constexpr const char* vector_isa = "avx2";
constexpr int vector_bytes = 32, vector_registers = 16;
constexpr bool has_line_transforms = true;
// A vector has two halves of 128 bits: shuffles within halves are cheap, shuffles across them are not.
constexpr bool has_fused_products = true, has_cheap_halves = true;

#include "vector_types.hpp"

WEFT_INLINE void finish_stores_past_cache() { __builtin_ia32_sfence(); }

#if !defined(__clang__)
typedef double Double4 __attribute__((vector_size(32)));

#define WEFT_STORES_PAST_CACHE 1
template <class Real>
WEFT_INLINE void store_past_cache(Real* p, Vector<Real> a) {
  __builtin_ia32_movntpd256(reinterpret_cast<double*>(p), reinterpret_cast<Double4>(a));
}

// GCC 12 would copy the upper half to the front of another register before it stores it.
#define WEFT_TAKES_UPPER_HALF 1
template <class Half, class V>
WEFT_INLINE Half upper_half(V a) {
  return Half(__builtin_ia32_vextractf128_pd256(reinterpret_cast<Double4>(a), 1));
}
#endif
