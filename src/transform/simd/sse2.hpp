// Vectors of SSE2, which every x86-64 processor has. Only copies and products are compiled for them. Processors without
// AVX2 use FFTW's line transforms, and the library has a third less code. Included by vector.hpp only, inside the
// namespace of one instruction set.
#pragma once

constexpr const char* vector_isa = "baseline";
constexpr int vector_bytes = 16, vector_registers = 16;
constexpr bool has_line_transforms = false;
constexpr bool has_fused_products = false, has_cheap_halves = false;

#include "vector_types.hpp"

WEFT_INLINE void finish_streaming_stores() { __builtin_ia32_sfence(); }

#if !defined(__clang__)
typedef double Double2 __attribute__((vector_size(16)));

#define WEFT_HAS_STREAMING_STORES 1
template <class Real>
WEFT_INLINE void streaming_store(Real* p, Vector<Real> a) {
  __builtin_ia32_movntpd(reinterpret_cast<double*>(p), reinterpret_cast<Double2>(a));
}
#endif
