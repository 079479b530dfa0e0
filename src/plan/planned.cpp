// Makes the pipeline of a plan with the fastest options, or with the standard choice if these are not possible now.
#include "plan/planned.hpp"

#include "plan/line/line_shape.hpp"

namespace weft {

template <class Real>
BorderedPipeline<Real> planned(const Comm& comm, const ScheduleInput& input, const PlanBoxes& boxes,
                               const PlanOptions& given, std::string& tuning_summary) {
  const int ranks = ranks_of(given, comm.size());
  if (is_long_line(input, given)) return {comm, line_schedule(input, ranks), given, given, boxes};
  Tuning tuning = tuned_by_first<Real>(comm, ranks, input, given);
  tuning_summary = summary(tuning);
  const auto make = [&] {
    const Schedule schedule = planned_schedule(input, tuning.options, ranks);
    return BorderedPipeline<Real>(comm, schedule, tuning.options, given, boxes);
  };
  if (tuning.options.strategy == given.strategy) return make();
  try {
    return make();
  } catch (const Error& error) {
    if (error.fault() != Fault::resource) throw;
    tuning_summary = "tuned, but not possible now: " + std::string(error.what()) + "\n";
  }
  // The user has left the choice to the library, and options that were fastest earlier may need memory that is not free
  // now.
  tuning.options.strategy = given.strategy;
  return make();
}

template BorderedPipeline<double> planned(const Comm&, const ScheduleInput&, const PlanBoxes&, const PlanOptions&,
                                          std::string&);
template BorderedPipeline<float> planned(const Comm&, const ScheduleInput&, const PlanBoxes&, const PlanOptions&,
                                         std::string&);

}  // namespace weft
