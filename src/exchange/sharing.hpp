// Questions that all exchanges ask at planning: are the options allowed, who shares a node, is there enough memory?
#pragma once

#include <string>

#include "weft/comm.hpp"
#include "weft/redistribution.hpp"

namespace weft {

/// Throws Error if an option by itself is not allowed.
void check_options(const RedistributionOptions& options);

/// The ranks of `comm` that count as this rank's node: the ranks of the real node (0), or `node_ranks` neighbours among
/// them. Collective.
Comm node_within(const Comm& comm, int node_ranks);

/// Why the ranks of a node cannot share `my_bytes` of memory each; empty if they can. They may use as much memory as is
/// free. Together with the bytes that this rank has `held` before, which do not count as free, they may use at most
/// `limit` (-1: no limit). Collective over the node.
std::string shortage(const Comm& comm, index_t my_bytes, index_t limit, index_t held = 0);

/// The error text if the user has requested a strategy that needs shared memory.
std::string impossible(Strategy strategy, const std::string& reason);

/// The reason why ranks of an exchange that are not all on one node cannot share memory.
std::string no_common_node(int ranks);

/// What explain() says of the messages of a hierarchical exchange.
std::string messages_between_nodes(int far_ranks, int ranks, Strategy between_nodes);

}  // namespace weft
