// The default number of threads of a rank.
#include "base/threads.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>

namespace weft {

int default_threads(const Comm& comm, int asked) {
  const int ranks = comm.node().size();  // collective the first time, and not all ranks need ask for threads
  if (asked > 0) return asked;
  cpu_set_t mine;
  CPU_ZERO(&mine);
  const bool known = sched_getaffinity(0, sizeof(mine), &mine) == 0;
  int threads = std::max(1, std::min(known ? CPU_COUNT(&mine) : 1, comm.cores() / ranks));
  if (const char* limit = std::getenv("OMP_NUM_THREADS")) {
    const int value = std::atoi(limit);
    if (value > 0) threads = std::min(threads, value);
  }
  return threads;
}

}  // namespace weft
