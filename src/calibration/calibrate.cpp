// Measures passes, copies and messages, and solves for the elementary times of the model that predicts them.
#include "calibration/calibrate.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>

#include "calibration/last_cache.hpp"
#include "plan/run/pipeline.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "plan/tune/cost.hpp"
#include "poisson/problem.hpp"
#include "transform/simd/processor.hpp"
#include "weft/poisson.hpp"

namespace weft {

namespace {

constexpr double word = sizeof(double);
const std::vector<index_t> line_lengths{32, 64, 128, 256, 512, 1024};
// Bytes of the arrays of a pass that fit in a core's cache together with the lane blocks.
constexpr index_t near_points = 12 << 10;

struct Timing {
  const Comm& comm;
  const CalibrationOptions& options;

  // Seconds of one call on the slowest rank in the fastest turn. Ranks without work wait meanwhile.
  template <class Action>
  double best(const Action& action, bool works = true) const {
    const double first = works ? (action(), seconds_of(action, 1)) : 0;
    return best_of(action, static_cast<int>(std::max(1.0, options.turn_seconds / comm.max(first))), works);
  }
  // The best time of a call among turns of `calls` calls, for actions in which ranks communicate.
  template <class Action>
  double best_of(const Action& action, int calls, bool works) const {
    constexpr int least_turns = 3;
    constexpr double most_seconds = 2;
    double best = std::numeric_limits<double>::infinity(), sum = 0;
    for (int turn = 0; turn < options.turns && (turn < least_turns || sum < most_seconds); turn++) {
      comm.barrier();
      const double seconds = comm.max(works ? seconds_of(action, calls) : 0.0);
      best = std::min(best, seconds);
      sum += seconds * calls;
    }
    return best;
  }

 private:
  template <class Action>
  static double seconds_of(const Action& action, int calls) {
    const double start = MPI_Wtime();
    for (int i = 0; i < calls; i++) action();
    return (MPI_Wtime() - start) / calls;
  }
};

// --- passes --------------------------------------------------------------------------------------------------------

PlanOptions one_thread() {
  PlanOptions options;
  options.threads = 1;
  return options;
}

// A plan on ranks of one thread, and its arrays.
class PlanProbe {
 public:
  PlanProbe(const Extents& shape, const std::vector<Kind>& kinds, const Comm& ranks, const PlanOptions& options)
      : input_(schedule_input(shape, kinds, sizeof(double))),
        pipeline_(ranks, planned_schedule(input_, options, ranks.size()), options),
        physical_(make_array(pipeline_.physical_box(), schedule().width_physical)),
        spectral_(make_array(pipeline_.spectral_box(), schedule().width_spectral)) {}

  const Schedule& schedule() const { return pipeline_.schedule(); }
  // Of a pair.
  double seconds(const Timing& timing) {
    return timing.best([&] {
      pipeline_.transform(Direction::forward, physical_.array, spectral_.array, 1.0);
      pipeline_.transform(Direction::backward, spectral_.array, physical_.array, 1.0);
    });
  }
  // The prediction for the passes while so many cores work: the sum of all arithmetic, and the sums of the shorter and
  // of the longer one of arithmetic and memory.
  struct Parts {
    double arithmetic = 0, less = 0, more = 0;
  };
  Parts model(int cores, const MachineModel& machine) const {
    Conditions conditions;
    conditions.node_map = {cores, cores, 1};
    Parts parts;
    for (const StepCost& cost : predicted(schedule(), conditions, machine, Work::pair).passes) {
      parts.arithmetic += cost.arithmetic;
      parts.less += std::min(cost.arithmetic, cost.memory);
      parts.more += std::max(cost.arithmetic, cost.memory);
    }
    return parts;
  }

 private:
  struct ProbeArray {
    Buffer<double> memory;
    LocalArray<double> array;
  };
  static ProbeArray make_array(const Box& box, int width) {
    const Extents extents = box.extents(), strides = padded_strides<double>(extents, width);
    ProbeArray result{Buffer<double>(extents[0] * strides[0]), {}};
    std::fill_n(result.memory.data(), result.memory.size(), 0.0);
    result.array = {result.memory.data(), strides};
    return result;
  }

