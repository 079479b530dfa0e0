// How many threads a rank has.
#pragma once

#include "weft/comm.hpp"

namespace weft {

/// Threads of a rank: `asked`, or the cores of the node (those that its ranks may use) divided by the ranks of `comm`
/// on it, not more than this process may use, and not more than OMP_NUM_THREADS where that is set. Collective.
int default_threads(const Comm& comm, int asked);

/// Calls body(thread) for 0 .. threads, each on a thread of its own, the first on the caller's. One thread starts no
/// parallel region, so that nothing ever spins.
template <class Body>
void on_threads(int threads, const Body& body) {
  if (threads == 1) return body(0);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int thread = 0; thread < threads; thread++) body(thread);
}

}  // namespace weft
