// What flups_profiler_disp prints and writes: calls and seconds of the program's calls, of all ranks.
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "folder.hpp"
#include "program.hpp"

namespace weft::testing {
namespace {

struct Times {
  double calls = 0, mean = 0, least = 0, most = 0, percent = 0;
};

/// The rows of a table, by name, which fills 16 characters.
std::map<std::string, Times> rows_of(const std::string& table) {
  std::map<std::string, Times> result;
  std::istringstream lines(table);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::string name = line.substr(0, 16);
    name.erase(0, name.find_first_not_of(' '));
    name.erase(name.find_last_not_of(' ') + 1);
    Times row;
    std::istringstream(line.substr(16)) >> row.calls >> row.mean >> row.least >> row.most >> row.percent;
    result[name] = row;
  }
  return result;
}

/// What rank 0 prints; nothing on the others.
std::string displayed() {
  ::testing::internal::CaptureStdout();
  flups_profiler_disp(nullptr);
  return ::testing::internal::GetCapturedStdout();
}

/// A solver and `solves` solves with it, for which all ranks exchange.
void run(int solves) {
  const Pairs all{{{PER, PER}, {PER, PER}, {PER, PER}}};
  const Program program({{16, 16, 16}, {1, 1, 1}, CELL_CENTER, {all}}, {});
  std::vector<double> field = program.field([](int, const Point& x) { return std::cos(2 * pi * x[0]); });
  for (int i = 0; i < solves; i++) flups_solve(program.solver(), field.data(), field.data(), STD);
}

TEST(FlupsTimes, ProfilersAreNullAndTellTheCallsOfTheProcess) {
  const Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  EXPECT_EQ(flups_profiler_new_n("of this test"), nullptr);
  run(3);
  const std::string table = displayed();
  flups_profiler_free(nullptr);
  EXPECT_FALSE(std::filesystem::exists("prof"));
  EXPECT_EQ(table.empty(), comm.rank() != 0);
  if (comm.rank() != 0) return;
  EXPECT_NE(table.find("times of of this test, " + std::to_string(ranks()) + " rank"), std::string::npos) << table;
  std::map<std::string, Times> rows = rows_of(table);
  for (const auto& [name, row] : rows) {
    EXPECT_LE(row.least, row.mean + 1e-6) << table;
    EXPECT_LE(row.mean, row.most + 1e-6) << table;
    EXPECT_EQ(row.calls, name == "init" || name == "setup" ? 1 : 3) << table;
  }
  EXPECT_EQ(rows.size(), 5U) << table;  // without those of calls that the program has not made
  // Printed with six digits after the point, and two.
  EXPECT_NEAR(rows["SwitchTopo"].mean + rows["fftw"].mean, rows["solve"].mean, 2e-6) << table;
  EXPECT_NEAR(rows["init"].percent + rows["setup"].percent + rows["solve"].percent, 100, 0.02) << table;
  EXPECT_GT(rows["setup"].least, 0) << table;
  EXPECT_GT(rows["fftw"].least, 0) << table;
}

TEST(FlupsTimes, ProgramsWithoutMacrosMayHaveAPointer) {
  ASSERT_EQ(setenv("WEFT_FLUPS_PROFILERS", "1", 1), 0);
  FLUPS_Profiler* profiler = flups_profiler_new();
  ASSERT_EQ(unsetenv("WEFT_FLUPS_PROFILERS"), 0);
  EXPECT_NE(profiler, nullptr);
  flups_profiler_free(profiler);
  EXPECT_EQ(flups_profiler_new(), nullptr);
}

TEST(FlupsTimes, AFolderGetsTheFileThatFlupsWrites) {
  const Comm comm(MPI_COMM_WORLD);
  const Folder folder(comm);
  if (comm.rank() == 0) std::filesystem::create_directory("prof");
  comm.barrier();
  flups_profiler_new_n("forgotten");
  run(1);
  flups_profiler_new();  // and all times begin anew
  run(2);
  (void)displayed();
  if (comm.rank() != 0) return;
  EXPECT_FALSE(std::filesystem::exists("prof/forgotten_time.csv"));
  std::ifstream file("prof/default_time.csv");
  std::map<std::string, std::vector<double>> rows;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string name, cell;
    std::getline(cells, name, ';');
    while (std::getline(cells, cell, ';')) rows[name].push_back(std::stod(cell));
  }
  EXPECT_EQ(rows.size(), 7U);
  for (const auto& [name, row] : rows) {
    // Level, mean, percent, of a call, calls, least, most, deviation, least and most calls.
    ASSERT_EQ(row.size(), 10U) << name;
    const double calls = name == "copy rhs" || name == "domagic" ? 0 : name == "init" || name == "setup" ? 1 : 2;
    EXPECT_EQ(row[0], name == "init" || name == "setup" || name == "solve" ? 1 : 2) << name;
    EXPECT_EQ(row[4], calls) << name;
    EXPECT_EQ(row[8], calls) << name;
    EXPECT_EQ(row[9], calls) << name;
    EXPECT_NEAR(row[3] * calls, row[1], 1e-7) << name;
    EXPECT_LE(row[5], row[1] + 1e-7) << name;
    EXPECT_LE(row[1], row[6] + 1e-7) << name;
    EXPECT_LE(row[7], row[6] - row[5] + 1e-7) << name;
  }
}

}  // namespace
}  // namespace weft::testing
