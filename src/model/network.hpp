// Networks between nodes, and the load that an exchange puts on the busiest link. Pure arithmetic.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace weft {

///  flat       every node has a link of its own, and only these links limit messages
///  fat_tree   groups of consecutive nodes, in groups of groups; each has a number of links upwards
///  dragonfly  groups of consecutive nodes, any two of which are connected by links of their own
///  torus      a three-dimensional ring of rings; messages go along the first, then the second, then the third axis
enum class Topology { flat, fat_tree, dragonfly, torus };

std::string to_string(Topology topology);
/// The inverse of to_string ("fat tree"). Throws Error that lists what is allowed.
Topology parse_topology(const std::string& text);

/// The consecutive nodes below a switch or of a dragonfly's group, and the links that leave it.
struct NodeGroup {
  int nodes = 1;
  double links = 1;  ///< each with the speed of a node's link
};

struct Network {
  Topology topology = Topology::flat;
  double link = 0;                ///< bytes per second in either direction; 0: not a limit
  std::vector<NodeGroup> groups;  ///< fat tree: inner ones first; dragonfly: one
  double pair_links = 0;          ///< dragonfly: between two groups; 0: routing spreads messages over all groups
  std::array<int, 3> extents{};   ///< torus: nodes per axis; 0: the most cubic torus of all nodes
};

/// An exchange in which the ranks of each line send a block to each other. A line has `peers` ranks, whose numbers
/// differ by multiples of `stride`.
struct LineExchange {
  int ranks = 1, peers = 1, stride = 1;
  int node_ranks = 1;  ///< rank r is on node r / node_ranks
  double block = 0;    ///< bytes
};

/// The slowest link: its bytes in one direction, and its speed in links.
struct LinkLoad {
  double bytes = 0;        ///< over the link, or all links of a group together
  double links = 1;        ///< how many links share them
  std::string where = {};  ///< "node", "group of 24 nodes", "pair of groups", "torus axis 1"; empty: nothing is sent
  double bytes_per_link() const { return bytes / links; }
};

/// All messages of an exchange at once. Ranks sit on nodes in order, nodes in groups in order.
LinkLoad most_loaded_link(const LineExchange& exchange, const Network& network);

/// As cubic as possible: three factors of at least `nodes`, the smallest product first.
std::array<int, 3> torus_extents(int nodes);

}  // namespace weft
