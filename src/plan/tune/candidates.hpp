// The candidates of a search for the fastest plan, and their order. Pure arithmetic: the same on every rank.
#pragma once

#include <vector>

#include "plan/schedule/schedule.hpp"
#include "plan/tune/cost.hpp"
#include "weft/tuning.hpp"

namespace weft {

/// All ordered products of 1 to `most` factors that equal `ranks`, without 1 as the last factor (except for {1}).
std::vector<std::vector<int>> factorisations(int ranks, int most);

/// Options to try, with the predicted seconds of a forward and a backward transform.
struct Candidate {
  PlanOptions options;
  double estimate = 0;
};

/// Whether `options` leave chunks to the planner: for 0, and for 1, the default, if the planner also chooses the
/// strategy and may measure.
bool chooses_chunks(const PlanOptions& options);

/// The candidates that `given` and the filter allow: process grids x strategies x chunks x fusion, and batches of 0
/// (all) and 1 if sends are throttled and a rank sends to several ranks. The best candidate of every strategy by
/// estimate comes first, then the second best of each, and so on, so that a search that runs out of time has tried all
/// strategies. A batch of 1 follows its candidate with all messages at once. Throws Error if the filter leaves no
/// candidate.
std::vector<Candidate> candidates(const ScheduleInput& input, const PlanOptions& given, const TuneFilter& filter,
                                  const NodeMap& node_map, std::size_t bytes_per_real,
                                  const MachineModel& machine = {});

}  // namespace weft
