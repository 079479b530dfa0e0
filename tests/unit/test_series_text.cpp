// The list of a time series is read as it was written, byte by byte, or not at all.
#include "io/series_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weft::io {
namespace {

const UniformMesh mesh{{4, 3, 2}, {0, 0.5, -1}, {0.1, 0.2, 0.3}};

std::vector<std::string> example_grids() {
  return {series_grid(0, 0.125, "out/run-000000.h5", mesh, {"u", "a < b & \"c\" &lt; >"}),
          series_grid(1, 1e100, "out/run-000001.h5", mesh, {"u"})};
}

TEST(SeriesText, ReadsAsItWasWritten) {
  const std::vector<std::string> grids = example_grids();
  const auto steps = read_series(series_text(grids), mesh);
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->size(), 2U);
  EXPECT_EQ((*steps)[0].time, 0.125);
  EXPECT_EQ((*steps)[1].time, 1e100);
  EXPECT_EQ((*steps)[0].grid, grids[0]);
  EXPECT_EQ((*steps)[1].grid, grids[1]);
  const auto none = read_series(series_text({}), mesh);
  EXPECT_TRUE(none && none->empty());
}

// A letter of a name or a digit of a time can be another; whatever is read is as it would be written.
TEST(SeriesText, EveryChangedByteIsRefusedOrSaysSomethingElse) {
  const std::string good = series_text(example_grids());
  std::size_t refused = 0;
  for (std::size_t at = 0; at < good.size(); at++) {
    for (const char letter : {'<', '&', '\0', '\x1F', '\x80', '\xC3', '\xFF', '7'}) {
      std::string text = good;
      if (text[at] == letter) continue;
      text[at] = letter;
      const auto steps = read_series(text, mesh);
      if (!steps) {
        refused++;
        continue;
      }
      EXPECT_EQ(letter, '7') << at;
      std::vector<std::string> grids;
      for (const SeriesStep& step : *steps) grids.push_back(step.grid);
      EXPECT_EQ(series_text(grids), text);
    }
  }
  // Seven of the eight letters, but for the few that stood there before, and most of the places of the last.
  EXPECT_GT(refused, good.size() * 15 / 2);
}

TEST(SeriesText, OtherMeshesOtherOrdersAndCutFilesAreRefused) {
  const std::vector<std::string> grids = example_grids();
  const std::string good = series_text(grids);
  UniformMesh other = mesh;
  other.spacing[1] = 0.25;
  EXPECT_FALSE(read_series(good, other));
  EXPECT_FALSE(read_series(series_text({grids[1], grids[0]}), mesh));
  EXPECT_FALSE(read_series(series_text({grids[0], grids[0]}), mesh));
  const std::string at_same_time = series_grid(1, 0.125, "out/run-000001.h5", mesh, {"u"});
  EXPECT_FALSE(read_series(series_text({grids[0], at_same_time}), mesh));
  for (const char* never : {"nan", "inf", "1e999", "", "0.1250"}) {
    std::string text = good;
    text.replace(text.find("0.125"), 5, never);
    EXPECT_FALSE(read_series(text, mesh)) << never;
  }
  for (std::size_t size = 0; size < good.size(); size++) EXPECT_FALSE(read_series(good.substr(0, size), mesh)) << size;
}

}  // namespace
}  // namespace weft::io
