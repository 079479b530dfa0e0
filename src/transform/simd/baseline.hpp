// The vectors that every processor of an architecture has. Included by vector.hpp only, inside the namespace of one
// instruction set.
#pragma once

#if defined(__SSE2__)
#include "sse2.hpp"
#elif defined(__aarch64__)
#include "neon.hpp"
#else
// The compiler chooses the instructions.
constexpr const char* vector_isa = "baseline";
constexpr int vector_bytes = 16, vector_registers = 16;
constexpr bool has_line_transforms = true;
constexpr bool has_fused_products = false, has_cheap_halves = false;

#include "vector_types.hpp"

WEFT_INLINE void finish_streaming_stores() { __atomic_thread_fence(__ATOMIC_RELEASE); }
#endif
