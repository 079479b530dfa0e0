// Checks of what users pass to plans and solvers, the same on every rank, before any work.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"
#include "weft/plan.hpp"

namespace weft {

/// Throws Error on every rank alike when an option is not the same on all ranks. Collective.
void require_same_options(const Comm& comm, const PlanOptions& options);
/// Throws Error when an option alone or the grid for this number of ranks is not allowed.
void check_options(const PlanOptions& options, int ranks);
/// Throws Error about `name` where an array of so many elements per axis, complex and padded to twice as many, has more
/// bytes than 64 bits count.
void check_total(const char* name, const Extents& counts);
/// Ranks that a plan is predicted and explained for without them, at most.
constexpr int most_absent_ranks = 1 << 20;
/// Throws Error when a number of ranks that are not there is beyond that.
void check_absent_ranks(int ranks);
/// Throws Error (Fault::resource) where this machine's memory does not hold the two blocks of the longest lines: tables
/// of such lines would be computed for minutes before. `lane_bytes`: of a real number in all lanes.
void check_line_memory(const Schedule& schedule, int lane_bytes);
/// check_options() on every rank alike, then the ranks of a node (the most of any), by which grids are chosen.
/// Collective.
int checked_node_ranks(const Comm& comm, const PlanOptions& options);
/// How many of the ranks of a communicator transform.
int ranks_of(const PlanOptions& options, int size);
/// Throws Error when options and boxes that say who owns what do not go together.
void check_boxes(const PlanOptions& options, const PlanBoxes& boxes, int size);
/// Throws Error when options that say who owns what are given to a solver, which has no use for them.
void refuse_distribution(const PlanOptions& options);
/// The user's grid, or a chosen one; fitted to the schedule's axes.
ProcessGrid grid_for(const ScheduleInput& input, const PlanOptions& options, int ranks);
/// Largest plane, in reals, through which two passes are fused: it has to stay in the cache of a core.
index_t fusible_plane_reals(std::size_t bytes_per_real);

}  // namespace weft
