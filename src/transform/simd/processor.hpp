// What the processor that the program runs on is and has.
#pragma once

#include "weft/types.hpp"

namespace weft {

/// Whether it runs what the kernels of that name are compiled for (src/CMakeLists.txt). False, as what follows, where
/// it is no x86-64 processor.
bool has_avx2();
bool has_avx512();

/// Everything that OpenBLAS's kernels for AVX-512 need.
bool has_avx512_of_servers();

/// Whether what is fetched and what is stored past the cache goes through the same few buffers of a core: Intel's.
bool has_few_buffers();

/// Bytes of the second-level cache of a core; 0 where the system does not say.
index_t second_cache_bytes();

}  // namespace weft
