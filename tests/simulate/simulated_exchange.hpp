// One exchange of the library among simulated ranks: real data both ways, in simulated time.
#pragma once

#include <memory>

#include "case.hpp"
#include "simulated_time.hpp"

namespace weft::simulation {

class SimulatedExchange {
 public:
  /// Collective.
  SimulatedExchange(const Comm& comm, const Case& job, const ExchangePlan& plan);
  /// Whether the strategy can do it: shared memory does not reach other nodes. The same on every rank.
  bool possible() const { return exchange_ != nullptr; }
  /// Forward and backward, again and again. Collective.
  Outcome run();

 private:
  double move(Direction direction, int step, Count& count);

  Comm comm_;
  Case job_;
  int fault_;  // what this rank adds to what it stores
  Elements near_, far_;
  std::unique_ptr<Exchange<double>> exchange_;
};

}  // namespace weft::simulation
