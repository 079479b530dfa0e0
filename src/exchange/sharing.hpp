// What every way to move data asks before it is made: are the choices allowed, who shares a node, is there memory?
#pragma once

#include <string>

#include "weft/comm.hpp"
#include "weft/redistribution.hpp"

namespace weft {

/// Throws Error when an option alone is not allowed.
void check_options(const RedistributionOptions& options);

/// The ranks of `comm` that count as this rank's node: as the machine has them (0), or `node_ranks` neighbours of
/// those. Collective.
Comm node_within(const Comm& comm, int node_ranks);

/// Why the ranks of a node cannot share `my_bytes` of memory each; empty if they can. No more than is free may be used,
/// and no more than `limit` (-1: none) together with the bytes that this rank has `held` before, which are not among
/// those that are free. Collective over the node.
std::string shortage(const Comm& comm, index_t my_bytes, index_t limit, index_t held = 0);

/// The text of the error where a strategy was asked for that needs shared memory.
std::string impossible(Strategy strategy, const std::string& reason);

/// Why the ranks of an exchange cannot share memory where they are not all on one node.
std::string no_common_node(int ranks);

/// What explain() says of the messages of a hierarchical exchange.
std::string messages_between_nodes(int far_ranks, int ranks, Strategy between_nodes);

}  // namespace weft
