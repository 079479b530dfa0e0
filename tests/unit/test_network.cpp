// What exchanges put on the most loaded link, against counts by hand and by brute force over all messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "../error_text.hpp"
#include "model/network.hpp"

namespace weft {
namespace {

// Calls work(sender, receiver) for all messages.
template <class Work>
void for_each_message(const LineExchange& e, const Work& work) {
  for (int from = 0; from < e.ranks; from++)
    for (int to = 0; to < e.ranks; to++) {
      const bool same_line =
          from % e.stride == to % e.stride && from / (e.stride * e.peers) == to / (e.stride * e.peers);
      if (same_line && from != to) work(from, to);
    }
}

// Bytes that leave the group of nodes that sends most.
double leaving_by_hand(const LineExchange& e, int group_nodes) {
  std::map<int, double> bytes;
  const int group = e.node_ranks * group_nodes;
  for_each_message(e, [&](int from, int to) {
    if (from / group != to / group) bytes[from / group] += e.block;
  });
  double most = 0;
  for (const auto& [place, sum] : bytes) most = std::max(most, sum);
  return most;
}

const std::vector<LineExchange> exchanges{{24, 24, 1, 4, 8}, {24, 4, 1, 4, 8}, {24, 6, 4, 4, 8}, {24, 3, 2, 5, 1},
                                          {30, 5, 3, 4, 2},  {64, 8, 8, 4, 1}, {7, 7, 1, 2, 3}};

TEST(Network, NodesAndGroupsAsCountedMessageByMessage) {
  for (const LineExchange& e : exchanges) {
    EXPECT_DOUBLE_EQ(most_loaded_link(e, {}).bytes, leaving_by_hand(e, 1));
    Network tree;
    tree.topology = Topology::fat_tree;
    tree.groups = {{2, 1e-3}};  // so narrow that it is the worst
    EXPECT_DOUBLE_EQ(most_loaded_link(e, tree).bytes,
                     leaving_by_hand(e, 2) > 0 ? leaving_by_hand(e, 2) : leaving_by_hand(e, 1));
  }
}

TEST(Network, AWideTreeIsAsGoodAsAFlatNetwork) {
  Network tree;
  tree.topology = Topology::fat_tree;
  tree.groups = {{2, 2}, {4, 4}};
  for (const LineExchange& e : exchanges) {
    EXPECT_LE(leaving_by_hand(e, 4) / 4, leaving_by_hand(e, 1));
    EXPECT_DOUBLE_EQ(most_loaded_link(e, tree).bytes_per_link(), most_loaded_link(e, {}).bytes_per_link());
  }
  // Half of the links upwards: all of 64 nodes with one rank each send 56 of 63 blocks out of 8 nodes, over 4 links.
  tree.groups = {{8, 4}};
  const LinkLoad found = most_loaded_link({64, 64, 1, 1, 1}, tree);
  EXPECT_DOUBLE_EQ(found.bytes_per_link(), 8 * 56.0 / 4);
  EXPECT_EQ(found.where, "group of 8 nodes");
}

TEST(Network, PairsOfGroupsOfADragonfly) {
  Network dragonfly;
  dragonfly.topology = Topology::dragonfly;
  dragonfly.groups = {{2, 1e9}};
  dragonfly.pair_links = 1e-3;
  for (const LineExchange& e : exchanges) {
    std::map<std::pair<int, int>, double> bytes;
    const int group = 2 * e.node_ranks;
    for_each_message(e, [&](int from, int to) {
      if (from / group != to / group) bytes[{from / group, to / group}] += e.block;
    });
    double most = 0;
    for (const auto& [pair, sum] : bytes) most = std::max(most, sum);
    if (most > 0) {
      EXPECT_DOUBLE_EQ(most_loaded_link(e, dragonfly).bytes, most);
    }
  }
}

// Every message step by step along the first, the second, the third axis, the shorter way around.
double torus_by_hand(const LineExchange& e, const std::array<int, 3>& extents) {
  std::map<std::tuple<int, int, int, int, int>, double> links;
  const auto place = [&](int rank) {
    const int node = rank / e.node_ranks;
    return std::array<int, 3>{node / (extents[1] * extents[2]), node / extents[2] % extents[1], node % extents[2]};
  };
  for_each_message(e, [&](int from, int to) {
    std::array<int, 3> at = place(from);
    const std::array<int, 3> end = place(to);
    for (std::size_t axis = 0; axis < 3; axis++) {
      const int n = extents[axis];
      const int step = 2 * ((end[axis] - at[axis] + n) % n) <= n ? 1 : n - 1;
      while (at[axis] != end[axis]) {
        links[{static_cast<int>(axis), step, at[0], at[1], at[2]}] += e.block;
        at[axis] = (at[axis] + step) % n;
      }
    }
  });
  double most = 0;
  for (const auto& [link, sum] : links) most = std::max(most, sum);
  return most;
}

TEST(Network, TorusAsCountedLinkByLink) {
  for (const LineExchange& e : exchanges)
    for (const std::array<int, 3>& extents : {std::array{2, 2, 8}, std::array{4, 4, 2}, std::array{3, 3, 4}}) {
      Network torus;
      torus.topology = Topology::torus;
      torus.extents = extents;
      const int nodes = (e.ranks + e.node_ranks - 1) / e.node_ranks;
      if (extents[0] * extents[1] * extents[2] < nodes) continue;
      EXPECT_DOUBLE_EQ(most_loaded_link(e, torus).bytes, std::max(torus_by_hand(e, extents), leaving_by_hand(e, 1)));
    }
}

TEST(Network, ATorusTakesExtentsThatHoldAllNodes) {
  for (int nodes = 1; nodes < 200; nodes++) {
    const auto extents = torus_extents(nodes);
    const int all = extents[0] * extents[1] * extents[2];
    EXPECT_GE(all, nodes);
    EXPECT_LT(all - extents[0] * extents[1], nodes) << "a layer too many";
  }
  EXPECT_EQ(torus_extents(512), (std::array{8, 8, 8}));
  Network torus;
  torus.topology = Topology::torus;
  torus.extents = {2, 2, 2};
  const std::string text = testing::error_text([&] { most_loaded_link({9, 9, 1, 1, 1}, torus); });
  EXPECT_NE(text.find("2 x 2 x 2"), std::string::npos) << text;
  EXPECT_NE(text.find("9"), std::string::npos) << text;
}

TEST(Network, NothingLeavesANode) {
  const LinkLoad found = most_loaded_link({12, 4, 1, 4, 8}, {});
  EXPECT_EQ(found.bytes, 0);
  EXPECT_TRUE(found.where.empty());
}

TEST(Network, NamesOfTopologies) {
  for (const Topology topology : {Topology::flat, Topology::fat_tree, Topology::dragonfly, Topology::torus})
    EXPECT_EQ(parse_topology(to_string(topology)), topology);
  const std::string text = testing::error_text([] { parse_topology("ring"); });
  for (const char* part : {"topology", "ring", "fat tree", "torus"}) EXPECT_NE(text.find(part), std::string::npos);
}

}  // namespace
}  // namespace weft
