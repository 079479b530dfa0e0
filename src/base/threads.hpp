// How many threads a rank has.
#pragma once

#include "weft/comm.hpp"

namespace weft {

/// Threads of a rank: `asked`, or the cores of the node (those that this process may use) divided by the ranks on it,
/// and not more than OMP_NUM_THREADS where that is set. Collective.
int default_threads(const Comm& comm, int asked);

}  // namespace weft
