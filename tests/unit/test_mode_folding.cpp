// Modes that are kept: which they are, and what becomes of a mode that stands for two.
#include "plan/pass/mode_folding.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "../error_text.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;
using Values = std::vector<double>;

constexpr int lanes = 2;

// A block in which mode m of lane l is m + 100 l, and + 1000 in the imaginary part.
Values block_of(index_t modes, int width) {
  Values block;
  for (index_t m = 0; m < modes; m++)
    for (int part = 0; part < width; part++)
      for (int lane = 0; lane < lanes; lane++) block.push_back(static_cast<double>(m) + 100 * lane + 1000 * part);
  return block;
}

// One lane of one part of the first modes of a block.
Values lane_of(const Values& block, index_t modes, int width, int lane, int part = 0) {
  Values values;
  for (index_t m = 0; m < modes; m++)
    values.push_back(block[static_cast<std::size_t>((m * width + part) * lanes + lane)]);
  return values;
}

Values folded(Kind kind, index_t n, index_t kept, int lane = 0, int part = 0) {
  const AxisTransform t = truncated_axis(kind, n, kept, 0);
  const int width = is_fourier(kind) ? 2 : 1;
  Values block = block_of(output_length(kind, n), width);
  fold_modes(t, width, lanes, block.data());
  return lane_of(block, t.modes, width, lane, part);
}

Values unfolded(Kind kind, index_t n, index_t kept, int lane = 0, int part = 0) {
  const AxisTransform t = truncated_axis(kind, n, kept, 0);
  const int width = is_fourier(kind) ? 2 : 1;
  Values block = block_of(output_length(kind, n), width);
  unfold_modes(t, width, lanes, block.data());
  return lane_of(block, output_length(kind, n), width, lane, part);
}

TEST(ModeFolding, ComplexModesAreTakenFromBothEnds) {
  EXPECT_EQ(folded(Kind::c2c, 8, 5), (Values{0, 1, 2, 6, 7}));
  EXPECT_EQ(folded(Kind::c2c, 9, 3, 1, 1), (Values{1100, 1101, 1108}));
  EXPECT_EQ(folded(Kind::c2c, 5, 1), (Values{0}));
  EXPECT_EQ(folded(Kind::c2c, 8, 7), (Values{0, 1, 2, 3, 5, 6, 7}));
}

TEST(ModeFolding, TheMiddleModeOfAnEvenNumberIsASum) {
  EXPECT_EQ(folded(Kind::c2c, 8, 4), (Values{0, 1, 2 + 6, 7}));
  EXPECT_EQ(folded(Kind::c2c, 7, 6), (Values{0, 1, 2, 3 + 4, 5, 6}));
  EXPECT_EQ(folded(Kind::c2c, 5, 2), (Values{0, 1 + 4}));
  EXPECT_EQ(folded(Kind::r2c, 9, 6), (Values{0, 1, 2, 2 * 3}));
  EXPECT_EQ(folded(Kind::r2c, 9, 6, 1, 1), (Values{1100, 1101, 1102, 0})) << "real data have a real middle mode";
  EXPECT_EQ(folded(Kind::r2c, 9, 5, 0, 1), (Values{1000, 1001, 1002})) << "an odd number has none";
}

TEST(ModeFolding, CosinesAndSinesKeepTheFirstModes) {
  for (const Kind kind : {Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst1, Kind::dst3, Kind::dst4})
    EXPECT_EQ(folded(kind, 7, 4, 1), (Values{100, 101, 102, 103})) << to_string(kind);
  for (const Kind kind : {Kind::dct1, Kind::dst2})
    EXPECT_EQ(folded(kind, 7, 4, 1), (Values{100, 101, 102, 206})) << to_string(kind);
}

TEST(ModeFolding, TheWayBackFillsWithZerosAndHalvesWhatWasASum) {
  EXPECT_EQ(unfolded(Kind::c2c, 8, 5), (Values{0, 1, 2, 0, 0, 0, 3, 4}));
  EXPECT_EQ(unfolded(Kind::c2c, 8, 4, 0, 1), (Values{1000, 1001, 501, 0, 0, 0, 501, 1003}));
  EXPECT_EQ(unfolded(Kind::c2c, 5, 4), (Values{0, 1, 1, 1, 3}));
  EXPECT_EQ(unfolded(Kind::c2c, 4, 1), (Values{0, 0, 0, 0}));
  EXPECT_EQ(unfolded(Kind::r2c, 8, 4), (Values{0, 1, 1, 0, 0}));
  EXPECT_EQ(unfolded(Kind::r2c, 8, 4, 1, 1), (Values{1100, 1101, 0, 0, 0}));
  EXPECT_EQ(unfolded(Kind::r2c, 8, 5, 0, 1), (Values{1000, 1001, 1002, 0, 0}));
  EXPECT_EQ(unfolded(Kind::dct2, 5, 3), (Values{0, 1, 2, 0, 0}));
  EXPECT_EQ(unfolded(Kind::dct1, 5, 3, 1), (Values{100, 101, 51, 0, 0}));
}

TEST(ModeFolding, AxesKnowTheirModes) {
  const AxisTransform c2c = truncated_axis(Kind::c2c, 12, 8, 0), r2c = truncated_axis(Kind::r2c, 12, 8, 0);
  EXPECT_EQ(c2c.modes, 8);
  EXPECT_EQ(r2c.modes, 5);
  EXPECT_EQ(r2c.length, 12);
  EXPECT_EQ(r2c.kept_points(), 8);
  EXPECT_TRUE(r2c.is_truncated());
  EXPECT_FALSE(truncated_axis(Kind::r2c, 12, 0, 0).is_truncated());
  EXPECT_FALSE(truncated_axis(Kind::r2c, 12, 12, 0).is_truncated()) << "all modes, nothing is folded";
  EXPECT_EQ(truncated_axis(Kind::none, 3, 0, 0).modes, 3);
}

TEST(ModeFolding, NumbersThatMakeNoSenseAreRefused) {
  const auto refusal = [](Kind kind, index_t kept) { return error_text([&] { truncated_axis(kind, 9, kept, 1); }); };
  EXPECT_TRUE(mentions(refusal(Kind::c2c, 10), "modes", "10", "axis 1", "9 points", "1 to 9"))
      << refusal(Kind::c2c, 10);
  EXPECT_TRUE(mentions(refusal(Kind::r2c, -1), "modes", "-1", "axis 1"));
  EXPECT_TRUE(mentions(refusal(Kind::dct1, 1), "modes", "dct1", "2 to 9"));
  EXPECT_TRUE(mentions(refusal(Kind::none, 4), "modes", "axis 1", "none", "give 0"));
}

}  // namespace
}  // namespace weft
