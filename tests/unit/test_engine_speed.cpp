// Timings of the lane engine beside FFTW: what is timed is right, complete, and refuses what cannot be timed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "calibration/engine_speed.hpp"
#include "error_text.hpp"
#include "plan/pass/line_pass.hpp"
#include "transform/chosen_kernels.hpp"
#include "weft/comm.hpp"

namespace weft {
namespace {

using testing::error_text;

// Engines are made for a communicator, be it that of one process; MPI ends with the program.
class EngineSpeedTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    static int argc = 0;
    static char** argv = nullptr;
    static const Session session(argc, argv);
  }
  void SetUp() override {
    if (!lane_kernels<double>().transforms_lines()) GTEST_SKIP() << "these vectors have one engine";
  }
};

constexpr Kind all_kinds[] = {Kind::c2c,  Kind::r2c,  Kind::dct1, Kind::dct2, Kind::dct3,
                              Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

// A fast transform of n points errs by at most 7 u log2(n) of the norm of its result (Higham, Accuracy and Stability,
// theorem 24.2), cosine and sine transforms are DFTs of up to 4n points, the norm of a line is at most sqrt(2n) times
// its largest element, and two results are compared.
template <class Real>
double bound(index_t n) {
  const auto points = static_cast<double>(n);
  return 2 * 7 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * std::log2(4 * points) *
         std::sqrt(2 * points);
}

template <class Real>
void expect_same_results(const SpeedSpec& spec) {
  const EngineSpeed speed = engine_speed<Real>(spec);
  for (const auto* seconds : {&speed.lanes, &speed.fftw, &speed.copy}) {
    EXPECT_EQ(seconds->size(), static_cast<std::size_t>(spec.turns));
    EXPECT_TRUE(std::all_of(seconds->begin(), seconds->end(), [](double s) { return s > 0; }));
  }
  EXPECT_EQ(speed.lines % 16, 0);
  EXPECT_LE(speed.difference, bound<Real>(spec.length));
}

TEST_F(EngineSpeedTest, BothContendersGiveTheSame) {
  for (const Kind kind : all_kinds)
    for (const bool strided : {false, true})
      for (const index_t length : {16, 15, 37}) {
        SCOPED_TRACE(to_string(kind) + " " + std::to_string(length) + (strided ? " strided" : " contiguous"));
        const SpeedSpec spec{kind, length, strided, 4096, 2, 0.0};
        expect_same_results<double>(spec);
        expect_same_results<float>(spec);
      }
}

TEST_F(EngineSpeedTest, ResultsThatStreamAreTheSame) {
  const auto bytes = static_cast<index_t>(stream_from_bytes());  // of one of two arrays
  for (const bool strided : {false, true}) expect_same_results<double>({Kind::c2c, 64, strided, bytes, 1, 0.0});
}

TEST_F(EngineSpeedTest, LinesFillTheBytes) {
  const SpeedSpec spec{Kind::c2c, 64, false, index_t{1} << 16, 1, 0.0};
  EXPECT_EQ(engine_speed<double>(spec).lines, 64);
  EXPECT_EQ(engine_speed<float>(spec).lines, 128);
  EXPECT_EQ(engine_speed<double>(spec).copy_bytes, spec.bytes);
  const SpeedSpec long_lines{Kind::r2c, 1024, true, 1, 1, 0.0};
  EXPECT_EQ(engine_speed<double>(long_lines).lines, 16);
}

void expect_refused(const SpeedSpec& spec, const std::string& named) {
  EXPECT_NE(error_text([&] { engine_speed<double>(spec); }).find(named), std::string::npos) << named;
}

TEST_F(EngineSpeedTest, RefusesWhatCannotBeTimed) {
  const SpeedSpec good{Kind::dct1, 8, false, 1024, 1, 0.0};
  SpeedSpec bad = good;
  bad.kind = Kind::none;
  expect_refused(bad, "kind: 'none'");
  bad = good;
  bad.length = 1;
  expect_refused(bad, "length: 1 ");
  bad.length = longest_speed_length + 1;
  expect_refused(bad, "length: 1048577 ");
  bad = good;
  bad.bytes = 0;
  expect_refused(bad, "bytes: 0 ");
  bad.bytes = (index_t{1} << 30) + 1;
  expect_refused(bad, "bytes: 1073741825 ");
  bad = good;
  bad.turns = 0;
  expect_refused(bad, "turns: 0 ");
  bad = good;
  bad.plan_seconds = -1;
  expect_refused(bad, "plan_seconds: -1");
}

}  // namespace
}  // namespace weft
