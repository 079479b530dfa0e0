// The ranks that share a node and the ranks that transform: questions of plans to a communicator.
#pragma once

#include "plan/tune/cost.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"

namespace weft {

/// The placement of the ranks on nodes, real ones or those of `options.node_ranks`. Collective.
NodeMap node_map_of(const Comm& comm, const PlanOptions& options);

/// The first `ranks` of `comm`, which transform according to PlanOptions::ranks, and the others. Collective.
Comm first_ranks(const Comm& comm, int ranks);

}  // namespace weft
