// Tables of lane transforms.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"
#include "transform/lane_dft_tables.hpp"

namespace weft::lane_test {
namespace {

// --- tables ------------------------------------------------------------------------------------------------------

TEST(LaneTables, SmoothPartHasThePrimesUpTo13) {
  EXPECT_EQ(smooth_part(1), 1);
  EXPECT_EQ(smooth_part(17), 1);
  EXPECT_EQ(smooth_part(2 * 3 * 5 * 7 * 11 * 13), 30030);
  EXPECT_EQ(smooth_part(64 * 17 * 27 * 19), 64 * 27);
}

TEST(LaneTables, RadicesMultiplyToTheLength) {
  for (index_t n = 1; n <= 1000; ++n) {
    index_t product = 1;
    for (const int radix : lane_radices(smooth_part(n))) product *= radix;
    EXPECT_EQ(product, smooth_part(n));
  }
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
  EXPECT_EQ(LaneDftTables<double>(1).room(), 0);
  EXPECT_EQ(LaneDftTables<double>(30030).room(), 0);
  EXPECT_EQ(LaneDftTables<double>(17).room(), 2 * 17);
  EXPECT_EQ(LaneDftTables<double>(64 * 17).room(), 64);
}

}  // namespace
}  // namespace weft::lane_test
