// The vectors that every processor of an architecture has. Included by vector.hpp only, inside the namespace of one
// instruction set.
#pragma once

#if defined(__SSE2__)
#include "sse2.hpp"
#elif defined(__aarch64__)
#include "neon.hpp"
#else
#include "plain.hpp"
#endif
