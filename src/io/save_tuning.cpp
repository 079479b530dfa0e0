// Adds the outcome of a search to a tuning file.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/plain_text.hpp"
#include "exchange/strategy.hpp"
#include "io/agree.hpp"
#include "io/output.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "plan/tune/tuning_file.hpp"
#include "transform/engine/engines.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

bool exists(const Comm& comm, const std::string& path) {
  struct stat status {};
  return comm.max(comm.rank() == 0 && ::stat(path.c_str(), &status) == 0 ? index_t{1} : index_t{0}) > 0;
}

// The contents of the existing file, or of a new one.
TuningFile present_file(const Comm& comm, const std::string& path) {
  comm.together([&] { require_plain("path", path); });
  if (!exists(comm, path)) return io::make_on_all_ranks(comm, [] { return TuningFile{this_machine(), {}, {}, {}}; });
  TuningFile file = read_tuning(comm, path);
  comm.together([&] {
    const std::string text = comm.rank() == 0 ? difference(file.machine, this_machine()) : std::string();
    if (!text.empty())
      throw Error(Fault::file,
                  "save: the tuning file \"" + path + "\" is that of another machine: " + text + "; name another file");
    // Wisdom of an older FFTW is dropped.
    if (file.machine.fftw != fftw_version()) return;
    add_fftw_wisdom<double>(file.wisdom_double);
    add_fftw_wisdom<float>(file.wisdom_float);
  });
  return file;
}

TunedPlan tuned_plan(TunedProblem problem, const Tuning& tuning) {
  const PlanOptions& o = tuning.options;
  const int batch = row_of(o.strategy).throttles_sends ? o.send_batch : 0;
  return {std::move(problem), {o.grid.begin(), o.grid.end()}, o.strategy, o.chunks, batch, o.fuse, tuning.seconds};
}

}  // namespace

void check_tuning_file(MPI_Comm user, const std::string& path) {
  const Comm comm(user);
  comm.require_same("path", path);
  present_file(comm, path);
  comm.together([&] {
    if (comm.rank() != 0) return;
    io::check_replaceable(path);
    const std::string part = path + io::part_suffix;
    io::write_text(part, "");
    ::unlink(part.c_str());
  });
}

template <class Real>
void save_tuning(MPI_Comm user, const std::string& path, const Extents& shape, const std::vector<Kind>& kinds,
                 const Tuning& tuning) {
  const Comm comm(user);
  comm.require_same("path", path);
  const ScheduleInput input = checked_input(comm, shape, kinds, tuning.options, sizeof(Real));
  TuningFile file = present_file(comm, path);
  TunedProblem problem = problem_of(comm, input, tuning.options, sizeof(Real));
  const std::string text = io::make_on_all_ranks(comm, [&] {
    const TunedPlan plan = tuned_plan(std::move(problem), tuning);
    std::erase_if(file.plans, [&](const TunedPlan& known) { return known.problem == plan.problem; });
    file.plans.push_back(plan);
    file.machine = this_machine();
    file.wisdom_double = fftw_wisdom<double>();
    file.wisdom_float = fftw_wisdom<float>();
    return to_toml(file);
  });
  io::write_text_whole(comm, path, text);
}

template void save_tuning<double>(MPI_Comm, const std::string&, const Extents&, const std::vector<Kind>&,
                                  const Tuning&);
template void save_tuning<float>(MPI_Comm, const std::string&, const Extents&, const std::vector<Kind>&, const Tuning&);

}  // namespace weft
