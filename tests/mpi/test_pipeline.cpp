// A pipeline with passes that only note what they are asked to do: which passes run, in which order and direction, and
// that what one leaves is what the next one finds.
#include "plan/run/pipeline.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "plan/pass/line_prefetch.hpp"
#include "unit/schedule_fixture.hpp"

namespace weft {
namespace {

/// What passes were asked to do, in order.
struct Note {
  std::size_t pass;
  std::string what;
  double scale;
  const double *from, *to;
  LineSelection only;
};
using Notes = std::vector<Note>;

/// Notes its calls; the data are left alone.
class RecordingPass final : public LocalPass<double> {
 public:
  RecordingPass(PassPlan plan, std::size_t number, double bytes, Notes& notes)
      : plan_(std::move(plan)), number_(number), bytes_(bytes), notes_(notes) {}

  const PassPlan& plan() const override { return plan_; }
  index_t block_reals() const override { return 1; }
  index_t most_points() const override { return 1; }
  index_t plane_reals() const override { return 0; }
  void run(Direction direction, const PassData& data, double scale, Workspaces&) const override {
    note(direction == Direction::forward ? "forward" : "backward", data, scale);
  }
  void convolve(const LineSymbol<double>&, const PassData& data, double scale, Workspaces&) const override {
    note("convolve", data, scale);
  }
  void combine(const LocalPass&, const ModeOperation<double>&, const PassData& data, double scale,
               std::vector<FieldWorkspace>&) const override {
    note("combine", data, scale);
  }
  std::string describe() const override { return "records"; }
  index_t batches() const override { return 0; }
  double flops() const override { return 0; }
  double bytes() const override { return bytes_; }

 private:
  void note(const std::string& what, const PassData& data, double scale) const {
    notes_.push_back({number_, what, scale, data.from.segments.front().base, data.to.segments.front().base, data.only});
  }

  PassPlan plan_;
  std::size_t number_;
  double bytes_;
  Notes& notes_;
};

class RecordedPipeline : public ::testing::Test {
 protected:
  static Schedule schedule(const Extents& shape = {8, 6, 10}, Kind last = Kind::c2c) {
    ScheduleInput input = schedule_test::input_of(shape, {Kind::c2c, Kind::dct2, last}, {2, 1, 0});
    input.width = last == Kind::c2c ? 2 : 1;
    return make_schedule(input);
  }

  /// A pipeline whose passes say that they load and store so many bytes.
  Pipeline<double> pipeline_of(const Schedule& schedule, double bytes) {
    return {Comm(MPI_COMM_SELF), schedule, {}, [this, bytes](const Schedule&, const PassPlan& plan) {
              return std::make_unique<RecordingPass>(plan, made_++, bytes, notes_);
            }};
  }
  RecordedPipeline() : pipeline_(pipeline_of(schedule(), 0)) {}

  /// The notes as "pass what" and whether each pass finds what the one before has left.
  void expect(const std::vector<std::string>& wanted) const {
    ASSERT_EQ(notes_.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); i++) {
      EXPECT_EQ(std::to_string(notes_[i].pass) + " " + notes_[i].what, wanted[i]);
      if (i > 0) {
        EXPECT_EQ(notes_[i].from, notes_[i - 1].to) << wanted[i];
      }
    }
    EXPECT_EQ(notes_.front().from, &in_);
    EXPECT_EQ(notes_.back().to, &out_);
  }

