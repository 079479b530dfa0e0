// Turns checked arguments into a pipeline between borders, tuned according to the options.
#pragma once

#include <string>

#include "plan/arguments.hpp"
#include "plan/run/bordered_pipeline.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "plan/tune/tuner.hpp"

namespace weft {

/// Collective. The input fits the options, which are valid. `tuning_summary` becomes the text of explain() about the
/// choice.
template <class Real>
BorderedPipeline<Real> planned(const Comm& comm, const ScheduleInput& input, const PlanBoxes& boxes,
                               const PlanOptions& given, std::string& tuning_summary);

}  // namespace weft
