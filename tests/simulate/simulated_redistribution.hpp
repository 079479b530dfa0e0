// A redistribution of the library's among simulated ranks: real data both ways, in simulated time.
#pragma once

#include "case.hpp"
#include "simulated_time.hpp"

namespace weft::simulation {

/// From bricks, which cut all three axes, to pencils and back. Throws Error where the strategy cannot do it.
/// Collective.
Outcome run_redistribution(const Comm& comm, const Case& job);

}  // namespace weft::simulation