  Notes notes_;
  std::size_t made_ = 0;
  double in_ = 0, out_ = 0;
  Pipeline<double> pipeline_;
};

// The pass on the spectral side scales.
TEST_F(RecordedPipeline, ForwardRunsFromPointsToModes) {
  ASSERT_EQ(made_, 3U);
  pipeline_.transform(Direction::forward, &in_, &out_, 0.5);
  expect({"0 forward", "1 forward", "2 forward"});
  EXPECT_EQ(notes_[0].scale, 1);
  EXPECT_EQ(notes_[2].scale, 0.5);
}

TEST_F(RecordedPipeline, BackwardRunsFromModesToPoints) {
  pipeline_.transform(Direction::backward, &in_, &out_, 0.25);
  expect({"2 backward", "1 backward", "0 backward"});
  EXPECT_EQ(notes_[0].scale, 0.25);
  EXPECT_EQ(notes_[2].scale, 1);
}

// Arrays that leave the near caches, but not by far the last one, and are not exchanged: passes meet in the result, if
// it has the shape of what is between them.
TEST_F(RecordedPipeline, LargeArraysOfOneRankMeetInTheResult) {
  const auto meet_in_result = [this](Pipeline<double>& pipeline, Direction direction) {
    notes_.clear();
    pipeline.transform(direction, &in_, &out_, 1);
    const bool meet = notes_[0].to == &out_;
    for (std::size_t i = 1; i < notes_.size(); i++) {
      EXPECT_EQ(notes_[i].from, notes_[i - 1].to);
      EXPECT_EQ(notes_[i - 1].to == &out_, meet);
    }
    EXPECT_EQ(notes_.front().from, &in_);
    EXPECT_EQ(notes_.back().to, &out_);
    return meet;
  };
  constexpr double mega = 1 << 20, still_large = 47 * mega, too_large = 49 * mega;
  const double large = meet_from_bytes() + mega, small = meet_from_bytes() - mega;
  const auto both = [&](Pipeline<double> pipeline) {
    return std::array{meet_in_result(pipeline, Direction::forward), meet_in_result(pipeline, Direction::backward)};
  };
  EXPECT_EQ(both(pipeline_of(schedule(), large)), (std::array{true, true}));
  EXPECT_EQ(both(pipeline_of(schedule(), still_large)), (std::array{true, true}));
  EXPECT_EQ(both(pipeline_of(schedule(), small)), (std::array{false, false}));
  EXPECT_EQ(both(pipeline_of(schedule(), too_large)), (std::array{false, false}));
  // Modes of real points need more room than points. Planes of 8 x 32 complex doubles are a page.
  EXPECT_EQ(both(pipeline_of(schedule({8, 6, 10}, Kind::r2c), large)), (std::array{true, false}));
  EXPECT_EQ(both(pipeline_of(schedule({8, 8, 32}), large)), (std::array{false, false}));
  EXPECT_EQ(both(pipeline_of(schedule({8, 9, 32}), large)), (std::array{true, true}));
  EXPECT_EQ(both(pipeline_of(schedule({8, 8, 256}), large)), (std::array{false, false}));
  Pipeline<double> same = pipeline_of(schedule(), large);
  notes_.clear();
  same.transform(Direction::forward, &in_, &in_, 1);
  EXPECT_NE(notes_[0].to, &in_);
}

// A batch that is larger than the caches, of transforms that fit: some of them take all passes before the next do.
class BatchPipeline : public RecordedPipeline {
 protected:
  static constexpr index_t count = 149;  // of which no group is a divisor
  static constexpr double bytes = 22 << 20;
  static Schedule batch(Kind last = Kind::c2c) {
    ScheduleInput input =
        schedule_test::input_of({count, 6, 10, 8}, {Kind::none, Kind::c2c, Kind::dct2, last}, {3, 2, 1});
    input.width = last == Kind::c2c ? 2 : 1;
    return make_schedule(input);
  }
  Pipeline<double> numbered_from_zero() {
    made_ = 0;
    return pipeline_of(batch(), bytes);
  }
};

TEST_F(BatchPipeline, TakesAllPassesGroupByGroup) {
  const index_t reals = work_strides<double>({count, 6, 10, 8}, 2, {})[0];
  Pipeline<double> pipeline = numbered_from_zero();
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    notes_.clear();
    pipeline.transform(direction, &in_, &out_, 0.5);
    ASSERT_EQ(notes_.size() % 3, 0U);
    index_t begin = 0;
    for (std::size_t i = 0; i < notes_.size(); i++) {
      const std::size_t pass = direction == Direction::forward ? i % 3 : 2 - i % 3;
      EXPECT_EQ(notes_[i].pass, pass);
      EXPECT_EQ(notes_[i].scale, pass == 2 ? 0.5 : 1);
      ASSERT_EQ(notes_[i].only.count, 1U);
      const auto& [axis, range] = notes_[i].only.of[0];
      EXPECT_EQ(axis, 0);
      EXPECT_EQ(range.lo, begin);
      EXPECT_GT(range.hi, begin);
      // All groups store to and load from the same memory between two passes.
      if (i % 3 != 2) {
        EXPECT_EQ(notes_[i].to, notes_[i % 3].to - begin * reals);
        EXPECT_EQ(notes_[i + 1].from, notes_[i].to);
      }
      EXPECT_EQ(notes_[i].from == &in_, i % 3 == 0);
      EXPECT_EQ(notes_[i].to == &out_, i % 3 == 2);
      if (i % 3 == 2) begin = range.hi;
    }
    EXPECT_EQ(begin, count);
    EXPECT_GT(notes_.size(), 3U);
    pipeline.transform(direction, &in_, &out_, 1);
    EXPECT_EQ(notes_[notes_.size() / 2].to, notes_[0].to) << "the next transform begins there again";
  }
}

