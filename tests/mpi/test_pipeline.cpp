// A pipeline with passes that only note what they are asked to do: which passes run, in which order and direction, and
// that what one leaves is what the next one finds.
#include "plan/run/pipeline.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "unit/schedule_fixture.hpp"

namespace weft {
namespace {

/// What passes were asked to do, in order.
struct Note {
  std::size_t pass;
  std::string what;
  double scale;
  const double *from, *to;
};
using Notes = std::vector<Note>;

/// Notes its calls; the data are left alone.
class RecordingPass final : public LocalPass<double> {
 public:
  RecordingPass(PassPlan plan, std::size_t number, Notes& notes)
      : plan_(std::move(plan)), number_(number), notes_(notes) {}

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
  double bytes() const override { return 0; }

 private:
  void note(const std::string& what, const PassData& data, double scale) const {
    notes_.push_back({number_, what, scale, data.from.segments.front().base, data.to.segments.front().base});
  }

  PassPlan plan_;
  std::size_t number_;
  Notes& notes_;
};

class RecordedPipeline : public ::testing::Test {
 protected:
  static Schedule schedule() {
    return make_schedule(schedule_test::input_of({8, 6, 10}, {Kind::c2c, Kind::dct2, Kind::c2c}, {2, 1, 0}));
  }

  RecordedPipeline()
      : pipeline_(Comm(MPI_COMM_SELF), schedule(), {}, [this](const Schedule&, const PassPlan& plan) {
          return std::make_unique<RecordingPass>(plan, made_++, notes_);
        }) {}

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
