// What one run of the simulation does, from its command line.
#pragma once

#include <string>
#include <vector>

#include "exchange/exchange.hpp"
#include "weft/options.hpp"

namespace weft::simulation {

struct Case {
  bool redistribution = false;  ///< instead of exchanges
  Extents extents{8, 8, 8};     ///< of the global array, complex doubles
  std::vector<int> grid;        ///< two entries
  Strategy strategy = Strategy::alltoallv, between_nodes = Strategy::cyclic;
  int chunks = 1;
  int node_ranks = 0;  ///< ranks that count as a node; 0: those of the simulated nodes
  int rounds = 2;      ///< forward and backward so often
  double compute = 0;  ///< seconds of a pass, on either side of an exchange

  bool damage = false;  ///< rank 0 fills its data wrongly: to see that it shows

  /// Exchanges of the plan of a three-dimensional transform: along the second process axis, then along the first.
  std::vector<ExchangePlan> exchanges() const;
};

/// From arguments "name=value"; throws Error that lists the names.
Case parse_case(const std::vector<std::string>& arguments);

}  // namespace weft::simulation