// Unless all points have to be looked at before the first result is stored.
TEST_F(BatchPipeline, ConvolvesGroupByGroup) {
  Pipeline<double> pipeline = numbered_from_zero();
  constexpr std::array<std::size_t, 5> there_and_back = {0, 1, 2, 1, 0};
  pipeline.convolve(&in_, &out_, LineSymbol<double>{}, 1);
  ASSERT_EQ(notes_.size() % 5, 0U);
  ASSERT_GT(notes_.size(), 5U);
  for (std::size_t i = 0; i < notes_.size(); i++) {
    EXPECT_EQ(notes_[i].pass, there_and_back[i % 5]);
    EXPECT_EQ(notes_[i].only.of[0].range.lo, i < 5 ? 0 : notes_[i - i % 5 - 1].only.of[0].range.hi);
    EXPECT_EQ(notes_[i].from, i % 5 == 0 ? &in_ : notes_[i - 1].to);
    EXPECT_EQ(notes_[i].to == &out_, i % 5 == 4);
  }
  EXPECT_EQ(notes_.back().only.of[0].range.hi, count);
  notes_.clear();
  pipeline.convolve(&in_, &out_, LineSymbol<double>{}, 1, {.on_suspect_value = [] {}});
  EXPECT_EQ(notes_.size(), 5U);
}

TEST_F(BatchPipeline, IsRunAsAWholeWhereGroupsGainNothing) {
  const auto passes_run = [this](const Schedule& schedule, double all, double* out) {
    Pipeline<double> pipeline = pipeline_of(schedule, all);
    notes_.clear();
    pipeline.transform(Direction::forward, &in_, out, 1);
    return notes_.size();
  };
  EXPECT_GT(passes_run(batch(), bytes, &out_), 3U);
  EXPECT_GT(passes_run(batch(), bytes, &in_), 3U);
  EXPECT_EQ(passes_run(batch(Kind::r2c), bytes, &in_), 3U) << "modes of a group lie where points of the next ones are";
  EXPECT_GT(passes_run(batch(Kind::r2c), bytes, &out_), 3U);
  EXPECT_EQ(passes_run(batch(), double(count) * (21 << 20), &out_), 3U) << "one transform does not fit";
  EXPECT_EQ(passes_run(batch(), 1 << 20, &out_), 3U) << "all of them fit";
  ScheduleInput beside = schedule_test::input_of({6, count, 10}, {Kind::c2c, Kind::none, Kind::c2c}, {2, 0});
  beside.width = 2;
  EXPECT_EQ(passes_run(make_schedule(beside), bytes, &out_), 2U) << "the axis lies within transformed ones";
}

// The last transform is never stored: its pass goes there and back.
TEST_F(RecordedPipeline, ConvolutionsTurnInTheLastPass) {
  pipeline_.convolve(&in_, &out_, LineSymbol<double>{}, 2);
  expect({"0 forward", "1 forward", "2 convolve", "1 backward", "0 backward"});
  EXPECT_EQ(notes_[2].scale, 2);
}

// Arrays of users are put in for every run.
TEST_F(RecordedPipeline, EveryRunHasItsArrays) {
  double other = 0;
  pipeline_.transform(Direction::forward, &other, &other, 1);
  notes_.clear();
  pipeline_.transform(Direction::forward, &in_, &out_, 1);
  expect({"0 forward", "1 forward", "2 forward"});
}

}  // namespace
}  // namespace weft
