// Explains a plan or a solver for absent ranks, computed from its schedule in one process.
#pragma once

#include <string>
#include <vector>

#include "plan/tune/tuner.hpp"

namespace weft {

/// A number of ranks of a machine.
struct AbsentRanks {
  NodeMap node_map = {};
  MachineModel machine = {};
  std::size_t bytes_per_real = sizeof(double);
  int rank = 0;  ///< the rank whose lines, bytes and peers are shown
};

/// The explanation of a plan on these ranks.
struct Explanation {
  std::string text;
  std::string strategy;  ///< as Plan::strategy()
  std::vector<int> grid;
  int chunks = 1;
  index_t bytes_sent = 0;  ///< by this rank, in one direction of a pair of transforms or in a solve
};

/// `work` is a pair of transforms, for which tuning files are read as plans do, or a solve. The memory does not grow
/// with the ranks. Throws Error if such a plan would.
Explanation explain_absent(ScheduleInput input, const PlanOptions& options, Work work, const AbsentRanks& ranks);

}  // namespace weft
