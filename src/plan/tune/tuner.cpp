// Searches for the fastest plan. All decisions use numbers that are equal on all ranks: seconds are those of the
// slowest rank, also on the clock of the budget.
#include "plan/tune/tuner.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <sstream>

#include "exchange/sharing.hpp"
#include "exchange/strategy.hpp"
#include "model/chosen_machine.hpp"
#include "plan/arguments.hpp"
#include "plan/line/line_shape.hpp"
#include "plan/run/pipeline.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "plan/tune/candidates.hpp"
#include "plan/tune/node_map.hpp"
#include "plan/tune/tuning_file.hpp"

namespace weft {

namespace {

// A candidate whose trial run takes longer than the best trial run so far by this factor does not run again.
constexpr double skip_above = 1.5;
constexpr std::size_t least_candidates = 3;

double budget_of(const TuneSearch& search, Effort effort) {
  if (search.budget > 0) return search.budget;
  return effort == Effort::patient ? 60 : 2;
}

std::string to_text(const TuneSearch& search) {
  std::string text = "budget " + std::to_string(search.budget) + " s, include";
  for (const Strategy strategy : search.filter.include) text += " " + to_string(strategy);
  text += ", exclude";
  for (const Strategy strategy : search.filter.exclude) text += " " + to_string(strategy);
  return text;
}

// Runs plans on zeros, which take as long as other numbers.
template <class Real>
class Bench {
 public:
  // The arrays lie in `memory`.
  Bench(const Comm& comm, Pipeline<Real>& pipeline, bool in_place, const std::shared_ptr<Workspace>& memory)
      : comm_(comm), pipeline_(pipeline) {
    if (in_place) {
      memory_ = pipeline.make_memory();
      return;
    }
    const Schedule& schedule = pipeline.schedule();
    const Arena arena(memory);
    comm.together([&] {
      physical_ = zeros(pipeline.physical_box(), schedule.width_physical, arena);
      spectral_ = zeros(pipeline.spectral_box(), schedule.width_spectral, arena);
    });
  }

  // Seconds of forward and backward on the slowest rank.
  double run() {
    comm_.barrier();
    const double start = MPI_Wtime();
    if (memory_) {
      pipeline_.transform(Direction::forward, *memory_, Real(1));
      pipeline_.transform(Direction::backward, *memory_, Real(1));
    } else {
      pipeline_.transform(Direction::forward, physical_.data(), spectral_.data(), Real(1));
      pipeline_.transform(Direction::backward, spectral_.data(), physical_.data(), Real(1));
    }
    return comm_.max(MPI_Wtime() - start);
  }

 private:
  static Buffer<Real> zeros(const Box& box, int width, const Arena& arena) {
    Buffer<Real> buffer(box.size() * width, arena);
    std::fill_n(buffer.data(), buffer.size(), Real(0));
    return buffer;
  }

  const Comm& comm_;
  Pipeline<Real>& pipeline_;
  std::shared_ptr<const InPlaceMemory<Real>> memory_;
  Buffer<Real> physical_, spectral_;
};

template <class Real>
class Search {
 public:
  Search(const Comm& comm, const ScheduleInput& input, const PlanOptions& given, const TuneSearch& search)
      : comm_(comm), input_(input), search_(search), budget_(budget_of(search, given.effort)), start_(MPI_Wtime()) {
    comm.require_same("search", to_text(search));
    comm.together([&] { require(search.budget >= 0, "budget: it is negative; give seconds, or 0 for the default"); });
    const NodeMap node_map = node_map_of(comm, given);
    const MachineModel machine = chosen_machine(comm);
    comm.together([&] {
      candidates_ = candidates(input, given, search.filter, node_map, sizeof(Real), machine);
      tuning_.options = candidates_.front().options;
      for (const Candidate& c : candidates_)
        tuning_.trials.push_back({c.options.grid,
                                  c.options.strategy,
                                  c.options.chunks,
                                  c.options.send_batch,
                                  c.options.fuse,
                                  c.estimate,
                                  0,
                                  0,
                                  {}});
    });
  }

  Tuning estimate() {
    const auto cheaper = [](const Candidate& a, const Candidate& b) { return a.estimate < b.estimate; };
    tuning_.options = std::min_element(candidates_.begin(), candidates_.end(), cheaper)->options;
    return std::move(tuning_);
  }

