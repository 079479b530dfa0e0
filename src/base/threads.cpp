// The default number of threads of a rank, and the one thread of forked processes.
#include "base/threads.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#if defined(__linux__)
#include <sched.h>
#endif

namespace weft {

namespace {

std::atomic<bool> is_child = false;

// The handler stays for the life of the process. Its children inherit it.
void watch_forks() {
  [[maybe_unused]] static const int watched = pthread_atfork(nullptr, nullptr, [] { is_child = true; });
}

// Cores that this process may use: 1 if Linux does not tell, all cores on systems that do not bind processes.
int own_cores([[maybe_unused]] int all) {
#if defined(__linux__)
  cpu_set_t mine;
  CPU_ZERO(&mine);
  return sched_getaffinity(0, sizeof(mine), &mine) == 0 ? CPU_COUNT(&mine) : 1;
#else
  return all;
#endif
}

}  // namespace

int team(int threads) {
  if (threads <= 1 || is_child) return std::min(threads, 1);
  watch_forks();
  return threads;
}

int default_threads(const Comm& comm, int asked) {
  const int ranks = comm.node().size();  // collective the first time, though not all ranks ask for threads
  if (asked > 0) return team(asked);
  int threads = std::max(1, std::min(own_cores(comm.cores()), comm.cores() / ranks));
  if (const char* limit = std::getenv("OMP_NUM_THREADS")) {
    const int value = std::atoi(limit);
    if (value > 0) threads = std::min(threads, value);
  }
  return team(threads);
}

}  // namespace weft
