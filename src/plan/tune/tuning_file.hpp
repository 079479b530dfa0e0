// Tuning files: the fastest options of plans on one machine, as TOML.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/fingerprint.hpp"
#include "plan/schedule/schedule.hpp"
#include "plan/tune/cost.hpp"
#include "weft/comm.hpp"
#include "weft/tuning.hpp"

namespace weft {

/// The problem of a plan: two plans with the same problem have the same fastest options.
struct TunedProblem {
  std::vector<index_t> shape, modes, batch_axes;  ///< modes: stored ones per axis
  std::vector<std::string> kinds;
  std::string precision, output;  ///< "double" or "float"; "transposed" or "natural"
  index_t ranks = 1, nodes = 1;
  bool in_place = false;
  friend bool operator==(const TunedProblem&, const TunedProblem&) = default;
};

/// The fastest options for a problem.
struct TunedPlan {
  TunedProblem problem;
  std::vector<index_t> grid;
  Strategy strategy = Strategy::automatic;
  index_t chunks = 1;
  index_t send_batch = 0;  ///< 0: all messages at once, also in files without this key
  bool fuse = true;
  double seconds = 0;  ///< of forward and backward
};

struct TuningFile {
  Machine machine;
  std::vector<TunedPlan> plans;
  std::string wisdom_double, wisdom_float;  ///< FFTW's own text; may be empty
};

std::string to_toml(const TuningFile& file);
/// The inverse of to_toml. Throws Error (Fault::file) that names the file and the line where it is damaged.
TuningFile parse_tuning(const std::string& text, const std::string& path);
/// Rank 0 reads a file, and every rank parses it. Collective. Every rank throws the same Error when the file is missing
/// or damaged.
TuningFile read_tuning(const Comm& comm, const std::string& path);

/// The problem of a plan on ranks with this placement on nodes.
TunedProblem problem_of(const NodeMap& node_map, const ScheduleInput& input, const PlanOptions& options,
                        std::size_t bytes_per_real);
/// The problem of a plan on the ranks of a communicator. Collective.
TunedProblem problem_of(const Comm& comm, const ScheduleInput& input, const PlanOptions& options,
                        std::size_t bytes_per_real);

/// The entry for a plan in the tuning file of the options, or in that of WEFT_TUNING, unless it contradicts fixed
/// options. A file of another machine or MPI library has no entries, and rank 0 warns about it once. Collective.
std::optional<Tuning> tuning_in_file(const Comm& comm, const ScheduleInput& input, const PlanOptions& options,
                                     std::size_t bytes_per_real);
/// The entry for ranks of which only those of `comm` exist: these ranks read the file. `node_map` is called only if
/// there is a file.
std::optional<Tuning> tuning_in_file(const Comm& comm, const std::function<NodeMap()>& node_map,
                                     const ScheduleInput& input, const PlanOptions& options,
                                     std::size_t bytes_per_real);

}  // namespace weft
