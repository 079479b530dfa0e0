// Vectors of AVX-512 (F, DQ and VL). Included by vector.hpp only, inside the namespace of one instruction set.
#pragma once

constexpr const char* vector_isa = "avx512";
constexpr int vector_bytes = 64, vector_registers = 32;
constexpr bool has_line_transforms = true;
constexpr bool has_fused_products = true, has_cheap_halves = false;

#include "vector_types.hpp"

WEFT_INLINE void finish_stores_past_cache() { __builtin_ia32_sfence(); }

// Sums may be computed as fused multiply-adds by a one whose value the compiler cannot see.
#define WEFT_FUSES_SUMS 1
template <class V>
WEFT_INLINE void hide(V& a) {
  asm("" : "+v"(a));
}

#if !defined(__clang__)
typedef double Double8 __attribute__((vector_size(64)));

#define WEFT_STORES_PAST_CACHE 1
template <class Real>
WEFT_INLINE void store_past_cache(Real* p, Vector<Real> a) {
  __builtin_ia32_movntpd512(reinterpret_cast<double*>(p), reinterpret_cast<Double8>(a));
}

// 1 / x to 14 bits.
#define WEFT_APPROXIMATES_INVERSES 1
template <class Real>
WEFT_INLINE Vector<Real> rough_inverse(Vector<Real> x) {
  if constexpr (sizeof(Real) == 8) {
    return __builtin_ia32_rcp14pd512_mask(x, x, 255);
  } else {
    return __builtin_ia32_rcp14ps512_mask(x, x, 65535);
  }
}

// Some shuffles of two vectors are a shuffle of one vector under a mask, which takes the other lanes from the second.
// GCC uses a permutation by a table instead, which costs as much as two such shuffles (AMD Zen 4).
#define WEFT_MASKS_SHUFFLES 1
// Quarters A, B, C and D of a; quarters whose bit is set in Kept come from `kept` instead.
template <int A, int B, int C, int D, int Kept, class V>
WEFT_INLINE V quarters(V a, V kept) {
  constexpr int replaced =
      ~((Kept & 1 ? 3 : 0) | (Kept & 2 ? 12 : 0) | (Kept & 4 ? 48 : 0) | (Kept & 8 ? 192 : 0)) & 255;
  const auto from = reinterpret_cast<Double8>(a);
  return reinterpret_cast<V>(__builtin_ia32_shuf_f64x2_mask(
      from, from, A | B << 2 | C << 4 | D << 6, reinterpret_cast<Double8>(kept), static_cast<unsigned char>(replaced)));
}

// Square sizes (in reals) whose exchange by swapped_upper() and swapped_lower() is such a shuffle.
template <int Size, int Lanes>
constexpr bool masks_swap = Size * 4 == Lanes || (Size == 1 && Lanes == 16);
template <int Size, int Lanes, class V>
WEFT_INLINE V masked_upper(V a, V b) {
  if constexpr (Size * 4 == Lanes) {
    return quarters<0, 0, 2, 2, 0b0101>(b, a);
  } else {
    return __builtin_ia32_movsldup512_mask(b, a, 0b1010101010101010);
  }
}
template <int Size, int Lanes, class V>
WEFT_INLINE V masked_lower(V a, V b) {
  if constexpr (Size * 4 == Lanes) {
    return quarters<1, 1, 3, 3, 0b1010>(a, b);
  } else {
    return __builtin_ia32_movshdup512_mask(a, b, 0b0101010101010101);
  }
}
// mirrored() for eight reals.
template <class V>
WEFT_INLINE V masked_mirror(V before, V from) {
  return quarters<0, 3, 2, 1, 0b0001>(before, from);
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
template <bool Minus, class Real>
WEFT_INLINE Vector<Real> fused_product_and_sums(Vector<Real> a, Vector<Real> b, Vector<Real> c) {
  if constexpr (sizeof(Real) == 8) {
    return __builtin_ia32_vfmaddsubpd512_mask(a, b, Minus ? c : -c, all_lanes, present_rounding);
  } else {
    return __builtin_ia32_vfmaddsubps512_mask(a, b, Minus ? c : -c, all_lanes, present_rounding);
  }
}
#endif
#endif
