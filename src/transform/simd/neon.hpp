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
