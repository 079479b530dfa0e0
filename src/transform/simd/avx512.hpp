// Vectors of AVX-512 (F, DQ and VL). Included by vector.hpp only, inside the namespace of one instruction set.
#pragma once

constexpr const char* vector_isa = "avx512";
constexpr int vector_bytes = 64, vector_registers = 32;
constexpr bool has_line_transforms = true;
constexpr bool has_fused_products = true, has_cheap_halves = false;

#include "vector_types.hpp"

WEFT_INLINE void finish_streaming_stores() { __builtin_ia32_sfence(); }

// Sums may be computed as fused multiply-adds by a one whose value the compiler cannot see.
#define WEFT_FUSES_SUMS 1
template <class V>
WEFT_INLINE void hide(V& a) {
  asm("" : "+v"(a));
}

#if !defined(__clang__)
typedef double Double8 __attribute__((vector_size(64)));

#define WEFT_HAS_STREAMING_STORES 1
template <class Real>
WEFT_INLINE void streaming_store(Real* p, Vector<Real> a) {
  __builtin_ia32_movntpd512(reinterpret_cast<double*>(p), reinterpret_cast<Double8>(a));
}

// When it optimises, GCC fuses all sums of lanes by itself, but not all of interleaved numbers, so bits would differ.
// Sums of the latter are therefore fused by builtins.
#if defined(__OPTIMIZE__)
#define WEFT_FUSES_BY_NAME 1
constexpr int all_lanes = -1, present_rounding = 4;

template <bool Minus, class Real>
WEFT_INLINE Vector<Real> fused_add_product(Vector<Real> c, Vector<Real> a, Vector<Real> b) {
  if constexpr (sizeof(Real) == 8) {
    return Minus ? __builtin_ia32_vfnmaddpd512_mask(a, b, c, all_lanes, present_rounding)
                 : __builtin_ia32_vfmaddpd512_mask(a, b, c, all_lanes, present_rounding);
  } else {
    return Minus ? __builtin_ia32_vfnmaddps512_mask(a, b, c, all_lanes, present_rounding)
                 : __builtin_ia32_vfmaddps512_mask(a, b, c, all_lanes, present_rounding);
  }
}
#define WEFT_ALTERNATES_BY_NAME 1
template <class Real>
WEFT_INLINE Vector<Real> fused_product_and_sums(Vector<Real> a, Vector<Real> b, Vector<Real> c) {
  if constexpr (sizeof(Real) == 8) {
    return __builtin_ia32_vfmaddsubpd512_mask(a, b, c, all_lanes, present_rounding);
  } else {
    return __builtin_ia32_vfmaddsubps512_mask(a, b, c, all_lanes, present_rounding);
  }
}
#endif
#endif
