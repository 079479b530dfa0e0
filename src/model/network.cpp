// Adds up the bytes that exchanges send over the links of a network.
#include "model/network.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "weft/error.hpp"

namespace weft {

namespace {

const std::array<std::pair<Topology, const char*>, 4> names{{{Topology::flat, "flat"},
                                                             {Topology::fat_tree, "fat tree"},
                                                             {Topology::dragonfly, "dragonfly"},
                                                             {Topology::torus, "torus"}}};

// A number of ranks of a line in one place, which is a node or a group.
struct Crowd {
  int place;
  double ranks;
};
using Crowds = std::vector<Crowd>;

// Merges adjacent entries of the list that are in the same place.
void add(Crowds& crowds, int place, double ranks) {
  if (!crowds.empty() && crowds.back().place == place)
    crowds.back().ranks += ranks;
  else
    crowds.push_back({place, ranks});
}

Crowds in_groups(const Crowds& nodes, int group_nodes) {
  Crowds groups;
  for (const Crowd& node : nodes) add(groups, node.place / group_nodes, node.ranks);
  return groups;
}

// Calls work(crowds by node) for every line, also for lines that lie on the nodes in the same way.
template <class Work>
void for_each_line(const LineExchange& exchange, const Work& work) {
  Crowds nodes;
  for (int outer = 0; outer < exchange.ranks; outer += exchange.peers * exchange.stride)
    for (int first = outer; first < outer + exchange.stride; first++) {
      nodes.clear();
      for (int peer = 0; peer < exchange.peers; peer++)
        add(nodes, (first + peer * exchange.stride) / exchange.node_ranks, 1);
      work(nodes);
    }
}

int places(const LineExchange& exchange, int group_nodes) {
  return (exchange.ranks - 1) / (exchange.node_ranks * group_nodes) + 1;
}

void keep_worse(LinkLoad& worst, LinkLoad found) {
  if (found.bytes > 0 && found.bytes_per_link() > worst.bytes_per_link()) worst = std::move(found);
}

// Blocks that leave the group, of so many nodes, that sends most.
double most_leaving(const LineExchange& exchange, int group_nodes) {
  std::vector<double> leaving(static_cast<std::size_t>(places(exchange, group_nodes)));
  for_each_line(exchange, [&](const Crowds& nodes) {
    for (const Crowd& group : in_groups(nodes, group_nodes))
      leaving[static_cast<std::size_t>(group.place)] += group.ranks * (exchange.peers - group.ranks);
  });
  return *std::max_element(leaving.begin(), leaving.end());
}

// Blocks between the two groups that exchange most.
double most_between_pairs(const LineExchange& exchange, int group_nodes) {
  const auto groups = static_cast<std::size_t>(places(exchange, group_nodes));
  std::vector<double> sent(groups * groups);
  for_each_line(exchange, [&](const Crowds& nodes) {
    const Crowds crowds = in_groups(nodes, group_nodes);
    for (const Crowd& from : crowds)
      for (const Crowd& to : crowds)
        if (from.place != to.place)
          sent[static_cast<std::size_t>(from.place) * groups + static_cast<std::size_t>(to.place)] +=
              from.ranks * to.ranks;
  });
  return *std::max_element(sent.begin(), sent.end());
}

// --- torus ---------------------------------------------------------------------------------------------------------

using TorusCoordinates = std::array<int, 3>;

// Blocks on the links of one axis in the rising and the falling direction, as differences along its rings: the number
// of blocks on a link is the sum of all differences up to it.
class Rings {
 public:
  Rings(const TorusCoordinates& extents, std::size_t axis)
      : extents_(extents), axis_(axis), up_(size(extents)), down_(size(extents)) {}

  // Adds blocks from coordinate `from` to `to` along the ring through `place`, the shorter way around (rising if both
  // ways are equal).
  void send(TorusCoordinates coordinates, int from, int to, double blocks) {
    const int n = extents_[axis_], rising = (to - from + n) % n;
    if (rising == 0) return;
    if (2 * rising <= n)
      pass(up_, coordinates, from, to, blocks);
    else
      pass(down_, coordinates, to, from, blocks);
  }
  double most() const { return std::max(most_of(up_), most_of(down_)); }

 private:
  static std::size_t size(const TorusCoordinates& extents) {
    return static_cast<std::size_t>(extents[0]) * static_cast<std::size_t>(extents[1]) *
           static_cast<std::size_t>(extents[2]);
  }
  std::size_t index(TorusCoordinates coordinates, int coordinate) const {
    coordinates[axis_] = coordinate;
    std::size_t result = 0;
    for (std::size_t axis = 0; axis < coordinates.size(); axis++)
      result = result * static_cast<std::size_t>(extents_[axis]) + static_cast<std::size_t>(coordinates[axis]);
    return result;
  }
  // Links first, first + 1, .. last - 1 around the ring.
  void pass(std::vector<double>& links, const TorusCoordinates& coordinates, int first, int last, double blocks) const {
    links[index(coordinates, first)] += blocks;
    links[index(coordinates, last)] -= blocks;
    if (last < first) links[index(coordinates, 0)] += blocks;
  }
  double most_of(const std::vector<double>& differences) const {
    double most = 0;
    TorusCoordinates coordinates{};
    TorusCoordinates others = extents_;
    others[axis_] = 1;
    for (coordinates[0] = 0; coordinates[0] < others[0]; coordinates[0]++)
      for (coordinates[1] = 0; coordinates[1] < others[1]; coordinates[1]++)
        for (coordinates[2] = 0; coordinates[2] < others[2]; coordinates[2]++) {
          double passing = 0;
          for (int c = 0; c < extents_[axis_]; c++)
            most = std::max(most, passing += differences[index(coordinates, c)]);
        }
    return most;
  }

