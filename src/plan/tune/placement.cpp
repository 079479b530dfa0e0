// Which ranks share a node, and which of them transform.
#include "plan/tune/placement.hpp"

#include "base/threads.hpp"

namespace weft {

Placement placement_of(const Comm& comm, const PlanOptions& options) {
  Placement placement;
  placement.ranks = comm.size();
  placement.node_ranks =
      options.node_ranks > 0 ? options.node_ranks : static_cast<int>(comm.max(index_t{comm.node().size()}));
  placement.threads = static_cast<int>(comm.max(index_t{default_threads(comm, options.threads)}));
  return placement;
}

Comm first_ranks(const Comm& comm, int ranks) {
  if (ranks == comm.size()) return comm;
  return comm.split("first " + std::to_string(ranks) + " ranks", comm.rank() < ranks ? 0 : 1, comm.rank());
}

}  // namespace weft
