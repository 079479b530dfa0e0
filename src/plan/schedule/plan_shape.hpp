// Shapes and kinds of plans: checks, the order of transforms, where points are. Pure arithmetic.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"

namespace weft {

/// "c2c, r2c"
std::string to_text(const std::vector<Kind>& kinds);
/// One kind per axis from one for all: r2c is numpy's rfftn, the last axis after complex ones.
std::vector<Kind> one_for_all(const Extents& shape, Kind kind);
/// Throws Error when a shape is none, or its kinds do not go together.
void check_shape(const Extents& shape, const std::vector<Kind>& kinds);
/// The axes in the order of their transforms, and what fits into a cache; the grid is left to the caller. Of the
/// options it takes modes, batch_axes and scheme. Throws Error where they do not go with the axes.
ScheduleInput schedule_input(const Extents& shape, const std::vector<Kind>& kinds, std::size_t bytes_per_real,
                             const PlanOptions& options = {});
/// Checks all arguments of a plan, first between ranks, then on each rank, and returns schedule_input. Collective.
ScheduleInput checked_input(const Comm& comm, const Extents& shape, const std::vector<Kind>& kinds,
                            const PlanOptions& options, std::size_t bytes_per_real);
/// The steps of a plan with these options on that many ranks.
Schedule planned_schedule(ScheduleInput input, const PlanOptions& options, int ranks);

}  // namespace weft