  bool has_choice() const { return candidates_.size() > 1; }

  Tuning measure() {
    for (std::size_t i = 0; i < candidates_.size(); i++) {
      Trial& trial = tuning_.trials[i];
      if (is_over()) {
        trial.note = "not tried: the time was up";
        continue;
      }
      attempt(candidates_[i].options, trial);
      if (search_.progress) search_.progress(trial, i + 1, candidates_.size());
    }
    if (tuning_.seconds == 0) throw Error(Fault::resource, refusal_);
    return std::move(tuning_);
  }

 private:
  double elapsed() const { return comm_.max(MPI_Wtime() - start_); }

  // The next candidate is expected to take as long as the previous ones.
  bool is_over() {
    const double spent = elapsed();
    return tried_ >= least_candidates && spent * (1 + 1 / static_cast<double>(tried_)) > budget_;
  }

  void attempt(const PlanOptions& options, Trial& trial) {
    try {
      PlanOptions here = options;
      if (here.workspace == nullptr) here.workspace = buffers_;
      Pipeline<Real> pipeline(comm_, planned_schedule(input_, options, comm_.size()), here);
      Bench<Real> bench(comm_, pipeline, options.in_place, arrays_);
      tried_++;
      time(bench, trial);
    } catch (const Error& error) {
      // Only a failure for lack of resources is the same on all ranks and not a mistake of the caller.
      if (error.fault() != Fault::resource) throw;
      trial.note = refusal_ = error.what();
      return;
    }
    if (tuning_.seconds > 0 && tuning_.seconds <= trial.seconds) return;
    tuning_.seconds = trial.seconds;
    tuning_.options = options;
  }

  // Repeats runs up to a number of seconds or a number of runs.
  static double best_of(Bench<Real>& bench, double seconds, int most_runs, Trial& trial) {
    double best = 0;
    for (double sum = 0; most_runs > 0 && (best == 0 || sum < seconds); most_runs--, trial.runs++) {
      const double run = bench.run();
      best = best > 0 ? std::min(best, run) : run;
      sum += run;
    }
    return best;
  }

  // A long run serves as the only trial run: it touches new memory, like the trial runs of all candidates. Short runs
  // are repeated, since any of them may be disturbed.
  void time(Bench<Real>& bench, Trial& trial) {
    constexpr double trial_seconds = 0.01;
    constexpr int trial_runs = 5, most_runs = 50;
    const double first = best_of(bench, trial_seconds, trial_runs, trial);
    trial.seconds = first;
    if (best_trial_ > 0 && first > skip_above * best_trial_) {
      trial.note = "slow in its trial run";
      return;
    }
    best_trial_ = best_trial_ > 0 ? std::min(best_trial_, first) : first;
    trial.seconds = std::min(first, best_of(bench, budget_ / 40, most_runs, trial));
  }

