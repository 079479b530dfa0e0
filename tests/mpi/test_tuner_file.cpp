// Tuning files in use: what plans take from them, and what they refuse.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "environment.hpp"
#include "nodes.hpp"
#include "plan/schedule/plan_shape.hpp"
#include "plan/tune/tuner.hpp"
#include "plan/tune/tuning_file.hpp"
#include "plan_fixture.hpp"
#include "weft/tuning.hpp"

namespace weft::tuner_file_test {
namespace {

using plan_test::expect_refused;
using plan_test::rfftn;

const Extents shape{12, 10, 14};
const std::vector<Kind> kinds = rfftn(shape).kinds;

// A file name of this run, the same on all ranks, removed at the end.
class TunerFile : public ::testing::Test {
 protected:
  void TearDown() override {
    world().barrier();
    if (world().rank() == 0) (void)std::remove(path_.c_str());
  }
  void write(const std::string& text) const {
    if (world().rank() == 0) std::ofstream(path_) << text;
    world().barrier();
  }
  TuningFile read() const { return read_tuning(world(), path_); }

  const std::string path_ =
      world().broadcast(::testing::TempDir() + "weft-tuning-" + std::to_string(getpid()) + ".toml", 0);
  const testing::Environment none_{"WEFT_TUNING", nullptr};
};

// The outcome of a search that nobody would make without a file.
Tuning unlikely() {
  Tuning tuning;
  tuning.options.grid = {1, world().size()};
  tuning.options.strategy = Strategy::alltoallv;
  tuning.options.fuse = false;
  tuning.seconds = 0.125;
  return tuning;
}

TEST_F(TunerFile, PlansLookIntoIt) {
  save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, unlikely());
  PlanOptions options;
  options.tuning = path_;
  const Plan<double> plan(MPI_COMM_WORLD, shape, kinds, options);
  EXPECT_EQ(plan.physical_layout().grid(), ProcessGrid(unlikely().options.grid));
  EXPECT_EQ(plan.strategy(), world().size() == 1 ? "none" : "alltoallv");
  for (const char* told : {"tuned: alltoallv, chunks 1, grid 1", "not fused, 125.000 ms", path_.c_str()})
    EXPECT_TRUE(testing::mentions(plan.explain(), told)) << plan.explain();
  // Where it does not fit, or contradicts what is fixed, it says nothing.
  options.grid = {world().size()};
  EXPECT_NE(testing::mentions(Plan<double>(MPI_COMM_WORLD, shape, kinds, options).explain(), "tuned: "),
            options.grid != unlikely().options.grid);
  options.grid = {};
  EXPECT_FALSE(testing::mentions(Plan<float>(MPI_COMM_WORLD, shape, kinds, options).explain(), "tuned: "));
  EXPECT_FALSE(testing::mentions(Plan<double>(MPI_COMM_WORLD, {8, 8, 8}, kinds, options).explain(), "tuned: "));
  options.tuning = {};
  EXPECT_FALSE(testing::mentions(Plan<double>(MPI_COMM_WORLD, shape, kinds, options).explain(), "tuned: "));
  const testing::Environment standard("WEFT_TUNING", path_.c_str());
  EXPECT_TRUE(testing::mentions(Plan<double>(MPI_COMM_WORLD, shape, kinds, options).explain(), "tuned: "));
}

// What was fastest once may need memory that is not free today, and it is the library that has chosen it.
TEST_F(TunerFile, StrategiesThatAreNotPossibleNowAreGivenUp) {
  if (world().size() == 1) GTEST_SKIP() << "nothing is exchanged";
  if (!testing::one_node()) GTEST_SKIP() << testing::needs_one_node();
  Tuning tuning = unlikely();
  PlanOptions options;
  options.tuning = path_;
  tuning.options.strategy = Strategy::shared;
  save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, tuning);
  EXPECT_EQ(Plan<double>(MPI_COMM_WORLD, shape, kinds, options).strategy(), "shared");
  options.shared_memory_limit = 0;
  const Plan<double> plan(MPI_COMM_WORLD, shape, kinds, options);
  EXPECT_EQ(plan.strategy(), "alltoallv");
  EXPECT_TRUE(testing::mentions(plan.explain(), "tuned, but not possible now: strategy: 'shared'")) << plan.explain();
  options.strategy = Strategy::shared;
  expect_refused([&] { Plan<double>(MPI_COMM_WORLD, shape, kinds, options); }, {"strategy: 'shared'", "/dev/shm"});
  // Nor are those that a narrow wire cannot have.
  options = {};
  options.tuning = path_;
  options.wire = Wire::single;
  tuning.options.strategy = Strategy::datatype;
  save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, tuning);
  EXPECT_FALSE(testing::mentions(Plan<double>(MPI_COMM_WORLD, shape, kinds, options).explain(), "tuned"));
}

