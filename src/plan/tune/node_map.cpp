// Determines the ranks that share a node and the ranks that transform.
#include "plan/tune/node_map.hpp"

#include "base/threads.hpp"

namespace weft {

NodeMap node_map_of(const Comm& comm, const PlanOptions& options) {
  NodeMap node_map;
  node_map.ranks = comm.size();
  node_map.node_ranks =
      options.node_ranks > 0 ? options.node_ranks : static_cast<int>(comm.max(index_t{comm.node().size()}));
  node_map.threads = static_cast<int>(comm.max(index_t{default_threads(comm, options.threads)}));
  return node_map;
}

Comm first_ranks(const Comm& comm, int ranks) {
  if (ranks == comm.size()) return comm;
  return comm.split("first " + std::to_string(ranks) + " ranks", comm.rank() < ranks ? 0 : 1, comm.rank());
}

}  // namespace weft
