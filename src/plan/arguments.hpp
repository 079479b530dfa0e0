// Checks of the arguments of plans and solvers, with the same outcome on every rank, before any work.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"
#include "weft/plan.hpp"

namespace weft {

/// Throws Error on every rank alike if an option differs between ranks. Collective.
void require_same_options(const Comm& comm, const PlanOptions& options);
/// Throws Error if an option by itself, or the grid for this number of ranks, is not allowed.
void check_options(const PlanOptions& options, int ranks);
/// Throws Error about `name` if 64 bits cannot count the bytes of an array of `counts` elements, complex and padded to
/// twice as many.
void check_total(const char* name, const Extents& counts);
/// The largest number of absent ranks for which plans are predicted and explained.
constexpr int most_absent_ranks = 1 << 20;
/// Throws Error if a number of absent ranks exceeds most_absent_ranks.
void check_absent_ranks(int ranks);
/// Throws Error (Fault::resource) if this machine's memory cannot hold the two blocks of the longest lines; otherwise
/// tables for such lines would be computed for minutes before the failure. `lane_bytes`: bytes of a real in all lanes.
void check_line_memory(const Schedule& schedule, int lane_bytes);
/// Runs check_options() on every rank alike and returns the largest number of ranks of a node, by which grids are
/// chosen. Collective.
int checked_node_ranks(const Comm& comm, const PlanOptions& options);
/// The number of ranks of a communicator that transform.
int ranks_of(const PlanOptions& options, int size);
/// Throws Error if options and boxes that distribute data contradict each other.
void check_boxes(const PlanOptions& options, const PlanBoxes& boxes, int size);
/// Throws Error if a solver is given options that distribute data, which it does not use.
void refuse_distribution(const PlanOptions& options);
/// The user's grid, or a chosen one, fitted to the schedule's axes.
ProcessGrid grid_for(const ScheduleInput& input, const PlanOptions& options, int ranks);
/// Largest plane, in reals, through which two passes are fused: it has to stay in the cache of a core.
index_t fusible_plane_reals(std::size_t bytes_per_real);

}  // namespace weft
