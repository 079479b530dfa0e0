// weft._core.predict, explain, closed_forms and calibrate: the cost model, as plain dictionaries.
#include <nanobind/stl/function.h>

#include <algorithm>
#include <cmath>

#include "calibration/calibrate.hpp"
#include "callback.hpp"
#include "common.hpp"
#include "model/chosen_machine.hpp"
#include "model/closed_forms.hpp"
#include "model/tensor_form.hpp"
#include "plan/arguments.hpp"
#include "plan/line/line_shape.hpp"
#include "plan/run/explain_absent.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "plan/tune/cost.hpp"
#include "poisson/problem.hpp"

namespace weft::python {

namespace {

nb::dict dict_of(const StepCost& cost) {
  nb::dict step;
  const auto put = [&step](const char* name, double value) { step[name] = value; };
  put("flops", cost.flops);
  put("memory_bytes", cost.memory_bytes);
  put("copied_bytes", cost.copied_bytes);
  put("shared_bytes", cost.shared_bytes);
  put("through_planes_bytes", cost.through_planes);
  put("inside_bytes", cost.inside_bytes);
  put("between_bytes", cost.between_bytes);
  put("link_bytes", cost.link.bytes_per_link());
  put("messages", cost.messages);
  put("arithmetic_seconds", cost.arithmetic);
  put("memory_seconds", cost.memory);
  put("computing_seconds", cost.computing);
  put("copying_seconds", cost.copying);
  put("inside_seconds", cost.inside);
  put("network_seconds", cost.network);
  put("latency_seconds", cost.latency);
  put("hidden_seconds", cost.hidden);
  put("seconds", cost.seconds());
  step["link"] = cost.link.where;
  return step;
}

std::string axes_text(const PassPlan& pass) {
  std::string text;
  for (const int axis : pass.axes) text += (text.empty() ? "axis " : " + axis ") + std::to_string(axis);
  return text;
}

nb::list steps_of(const Schedule& schedule, const Prediction& prediction) {
  nb::list steps;
  for (std::size_t i = 0; i < schedule.passes.size(); i++) {
    nb::dict pass = dict_of(prediction.passes[i]);
    pass["step"] = "pass";
    pass["axes"] = axes_text(schedule.passes[i]);
    steps.append(pass);
    if (i >= schedule.exchanges.size()) continue;
    const ExchangePlan& plan = schedule.exchanges[i];
    nb::dict exchange = dict_of(prediction.exchanges[i]);
    exchange["step"] = "exchange";
    exchange["axes"] = "axis " + std::to_string(plan.near_axis) + " <-> axis " + std::to_string(plan.far_axis);
    exchange["peers"] = plan.process_axis < 0 ? 1 : plan.near.grid()[plan.process_axis];
    steps.append(exchange);
  }
  return steps;
}

Software software_from(const std::string& name) {
  if (name == "weft") return Software::weft();
  require(name == "ayala-wang", "software: unknown name '" + name + "'; allowed are weft, ayala-wang");
  return Software::ayala_wang();
}

// The input for a prediction: a plan (shape, kinds) or a solver (cells, ...).
ScheduleInput input_from(const nb::dict& problem, const PlanOptions& options, std::size_t bytes_per_real) {
  if (problem.contains("cells")) return schedule_input(domain_of(problem_from(problem)), bytes_per_real);
  std::vector<Kind> kinds;
  for (const auto& kind : nb::cast<std::vector<std::string>>(problem["kinds"])) kinds.push_back(parse_kind(kind));
  const Extents shape = extents_from(nb::cast<std::vector<index_t>>(problem["shape"]));
  if (kinds.size() == 1) kinds = one_for_all(shape, kinds.front());
  check_shape(shape, kinds);
  return schedule_input(shape, kinds, bytes_per_real, options);
}

void check_threads(int threads, const MachineModel& machine) {
  const std::string cores = std::to_string(machine.node_cores);
  require(threads <= machine.node_cores, "threads: " + std::to_string(threads) + " do not run on a node of machine '" +
                                             machine.name + "', whose node_cores is " + cores + "; give at most " +
                                             cores + ", or another machine");
}

std::size_t bytes_of(const std::string& dtype) { return dtype == "float32" ? sizeof(float) : sizeof(double); }

bool is_solve(const nb::dict& problem) { return problem.contains("cells"); }

nb::dict predict(const nb::dict& problem, int ranks, int node_ranks, int threads, const std::string& dtype,
                 const nb::dict& given, const std::string& machine_text, const std::string& software) {
  const PlanOptions options = options_from(given);
  check_absent_ranks(ranks);
  check_options(options, ranks);
  const std::size_t bytes_per_real = bytes_of(dtype);
  const MachineModel machine = machine_text.empty() ? MachineModel{} : parse_machine(machine_text, "given");
  check_threads(threads, machine);
  ScheduleInput input = input_from(problem, options, bytes_per_real);
  if (problem.contains("unpruned") && nb::cast<bool>(problem["unpruned"])) input.padded = false;
  const Work work = is_solve(problem) ? Work::solve : Work::pair;
  require(work == Work::solve || !is_long_line(input, options),
          "shape: a single axis of " + std::to_string(least_long_line) +
              " points or more is transformed as a matrix, which the model does not cover; give an array of several "
              "axes, or time the plan itself");
  Conditions conditions{{ranks, node_ranks > 0 ? node_ranks : std::min(ranks, machine.node_cores / threads), threads},
                        bytes_per_real,
                        options.strategy,
                        1,
                        software_from(software)};
  const auto [schedule, prediction] = without_gil(call_lock(), [&] {
    Schedule schedule = planned_schedule(std::move(input), options, ranks);
    for (const ExchangePlan& plan : schedule.exchanges) conditions.chunks = std::max(conditions.chunks, plan.chunks);
    Prediction found = predicted(schedule, conditions, machine, work);
    return std::pair(std::move(schedule), std::move(found));
  });
  nb::dict result;
  std::vector<int> grid;
  for (int axis = 0; axis < schedule.physical.grid().dims(); axis++) grid.push_back(schedule.physical.grid()[axis]);
  result["grid"] = nb::cast(grid);
  result["node_ranks"] = conditions.node_map.node_ranks;
  result["physical"] = to_string(schedule.physical);
  result["spectral"] = to_string(schedule.spectral);
  result["steps"] = steps_of(schedule, prediction);
  result["pass_seconds"] = prediction.pass_seconds();
  result["exchange_seconds"] = prediction.exchange_seconds();
  result["seconds"] = prediction.seconds();
  return result;
}

// Without a number of threads (0), that of a plan: the cores of a node, shared by its ranks.
NodeMap node_map_on(const MachineModel& machine, int ranks, int node_ranks, int threads) {
  check_threads(threads, machine);
  const int most = machine.node_cores / std::max(threads, 1), near = node_ranks > 0 ? node_ranks : most;
  const int on_node = std::clamp(near, 1, ranks);
  return {ranks, on_node, threads > 0 ? threads : std::max(machine.node_cores / on_node, 1)};
}

nb::dict explain(const nb::dict& problem, int ranks, int rank, int node_ranks, int threads, const std::string& dtype,
                 const nb::dict& given, const std::string& machine_text) {
  PlanOptions options = options_from(given);
  options.node_ranks = node_ranks;
  check_absent_ranks(ranks);
  check_options(options, ranks);
  AbsentRanks absent;
  absent.machine = machine_text.empty() ? MachineModel{} : parse_machine(machine_text, "given");
  absent.node_map = node_map_on(absent.machine, ranks, node_ranks, threads);
  absent.bytes_per_real = bytes_of(dtype);
  absent.rank = rank;
  ScheduleInput input = input_from(problem, options, absent.bytes_per_real);
  if (is_solve(problem)) {
    input.node_ranks = absent.node_map.node_ranks;
    input.scheme = options.scheme;
    if (options.in_place) refuse_padding(domain_of(problem_from(problem)));
  }
  const Work work = is_solve(problem) ? Work::solve : Work::pair;
  const Explanation found =
      without_gil(call_lock(), [&] { return explain_absent(std::move(input), options, work, absent); });
  nb::dict result;
  result["text"] = text_from(found.text);
  result["strategy"] = found.strategy;
  result["grid"] = nb::cast(found.grid);
  result["chunks"] = found.chunks;
  result["threads"] = absent.node_map.threads;
  result["node_ranks"] = absent.node_map.node_ranks;
  result["bytes_sent"] = found.bytes_sent;
  return result;
}

nb::dict dict_of(const ClosedForm& form) {
  nb::dict result;
  result["computation"] = form.computation;
  result["copying"] = form.copying;
  result["transmission"] = form.transmission;
  result["latency"] = form.latency;
  result["seconds"] = form.seconds();
  return result;
}

// The strategies of the paper by name; only "overlapped" uses `parts`.
nb::dict closed_form(const std::string& name, double n, double ranks, double parts, const ElementaryTimes& times) {
  const double side = std::sqrt(ranks), edge = std::cbrt(ranks);
  if (name == "slabs") return dict_of(slab_form(n, ranks, times));
  if (name == "pencils") return dict_of(pencil_form_at_scale(n, side, side, times));
  if (name == "multistage") return dict_of(multistage_form(n, ranks, times));
  if (name == "bricks") return dict_of(brick_form(n, edge, edge, edge, times));
  require(name == "overlapped",
          "form: unknown name '" + name + "'; allowed are slabs, pencils, multistage, bricks, overlapped");
  return dict_of(overlapped_form(n, side, side, parts, times));
}

nb::dict optima(double n, const ElementaryTimes& times) {
  nb::dict result;
  const Shares shares = shares_without_latency(n, times);
  result["computation_share"] = shares.computation;
  result["copying_share"] = shares.copying;
  result["communication_share"] = shares.communication;
  result["serial_seconds"] = serial_seconds(n, times);
  result["ranks_without_latency"] = most_ranks_without_latency(n, times);
  result["fastest_ranks"] = fastest_ranks(n, times);
  result["ranks_with_overlap"] = most_ranks_with_overlap(n, times);
  return result;
}

nb::dict tensor(double n, int p, double flop, double t_w, double t_s) {
  require(p >= 1, "p: " + std::to_string(p) + " is not possible; give 1 or more ranks along each edge");
  const TensorStage stage = tensor_stage(n, p, {flop, t_w, t_s});
  nb::dict result;
  result["alignment"] = stage.alignment;
  result["event"] = stage.event;
  result["update"] = stage.update;
  result["seconds"] = stage.seconds();
  return result;
}

nb::dict machine_facts(const std::string& text) {
  const MachineModel model = text.empty() ? MachineModel{} : parse_machine(text, "given");
  nb::dict facts;
  facts["name"] = model.name;
  facts["source"] = model.source;
  facts["fitted"] = model.fitted;
  facts["node_cores"] = model.node_cores;
  facts["t_c"] = model.t_c;
  facts["t_a"] = model.memory.alone;
  facts["t_a_together"] = model.memory.together;
  facts["t_w_inside"] = model.inside.t_w;
  facts["t_s_inside"] = model.inside.t_s;
  facts["t_w"] = model.between.t_w;
  facts["t_s"] = model.between.t_s;
  facts["least_t_w"] = model.least_t_w;
  facts["hidden"] = model.hidden_memory;
  facts["topology"] = to_string(model.network.topology);
  facts["link"] = model.network.link;
  nb::dict strategies;
  for (const StrategyTimes& times : model.strategies)
    strategies[to_string(times.strategy).c_str()] = nb::make_tuple(times.speed, times.overlapped);
  facts["strategies"] = strategies;
  facts["measured_here"] = model.machine && difference(*model.machine, this_machine()).empty();
  return facts;
}

std::string calibrate(std::uintptr_t comm, int turns, bool quick,
                      const std::function<void(const std::string&)>& progress) {
  CalibrationOptions options;
  options.turns = turns;
  if (quick) options = quick_calibration(turns);
  Teller teller("weft calibrate: progress", communicator(comm));
  options.progress = [&progress, &teller](const std::string& what) {
    teller.tell([&] {
      if (progress) progress(what);
    });
  };
  const std::string found =
      without_gil(call_lock(), [&] { return to_toml(calibrated(Comm(communicator(comm)), options)); });
  teller.finish();
  return found;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<ElementaryTimes>(module, "ElementaryTimes")
      .def(nb::init<double, double, double, double>(), nb::arg("t_c"), nb::arg("t_a"), nb::arg("t_w"), nb::arg("t_s"));
  module.def("predict", &predict, nb::arg("problem"), nb::arg("ranks"), nb::arg("node_ranks"), nb::arg("threads"),
             nb::arg("dtype"), nb::arg("options"), nb::arg("machine"), nb::arg("software"),
             "Seconds of every step, of a pair of transforms or a solve.");
  module.def("explain", &explain, nb::arg("problem"), nb::arg("ranks"), nb::arg("rank"), nb::arg("node_ranks"),
             nb::arg("threads"), nb::arg("dtype"), nb::arg("options"), nb::arg("machine"),
             "The explanation of a plan or a solver on that many ranks.");
  module.attr("MOST_ABSENT_RANKS") = most_absent_ranks;
  module.def("closed_form", &closed_form, nb::arg("form"), nb::arg("n"), nb::arg("ranks"), nb::arg("parts"),
             nb::arg("times"), "A time of Ayala and Wang (2013), part by part.");
  module.def("optima", &optima, nb::arg("n"), nb::arg("times"), "Shares and best numbers of ranks by that paper.");
  module.def("tensor_stage", &tensor, nb::arg("n"), nb::arg("p"), nb::arg("flop"), nb::arg("t_w"), nb::arg("t_s"),
             "One of three stages of a DFT by tensor-matrix products on p^3 ranks.");
  module.def(
      "hiding_block",
      [](double flop, double t_w) {
        return hiding_block({flop, t_w, 0});
      },
      nb::arg("flop"), nb::arg("t_w"), "The edge of blocks from which its messages are hidden.");
  module.def(
      "machine_text", [](const FileName& path) { return to_toml(read_machine(path)); }, nb::arg("path"),
      "A machine file, checked and written again.");
  module.def("machine_facts", &machine_facts, nb::arg("machine"), "The numbers of a machine file's text.");
  module.def(
      "chosen_machine",
      [](std::uintptr_t comm) {
        return without_gil(call_lock(), [&] { return to_toml(chosen_machine(Comm(communicator(comm)))); });
      },
      nb::arg("comm_address"), "The machine that estimates are made for, as the text of a file.");
  module.def("standard_machine_path", &standard_machine_path, "~/.config/weft/machine.toml");
  module.def("calibrate", &calibrate, nb::arg("comm_address"), nb::arg("turns"), nb::arg("quick"),
             nb::arg("progress").none(), "Measures this machine; the text of a machine file.");
}

}  // namespace weft::python
