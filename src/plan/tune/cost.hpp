// Predicts the seconds of a plan step by step from the times of elementary operations, without measuring. Pure
// arithmetic, for any number of ranks. explain(), `weft predict` and the order of a search use it.
#pragma once

#include <string>
#include <vector>

#include "model/machine_model.hpp"
#include "plan/schedule/schedule.hpp"
#include "weft/options.hpp"

namespace weft {

/// The placement of ranks on nodes: rank r is on node r / node_ranks.
struct NodeMap {
  int ranks = 1;
  int node_ranks = 1;
  int threads = 1;
  bool one_node() const { return node_ranks >= ranks; }
  /// Ranks that work at the same time on a node.
  int busy_cores() const { return (one_node() ? ranks : node_ranks) * threads; }
};

/// The work of a program around its messages.
struct Software {
  double sent_copies = 0;  ///< copies of the sent data, packing and unpacking together
  double held_copies = 0;  ///< copies of all data of a rank, for reordering
  double sends = 1;        ///< weight of a sent word
  double starts = 1;       ///< weight of the start of a message
  bool memory = true;      ///< passes wait for memory; false: t_c includes these times
  /// Passes load and store the blocks of messages themselves.
  static Software weft() { return {}; }
  /// Two copies of every block and one of everything, words into the network's buffer and out of it, starts of sends
  /// and receives (Ayala and Wang 2013, eqs. 1 and 2).
  static Software ayala_wang() { return {2, 1, 2, 2, false}; }
};

/// All conditions of a run except for the schedule.
struct Conditions {
  NodeMap node_map = {};
  std::size_t bytes_per_real = sizeof(double);
  Strategy strategy = Strategy::automatic;
  int chunks = 1;
  Software software = {};
};

/// The work: one direction, forward and backward, or a solve (forward, a factor for every mode, backward; one pass is
/// the last of forward and the first of backward, and stores no modes).
enum class Work { forward, pair, solve };

/// One step, on the rank with the largest boxes.
struct StepCost {
  double flops = 0;
  double memory_bytes = 0;    ///< loaded and stored by a pass
  double plane_bytes = 0;     ///< of a plane between two fused axes
  double through_planes = 0;  ///< bytes stored to such planes and loaded again
  double copied_bytes = 0;    ///< packed, unpacked and put in order around messages
  double shared_bytes = 0;    ///< read by other ranks, or from them, in the memory of the node
  double inside_bytes = 0;    ///< sent to ranks of the same node
  double between_bytes = 0;   ///< sent to other nodes
  LinkLoad link = {};         ///< the most loaded link of the network
  double messages = 0;

  double arithmetic = 0, memory = 0;            ///< seconds of a pass; it takes `computing` of them
  double computing = 0;                         ///< seconds
  double copying = 0, inside = 0, network = 0;  ///< seconds of an exchange; inside: also of shared memory
  double latency = 0;                           ///< seconds in which messages start, and of barriers
  double hidden = 0;                            ///< seconds of an exchange that adjacent passes hide
  bool possible = true;
  /// Infinite where a step is not possible: shared memory between nodes; hierarchical without several nodes of several
  /// ranks.
  double seconds() const;
};

/// Passes 0 .. n-1 and the exchanges between them, both directions together where the work has two.
struct Prediction {
  std::vector<StepCost> passes, exchanges;
  double pass_seconds() const;
  double exchange_seconds() const;
  double seconds() const { return pass_seconds() + exchange_seconds(); }
};

/// `automatic` is shared inside a node, else alltoallv.
Prediction predicted(const Schedule& schedule, const Conditions& conditions, const MachineModel& machine,
                     Work work = Work::forward);

}  // namespace weft