// The search looks at the exchanges of a plan; the way to the modes' natural places may be another one.
TEST_F(TunerFile, BordersChooseForThemselves) {
  if (world().size() != 4 || !testing::nodes_of_pairs()) GTEST_SKIP() << "needs two nodes of two ranks";
  const Extents columns{4, 12, 14};
  const std::vector<Kind> two{Kind::none, Kind::c2c, Kind::r2c};
  PlanOptions options;
  options.tuning = path_;
  options.node_ranks = 2;
  options.output = Output::natural;
  Tuning tuning = unlikely();
  tuning.options = options;
  tuning.options.grid = {2, 2};
  tuning.options.strategy = Strategy::shared;
  save_tuning<double>(MPI_COMM_WORLD, path_, columns, two, tuning);
  const Plan<double> plan(MPI_COMM_WORLD, columns, two, options);
  EXPECT_TRUE(testing::mentions(plan.explain(), "tuned: shared")) << plan.explain();
}

// The batch of a file is that of plans that leave it open, one that they fix must agree, and where sends are not
// throttled it does not matter.
TEST_F(TunerFile, KeepsTheBatchOfMessages) {
  Tuning tuning = unlikely();
  tuning.options.strategy = Strategy::persistent;
  tuning.options.send_batch = 1;
  EXPECT_NE(summary(tuning).find("chunks 1, 1 message at a time, grid"), std::string::npos) << summary(tuning);
  save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, tuning);
  PlanOptions options;
  options.tuning = path_;
  const ScheduleInput input = checked_input(world(), shape, kinds, options, sizeof(double));
  const auto known = [&](int send_batch) {
    options.send_batch = send_batch;
    return tuning_in_file(world(), input, options, sizeof(double));
  };
  ASSERT_TRUE(known(0) && known(1));
  EXPECT_EQ(known(0)->options.send_batch, 1);
  EXPECT_FALSE(known(2));
  tuning.options.strategy = Strategy::alltoallv;
  EXPECT_EQ(summary(tuning).find("at a time"), std::string::npos);
  save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, tuning);
  EXPECT_EQ(read().plans.at(0).send_batch, 0);
  ASSERT_TRUE(known(2));
  EXPECT_EQ(known(2)->options.send_batch, 2);
}

TEST_F(TunerFile, GrowsByWhatIsTuned) {
  Tuning tuning = unlikely();
  save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, tuning);
  save_tuning<float>(MPI_COMM_WORLD, path_, shape, kinds, tuning);
  tuning.seconds = 0.0625;
  save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, tuning);
  const TuningFile file = read();
  ASSERT_EQ(file.plans.size(), 2U);
  EXPECT_EQ(file.plans[0].problem.precision, "float");
  EXPECT_EQ(file.plans[1].seconds, 0.0625);
  EXPECT_EQ(file.plans[1].problem.ranks, world().size());
}

TEST_F(TunerFile, OfAnotherMachineIsIgnoredWithOneWarning) {
  save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, unlikely());
  TuningFile file = read();
  file.machine.mpi = "Some MPI 9";
  write(to_toml(file));
  PlanOptions options;
  options.tuning = path_;
  ::testing::internal::CaptureStderr();
  for (int time = 0; time < 2; time++)
    EXPECT_FALSE(testing::mentions(Plan<double>(MPI_COMM_WORLD, shape, kinds, options).explain(), "tuned: "));
  const std::string told = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(told.find("warning") != std::string::npos, world().rank() == 0) << told;
  EXPECT_EQ(told.find("warning"), told.rfind("warning")) << told;
  expect_refused([&] { save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, unlikely()); },
                 {"another machine", "Some MPI 9"});
}

TEST_F(TunerFile, DamagedAndMissingOnesAreRefusedOnAllRanks) {
  PlanOptions options;
  options.tuning = path_;
  const auto plan = [&] { Plan<double>(MPI_COMM_WORLD, shape, kinds, options); };
  expect_refused(plan, {path_, "No such file"});
  write("weft = \"1\"\nplans = = 3\n");
  expect_refused(plan, {path_, "line 2"});
  expect_refused([&] { save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, unlikely()); }, {path_, "line 2"});
  expect_refused([&] { check_tuning_file(MPI_COMM_WORLD, path_); }, {path_, "line 2"});
  expect_refused([&] { check_tuning_file(MPI_COMM_WORLD, "/proc/weft.toml"); }, {"/proc/weft.toml"});
  write("");
  expect_refused(plan, {path_, "machine"});
  options.tuning = "/proc";
  expect_refused(plan, {"/proc", "cannot be read"});
}

TEST_F(TunerFile, KeepsWhatFftwHasLearnt) {
  PlanOptions options;
  options.effort = Effort::measure;
  options.engine = EngineChoice::fftw;
  TuneSearch search;
  search.budget = 0.01;
  const Tuning tuning = tune<double>(MPI_COMM_WORLD, shape, kinds, options, search);
  save_tuning<double>(MPI_COMM_WORLD, path_, shape, kinds, tuning);
  TuningFile file = read();
  EXPECT_NE(file.wisdom_double.find("fftw"), std::string::npos);
  file.wisdom_double = "(what is this)";
  write(to_toml(file));
  options.tuning = path_;
  expect_refused([&] { Plan<double>(MPI_COMM_WORLD, shape, kinds, options); }, {path_, "wisdom"});
}

}  // namespace
}  // namespace weft::tuner_file_test
