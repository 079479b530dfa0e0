// What a search for the fastest plan tries, and in which order. Pure arithmetic: the same on every rank.
#pragma once

#include <vector>

#include "plan/schedule/schedule.hpp"
#include "plan/tune/cost.hpp"
#include "weft/tuning.hpp"

namespace weft {

/// All ways to write `ranks` as a product of 1 to `most` factors in order, without 1 as the last one (but for {1}).
std::vector<std::vector<int>> factorisations(int ranks, int most);

/// Options that can be tried, with the seconds of a forward and a backward transform that are predicted for them.
struct Candidate {
  PlanOptions options;
  double estimate = 0;
};

/// Whether `options` leave chunks to the planner: 0 says so, and so does 1, the default, where the strategy is its
/// choice and it may measure.
bool chooses_chunks(const PlanOptions& options);

/// Whether a strategy packs its messages, so that they can be narrowed on the wire (PlanOptions::wire).
bool packs_messages(Strategy strategy);

/// Whether a strategy starts its sends in batches (PlanOptions::send_batch).
bool throttles_sends(Strategy strategy);

/// The candidates that `given` and the filter leave: process grids x strategies x chunks x fusion, and batches of 0
/// (all) and 1 where sends are throttled and a rank has several to send to. First come the best of every strategy by
/// estimate, then the second best of each, and so on, so that a search that runs out of time has looked at all of them;
/// a batch of 1 comes behind the same without. Throws Error when the filter leaves nothing.
std::vector<Candidate> candidates(const ScheduleInput& input, const PlanOptions& given, const TuneFilter& filter,
                                  const NodeMap& node_map, std::size_t bytes_per_real,
                                  const MachineModel& machine = {});

}  // namespace weft
