// Tuning files as text: written by hand, so that people can read them, and read with toml++.
#include <toml++/toml.h>
#include <charconv>

#include "plan/tuning_file.hpp"
#include "weft/error.hpp"
#include "weft/kind.hpp"

namespace weft {

namespace {

// --- writing -----------------------------------------------------------------------------------------------------

std::string text_of(const std::string& value) {
  std::string text = "\"";
  for (const char letter : value) {
    if (letter == '"' || letter == '\\') text += '\\';
    text += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
  }
  return text + "\"";
}
std::string text_of(index_t value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
// In the shortest form that reads as the same number, and as no integer.
std::string text_of(double value) {
  char text[64];
  const auto end = std::to_chars(std::begin(text), std::end(text), value, std::chars_format::scientific).ptr;
  return {std::begin(text), end};
}
template <class T>
std::string text_of(const std::vector<T>& values) {
  std::string text;
  for (const T& value : values) text += (text.empty() ? "" : ", ") + text_of(value);
  return "[" + text + "]";
}

template <class T>
std::string line(const char* key, const T& value) {
  return std::string(key) + " = " + text_of(value) + "\n";
}

std::string to_toml(const TunedPlan& plan) {
  const TunedProblem& p = plan.problem;
  return "\n[[plan]]\n" + line("shape", p.shape) + line("kinds", p.kinds) + line("modes", p.modes) +
         line("batch_axes", p.batch_axes) + line("precision", p.precision) + line("output", p.output) +
         line("ranks", p.ranks) + line("nodes", p.nodes) + line("in_place", p.in_place) + line("grid", plan.grid) +
         line("strategy", to_string(plan.strategy)) + line("chunks", plan.chunks) +
         line("send_batch", plan.send_batch) + line("fuse", plan.fuse) + line("seconds", plan.seconds);
}

// --- reading -----------------------------------------------------------------------------------------------------

[[noreturn]] void damaged(const std::string& path, index_t line, const std::string& what) {
  throw Error(Fault::file, "tuning: the file \"" + path + "\" is damaged at line " + std::to_string(line) + ": " +
                               what + "; make it again with weft tune --save");
}

// One table of a file; what is missing or of another type is damage.
class Reader {
 public:
  Reader(const toml::table& table, const std::string& path) : table_(table), path_(path) {}

  index_t line() const { return static_cast<index_t>(table_.source().begin.line); }
  [[noreturn]] void refuse(const char* key, const std::string& what) const {
    const toml::node* node = table_.get(key);
    damaged(path_, node == nullptr ? line() : static_cast<index_t>(node->source().begin.line),
            std::string(key) + " " + what);
  }

  template <class T>
  T value(const char* key) const {
    return element<T>(key, node(key));
  }
  template <class T>
  std::vector<T> list(const char* key) const {
    const toml::array* array = node(key).as_array();
    if (array == nullptr) refuse(key, "is no list");
    std::vector<T> values;
    for (const toml::node& entry : *array) values.push_back(element<T>(key, entry));
    return values;
  }
  Reader table(const char* key) const {
    const toml::table* inner = node(key).as_table();
    if (inner == nullptr) refuse(key, "is no table");
    return {*inner, path_};
  }
  std::vector<Reader> tables(const char* key) const {
    std::vector<Reader> found;
    if (table_.get(key) == nullptr) return found;
    const toml::array* array = node(key).as_array();
    if (array == nullptr || !array->is_homogeneous<toml::table>()) refuse(key, "is no list of tables");
    for (const toml::node& entry : *array) found.push_back({*entry.as_table(), path_});
    return found;
  }
  index_t count(const char* key, index_t least = 1) const {
    const auto number = value<index_t>(key);
    if (number < least || number >= index_t{1} << 31)
      refuse(key, "is " + std::to_string(number) + ", not " + std::to_string(least) + " or more");
    return number;
  }
  // 0 where the key is missing, as in files of versions that did not know it.
  index_t count_or_0(const char* key) const { return table_.get(key) == nullptr ? 0 : count(key, 0); }

 private:
  const toml::node& node(const char* key) const {
    const toml::node* found = table_.get(key);
    if (found == nullptr) refuse(key, "is missing");
    return *found;
  }
  template <class T>
  T element(const char* key, const toml::node& from) const {
    const auto value = from.value_exact<T>();
    if (!value) refuse(key, "has a value of another type");
    return *value;
  }

  const toml::table& table_;
  const std::string& path_;
};

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
  try {
    const toml::table table = toml::parse(text, path);
    return file_from(Reader(table, path));
  } catch (const toml::parse_error& error) {
    damaged(path, static_cast<index_t>(error.source().begin.line), std::string(error.description()));
  }
}

}  // namespace weft
