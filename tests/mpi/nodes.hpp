// What tests ask about the machine that they run on: where its ranks are, and hence what is possible and right there.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "weft/options.hpp"
#include "world.hpp"

namespace weft::testing {

/// Whether all ranks share the memory of one node. Collective the first time.
inline bool one_node() {
  static const bool one = [] { return world().max(index_t{world().node().size() < world().size()}) == 0; }();
  return one;
}

/// Whether pairs of neighbours can count as a node everywhere (node_ranks = 2). Collective.
inline bool nodes_of_pairs() { return world().max(index_t{world().node().size() % 2}) == 0; }

/// For GTEST_SKIP, where a test is about memory that all ranks share.
inline const char* needs_one_node() { return "needs ranks that share one node; here they are on several"; }

/// What `automatic` takes by itself where memory is not short.
inline std::string automatic_name() { return ranks() == 1 ? "none" : one_node() ? "shared" : "alltoallv"; }

/// The same strategy, but where ranks are on several nodes the one that shares memory as far as it reaches: for tests
/// of results, which are the same with all of them.
inline Strategy possible(Strategy strategy) {
  return strategy == Strategy::shared && !one_node() ? Strategy::hierarchical : strategy;
}
inline std::vector<Strategy> possible(std::vector<Strategy> strategies) {
  std::transform(strategies.begin(), strategies.end(), strategies.begin(), [](Strategy s) { return possible(s); });
  return strategies;
}

}  // namespace weft::testing
