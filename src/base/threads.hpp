// The number of threads of a rank, and loops that share work among them.
#pragma once

#include "weft/comm.hpp"

namespace weft {

/// Threads of a rank: `asked`, or the usable cores of the node divided by the ranks of `comm` on it. The result is at
/// most the number of cores that this process may use, and at most OMP_NUM_THREADS if that is set. It is 1 in a process
/// for which team() is 1. Collective.
int default_threads(const Comm& comm, int asked);

/// How many of `threads` a parallel region may have: all of them, but only 1 in a process forked from one that has used
/// several. GNU OpenMP would wait there for the threads of the parent, which a child does not have.
int team(int threads);

/// Calls body(thread) for thread = 0 .. threads - 1, each on a thread of its own and the first on the caller's thread.
/// If team() is smaller, the calls run one after the other. A single thread starts no parallel region, so that no
/// thread spins.
template <class Body>
void on_threads(int threads, const Body& body) {
  if (team(threads) <= 1) {
    for (int thread = 0; thread < threads; thread++) body(thread);
    return;
  }
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; thread++) body(thread);
}

}  // namespace weft
