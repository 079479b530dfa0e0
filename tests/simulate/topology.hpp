// The networks that are simulated, as plain data: the simulator's platform is made from it, and so is what the cost
// model sees of it.
#pragma once

#include <string>
#include <vector>

#include "model/network.hpp"

namespace weft::simulation {

/// Rates of the simulated machine: a common network card, a common node.
struct Rates {
  double network = 12.5e9;        ///< bytes per second of a link of the network, each way
  double memory = 50e9;           ///< bytes per second of the bus of a node, which all messages inside it share
  double latency_network = 2e-7;  ///< seconds a link
  double latency_memory = 2e-7;   ///< seconds a message inside a node
};

/// "fat tree:4,2,2"   leaves of 4 nodes, 2 leaves, 2 spines: a leaf has a link to each spine
/// "dragonfly:2,4,2"  2 groups of 4 routers of 2 nodes; the routers of a group are all connected, and there is one link
///                    between any two groups, from router j of group i to router i of group j (so there are not more
///                    groups than routers in one)
/// "torus:4,2,2"      routers along each of three axes, the first fastest; a node has a link to its router
struct NetworkShape {
  Topology topology = Topology::flat;
  std::vector<int> sizes;

  int nodes() const;
  /// Links between the two nodes that are furthest from one another.
  int most_links() const;
  /// What the cost model sees of it.
  Network network(const Rates& rates) const;
};

/// Throws Error that says what is wrong.
NetworkShape parse_shape(const std::string& text);
/// That of the environment variable WEFT_TOPOLOGY: the platform is told in no other way.
NetworkShape simulated_shape();

}  // namespace weft::simulation
