// Tuning files as text.
#include "base/toml_text.hpp"
#include "plan/tune/tuning_file.hpp"
#include "weft/error.hpp"
#include "weft/kind.hpp"

namespace weft {

namespace {

using toml_text::line;
using toml_text::Reader;
using toml_text::text_of;

std::string to_toml(const TunedPlan& plan) {
  const TunedProblem& p = plan.problem;
  return "\n[[plan]]\n" + line("shape", p.shape) + line("kinds", p.kinds) + line("modes", p.modes) +
         line("batch_axes", p.batch_axes) + line("precision", p.precision) + line("output", p.output) +
         line("ranks", p.ranks) + line("nodes", p.nodes) + line("in_place", p.in_place) + line("grid", plan.grid) +
         line("strategy", to_string(plan.strategy)) + line("chunks", plan.chunks) +
         line("send_batch", plan.send_batch) + line("fuse", plan.fuse) + line("seconds", plan.seconds);
}

TunedProblem problem_from(const Reader& reader) {
  TunedProblem problem;
  problem.shape = reader.list<index_t>("shape");
  problem.kinds = reader.list<std::string>("kinds");
  problem.modes = reader.list<index_t>("modes");
  problem.batch_axes = reader.list<index_t>("batch_axes");
  problem.precision = reader.value<std::string>("precision");
  problem.output = reader.value<std::string>("output");
  problem.ranks = reader.count("ranks");
  problem.nodes = reader.count("nodes");
  problem.in_place = reader.value<bool>("in_place");
  return problem;
}

TunedPlan plan_from(const Reader& reader) {
  TunedPlan plan;
  plan.problem = problem_from(reader);
  plan.grid = reader.list<index_t>("grid");
  index_t product = 1;
  for (const index_t entry : plan.grid) product = entry < 1 || product > plan.problem.ranks ? 0 : product * entry;
  if (plan.grid.empty() || plan.grid.size() > static_cast<std::size_t>(max_dims) || product != plan.problem.ranks)
    reader.refuse("grid", "is " + text_of(plan.grid) + ", no grid of " + std::to_string(plan.problem.ranks) + " ranks");
  try {
    plan.strategy = parse_strategy(reader.value<std::string>("strategy"));
  } catch (const Error& error) {
    if (error.fault() == Fault::file) throw;
    reader.refuse("strategy", std::string("is not known (") + error.what() + ")");
  }
  plan.chunks = reader.count("chunks");
  plan.send_batch = reader.count_or_0("send_batch");
  plan.fuse = reader.value<bool>("fuse");
  plan.seconds = reader.value<double>("seconds");
  return plan;
}

TuningFile file_from(const Reader& reader) {
  TuningFile file;
  const Reader machine = reader.table("machine");
  file.machine = {machine.value<std::string>("processor"),    machine.count("cores"),
                  machine.value<std::string>("instructions"), reader.value<std::string>("mpi"),
                  reader.value<std::string>("fftw"),          reader.value<std::string>("weft")};
  for (const Reader& plan : reader.tables("plan")) file.plans.push_back(plan_from(plan));
  const auto plans = reader.value<index_t>("plans");
  if (plans != static_cast<index_t>(file.plans.size()))
    reader.refuse("plans", "says " + std::to_string(plans) + ", but there are " + std::to_string(file.plans.size()));
  const Reader wisdom = reader.table("wisdom");
  file.wisdom_double = wisdom.value<std::string>("double");
  file.wisdom_float = wisdom.value<std::string>("float");
  return file;
}

}  // namespace

std::string to_toml(const TuningFile& file) {
  const Machine& m = file.machine;
  std::string text = "# What weft tune found to be fastest on this machine.\n" + line("weft", m.weft) +
                     line("fftw", m.fftw) + line("mpi", m.mpi) +
                     line("plans", static_cast<index_t>(file.plans.size())) + "\n[machine]\n" +
                     line("processor", m.processor) + line("cores", m.cores) + line("instructions", m.instructions);
  for (const TunedPlan& plan : file.plans) text += to_toml(plan);
  // FFTW's text has many lines and no apostrophes.
  return text + "\n[wisdom]\ndouble = '''\n" + file.wisdom_double + "'''\nfloat = '''\n" + file.wisdom_float + "'''\n";
}

TuningFile parse_tuning(const std::string& text, const std::string& path) {
  TuningFile file;
  const toml_text::Source source{"tuning", path, "make it again with weft tune --save"};
  toml_text::read(text, source, [&](const Reader& reader) { file = file_from(reader); });
  return file;
}

}  // namespace weft
