// Fills in what the options of a plan leave open: from a tuning file, by estimate, or by a search.
#pragma once

#include "plan/schedule/schedule.hpp"
#include "plan/tune/cost.hpp"
#include "weft/comm.hpp"
#include "weft/tuning.hpp"

namespace weft {

/// The options for a plan with this input (as checked_input gives it). Collective; the answer is the same on all ranks.
/// A fitting entry of a tuning file comes first. Else effort decides: `estimate` chooses only what is left open and the
/// pipeline has no standard for, as estimated() says; the others search.
template <class Real>
Tuning tuned(const Comm& comm, const ScheduleInput& input, const PlanOptions& options);

/// Where a plan is to run, whether its ranks are there or not.
struct Setting {
  NodeMap node_map = {};
  MachineModel machine = {};
  std::size_t bytes_per_real = sizeof(double);
  bool one_node = true;           ///< all ranks share a node, and the options speak of no other nodes
  bool has_shared_memory = true;  ///< as much as a hierarchical exchange takes
};

/// What an estimate chooses: strategy and chunks as far as the options leave them open, for the steps of a schedule.
/// Between nodes all strategies whose times were measured there (weft calibrate) compete. Pure arithmetic.
Tuning estimated(const Schedule& schedule, const PlanOptions& options, Work work, const Setting& setting);

/// The choice for the ranks of a communicator, equal on all of them. Collective.
template <class Real>
Tuning estimated(const Comm& comm, const Schedule& schedule, const PlanOptions& options, Work work);

/// tuned() where only the first `ranks` of `comm` transform: they find out, and tell the others. The trials are left
/// out. Collective.
template <class Real>
Tuning tuned_by_first(const Comm& comm, int ranks, const ScheduleInput& input, const PlanOptions& options);

}  // namespace weft
