// How many threads a rank has, and how work is shared among them.
#pragma once

#include "weft/comm.hpp"

namespace weft {

/// Threads of a rank: `asked`, or the cores of the node (those that its ranks may use) divided by the ranks of `comm`
/// on it, not more than this process may use, and not more than OMP_NUM_THREADS where that is set; 1 in a process for
/// which team() is 1. Collective.
int default_threads(const Comm& comm, int asked);

/// How many of `threads` a parallel region may have: all of them, but 1 in a process that was forked from one that had
/// asked for several. GNU OpenMP would wait there for the threads of the parent, which a child does not have.
int team(int threads);

/// Calls body(thread) for 0 .. threads: each on a thread of its own, the first on the caller's, or one after the other
/// where team() is smaller. One thread starts no parallel region, so that nothing ever spins.
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
