// The seconds that the cost model says for what is simulated.
#pragma once

#include "case.hpp"
#include "topology.hpp"

namespace weft::simulation {

/// One exchange in one direction, and the passes beside it.
struct ModelledTime {
  double exchange = 0;  ///< with nothing beside it
  double total = 0;     ///< passes and what of the exchange is not hidden behind them
  LinkLoad link{};      ///< of the network
};

/// `node_ranks`: ranks of a simulated node.
ModelledTime modelled_time(const Case& job, const ExchangePlan& plan, const NetworkShape& shape, int node_ranks);

}  // namespace weft::simulation