  TorusCoordinates extents_;
  std::size_t axis_;
  std::vector<double> up_, down_;
};

TorusCoordinates coordinates_of(int node, const TorusCoordinates& extents) {
  return {node / (extents[1] * extents[2]), node / extents[2] % extents[1], node % extents[2]};
}

// The number of ranks of a line whose places share some coordinates.
using Shadow = std::map<std::pair<int, int>, double>;

Shadow shadow(const Crowds& nodes, const TorusCoordinates& extents, std::size_t first, std::size_t second) {
  Shadow result;
  for (const Crowd& node : nodes) {
    const TorusCoordinates coordinates = coordinates_of(node.place, extents);
    result[{coordinates[first], coordinates[second]}] += node.ranks;
  }
  return result;
}

// Messages turn from the first axis to the second at the receiver's first coordinate, and from the second to the third
// at its first two.
void route(const Crowds& nodes, const TorusCoordinates& extents, std::array<Rings, 3>& rings) {
  const Shadow first = shadow(nodes, extents, 0, 0), third = shadow(nodes, extents, 2, 2),
               senders = shadow(nodes, extents, 1, 2), receivers = shadow(nodes, extents, 0, 1);
  for (const Crowd& node : nodes) {
    const TorusCoordinates coordinates = coordinates_of(node.place, extents);
    for (const auto& [to, ranks] : first) rings[0].send(coordinates, coordinates[0], to.first, node.ranks * ranks);
    for (const auto& [from, ranks] : third) rings[2].send(coordinates, from.first, coordinates[2], node.ranks * ranks);
  }
  for (const auto& [from, sent] : senders)
    for (const auto& [to, received] : receivers)
      rings[1].send({to.first, 0, from.second}, from.first, to.second, sent * received);
}

LinkLoad most_loaded_in_torus(const LineExchange& exchange, const Network& network) {
  const int nodes = places(exchange, 1);
  const TorusCoordinates extents = network.extents[0] > 0 ? network.extents : torus_extents(nodes);
  require(static_cast<long long>(extents[0]) * extents[1] * extents[2] >= nodes,
          "network: a torus of " + std::to_string(extents[0]) + " x " + std::to_string(extents[1]) + " x " +
              std::to_string(extents[2]) + " has too few nodes; " + std::to_string(nodes) + " are needed");
  std::array<Rings, 3> rings{Rings(extents, 0), Rings(extents, 1), Rings(extents, 2)};
  for_each_line(exchange, [&](const Crowds& crowds) { route(crowds, extents, rings); });
  LinkLoad worst;
  for (std::size_t axis = 0; axis < 3; axis++)
    keep_worse(worst, {rings[axis].most() * exchange.block, 1, "torus axis " + std::to_string(axis)});
  return worst;
}

}  // namespace

std::string to_string(Topology topology) {
  const auto* found = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == topology; });
  return found->second;
}

Topology parse_topology(const std::string& text) {
  std::string allowed;
  for (const auto& [topology, name] : names) {
    if (text == name) return topology;
    allowed += (allowed.empty() ? "" : ", ") + std::string(name);
  }
  throw Error(Fault::argument, "topology: unknown name '" + text + "'; allowed are " + allowed);
}

LinkLoad most_loaded_link(const LineExchange& exchange, const Network& network) {
  LinkLoad worst;
  keep_worse(worst, {most_leaving(exchange, 1) * exchange.block, 1, "node"});
  if (worst.bytes == 0) return worst;
  for (const NodeGroup& group : network.groups)
    keep_worse(worst, {most_leaving(exchange, group.nodes) * exchange.block, group.links,
                       "group of " + std::to_string(group.nodes) + " nodes"});
  if (network.topology == Topology::dragonfly && network.pair_links > 0)
    keep_worse(worst, {most_between_pairs(exchange, network.groups.front().nodes) * exchange.block, network.pair_links,
                       "pair of groups"});
  if (network.topology == Topology::torus) keep_worse(worst, most_loaded_in_torus(exchange, network));
  return worst;
}

std::array<int, 3> torus_extents(int nodes) {
  const int first = std::max(1, static_cast<int>(std::floor(std::cbrt(nodes) + 1e-9)));
  const int second = std::max(1, static_cast<int>(std::floor(std::sqrt(static_cast<double>(nodes) / first) + 1e-9)));
  return {first, second, (nodes + first * second - 1) / (first * second)};
}

}  // namespace weft
