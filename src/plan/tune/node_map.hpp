// Which ranks share a node, and which of them transform: what plans ask a communicator about where ranks are.
#pragma once

#include "plan/tune/cost.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"

namespace weft {

/// How the ranks lie on nodes, real ones or those of `options.node_ranks`. Collective.
NodeMap node_map_of(const Comm& comm, const PlanOptions& options);

/// The first `ranks` of `comm`, which transform where PlanOptions::ranks says so, and the others. Collective.
Comm first_ranks(const Comm& comm, int ranks);

}  // namespace weft
