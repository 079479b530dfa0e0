// Completes the open options of a plan: from a tuning file, by estimate, or by a search.
#pragma once

#include "plan/schedule/schedule.hpp"
#include "plan/tune/cost.hpp"
#include "weft/comm.hpp"
#include "weft/tuning.hpp"

namespace weft {

/// The options for a plan with this input (as checked_input gives it). Collective; the answer is the same on all ranks.
/// A matching entry of a tuning file has priority. Otherwise effort decides: `estimate` chooses the open options for
/// which the pipeline has no default, as estimated() describes; the other efforts search.
template <class Real>
Tuning tuned(const Comm& comm, const ScheduleInput& input, const PlanOptions& options);

/// The machine and the ranks of a plan, which may not exist.
struct Setting {
  NodeMap node_map = {};
  MachineModel machine = {};
  std::size_t bytes_per_real = sizeof(double);
  bool one_node = true;           ///< all ranks share a node, and the options set no smaller nodes
  bool has_shared_memory = true;  ///< enough for a hierarchical exchange
};

/// The choice by estimate for the steps of a schedule: strategy and chunks, as far as the options leave them open.
/// Between nodes all strategies whose times were measured there (weft calibrate) compete. Pure arithmetic.
Tuning estimated(const Schedule& schedule, const PlanOptions& options, Work work, const Setting& setting);

/// The choice for the ranks of a communicator, equal on all of them. Collective.
template <class Real>
Tuning estimated(const Comm& comm, const Schedule& schedule, const PlanOptions& options, Work work);

/// tuned() if only the first `ranks` of `comm` transform: these ranks search and send the result to the others, without
/// the trials. Collective.
template <class Real>
Tuning tuned_by_first(const Comm& comm, int ranks, const ScheduleInput& input, const PlanOptions& options);

}  // namespace weft
