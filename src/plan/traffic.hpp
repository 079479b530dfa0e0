// What a schedule sends: counted exactly, without MPI.
#pragma once

#include "plan/schedule.hpp"

namespace weft {

/// Reals that all ranks together send in one direction.
struct Traffic {
  index_t all = 0;
  index_t between = 0;  ///< those of them that leave their node
  Traffic& operator+=(const Traffic& other) {
    all += other.all;
    between += other.between;
    return *this;
  }
};

/// How many neighbours along a process axis share a node, where node_ranks ranks in a row do (0: all ranks).
int near_peers(const ProcessGrid& grid, int process_axis, int node_ranks);
/// All of the array but what each rank, or each node, keeps. Exact where nodes hold whole lines of neighbours.
Traffic traffic_of(const ExchangePlan& plan, int node_ranks);
Traffic traffic_of(const Schedule& schedule, int node_ranks);

}  // namespace weft
