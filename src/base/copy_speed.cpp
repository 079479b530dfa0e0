// Measures the copy speed of memory.
#include "base/copy_speed.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/buffer.hpp"
#include "base/threads.hpp"

namespace weft {

double copy_speed(int threads) {
  constexpr index_t count = index_t{32} << 20;
  constexpr int rounds = 4;
  const Buffer<char> from(count), to(count);
  double best = 0;
  for (int round = 0; round < rounds; round++) {
    const auto start = std::chrono::steady_clock::now();
    on_threads(threads, [&](int part) {
      const index_t begin = count * part / threads, end = count * (part + 1) / threads;
      // The first round touches the pages.
      if (round == 0) std::memset(from.data() + begin, 1, static_cast<std::size_t>(end - begin));
      std::memcpy(to.data() + begin, from.data() + begin, static_cast<std::size_t>(end - begin));
    });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (round > 0) best = std::max(best, 2e-9 * static_cast<double>(count) / seconds);
  }
  return best;
}

}  // namespace weft
