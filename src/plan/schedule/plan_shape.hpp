// Shapes and kinds of plans: checks, the order of transforms, positions of points. Pure arithmetic.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"

namespace weft {

/// "c2c, r2c"
std::string to_text(const std::vector<Kind>& kinds);
/// One kind per axis from one for all. A single r2c means numpy's rfftn: r2c on the last axis, c2c on the others.
std::vector<Kind> one_for_all(const Extents& shape, Kind kind);
/// Throws Error if a shape is not allowed, or if its kinds cannot be combined.
void check_shape(const Extents& shape, const std::vector<Kind>& kinds);
/// The axes in the order of their transforms, and the size of planes that fit in a cache. The caller sets the grid.
/// Uses the options modes, batch_axes and scheme. Throws Error if they do not fit the axes.
ScheduleInput schedule_input(const Extents& shape, const std::vector<Kind>& kinds, std::size_t bytes_per_real,
                             const PlanOptions& options = {});
/// Checks all arguments of a plan, first between ranks, then on each rank, and returns schedule_input. Collective.
ScheduleInput checked_input(const Comm& comm, const Extents& shape, const std::vector<Kind>& kinds,
                            const PlanOptions& options, std::size_t bytes_per_real);
/// The steps of a plan with these options on that many ranks.
Schedule planned_schedule(ScheduleInput input, const PlanOptions& options, int ranks);

}  // namespace weft
