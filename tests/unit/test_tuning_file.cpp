// Tuning files: what is written reads the same, and damage is told with its line.
#include <gtest/gtest.h>

#include <string>

#include "../error_text.hpp"
#include "plan/tune/tuning_file.hpp"
#include "transform/engine/engines.hpp"

namespace weft {
namespace {

TunedPlan plan(index_t ranks, const std::string& precision) {
  TunedPlan plan;
  plan.problem = {{64, 48, 40}, {64, 48, 21}, {}, {"c2c", "c2c", "r2c"}, precision, "transposed", ranks, 1, false};
  plan.grid = {ranks};
  plan.strategy = Strategy::persistent;
  plan.chunks = 4;
  plan.send_batch = 1;
  plan.fuse = false;
  plan.seconds = 0.1 + 0.2;  // has 17 digits
  return plan;
}

TuningFile example() {
  TuningFile file;
  file.machine = {"Some \"Processor\" \\ 9000", 64, "avx512", "MPICH Version: 4.0.2", "fftw-3.3.10", "0.1.0"};
  file.plans = {plan(2, "double"), plan(3, "float")};
  file.plans[1].problem.batch_axes = {0, 2};
  file.plans[1].problem.in_place = true;
  file.wisdom_double = "(fftw-3.3.10 wisdom #x1\n  (\"codelet\" 0 #x2)\n)\n";
  return file;
}

TEST(TuningFile, ReadsAsItWasWritten) {
  const TuningFile file = example(), read = parse_tuning(to_toml(file), "x.toml");
  EXPECT_EQ(difference(read.machine, file.machine), "");
  EXPECT_EQ(read.machine.fftw, file.machine.fftw);
  EXPECT_EQ(read.machine.weft, file.machine.weft);
  EXPECT_EQ(read.wisdom_double, file.wisdom_double);
  EXPECT_EQ(read.wisdom_float, "");
  ASSERT_EQ(read.plans.size(), file.plans.size());
  for (std::size_t i = 0; i < file.plans.size(); i++) {
    EXPECT_EQ(read.plans[i].problem, file.plans[i].problem);
    EXPECT_EQ(read.plans[i].grid, file.plans[i].grid);
    EXPECT_EQ(read.plans[i].strategy, file.plans[i].strategy);
    EXPECT_EQ(read.plans[i].chunks, file.plans[i].chunks);
    EXPECT_EQ(read.plans[i].send_batch, file.plans[i].send_batch);
    EXPECT_EQ(read.plans[i].fuse, file.plans[i].fuse);
    EXPECT_EQ(read.plans[i].seconds, file.plans[i].seconds);
  }
  EXPECT_EQ(parse_tuning(to_toml(TuningFile{{"p", 1, "i", "m", "f", "w"}, {}, {}, {}}), "x").plans.size(), 0U);
}

std::string edited(const std::string& from, const std::string& to) {
  std::string text = to_toml(example());
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

// The number of the line in which a text begins.
std::string line_of(const std::string& whole, const std::string& part) {
  const auto end = whole.begin() + static_cast<std::ptrdiff_t>(whole.find(part));
  return "line " + std::to_string(1 + std::count(whole.begin(), end, '\n')) + ":";
}

TEST(TuningFile, DamageIsToldWithItsLine) {
  const std::vector<std::pair<std::string, std::string>> changes{{"chunks = 4", "chunks = 0"},
                                                                 {"chunks = 4", "chunks = 2.5"},
                                                                 {"send_batch = 1", "send_batch = -1"},
                                                                 {"send_batch = 1", "send_batch = 2147483648"},
                                                                 {"send_batch = 1", "send_batch = \"all\""},
                                                                 {"strategy = \"persistent\"", "strategy = \"pigeon\""},
                                                                 {"grid = [2]", "grid = [3]"},
                                                                 {"grid = [2]", "grid = []"},
                                                                 {"grid = [2]", "grid = [-1, -2]"},
                                                                 {"grid = [2]", "grid = 2"},
                                                                 {"grid = [2]", "grid = [2"},
                                                                 {"kinds = [\"c2c\"", "kinds = [1"},
                                                                 {"cores = 64", "cores = \"many\""},
                                                                 {"plans = 2", "plans = 3"},
                                                                 {"fuse = false", "fuse = 0"},
                                                                 {"seconds = ", "seconds = x"}};
  for (const auto& [from, to] : changes) {
    const std::string text = edited(from, to);
    const std::string told = testing::error_text([&text] { parse_tuning(text, "some.toml"); });
    EXPECT_NE(told.find("some.toml"), std::string::npos) << told;
    EXPECT_NE(told.find("damaged at line "), std::string::npos) << told;
    const bool has_line = told.find(line_of(text, to)) != std::string::npos;
    EXPECT_TRUE(has_line || to == "grid = [2") << to << ": " << told;
  }
}

TEST(TuningFile, WithoutABatchAllMessagesStartAtOnce) {
  const TuningFile read = parse_tuning(edited("send_batch = 1\n", ""), "x.toml");
  ASSERT_EQ(read.plans.size(), 2U);
  EXPECT_EQ(read.plans[0].send_batch, 0);
  EXPECT_EQ(read.plans[1].send_batch, 1);
}

TEST(TuningFile, EveryLineIsNeeded) {
  const std::string text = to_toml(example());
  // Without any one line that holds a key the file is damaged, but for those that older files do not have.
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    const std::string line = text.substr(begin, end - begin);
    if (line.find(" = ") != std::string::npos && !line.starts_with("send_batch")) {
      EXPECT_THROW(parse_tuning(text.substr(0, begin) + text.substr(end), "x"), Error) << line;
    }
    begin = end;
  }
}

TEST(TuningFile, CutOffAnywhereItIsDamaged) {
  const std::string text = to_toml(example());
  for (std::size_t length = 0; length < text.size() - 1; length += 7)
    EXPECT_THROW(parse_tuning(text.substr(0, length), "x"), Error) << length;
}

// toml++ asserts, or takes for granted, that no such character comes: each is an error with its line, whatever the
// build.
TEST(TuningFile, CharactersBeyondAsciiAreTextOrDamage) {
  TuningFile file = example();
  file.machine.processor = "Pr\xC3\xB6zessor \xC9\xAE";
  const std::string text = to_toml(file);
  EXPECT_EQ(to_toml(parse_tuning("# caf\xC3\xA9 '''\n" + text, "x")), text) << "in strings and comments";
  EXPECT_EQ(to_toml(parse_tuning("\xEF\xBB\xBF" + text, "x")), text) << "a byte order mark";
  const std::vector<std::string> cases{
      "[m\xC9\xAE]",    "[\x01\x01m]",        "[[plan\xC9\xAE]]",      "\xC2\xA1 = 1",
      "a = 1 \xC4\x80", "a = \"x\" \xC4\x80", "a = \"\\\"\" \xC4\x80", "a = \"\"\"x\"\"\"\" \xC4\x80",
      "a = '' \xC4\x80"};
  for (const std::string& bad : cases) {
    const std::string said =
        testing::error_text([&] { parse_tuning("# one\n" + bad + "\n" + text, "some/file.toml"); });
    EXPECT_NE(said.find("some/file.toml\" is damaged at line 2: "), std::string::npos) << bad << ": " << said;
  }
}

TEST(TuningFile, OtherMachines) {
  const Machine ours = this_machine();
  EXPECT_EQ(difference(ours, this_machine()), "");
  Machine theirs = ours;
  theirs.cores++;
  EXPECT_NE(difference(theirs, ours).find(std::to_string(theirs.cores) + " cores"), std::string::npos);
  theirs = ours;
  theirs.mpi = "Some MPI 9";
  EXPECT_NE(difference(theirs, ours).find("Some MPI 9"), std::string::npos);
  theirs = ours;
  theirs.processor += " Super";
  EXPECT_NE(difference(theirs, ours), "");
  theirs = ours;
  theirs.instructions = "none";
  EXPECT_NE(difference(theirs, ours), "");
}

template <class Real>
class FftwWisdom : public ::testing::Test {};
using Reals = ::testing::Types<double, float>;
TYPED_TEST_SUITE(FftwWisdom, Reals);

TYPED_TEST(FftwWisdom, IsRefusedWhereFftwDoesNotUnderstandIt) {
  const std::string before = fftw_wisdom<TypeParam>();
  EXPECT_FALSE(add_fftw_wisdom<TypeParam>("no wisdom at all"));
  EXPECT_TRUE(add_fftw_wisdom<TypeParam>(""));
  EXPECT_TRUE(add_fftw_wisdom<TypeParam>(before));
  EXPECT_EQ(fftw_wisdom<TypeParam>(), before);
}

}  // namespace
}  // namespace weft
