// Properties of the processor that the program runs on.
#pragma once

#include "weft/types.hpp"

namespace weft {

/// Whether the processor has everything that OpenBLAS's AVX-512 kernels need. False, like the two functions
/// below, if it is not an x86-64 processor.
bool has_avx512_of_servers();

/// Whether loads from memory and streaming stores share the same few buffers of a core, as on Intel's processors.
bool has_few_buffers();

/// Whether the third-level cache is far from a core, as in the mesh of Intel's processors of servers: those with
/// AVX-512 and a second level of a megabyte or more. Most others of Intel have neither.
bool has_far_third_cache();

/// Bytes of the second-level cache of a core; 0 if the system does not say.
index_t second_cache_bytes();

}  // namespace weft