  const Comm& comm_;
  const ScheduleInput& input_;
  const TuneSearch& search_;
  double budget_, start_;
  std::vector<Candidate> candidates_;
  std::size_t tried_ = 0;
  double best_trial_ = 0;
  std::string refusal_;
  Tuning tuning_;
  // Memory of all candidates, one after the other: touching new pages takes longer than a transform.
  std::shared_ptr<Workspace> buffers_ = std::make_shared<Workspace>(), arrays_ = std::make_shared<Workspace>();
};

// Whether the nodes have the shared memory that all exchanges of a schedule take. Collective.
template <class Real>
bool has_shared_memory(const Comm& comm, const Schedule& schedule, const PlanOptions& options) {
  index_t bytes = 0;
  for (const ExchangePlan& plan : schedule.exchanges)
    bytes += plan.process_axis < 0 ? 0 : shared_bytes<Real>(plan, comm.rank(), Strategy::hierarchical);
  return comm.max(index_t{!shortage(comm, bytes, options.shared_memory_limit).empty()}) == 0;
}

bool leaves_choice(const PlanOptions& options, bool one_node) {
  return options.chunks == 0 || !(one_node || options.strategy != Strategy::automatic || options.in_place);
}

// The strategies that compete without measurements: the pipeline's own choice first.
std::vector<Strategy> open_strategies(const PlanOptions& options, bool one_node, const MachineModel& machine) {
  if (one_node || options.strategy != Strategy::automatic || options.in_place) return {options.strategy};
  std::vector<Strategy> open{Strategy::automatic, Strategy::hierarchical};
  for (const StrategyTimes& times : machine.strategies)
    if (times.strategy != Strategy::hierarchical &&
        (options.wire == Wire::same || row_of(times.strategy).packs_messages()))
      open.push_back(times.strategy);
  return open;
}

std::string milliseconds(double seconds) {
  char text[64];
  (void)std::snprintf(text, sizeof text, ", %.3f ms", seconds * 1e3);
  return text;
}

// The text about batches: empty if the strategy does not throttle its sends, or starts them all together.
std::string batch_text(const PlanOptions& options) {
  const int batch = row_of(options.strategy).throttles_sends ? options.send_batch : 0;
  if (batch == 0) return {};
  return ", " + std::to_string(batch) + (batch == 1 ? " message" : " messages") + " at a time";
}

// The text about a choice by estimate: the choice, the next candidates, and the machine of the times.
std::string estimate_summary(const Tuning& tuning) {
  constexpr std::size_t shown = 5;
  std::vector<Trial> trials = tuning.trials;
  std::stable_sort(trials.begin(), trials.end(),
                   [](const Trial& a, const Trial& b) { return a.estimate < b.estimate; });
  std::string text;
  for (std::size_t i = 0; i < std::min(trials.size(), shown); i++)
    text += (i == 0   ? "estimated: "
             : i == 1 ? "; then "
                      : "; ") +
            to_string(trials[i].strategy) + ", chunks " + std::to_string(trials[i].chunks) +
            milliseconds(trials[i].estimate);
  return text + "; for the machine " + tuning.source + "\n";
}

}  // namespace

Tuning estimated(const Schedule& schedule, const PlanOptions& options, Work work, const Setting& setting) {
  Tuning tuning;
  tuning.options = options;
  if (!leaves_choice(options, setting.one_node)) return tuning;
  const MachineModel& machine = setting.machine;
  tuning.source = machine.name + (machine.source.empty() ? "" : " (" + machine.source + ")");
  const std::vector<int> counts = options.chunks != 0 ? std::vector<int>{options.chunks} : std::vector<int>{1, 2, 4, 8};
  const ProcessGrid& process_grid = schedule.physical.grid();
  std::vector<int> grid(static_cast<std::size_t>(process_grid.dims()));
  for (int axis = 0; axis < process_grid.dims(); axis++) grid[static_cast<std::size_t>(axis)] = process_grid[axis];
  const std::vector<Strategy> open = open_strategies(options, setting.one_node, machine);
  tuning.trials.reserve(open.size() * counts.size());
  for (const Strategy strategy : open) {
    if (strategy == Strategy::hierarchical && options.strategy != strategy && !setting.has_shared_memory) continue;
    for (const int chunks : counts) {
      const Prediction found =
          predicted(schedule, {setting.node_map, setting.bytes_per_real, strategy, chunks, {}}, machine, work);
      if (!std::isfinite(found.seconds())) continue;
      tuning.trials.push_back({grid, strategy, chunks, options.send_batch, options.fuse, found.seconds(), 0, 0, {}});
    }
  }
  const auto best = std::min_element(tuning.trials.begin(), tuning.trials.end(),
                                     [](const Trial& a, const Trial& b) { return a.estimate < b.estimate; });
  if (best == tuning.trials.end()) return tuning;  // the request is impossible; the exchange will report it
  tuning.options.strategy = best->strategy;
  tuning.options.chunks = best->chunks;
  return tuning;
}

template <class Real>
Tuning estimated(const Comm& comm, const Schedule& schedule, const PlanOptions& options, Work work) {
  Setting setting;
  setting.one_node = options.node_ranks == 0 && comm.max(index_t{comm.node().size() < comm.size()}) == 0;
  if (leaves_choice(options, setting.one_node)) {
    setting.node_map = node_map_of(comm, options);
    setting.machine = chosen_machine(comm);
    setting.bytes_per_real = sizeof(Real);
    setting.has_shared_memory =
        options.strategy != Strategy::automatic || has_shared_memory<Real>(comm, schedule, options);
  }
  return estimated(schedule, options, work, setting);
}

template <class Real>
Tuning tuned(const Comm& comm, const ScheduleInput& input, const PlanOptions& options) {
  if (auto known = tuning_in_file(comm, input, options, sizeof(Real))) return *std::move(known);
  const TuneSearch standard;
  if (options.effort != Effort::estimate) {
    Search<Real> search(comm, input, options, standard);
    return search.has_choice() ? search.measure() : search.estimate();
  }
  return estimated<Real>(comm, planned_schedule(input, options, comm.size()), options, Work::pair);
}

template <class Real>
Tuning tuned_by_first(const Comm& comm, int ranks, const ScheduleInput& input, const PlanOptions& options) {
  if (ranks == comm.size()) return tuned<Real>(comm, input, options);
  const Comm part = first_ranks(comm, ranks);
  Tuning tuning;
  std::ostringstream found;
  found.exceptions(std::ios::badbit);  // else a stream does not report that it lacks memory
  comm.together([&] {
    if (comm.rank() >= ranks) return;
    tuning = tuned<Real>(part, input, options);
    const PlanOptions& o = tuning.options;
    found << to_string(o.strategy) << ' ' << o.chunks << ' ' << o.send_batch << ' ' << o.fuse;
    for (const int entry : o.grid) found << ' ' << entry;
  });
  std::istringstream told(comm.broadcast(found.str(), 0));
  tuning.options = options;
  std::string strategy;
  told >> strategy >> tuning.options.chunks >> tuning.options.send_batch >> tuning.options.fuse;
  tuning.options.strategy = parse_strategy(strategy);
  tuning.options.grid.clear();
  for (int entry = 0; told >> entry;) tuning.options.grid.push_back(entry);
  return tuning;
}

template <class Real>
Tuning tune(MPI_Comm user, const Extents& shape, const std::vector<Kind>& kinds, const PlanOptions& options,
            const TuneSearch& search) {
  const Comm comm(user);
  comm.together([&] {
    require(ranks_of(options, comm.size()) == comm.size(),
            "ranks: " + std::to_string(options.ranks) + " of " + std::to_string(comm.size()) +
                " are to transform; give tune a communicator of just these ranks");
  });
  const ScheduleInput input = checked_input(comm, shape, kinds, options, sizeof(Real));
  comm.together([&] {
    require(!is_long_line(input, options),
            "shape: a single axis of " + std::to_string(least_long_line) +
                " points or more is transformed as a matrix, which tuning files know nothing of; give the plan effort "
                "'measure', which tunes the transforms of its rows and columns");
  });
  Search<Real> tuning_search(comm, input, options, search);
  return options.effort == Effort::estimate ? tuning_search.estimate() : tuning_search.measure();
}

std::string summary(const Tuning& tuning) {
  if (tuning.seconds == 0) return tuning.source.empty() || tuning.trials.empty() ? "" : estimate_summary(tuning);
  const PlanOptions& o = tuning.options;
  std::string text = "tuned: " + to_string(o.strategy) + ", chunks " + std::to_string(o.chunks) + batch_text(o) +
                     ", grid " + to_string(ProcessGrid(o.grid)) + (o.fuse ? "" : ", not fused") +
                     milliseconds(tuning.seconds);
  if (!tuning.source.empty()) return text + ", as " + tuning.source + " says\n";
  const auto tried =
      std::count_if(tuning.trials.begin(), tuning.trials.end(), [](const Trial& t) { return t.runs > 0; });
  return text + "; tried " + std::to_string(tried) + " of " + std::to_string(tuning.trials.size()) + "\n";
}

template Tuning estimated<double>(const Comm&, const Schedule&, const PlanOptions&, Work);
template Tuning estimated<float>(const Comm&, const Schedule&, const PlanOptions&, Work);
template Tuning tuned<double>(const Comm&, const ScheduleInput&, const PlanOptions&);
template Tuning tuned<float>(const Comm&, const ScheduleInput&, const PlanOptions&);
template Tuning tuned_by_first<double>(const Comm&, int, const ScheduleInput&, const PlanOptions&);
template Tuning tuned_by_first<float>(const Comm&, int, const ScheduleInput&, const PlanOptions&);
template Tuning tune<double>(MPI_Comm, const Extents&, const std::vector<Kind>&, const PlanOptions&, const TuneSearch&);
template Tuning tune<float>(MPI_Comm, const Extents&, const std::vector<Kind>&, const PlanOptions&, const TuneSearch&);

}  // namespace weft