  ScheduleInput input_;
  Pipeline<double> pipeline_;
  ProbeArray physical_, spectral_;
};

// Memory may run out on a single rank or node while the others wait for its timings.
std::unique_ptr<PlanProbe> make_probe(const Timing& timing, const Extents& shape, const std::vector<Kind>& kinds,
                                      const Comm& ranks = Comm(MPI_COMM_SELF),
                                      const PlanOptions& options = one_thread()) {
  std::unique_ptr<PlanProbe> probe;
  timing.comm.together([&] { probe = std::make_unique<PlanProbe>(shape, kinds, ranks, options); });
  return probe;
}

// An odd number of whole batches of lines, because rows of a power of two are the exception in plans.
index_t near_lines(index_t n, index_t points) {
  constexpr index_t batch = 8;
  return (points / n / batch / 2 * 2 + 1) * batch;
}

double complex_seconds(const Timing& timing, index_t n, const MachineModel& unit) {
  const auto probe = make_probe(timing, {n, near_lines(n, near_points)}, {Kind::c2c, Kind::none});
  return probe->seconds(timing) / probe->model(1, unit).arithmetic;
}

// Real lines are mostly the first of two fused axes, which makes them faster. If planes fit in the cache, real lines
// are therefore timed in fused passes, and the time of the complex lines is subtracted.
double real_seconds(const Timing& timing, index_t n, const MachineModel& unit, double complex_t_c) {
  if (n * n > near_points * 6) {
    const auto probe = make_probe(timing, {near_lines(n, 2 * near_points), n}, {Kind::none, Kind::r2c});
    return probe->seconds(timing) / probe->model(1, unit).arithmetic;
  }
  const Extents planes{std::max<index_t>(near_points / (n * n), 1), n, n};
  const auto probe = make_probe(timing, planes, {Kind::none, Kind::c2c, Kind::r2c});
  MachineModel known = unit;
  known.lengths = {static_cast<double>(n)};
  known.complex_t_c = {complex_t_c};
  known.real_t_c = {0};
  const double complex_part = probe->model(1, known).arithmetic;
  known.complex_t_c = {0};
  known.real_t_c = {1};
  // On a busy machine the difference may be arbitrary. Half of the flops take at least half of the time.
  return std::max((probe->seconds(timing) - complex_part) / probe->model(1, known).arithmetic, complex_t_c / 2);
}

void measure_arithmetic(const Timing& timing, MachineModel& model) {
  MachineModel unit;
  unit.t_c = 1;
  for (const index_t n : line_lengths) {
    model.lengths.push_back(static_cast<double>(n));
    model.complex_t_c.push_back(complex_seconds(timing, n, unit));
    model.real_t_c.push_back(real_seconds(timing, n, unit, model.complex_t_c.back()));
  }
  model.t_c = *std::min_element(model.complex_t_c.begin(), model.complex_t_c.end());
}

// The hidden part of the shorter time, arithmetic or memory, in passes over arrays in main memory.
void measure_hidden(const Timing& timing, MachineModel& model) {
  double less = 0, hidden = 0;
  for (const index_t n : timing.options.far_cubes) {
    const auto probe = make_probe(timing, {n, n, n}, {Kind::c2c, Kind::c2c, Kind::r2c});
    const PlanProbe::Parts parts = probe->model(model.node_cores, model);
    less += parts.less;
    hidden += parts.less + parts.more - probe->seconds(timing);
  }
  model.hidden_memory = less > 0 ? std::clamp(hidden / less, 0.0, 1.0) : 1;
}

// The time of exchanges through shared memory beyond passes and barriers: half of the data comes from the caches of
// other cores.
void measure_shared(const Timing& timing, MachineModel& model) {
  const Comm node = timing.comm.node();
  double seconds = 0, words = 0;
  for (const index_t n : timing.options.shared_cubes) {
    const auto probe = make_probe(timing, {n, n, n}, {Kind::c2c, Kind::c2c, Kind::r2c}, node);
    Conditions conditions;
    conditions.node_map = {node.size(), node.size(), 1};
    conditions.strategy = Strategy::shared;
    const Prediction prediction = predicted(probe->schedule(), conditions, model, Work::pair);
    seconds += probe->seconds(timing) - prediction.seconds();
    for (const StepCost& exchange : prediction.exchanges) words += exchange.shared_bytes / word;
  }
  model.shared_t_a = timing.comm.max(words > 0 ? std::max(seconds / words, 0.0) : 0);
}

// Larger planes are not faster. If a measurement says so, it was disturbed, and adjacent values get their mean.
void make_rising(std::vector<double>& values) {
  struct Run {
    double mean;
    std::size_t count;
  };
  std::vector<Run> runs;
  for (const double value : values) {
    runs.push_back({value, 1});
    while (runs.size() > 1 && runs[runs.size() - 2].mean > runs.back().mean) {
      const Run last = runs.back();
      runs.pop_back();
      Run& merged = runs.back();
      const auto count = static_cast<double>(merged.count), more = static_cast<double>(last.count);
      merged = {(merged.mean * count + last.mean * more) / (count + more), merged.count + last.count};
    }
  }
  values.clear();
  for (const Run& run : runs) values.insert(values.end(), run.count, run.mean);
}

// The time of solves in free space beyond the known terms, per word that goes through their planes.
void measure_planes(const Timing& timing, MachineModel& model) {
  for (const index_t n : timing.options.solved_cubes) {
    const PoissonProblem problem{{n, n, n}, {1, 1, 1}, std::vector<Boundary>(3, End::unbounded)};
    PlanOptions options;
    options.threads = 1;
    std::optional<Poisson<double>> solver;
    std::vector<double> rhs, solution;
    timing.comm.together([&] {
      solver.emplace(MPI_COMM_SELF, problem, options);
      rhs.resize(static_cast<std::size_t>(n * n * n));
      solution.resize(rhs.size());
    });
    const double seconds = timing.best([&] { solver->solve(rhs, solution); });
    const Schedule schedule = planned_schedule(schedule_input(domain_of(problem), sizeof(double)), options, 1);
    Conditions conditions;
    conditions.node_map = {model.node_cores, model.node_cores, 1};
    MachineModel known = model;
    known.core_cache_bytes = std::numeric_limits<double>::infinity();
    const Prediction prediction = predicted(schedule, conditions, known, Work::solve);
    const StepCost& last = prediction.passes.back();
    const double t_a = (seconds - prediction.seconds()) / (last.through_planes / word);
    model.plane_bytes.push_back(last.plane_bytes * model.node_cores);
    model.plane_t_a.push_back(std::max(t_a, 0.0));
  }
  make_rising(model.plane_t_a);
}

// --- copies --------------------------------------------------------------------------------------------------------

// Two buffers, the first of which has been written to.
std::array<Buffer<char>, 2> two_buffers(const Timing& timing, index_t bytes) {
  std::array<Buffer<char>, 2> buffers;
  timing.comm.together([&] {
    for (Buffer<char>& buffer : buffers) buffer = Buffer<char>(bytes);
    std::memset(buffers[0].data(), 1, static_cast<std::size_t>(bytes));
  });
  return buffers;
}

// Seconds for copying a word between two arrays of so many bytes.
CopyTimes measure_copies(const Timing& timing, index_t bytes) {
  const std::array<Buffer<char>, 2> buffers = two_buffers(timing, bytes);
  const auto copy = [&] { std::memcpy(buffers[1].data(), buffers[0].data(), static_cast<std::size_t>(bytes)); };
  const double words = static_cast<double>(bytes) / word;
  const double alone = timing.best(copy, timing.comm.rank() == 0) / words;
  return {alone, std::max(alone, timing.best(copy) / words)};
}

void measure_memory(const Timing& timing, MachineModel& model) {
  model.core_cache_bytes = static_cast<double>(second_cache_bytes());
  model.cache_bytes = static_cast<double>(last_cache_bytes());
  model.memory = measure_copies(timing, timing.options.far_bytes);
  // Both arrays of all ranks together take half of the cache. A machine that does not report its caches counts as one
  // without.
  const index_t share = static_cast<index_t>(model.cache_bytes) / 4 / model.node_cores;
  if (share == 0 || share < static_cast<index_t>(model.core_cache_bytes)) {
    model.cache_bytes = 0;
    return;
  }
  model.cache = measure_copies(timing, share);
}

// --- messages ------------------------------------------------------------------------------------------------------

// Pairs of ranks `distance` apart exchange messages: all pairs at once, or only the first while the other ranks wait.
enum class Pairs { first, all };

MessageTimes measure_messages(const Timing& timing, int distance, Pairs pairs) {
  const Comm& comm = timing.comm;
  const int partner = comm.rank() / distance % 2 == 0 ? comm.rank() + distance : comm.rank() - distance;
  const bool works = partner < comm.size() && (pairs == Pairs::all || std::min(partner, comm.rank()) == 0);
  const auto seconds = [&](index_t bytes) {
    const std::array<Buffer<char>, 2> buffers = two_buffers(timing, bytes);  // sent and received
    constexpr int calls = 10;
    return timing.best_of(
        [&] {
          MPI_Sendrecv(buffers[0].data(), static_cast<int>(bytes), MPI_CHAR, partner, 0, buffers[1].data(),
                       static_cast<int>(bytes), MPI_CHAR, partner, 0, comm.handle(), MPI_STATUS_IGNORE);
        },
        calls, works);
  };
  constexpr index_t few = 8, many = 4 << 20;
  const double start = seconds(few), words = static_cast<double>(many - few) / word;
  return {std::max((seconds(many) - start) / words, 0.0), start};
}

// The use that a strategy makes of the network between nodes. A transform in one piece gives the speed of its messages,
// and a transform in chunks the part of them that the passes hide, after known times of passes and messages.
StrategyTimes measure_strategy(const Timing& timing, const MachineModel& model, Strategy strategy) {
  constexpr int chunks = 4;
  const index_t n = timing.options.networked_cube;
  PlanOptions options = one_thread();
  options.strategy = strategy;
  const auto probe = [&](int parts) {
    options.chunks = parts;
    return make_probe(timing, {n, n, n}, {Kind::c2c, Kind::c2c, Kind::r2c}, timing.comm, options);
  };
  const auto undivided = probe(1);
  const double seconds = undivided->seconds(timing), in_chunks = probe(chunks)->seconds(timing);
  Conditions conditions;
  conditions.node_map = {timing.comm.size(), model.node_cores, 1};
  conditions.strategy = strategy;
  const Prediction plain = predicted(undivided->schedule(), conditions, model, Work::pair);
  double network = 0;
  for (const StepCost& exchange : plain.exchanges) network += exchange.network;
  constexpr double least = 0.02, most = 1.5;
  const double taken = seconds - (plain.seconds() - network);
  StrategyTimes times{strategy, taken > 0 ? std::clamp(network / taken, least, most) : most, 0};
  const double hidden = (seconds - in_chunks) * chunks / (chunks - 1);
  times.overlapped = std::clamp(hidden * times.speed / network, 0.0, 1.0);
  return times;
}

// The link of a node carries the messages of all of its ranks.
void measure_between(const Timing& timing, MachineModel& model) {
  const int ranks = model.node_cores;
  model.between = measure_messages(timing, ranks, Pairs::first);
  const double together = measure_messages(timing, ranks, Pairs::all).t_w;
  if (together > 0) model.network.link = ranks * word / together;
  // Plain messages, with which the strategies are compared.
  MachineModel plain = model;
  plain.overlapped_share = 0;
  plain.datatype_share = 1;
  for (const Strategy strategy : all_strategies())
    if (strategy != Strategy::shared && (strategy != Strategy::hierarchical || ranks > 1))
      model.strategies.push_back(measure_strategy(timing, plain, strategy));
  for (const StrategyTimes& times : model.strategies)
    if (times.strategy == Strategy::alltoallv) model.overlapped_share = times.overlapped;
  model.fitted += "; strategies between nodes to transforms by all of them, in one and in four chunks";
}

void measure_network(const Timing& timing, MachineModel& model) {
  if (model.node_cores > 1)
    model.inside = measure_messages(timing, 1, Pairs::all);
  else
    model.fitted += "; messages inside a node: not measured (one rank a node), those of the standard machine";
  if (timing.comm.max(index_t{timing.comm.node().size() < timing.comm.size()}) > 0)
    measure_between(timing, model);
  else
    model.fitted += "; messages between nodes: not measured (one node), those of the standard machine";
}

}  // namespace

MachineModel calibrated(const Comm& comm, const CalibrationOptions& options) {
  const Timing timing{comm, options};
  const auto say = [&](const char* what) {
    if (options.progress) options.progress(what);
  };
  MachineModel model;
  model.machine = this_machine();
  model.name = model.machine->processor;
  model.source = "weft calibrate on " + std::to_string(comm.size()) + (comm.size() == 1 ? " rank" : " ranks");
  model.fitted =
      "t_c by length to passes in a core's cache; hidden to transforms in memory; shared_t_a to transforms by all "
      "ranks of a node; "
      "plane_t_a to solves in free space";
  model.node_cores = static_cast<int>(comm.max(index_t{comm.node().size()}));
  say("copies");
  measure_memory(timing, model);
  say("passes in cache");
  measure_arithmetic(timing, model);
  say("passes in memory");
  measure_hidden(timing, model);
  say("transforms by all ranks of a node");
  measure_shared(timing, model);
  say("solves");
  measure_planes(timing, model);
  say("messages");
  measure_network(timing, model);
  return model;
}

}  // namespace weft
