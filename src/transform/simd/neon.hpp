// Vectors of NEON (Advanced SIMD), which every AArch64 processor has. Included by vector.hpp only, inside the namespace
// of one instruction set.
#pragma once

constexpr const char* vector_isa = "neon";
constexpr int vector_bytes = 16, vector_registers = 32;
constexpr bool has_line_transforms = true;
constexpr bool has_fused_products = true, has_cheap_halves = false;

#include "vector_types.hpp"

// The shuffles of vector.hpp are single instructions here (zip1, zip2, uzp1, uzp2, trn1, trn2, ext), which the compiler
// finds by itself. Pairs of stores past the cache (stnp) come from clang alone; GCC stores as usual. Both are ordered
// by a barrier, as all stores of the architecture.
WEFT_INLINE void finish_stores_past_cache() { __atomic_thread_fence(__ATOMIC_RELEASE); }
