// Tables of lane transforms.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"
#include "transform/engine/lane_dft_tables.hpp"
#include "transform/fast_length.hpp"

namespace weft::lane_test {
namespace {

// --- tables ------------------------------------------------------------------------------------------------------

TEST(LaneTables, SmoothPartHasThePrimesUpTo13) {
  EXPECT_EQ(smooth_part(1), 1);
  EXPECT_EQ(smooth_part(17), 1);
  EXPECT_EQ(smooth_part(2 * 3 * 5 * 7 * 11 * 13), 30030);
  EXPECT_EQ(smooth_part(64 * 17 * 27 * 19), 64 * 27);
}

// The next numbers 2^a 3^b 5^c, by trial; scipy.fft.next_fast_len(10**12 + 1, real=True) gives the last one.
TEST(FastLength, IsTheNextWithFactorsUpTo5) {
  const auto is_fast = [](index_t n) {
    for (const index_t prime : {2, 3, 5})
      while (n % prime == 0) n /= prime;
    return n == 1;
  };
  for (const index_t step : {1, 2, 3}) {
    for (index_t n = 1; n < 2000; n++) {
      index_t next = (n + step - 1) / step;
      while (!is_fast(next)) next++;
      EXPECT_EQ(fast_length(n, step), next * step) << n << " " << step;
    }
  }
  EXPECT_EQ(fast_length(1000000000001), 1004193907488);
}

index_t product_of(const std::vector<int>& radices) {
  return std::accumulate(radices.begin(), radices.end(), index_t{1}, std::multiplies<>());
}

TEST(LaneTables, RadicesMultiplyToTheLength) {
  for (index_t n = 1; n <= 1000; ++n) {
    const index_t smooth = smooth_part(n);
    EXPECT_EQ(product_of(lane_radices(smooth)), smooth);
    for (const int lanes : {2, 4, 8}) EXPECT_EQ(product_of(line_radices(smooth, lanes, sizeof(double))), smooth);
    for (const int lanes : {4, 8, 16}) EXPECT_EQ(product_of(line_radices(smooth, lanes, sizeof(float))), smooth);
    EXPECT_EQ(product_of(separating_radices(smooth)), smooth);
  }
  for (const index_t n : {index_t{1} << 30, index_t{3486784401} /* 3^20 */, index_t{1000000}, index_t{30030} * 30030})
    EXPECT_EQ(product_of(lane_radices(n)), n);
}

// Radices that are products of others save stages, and squares stay in the registers.
TEST(LaneTables, RadicesHaveFewStages) {
  using Radices = std::vector<int>;
  EXPECT_EQ(lane_radices(1), (Radices{1}));
  EXPECT_EQ(lane_radices(12), (Radices{12}));
  EXPECT_EQ(lane_radices(16), (Radices{4, 4}));
  EXPECT_EQ(lane_radices(60), (Radices{5, 12}));
  EXPECT_EQ(lane_radices(64), (Radices{8, 8}));
  EXPECT_EQ(lane_radices(96), (Radices{6, 16}));
  EXPECT_EQ(lane_radices(128), (Radices{8, 16}));
  EXPECT_EQ(lane_radices(243), (Radices{3, 9, 9}));
  EXPECT_EQ(lane_radices(250), (Radices{5, 5, 10}));
  EXPECT_EQ(lane_radices(384), (Radices{4, 6, 16}));
  EXPECT_EQ(lane_radices(480), (Radices{5, 6, 16}));
  EXPECT_EQ(lane_radices(1000), (Radices{5, 5, 5, 8}));
}

// First stages have radices of up to 9, last ones up to 12 or 16, those of convolutions and single ones up to 12.
TEST(LaneTables, RadicesAreCompiled) {
  for (index_t n = 2; n <= 4096; n++) {
    if (smooth_part(n) != n) continue;
    using Radices = std::vector<int>;
    const Radices convolving = convolving_radices(n);
    for (const Radices& radices : {lane_radices(n), line_radices(n, 4, 8), line_radices(n, 8, 8),
                                   line_radices(n, 16, 4), separating_radices(n), convolving}) {
      const int first = radices.front(), last = radices.back();
      EXPECT_TRUE(radices.size() == 1 ? n <= 12 : first <= 9) << n;
      EXPECT_TRUE(first != 11 && last != 11 && (last <= 12 || last == 16)) << n;
      EXPECT_EQ(std::accumulate(radices.begin(), radices.end(), index_t{1}, std::multiplies<>()), n);
    }
    EXPECT_LE(convolving.back(), 12) << n;
  }
}

// Multiples of four, and of two where vectors are short, begin with a power of two, which lets contiguous lines fill
// vectors.
TEST(LaneTables, ContiguousLinesBeginWithAPowerOfTwo) {
  for (index_t n = 16; n <= 4096; n += 2) {
    if (smooth_part(n) != n) continue;
    const int first = line_radices(n, 4, sizeof(double)).front();
    EXPECT_TRUE(first == 2 || first == 4 || first == 8) << n;
    if (n % 4 != 0) continue;
    const int wide = line_radices(n, 8, sizeof(double)).front();
    EXPECT_TRUE(wide == 4 || wide == 8) << n;
  }
}

// Parts of long lines fit into the nearest cache after the first stage.
TEST(LaneTables, LongLinesBeginWithAnEight) {
  for (const index_t n : {1024, 2048, 4096}) EXPECT_EQ(lane_radices(n).front(), 8) << n;
}

// So do floats, sixteen of which make a vector, unless they are worked on as they lie in memory.
TEST(LaneTables, FloatsBeginWithAnEight) {
  EXPECT_EQ(line_radices(320, 8, sizeof(double)).front(), 4);
  EXPECT_EQ(line_radices(320, 16, sizeof(float)).front(), 8);
  EXPECT_EQ(line_radices(384, 16, sizeof(float)), line_radices(384, 8, sizeof(double)));
}

// Two butterflies of the last stage fit into the registers.
TEST(LaneTables, RadicesThatSeparateEndWithASmallOne) {
  using Radices = std::vector<int>;
  EXPECT_EQ(separating_radices(48), (Radices{6, 8}));
  EXPECT_EQ(separating_radices(192), (Radices{8, 6, 4}));
  EXPECT_EQ(separating_radices(256), (Radices{4, 4, 4, 4}));
  for (index_t n = 14; n <= 4096; ++n) {
    if (smooth_part(n) == n && n % 11 != 0 && n % 13 != 0) {
      const int last = separating_radices(n).back();
      EXPECT_TRUE(last <= 8 && last != 6) << n;
    }
  }
}

TEST(LaneTables, MoreStagesCostMore) {
  EXPECT_EQ(lane_stage_cost(1), 0);
  for (const index_t n : {5, 49, 96, 250, 1024}) EXPECT_GT(lane_stage_cost(16 * n), lane_stage_cost(n)) << n;
}

// Small primes by their sums, others as convolutions: of p - 1 points where that has small factors, else with a chirp.
TEST(LaneTables, PrimesAreDoneInThreeWays) {
  EXPECT_EQ(lane_prime_method(17), LanePrimeMethod::direct);
  EXPECT_EQ(lane_prime_method(47), LanePrimeMethod::direct);
  EXPECT_EQ(lane_prime_method(257), LanePrimeMethod::rader);
  EXPECT_EQ(lane_prime_method(65537), LanePrimeMethod::rader);
  EXPECT_EQ(lane_prime_method(1019), LanePrimeMethod::chirp);  // 1018 = 2 * 509
  EXPECT_FALSE(takes_chirp(64 * 17 * 257));
  EXPECT_TRUE(takes_chirp(8 * 1019));
}

TEST(LaneTables, ConvolutionsAreLongEnoughAndSmooth) {
  for (const index_t prime : {347, 1019, 100003}) {
    const index_t n = lane_convolution_length(LanePrimeMethod::chirp, prime);
    EXPECT_GE(n, 2 * prime - 1);
    EXPECT_LE(n, 4 * prime);
    EXPECT_EQ(smooth_part(n), n);
    EXPECT_EQ(lane_convolution_length(LanePrimeMethod::rader, prime), prime - 1);
  }
}

TEST(LaneTables, SmoothLengthsNeedNoRoom) {
  EXPECT_EQ(LaneDftTables<double>(1).scratch_points(), 0);
  EXPECT_EQ(LaneDftTables<double>(30030).scratch_points(), 0);
  EXPECT_EQ(LaneDftTables<double>(17).scratch_points(), 2 * 17);
  EXPECT_EQ(LaneDftTables<double>(64 * 17).scratch_points(), 64);
}

}  // namespace
}  // namespace weft::lane_test
