// The exact traffic of a schedule, counted without MPI.
#pragma once

#include <functional>

#include "plan/schedule/schedule.hpp"

namespace weft {

/// Reals that all ranks together send in one direction.
struct Traffic {
  index_t all = 0;
  index_t between = 0;  ///< the part of them that leaves the node
  Traffic& operator+=(const Traffic& other) {
    all += other.all;
    between += other.between;
    return *this;
  }
};

/// The number of neighbours along a process axis that share a node, if node_ranks consecutive ranks do (0: all ranks).
int near_peers(const ProcessGrid& grid, int process_axis, int node_ranks);
/// The traffic of an exchange: the array less the parts that each rank, or each node, keeps. Exact if nodes hold whole
/// lines of neighbours.
Traffic traffic_of(const ExchangePlan& plan, int node_ranks);
Traffic traffic_of(const Schedule& schedule, int node_ranks);
/// Whether the ranks of every line along the process axis share a node of `node_ranks` consecutive ranks.
bool lines_share_nodes(const ExchangePlan& plan, int node_ranks);

/// Bytes that one rank sends to others in one direction, all chunks together.
struct PeerTraffic {
  int peers = 0, far_peers = 0;  ///< the other ranks of its line, and those on other nodes
  index_t least = 0, most = 0;   ///< to one peer
  index_t all = 0, between = 0;  ///< to all peers, and to those on other nodes
};

/// `is_near` tells whether a rank is on the node of `rank`. The memory does not grow with the ranks.
PeerTraffic peer_traffic(const ExchangePlan& plan, int rank, std::size_t bytes_per_real,
                         const std::function<bool(int)>& is_near);
/// Bytes that a rank sends with the strategy multistage, including the data that it forwards for other ranks.
index_t multistage_bytes(const ExchangePlan& plan, int rank, std::size_t bytes_per_real);

}  // namespace weft
