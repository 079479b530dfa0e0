// Queries the processor by builtin functions of the compiler, and the system.
#include "transform/simd/processor.hpp"

#include <unistd.h>

#include <algorithm>

namespace weft {

#if defined(__x86_64__)

bool has_avx512_of_servers() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
         __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("avx512cd") != 0;
}

bool has_few_buffers() { return __builtin_cpu_is("intel") != 0; }
bool has_far_third_cache() {
  constexpr index_t least_of_servers = 1 << 20;  // bytes of the second level
  return has_few_buffers() && has_avx512_of_servers() && second_cache_bytes() >= least_of_servers;
}

#else

bool has_avx512_of_servers() { return false; }
bool has_few_buffers() { return false; }
bool has_far_third_cache() { return false; }

#endif

index_t second_cache_bytes() {
#if defined(_SC_LEVEL2_CACHE_SIZE)
  return std::max<index_t>(sysconf(_SC_LEVEL2_CACHE_SIZE), 0);
#else
  return 0;
#endif
}

}  // namespace weft
