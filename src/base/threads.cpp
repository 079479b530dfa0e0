// The default number of threads of a rank, and the one thread of forked processes.
#include "base/threads.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace weft {

namespace {

std::atomic<bool> is_child = false;

// The handler stays for the life of the process, and is inherited by its children.
void watch_forks() {
  [[maybe_unused]] static const int watched = pthread_atfork(nullptr, nullptr, [] { is_child = true; });
}

}  // namespace

int team(int threads) {
  if (threads <= 1 || is_child) return std::min(threads, 1);
  watch_forks();
  return threads;
}

int default_threads(const Comm& comm, int asked) {
  const int ranks = comm.node().size();  // collective the first time, and not all ranks need ask for threads
  if (asked > 0) return team(asked);
  cpu_set_t mine;
  CPU_ZERO(&mine);
  const bool known = sched_getaffinity(0, sizeof(mine), &mine) == 0;
  int threads = std::max(1, std::min(known ? CPU_COUNT(&mine) : 1, comm.cores() / ranks));
  if (const char* limit = std::getenv("OMP_NUM_THREADS")) {
    const int value = std::atoi(limit);
    if (value > 0) threads = std::min(threads, value);
  }
  return team(threads);
}

}  // namespace weft
