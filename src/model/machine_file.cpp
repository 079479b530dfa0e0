// Machine files: elementary times as TOML.
#include <algorithm>

#include "base/toml_text.hpp"
#include "model/machine_model.hpp"

namespace weft {

namespace {

using toml_text::line;
using toml_text::Reader;

constexpr index_t most_torus_nodes = 1 << 20;

const char* const remedy = "correct it, or make it again with weft calibrate";

std::string to_toml(const Machine& m) {
  return "\n[machine]\n" + line("processor", m.processor) + line("cores", m.cores) +
         line("instructions", m.instructions) + line("mpi", m.mpi) + line("fftw", m.fftw) + line("weft", m.weft);
}

std::string to_toml(const char* table, const MessageTimes& times) {
  return std::string("\n[") + table + "]\n" + line("t_w", times.t_w) + line("t_s", times.t_s);
}

std::string to_toml(const Network& network) {
  std::string text = "\n[network]\n" + line("topology", to_string(network.topology)) + line("link", network.link);
  std::vector<index_t> nodes;
  std::vector<double> links;
  for (const NodeGroup& group : network.groups) {
    nodes.push_back(group.nodes);
    links.push_back(group.links);
  }
  if (!nodes.empty()) text += line("group_nodes", nodes) + line("group_links", links);
  if (network.pair_links > 0) text += line("pair_links", network.pair_links);
  if (network.extents[0] > 0)
    text += line("extents", std::vector<index_t>(network.extents.begin(), network.extents.end()));
  return text;
}

std::string to_toml(const std::vector<StrategyTimes>& strategies) {
  std::vector<std::string> names;
  std::vector<double> speeds, overlapped;
  for (const StrategyTimes& times : strategies) {
    names.push_back(to_string(times.strategy));
    speeds.push_back(times.speed);
    overlapped.push_back(times.overlapped);
  }
  if (names.empty()) return {};
  return line("strategies", names) + line("strategy_speeds", speeds) + line("strategy_overlapped", overlapped);
}

Machine machine_from(const Reader& reader) {
  reader.allow({"processor", "cores", "instructions", "mpi", "fftw", "weft"});
  return {reader.value<std::string>("processor"),    reader.count("cores"),
          reader.value<std::string>("instructions"), reader.value<std::string>("mpi"),
          reader.value<std::string>("fftw"),         reader.value<std::string>("weft")};
}

// Refuses places that are not in ascending order, and lists without a value for each place.
void check_table(const Reader& reader, const char* key, const std::vector<double>& places,
                 const std::vector<const std::vector<double>*>& values) {
  for (std::size_t i = 0; i < places.size(); i++)
    if (places[i] < (i == 0 ? 2 : places[i - 1] + 1)) reader.refuse(key, "are not in rising order from 2");
  for (const std::vector<double>* list : values)
    if (places.empty() || list->size() != places.size()) reader.refuse(key, "are not as many as their values, or none");
}

void arithmetic_from(const Reader& reader, MachineModel& model) {
  reader.allow({"t_c", "lengths", "complex_t_c", "real_t_c"});
  model.t_c = reader.number("t_c");
  if (!reader.has("lengths")) return;
  model.lengths = reader.numbers("lengths");
  model.complex_t_c = reader.numbers("complex_t_c");
  model.real_t_c = reader.numbers("real_t_c");
  check_table(reader, "lengths", model.lengths, {&model.complex_t_c, &model.real_t_c});
}

void memory_from(const Reader& reader, MachineModel& model) {
  reader.allow({"t_a", "t_a_together", "core_cache_bytes", "cache_bytes", "cache_t_a", "cache_t_a_together",
                "plane_bytes", "plane_t_a", "hidden"});
  model.memory.alone = reader.number("t_a");
  model.memory.together = reader.number_or("t_a_together", model.memory.alone);
  model.core_cache_bytes = reader.number_or("core_cache_bytes", model.core_cache_bytes);
  model.cache_bytes = reader.number_or("cache_bytes", 0);
  model.cache.alone = reader.number_or("cache_t_a", 0);
  model.cache.together = reader.number_or("cache_t_a_together", model.cache.alone);
  if (reader.has("plane_bytes")) {
    model.plane_bytes = reader.numbers("plane_bytes");
    model.plane_t_a = reader.numbers("plane_t_a");
    check_table(reader, "plane_bytes", model.plane_bytes, {&model.plane_t_a});
  }
  model.hidden_memory = reader.number_or("hidden", 1);
  if (model.hidden_memory > 1) reader.refuse("hidden", "is a part of the time, at most 1");
}

std::vector<NodeGroup> groups_from(const Reader& reader) {
  std::vector<NodeGroup> groups;
  if (!reader.has("group_nodes")) return groups;
  const auto nodes = reader.list<index_t>("group_nodes");
  const std::vector<double> links = reader.numbers("group_links");
  if (nodes.size() != links.size()) reader.refuse("group_links", "are not as many as group_nodes");
  for (std::size_t i = 0; i < nodes.size(); i++) {
    if (nodes[i] < 1 || nodes[i] > 1 << 30 || links[i] <= 0)
      reader.refuse("group_nodes", "or group_links has an entry that is not positive");
    groups.push_back({static_cast<int>(nodes[i]), links[i]});
  }
  return groups;
}

Network network_from(const Reader& reader) {
  reader.allow({"topology", "link", "group_nodes", "group_links", "pair_links", "extents"});
  Network network;
  try {
    network.topology = parse_topology(reader.value<std::string>("topology"));
  } catch (const Error& error) {
    if (error.fault() == Fault::file) throw;
    reader.refuse("topology", std::string("is not known (") + error.what() + ")");
  }
  network.link = reader.number("link");
  network.groups = groups_from(reader);
  network.pair_links = reader.number_or("pair_links", 0);
  if (network.topology == Topology::dragonfly && network.groups.size() != 1)
    reader.refuse("group_nodes", "has to name one size of groups of a dragonfly");
  if (!reader.has("extents")) return network;
  const auto extents = reader.list<index_t>("extents");
  // Routing of messages takes memory for every node.
  index_t nodes = 1;
  for (const index_t extent : extents)
    nodes = nodes == 0 || extent < 1 || extent > most_torus_nodes / nodes ? 0 : nodes * extent;
  if (extents.size() != 3 || nodes == 0)
    reader.refuse("extents",
                  "are not three positive numbers of together at most " + std::to_string(most_torus_nodes) + " nodes");
  for (std::size_t i = 0; i < 3; i++) network.extents[i] = static_cast<int>(extents[i]);
  return network;
}

std::vector<StrategyTimes> strategies_from(const Reader& reader) {
  std::vector<StrategyTimes> found;
  if (!reader.has("strategies")) return found;
  const auto names = reader.list<std::string>("strategies");
  const std::vector<double> speeds = reader.numbers("strategy_speeds"), shares = reader.numbers("strategy_overlapped");
  if (speeds.size() != names.size() || shares.size() != names.size())
    reader.refuse("strategies", "are not as many as their speeds and shares");
  for (std::size_t i = 0; i < names.size(); i++) {
    StrategyTimes times{Strategy::automatic, speeds[i], shares[i]};
    for (const Strategy strategy : all_strategies())
      if (to_string(strategy) == names[i]) times.strategy = strategy;
    if (times.strategy == Strategy::automatic) reader.refuse("strategies", "has a name that is not known");
    if (times.speed <= 0 || times.overlapped > 1)
      reader.refuse("strategies", "has a speed that is not positive, or a share above 1");
    found.push_back(times);
  }
  return found;
}

MessageTimes messages_from(const Reader& reader, bool between, MachineModel& model) {
  if (between) {
    reader.allow({"t_w", "t_s", "least_t_w", "overlapped", "strategies", "strategy_speeds", "strategy_overlapped"});
    model.strategies = strategies_from(reader);
    model.least_t_w = reader.number_or("least_t_w", 0);
    model.overlapped_share = reader.number_or("overlapped", model.overlapped_share);
  } else {
    reader.allow({"t_w", "t_s", "datatype_speed", "shared_t_a"});
    model.shared_t_a = reader.number_or("shared_t_a", 0);
    model.datatype_share = reader.number_or("datatype_speed", model.datatype_share);
  }
  return {reader.number("t_w"), reader.number("t_s")};
}

MachineModel model_from(const Reader& reader) {
  reader.allow(
      {"name", "source", "fitted", "node_cores", "arithmetic", "memory", "inside", "between", "network", "machine"});
  MachineModel model;
  model.name = reader.value<std::string>("name");
  model.source = reader.value<std::string>("source");
  model.fitted = reader.value<std::string>("fitted");
  model.node_cores = static_cast<int>(reader.count("node_cores"));
  arithmetic_from(reader.table("arithmetic"), model);
  memory_from(reader.table("memory"), model);
  model.inside = messages_from(reader.table("inside"), false, model);
  model.between = messages_from(reader.table("between"), true, model);
  if (reader.has("network")) model.network = network_from(reader.table("network"));
  if (reader.has("machine")) model.machine = machine_from(reader.table("machine"));
  return model;
}

}  // namespace

std::string to_toml(const MachineModel& m) {
  std::string text =
      "# Elementary times of a machine, in seconds (weft predict, weft calibrate). A word has 8 bytes.\n" +
      line("name", m.name) + line("source", m.source) + line("fitted", m.fitted) +
      line("node_cores", index_t{m.node_cores}) + "\n[arithmetic]\n" + line("t_c", m.t_c);
  if (!m.lengths.empty())
    text += line("lengths", m.lengths) + line("complex_t_c", m.complex_t_c) + line("real_t_c", m.real_t_c);
  text += "\n[memory]\n" + line("t_a", m.memory.alone) + line("t_a_together", m.memory.together) +
          line("core_cache_bytes", m.core_cache_bytes) + line("cache_bytes", m.cache_bytes) +
          line("cache_t_a", m.cache.alone) + line("cache_t_a_together", m.cache.together) +
          line("hidden", m.hidden_memory);
  if (!m.plane_bytes.empty()) text += line("plane_bytes", m.plane_bytes) + line("plane_t_a", m.plane_t_a);
  text += to_toml("inside", m.inside) + line("datatype_speed", m.datatype_share) + line("shared_t_a", m.shared_t_a);
  text += to_toml("between", m.between) + line("least_t_w", m.least_t_w) + line("overlapped", m.overlapped_share) +
          to_toml(m.strategies);
  return text + to_toml(m.network) + (m.machine ? to_toml(*m.machine) : std::string());
}

MachineModel parse_machine(const std::string& text, const std::string& path) {
  MachineModel model;
  const toml_text::Source source{"machine", path, remedy};
  toml_text::read(text, source, [&](const Reader& reader) { model = model_from(reader); });
  return model;
}

MachineModel read_machine(const std::string& path) {
  const char* const advice = "make one with weft calibrate, or name another (option --machine, WEFT_MACHINE)";
  return parse_machine(toml_text::file_text("machine", path, advice), path);
}

}  // namespace weft
