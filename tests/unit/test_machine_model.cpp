// Machine files, and times between those that were measured.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "../error_text.hpp"
#include "model/machine_model.hpp"

namespace weft {
namespace {

MachineModel full_model() {
  MachineModel m;
  m.name = "a \"machine\"";
  m.source = "nowhere";
  m.fitted = "everything";
  m.machine = Machine{"processor", 4, "avx2", "an MPI", "3.3", "0.1"};
  m.node_cores = 4;
  m.lengths = {16, 64};
  m.complex_t_c = {3e-10, 1e-10};
  m.real_t_c = {5e-10, 2e-10};
  m.memory = {1e-9, 3e-9};
  m.cache_bytes = 8e6;
  m.cache = {2e-10, 4e-10};
  m.plane_bytes = {1e6, 1e8};
  m.plane_t_a = {1e-9, 3e-9};
  m.hidden_memory = 0.5;
  m.least_t_w = 1e-9;
  m.network = {Topology::dragonfly, 1e10, {{16, 8}}, 2, {}};
  return m;
}

TEST(MachineModel, ComesBackFromItsFile) {
  const MachineModel before = full_model(), after = parse_machine(to_toml(before), "file");
  EXPECT_EQ(to_toml(after), to_toml(before));
  EXPECT_EQ(after.name, before.name);
  EXPECT_EQ(after.machine->processor, "processor");
  EXPECT_EQ(after.network.groups.front().nodes, 16);
  EXPECT_EQ(after.network.pair_links, 2);
  EXPECT_EQ(after.lengths, before.lengths);
  EXPECT_FALSE(parse_machine(to_toml(MachineModel{}), "file").machine);
}

TEST(MachineModel, BetweenMeasuredLengths) {
  const MachineModel m = full_model();
  EXPECT_DOUBLE_EQ(m.line_t_c(true, 16), 3e-10);
  EXPECT_DOUBLE_EQ(m.line_t_c(true, 64), 1e-10);
  EXPECT_DOUBLE_EQ(m.line_t_c(true, 32), 2e-10) << "halfway in log n";
  EXPECT_DOUBLE_EQ(m.line_t_c(false, 2), 5e-10);
  EXPECT_DOUBLE_EQ(m.line_t_c(false, 4096), 2e-10);
  EXPECT_DOUBLE_EQ(MachineModel{}.line_t_c(true, 100), MachineModel{}.t_c);
}

TEST(MachineModel, CopiesByCoresAndSize) {
  const MachineModel m = full_model();
  EXPECT_DOUBLE_EQ(m.copy_seconds(1e9, 1), 1e-9);
  EXPECT_DOUBLE_EQ(m.copy_seconds(1e9, 4), 3e-9);
  EXPECT_DOUBLE_EQ(m.copy_seconds(1e9, 2), 1e-9 + 2e-9 / 3);
  EXPECT_DOUBLE_EQ(m.copy_seconds(1e6, 4), 4e-10) << "half of the cache";
  EXPECT_DOUBLE_EQ(m.copy_seconds(2e6, 4), 3e-9) << "all of it";
  EXPECT_DOUBLE_EQ(m.copy_seconds(1.5e6, 4), (4e-10 + 3e-9) / 2);
}

TEST(MachineModel, PlanesBeyondACoresCache) {
  MachineModel m = full_model();
  EXPECT_DOUBLE_EQ(m.plane_seconds(m.core_cache_bytes, 4), 0);
  EXPECT_DOUBLE_EQ(m.plane_seconds(1e7, 1), 2e-9) << "halfway in log bytes";
  EXPECT_DOUBLE_EQ(m.plane_seconds(2.5e6, 4), 2e-9) << "those of all cores count";
  m.plane_bytes.clear();
  EXPECT_DOUBLE_EQ(m.plane_seconds(1e7, 4), m.copy_seconds(1e7, 4));
}

TEST(MachineModel, StrategiesBetweenNodes) {
  MachineModel before = full_model();
  before.strategies = {{Strategy::pairwise, 0.5, 0.25}, {Strategy::datatype, 0.75, 0}};
  before.overlapped_share = 0.125;
  before.datatype_share = 0.375;
  const std::string text = to_toml(before);
  const MachineModel m = parse_machine(text, "file");
  EXPECT_EQ(to_toml(m), text);
  EXPECT_EQ(m.strategy_times(Strategy::pairwise).speed, 0.5);
  EXPECT_EQ(m.strategy_times(Strategy::pairwise).overlapped, 0.25);
  EXPECT_EQ(m.strategy_times(Strategy::datatype).speed, 0.75);
  EXPECT_TRUE(m.measured(Strategy::datatype) && !m.measured(Strategy::alltoallw));
  EXPECT_EQ(m.strategy_times(Strategy::alltoallw).speed, 0.375) << "as all that MPI gathers";
  EXPECT_EQ(m.strategy_times(Strategy::cyclic).speed, 1);
  EXPECT_EQ(m.strategy_times(Strategy::cyclic).overlapped, 0.125);
  // One line in place of that of its key.
  const auto refused = [&](const std::string& key, const std::string& line) {
    const std::size_t begin = text.find("\n" + key + " = ") + 1, end = text.find('\n', begin);
    return testing::error_text([&] { parse_machine(text.substr(0, begin) + line + text.substr(end), "file"); });
  };
  EXPECT_TRUE(testing::mentions(refused("strategies", "strategies = [\"pairs\", \"datatype\"]"), "not known", "line"));
  EXPECT_TRUE(testing::mentions(refused("strategy_speeds", "strategy_speeds = [0.5]"), "strategies", "not as many"));
  EXPECT_TRUE(testing::mentions(refused("strategy_overlapped", "strategy_overlapped = [1.25, 0.0]"), "share above 1"));
}

// The files that come with the library.
TEST(MachineModel, PublishedMachines) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WEFT_MACHINES)) {
    const MachineModel m = read_machine(entry.path().string());
    files++;
    EXPECT_FALSE(m.name.empty());
    EXPECT_FALSE(m.source.empty()) << m.name;
    EXPECT_FALSE(m.fitted.empty()) << m.name;
    EXPECT_FALSE(m.machine) << m.name << " was not measured by weft calibrate";
    EXPECT_GT(m.node_cores, 1);
    // A rank alone on its node cannot send faster than the node's link.
    if (m.network.link > 0) {
      EXPECT_GE(m.between.t_w, 8 / m.network.link * (1 - 1e-12)) << m.name;
    }
  }
  EXPECT_GE(files, 4);
  const MachineModel bluefire = read_machine(std::string(WEFT_MACHINES) + "/bluefire.toml");
  EXPECT_EQ(bluefire.t_c, 0.37e-9);
  EXPECT_EQ(bluefire.memory.together, 6.37e-9);
  EXPECT_EQ(bluefire.between.t_w, 11.60e-9);
  EXPECT_EQ(bluefire.least_t_w, 2.19e-9);
  EXPECT_EQ(bluefire.between.t_s, 7e-6);
}

