// Looks up plans in tuning files.
#include "plan/tune/tuning_file.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/toml_text.hpp"
#include "base/utf8.hpp"
#include "base/warn_once.hpp"
#include "exchange/strategy.hpp"
#include "plan/tune/candidates.hpp"
#include "plan/tune/node_map.hpp"
#include "transform/engine/engines.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

std::string path_for(const Comm& comm, const PlanOptions& options) {
  const char* standard = std::getenv("WEFT_TUNING");
  return comm.broadcast(options.tuning.empty() && standard != nullptr ? standard : options.tuning, 0);
}

// Rank 0's machine decides.
bool belongs_here(const Comm& comm, const TuningFile& file, const std::string& path) {
  const std::string text =
      comm.broadcast(comm.rank() == 0 ? difference(file.machine, this_machine()) : std::string(), 0);
  if (!text.empty() && comm.rank() == 0) warn_once("the tuning file \"" + path + "\" is ignored: " + text);
  return text.empty();
}

void learn_wisdom(const Comm& comm, const TuningFile& file, const std::string& path) {
  comm.together([&] {
    if (file.machine.fftw != fftw_version()) return;
    if (!add_fftw_wisdom<double>(file.wisdom_double) || !add_fftw_wisdom<float>(file.wisdom_float))
      throw Error(Fault::file, "tuning: FFTW does not understand its wisdom in \"" + path +
                                   "\"; make the file again with weft tune --save");
  });
}

bool respects(const TunedPlan& plan, const PlanOptions& options) {
  return (options.grid.empty() ||
          std::equal(plan.grid.begin(), plan.grid.end(), options.grid.begin(), options.grid.end())) &&
         (options.strategy == Strategy::automatic || options.strategy == plan.strategy) &&
         (options.wire == Wire::same || row_of(plan.strategy).packs_messages()) &&
         (chooses_chunks(options) || options.chunks == plan.chunks ||
          (options.chunks == 1 && options.strategy == Strategy::automatic)) &&
         (options.send_batch == 0 || !row_of(plan.strategy).throttles_sends || options.send_batch == plan.send_batch) &&
         (options.fuse || !plan.fuse);
}

Tuning as_tuning(const TunedPlan& plan, const PlanOptions& given, const std::string& path) {
  Tuning tuning;
  tuning.options = given;
  tuning.options.grid.assign(plan.grid.begin(), plan.grid.end());
  tuning.options.strategy = plan.strategy;
  tuning.options.chunks = static_cast<int>(plan.chunks);
  if (given.send_batch == 0) tuning.options.send_batch = static_cast<int>(plan.send_batch);
  tuning.options.fuse = plan.fuse;
  tuning.seconds = plan.seconds;
  tuning.source = printable(path);
  return tuning;
}

}  // namespace

TuningFile read_tuning(const Comm& comm, const std::string& path) {
  std::string text;
  comm.together([&] {
    const char* const advice = "make it with weft tune --save, or name another (option tuning, WEFT_TUNING)";
    if (comm.rank() == 0) text = toml_text::file_text("tuning", path, advice);
  });
  text = comm.broadcast(text, 0);
  TuningFile file;
  comm.together([&] { file = parse_tuning(text, path); });
  return file;
}

TunedProblem problem_of(const NodeMap& node_map, const ScheduleInput& input, const PlanOptions& options,
                        std::size_t bytes_per_real) {
  TunedProblem problem;
  for (const AxisTransform& axis : input.axes) {
    problem.shape.push_back(axis.points);
    problem.modes.push_back(axis.modes);
    problem.kinds.push_back(to_string(axis.kind));
  }
  problem.batch_axes.assign(options.batch_axes.begin(), options.batch_axes.end());
  problem.precision = bytes_per_real == sizeof(float) ? "float" : "double";
  problem.output = to_string(options.output);
  problem.ranks = node_map.ranks;
  problem.nodes = (node_map.ranks + node_map.node_ranks - 1) / node_map.node_ranks;
  problem.in_place = options.in_place;
  return problem;
}

TunedProblem problem_of(const Comm& comm, const ScheduleInput& input, const PlanOptions& options,
                        std::size_t bytes_per_real) {
  return problem_of(node_map_of(comm, options), input, options, bytes_per_real);
}

std::optional<Tuning> tuning_in_file(const Comm& comm, const ScheduleInput& input, const PlanOptions& options,
                                     std::size_t bytes_per_real) {
  return tuning_in_file(
      comm, [&] { return node_map_of(comm, options); }, input, options, bytes_per_real);
}

std::optional<Tuning> tuning_in_file(const Comm& comm, const std::function<NodeMap()>& node_map,
                                     const ScheduleInput& input, const PlanOptions& options,
                                     std::size_t bytes_per_real) {
  const std::string path = path_for(comm, options);
  if (path.empty()) return std::nullopt;
  const TuningFile file = read_tuning(comm, path);
  if (!belongs_here(comm, file, path)) return std::nullopt;
  learn_wisdom(comm, file, path);
  const TunedProblem problem = problem_of(node_map(), input, options, bytes_per_real);
  for (const TunedPlan& plan : file.plans)
    if (plan.problem == problem && respects(plan, options)) return as_tuning(plan, options, path);
  return std::nullopt;
}

}  // namespace weft
