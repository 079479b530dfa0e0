// The default number of threads of a rank.
#include "base/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace weft {

int default_threads(const Comm& comm, int asked) {
  if (asked > 0) return asked;
  cpu_set_t mine;
  CPU_ZERO(&mine);
  const bool known = sched_getaffinity(0, sizeof(mine), &mine) == 0;
  const int usable = known ? CPU_COUNT(&mine) : 1;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int share = std::max(cores, usable) / comm.node().size();
  int threads = std::max(1, std::min(usable, share));
  if (const char* limit = std::getenv("OMP_NUM_THREADS")) {
    const int value = std::atoi(limit);
    if (value > 0) threads = std::min(threads, value);
  }
  return threads;
}

}  // namespace weft