TEST(MachineModel, DamageIsTold) {
  const std::string good = to_toml(full_model());
  const auto refused = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    text.replace(text.find(what), what.size(), by);
    return testing::error_text([&] { parse_machine(text, "some/file.toml"); });
  };
  const std::vector<std::vector<std::string>> cases{
      {"t_a = ", "t_b = ", "t_b is not known"},
      {"t_s = 1e-06\n", "\n", "t_s is missing"},
      {"node_cores = 4", "node_cores = 0", "node_cores"},
      {"topology = \"dragonfly\"", "topology = \"ring\"", "fat tree"},
      {"lengths = [1.6e+01, 6.4e+01]", "lengths = [64, 16]", "rising order"},
      {"hidden = 5e-01", "hidden = 2.0", "at most 1"},
      {"t_s = ", "t_s = -", "t_s"},
      {"name = ", "nmae = 1\nname = ", "nmae is not known"},
      {"[memory]", "[memory", "damaged at line"}};
  for (const auto& entry : cases) {
    const std::string text = refused(entry[0], entry[1]);
    for (const std::string& part : {std::string("machine: "), std::string("some/file.toml"), entry[2]})
      EXPECT_NE(text.find(part), std::string::npos) << entry[1] << ": " << text;
  }
  const std::string text = testing::error_text([] { read_machine("no/such/file"); });
  for (const char* part : {"no/such/file", "weft calibrate"}) EXPECT_NE(text.find(part), std::string::npos) << text;
}

// 2^32 + 1 nodes along an axis are not one node, and 2^60 nodes fit no memory.
TEST(MachineModel, ATorusIsAsLargeAsItsFileSaysOrRefused) {
  MachineModel model = full_model();
  model.network = {.topology = Topology::torus, .link = 1e9, .groups = {}, .pair_links = 0, .extents = {64, 32, 16}};
  const std::string good = to_toml(model), extents = "[64, 32, 16]";
  EXPECT_EQ(parse_machine(good, "x").network.extents, model.network.extents);
  for (const char* bad : {"[4294967297, 32, 16]", "[1048576, 1048576, 1048576]", "[9223372036854775807, 2, 2]",
                          "[64, 0, 16]", "[64, 32]", "[0, 9223372036854775807, 1]"}) {
    std::string text = good;
    text.replace(text.find(extents), extents.size(), bad);
    const std::string said = testing::error_text([&] { parse_machine(text, "x"); });
    EXPECT_NE(said.find("extents are not three positive numbers"), std::string::npos) << bad << ": " << said;
  }
}

}  // namespace
}  // namespace weft
