// Predicts the seconds of a plan from its steps, without measuring. Pure arithmetic.
#pragma once

#include "plan/schedule.hpp"
#include "weft/options.hpp"

namespace weft {

/// What a rank of this class of machine does per second: one thread per rank, some ranks on each node. Rough on
/// purpose: predictions order candidates, measurements decide.
struct MachineRates {
  double flops = 8e9;              ///< of one thread in lane blocks (5 n log2 n counted for a complex line of n)
  double memory = 1e10;            ///< bytes loaded and stored
  double inside = 3e9;             ///< bytes sent to ranks of the same node: MPI copies them through shared memory
  double between = 1.5e9;          ///< bytes sent to other nodes, whose network the ranks of a node share
  double latency_inside = 1e-6;    ///< seconds a message
  double latency_between = 3e-6;   ///< seconds a message
  double datatype_share = 0.4;     ///< speed of messages that MPI gathers element by element, of that of plain ones
  double overlapped_share = 0.75;  ///< part of a transfer between nodes that can go on behind other work
};

/// How ranks lie on nodes: rank r on node r / node_ranks.
struct Placement {
  int ranks = 1;
  int node_ranks = 1;
  int threads = 1;
  bool one_node() const { return node_ranks >= ranks; }
};

/// Seconds of one direction on the rank with the largest boxes.
struct Cost {
  double passes = 0, exchanges = 0;
  double seconds() const { return passes + exchanges; }
};

/// The cost of a schedule when its exchanges are done by `strategy` in `chunks` parts; infinite where the strategy
/// cannot do them (shared memory between nodes; hierarchical without several nodes of several ranks). `automatic` is
/// shared inside a node, else alltoallv.
Cost estimated_cost(const Schedule& schedule, std::size_t bytes_per_real, const Placement& placement, Strategy strategy,
                    int chunks, const MachineRates& rates = {});

}  // namespace weft
