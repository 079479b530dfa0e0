// weft._core.tune: the search for the fastest plan, as plain dictionaries.
#include <nanobind/stl/function.h>

#include "callback.hpp"
#include "common.hpp"
#include "transform/engine/engines.hpp"
#include "weft/tuning.hpp"

namespace weft::python {

namespace {

using Progress = std::function<void(const nb::dict&, std::size_t, std::size_t)>;

nb::dict dict_of(const Trial& trial) {
  nb::dict row;
  row["grid"] = nb::cast(trial.grid);
  row["strategy"] = to_string(trial.strategy);
  row["chunks"] = trial.chunks;
  row["send_batch"] = trial.send_batch;
  row["fuse"] = trial.fuse;
  row["estimate"] = trial.estimate;
  row["seconds"] = trial.seconds;
  row["runs"] = trial.runs;
  row["note"] = trial.note;
  return row;
}

nb::dict dict_of(const Tuning& tuning) {
  nb::dict result;
  const PlanOptions& o = tuning.options;
  nb::dict options;
  options["grid"] = nb::cast(o.grid);
  options["strategy"] = to_string(o.strategy);
  options["chunks"] = o.chunks;
  options["send_batch"] = o.send_batch;
  options["fuse"] = o.fuse;
  result["options"] = options;
  result["seconds"] = tuning.seconds;
  nb::list trials;
  for (const Trial& trial : tuning.trials) trials.append(dict_of(trial));
  result["trials"] = trials;
  result["summary"] = text_from(summary(tuning));
  return result;
}

std::vector<Strategy> strategies_from(const std::vector<std::string>& names, const char* argument) {
  std::vector<Strategy> strategies;
  for (const std::string& name : names) strategies.push_back(parse_strategy(name, argument));
  return strategies;
}

TuneSearch search_from(const nb::dict& given, const Progress& progress, Teller& teller) {
  TuneSearch search;
  search.filter.include = strategies_from(nb::cast<std::vector<std::string>>(given["include"]), "include");
  search.filter.exclude = strategies_from(nb::cast<std::vector<std::string>>(given["exclude"]), "exclude");
  search.budget = nb::cast<double>(given["budget"]);
  search.progress = [&progress, &teller](const Trial& trial, std::size_t number, std::size_t count) {
    teller.tell([&] {
      if (progress) progress(dict_of(trial), number, count);
    });
  };
  return search;
}

nb::dict tune_plan(std::uintptr_t comm, const std::vector<index_t>& shape, const std::vector<std::string>& kinds,
                   const std::string& dtype, const nb::dict& options, const nb::dict& search, const FileName& save,
                   const Progress& progress) {
  std::vector<Kind> parsed;
  for (const std::string& kind : kinds) parsed.push_back(parse_kind(kind));
  const Extents extents = extents_from(shape);
  const PlanOptions plan = options_from(options);
  Teller teller("weft.tune: progress", communicator(comm));
  const TuneSearch asked = search_from(search, progress, teller);
  const auto run = [&](auto real) {
    using Real = decltype(real);
    if (!save.empty()) check_tuning_file(communicator(comm), save);
    Tuning tuning = tune<Real>(communicator(comm), extents, parsed, plan, asked);
    if (!save.empty()) save_tuning<Real>(communicator(comm), save, extents, parsed, tuning);
    return tuning;
  };
  const Tuning tuning = without_gil(call_lock(plan.workspace), [&] { return with_real(dtype, run); });
  teller.finish();
  return dict_of(tuning);
}

std::string wisdom(const std::string& dtype) {
  return with_real(dtype, [](auto real) { return fftw_wisdom<decltype(real)>(); });
}

bool add_wisdom(const std::string& dtype, const std::string& text) {
  return with_real(dtype, [&](auto real) { return add_fftw_wisdom<decltype(real)>(text); });
}

}  // namespace

void bind_tune(nb::module_& module) {
  module.def("tune", &tune_plan, nb::arg("comm_address"), nb::arg("shape"), nb::arg("kinds"), nb::arg("dtype"),
             nb::arg("options"), nb::arg("search"), nb::arg("save"), nb::arg("progress").none(),
             "Searches for the fastest plan.");
  module.def("fftw_wisdom", &wisdom, nb::arg("dtype"), "The wisdom of FFTW from measured plans, as its text.");
  module.def("add_fftw_wisdom", &add_wisdom, nb::arg("dtype"), nb::arg("text"),
             "Adds wisdom text; False if FFTW does not understand it.");
  module.def("forget_fftw_wisdom", &forget_fftw_wisdom, "Forgets the wisdom of both precisions.");
}

}  // namespace weft::python
