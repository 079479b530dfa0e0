// The calls that a pass over small arrays makes, and when they are repeated instead of being made anew.
#include "plan/pass/line_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "weft/memory.hpp"

namespace weft {
namespace {

/// Counts its calls, and notes the first address of each table that it is given.
class CountingEngine final : public LineEngine<double> {
 public:
  double* transform(LanePoints<double>& points, double*, double* out) const override {
    calls++;
    from = points.from.at == nullptr ? nullptr : points.from.at[0];
    to = points.to.at == nullptr ? nullptr : points.to.at[0];
    return out;
  }
  void transform(LaneLines<double>& lines, double* const* last, double*) const override {
    calls++;
    from = lines.from[0];
    to = last[0];
  }
  index_t reals_per_lane() const override { return 1; }
  std::string name() const override { return "counting"; }

  mutable int calls = 0;
  mutable double *from = nullptr, *to = nullptr;
};

/// Passes that call an engine a number of times.
class Passes {
 public:
  Passes() { passes_.make_room(); }
  /// Runs the pass with this number and returns whether its calls have been repeated.
  bool run(index_t number, int calls = 1) {
    bool made = false;
    const int before = engine.calls;
    passes_.new_key();
    passes_.add(number);
    passes_.run([&](LineCalls<double>* kept) {
      made = true;
      for (int call = 0; call < calls; ++call) {
        LanePoints<double> points;
        if (kept != nullptr) kept->transform(engine, points, 0, 0, nullptr, nullptr);
        engine.transform(points, nullptr, nullptr);
      }
    });
    EXPECT_EQ(engine.calls - before, calls);
    return !made;
  }

  CountingEngine engine;

 private:
  RepeatedPasses<double> passes_;
};

TEST(RepeatedPasses, KeepCallsWhenAPassComesForTheSecondTime) {
  Passes passes;
  EXPECT_FALSE(passes.run(1, 3));
  EXPECT_FALSE(passes.run(1, 3));
  EXPECT_TRUE(passes.run(1, 3));
  EXPECT_TRUE(passes.run(1, 3));
  EXPECT_FALSE(passes.run(2, 2));
  EXPECT_TRUE(passes.run(1, 3));
  EXPECT_FALSE(passes.run(2, 2));
  EXPECT_TRUE(passes.run(2, 2));
}

TEST(RepeatedPasses, ForgetThePassNotUsedForLongest) {
  Passes passes;
  for (int time = 0; time < 2; ++time)
    for (index_t number = 0; number < 32; ++number) EXPECT_FALSE(passes.run(number));
  for (const index_t number : {0, 2}) EXPECT_TRUE(passes.run(number));
  EXPECT_FALSE(passes.run(32));
  for (const index_t number : {0, 2, 3, 31}) EXPECT_TRUE(passes.run(number));
  EXPECT_FALSE(passes.run(1));
}

TEST(RepeatedPasses, NeverRepeatManyCallsOrLongKeys) {
  Passes passes;
  for (int time = 0; time < 4; ++time) EXPECT_FALSE(passes.run(1, 1025));
  EXPECT_FALSE(passes.run(2, 1024));
  EXPECT_FALSE(passes.run(2, 1024));
  EXPECT_TRUE(passes.run(2, 1024));
  RepeatedPasses<double> long_keys;
  long_keys.make_room();
  int made = 0;
  for (int time = 0; time < 4; ++time) {
    long_keys.new_key();
    for (index_t number = 0; number < 513; ++number) long_keys.add(number);
    long_keys.run([&](const LineCalls<double>* kept) {
      EXPECT_EQ(kept, nullptr);
      made++;
    });
  }
  EXPECT_EQ(made, 4);
}

// The tables of addresses are those of the sweep, which fills them anew for other lines.
TEST(LineCalls, KeepTheirTables) {
  const LaneKernels<double>& kernels = lane_kernels<double>();
  const auto lanes = static_cast<std::size_t>(kernels.lanes);
  AlignedVector<double> lines(lanes * 4), block(lanes * 4), copies(lanes * 4), sums(lanes);
  for (std::size_t i = 0; i < lines.size(); ++i) lines[i] = static_cast<double>(i);
  std::vector<double*> table(std::max<std::size_t>(lanes, 2)), other(table);
  for (std::size_t l = 0; l < lanes; ++l) {
    table[l] = lines.data() + 4 * l;
    other[l] = copies.data() + 4 * l;
  }
  const LineCopy<double> load{.lines = table.data(), .count = 4, .step = 1, .used = kernels.lanes},
      store{.lines = other.data(), .count = 4, .step = 1, .used = kernels.lanes};
  CountingEngine engine;
  LanePoints<double> points{.from = {.at = table.data()}, .to = {.at = other.data()}};
  LineCalls<double> calls;
  calls.load(load, block.data());
  calls.store(store, block.data(), 2.0);
  calls.transform(engine, points, 2, 2, nullptr, nullptr);
  calls.mark_non_finite(table.data(), 1, kernels.lanes, sums.data());
  lines[0] = std::numeric_limits<double>::infinity();
  double *const from = table[0], *const to = other[0];
  std::fill(table.begin(), table.end(), nullptr);
  std::fill(other.begin(), other.end(), nullptr);
  calls.repeat();
  for (std::size_t i = 1; i < lines.size(); ++i) EXPECT_EQ(copies[i], 2.0 * static_cast<double>(i));
  EXPECT_TRUE(std::any_of(sums.begin(), sums.end(), [](double sum) { return std::isnan(sum); }));
  EXPECT_EQ(engine.from, from);
  EXPECT_EQ(engine.to, to);
  table[0] = from;
  other[0] = to;
  calls.clear();
  calls.transform(engine, {.from = table.data(), .to = table.data(), .count = 1, .scale = 1}, other.data(), nullptr);
  table[0] = other[0] = nullptr;
  calls.repeat();
  EXPECT_EQ(engine.from, from);
  EXPECT_EQ(engine.to, to);
}

}  // namespace
}  // namespace weft
