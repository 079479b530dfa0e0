// Roots of unity: correct to a few units of extended precision, exact where they have to be.
#include "transform/engine/roots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace weft {
namespace {

// Two table entries, each of an angle rounded thrice (at most 2 pi times 2 eps) and a rounded sine, and a product.
constexpr long double bound = 32 * std::numeric_limits<long double>::epsilon();

TEST(Roots, AreThoseOfTheDefinition) {
  for (const index_t n : {1, 2, 3, 7, 16, 97, 360, 4096, 46189, 1 << 20}) {
    const index_t step = std::max<index_t>(n / 997, 1);
    for (index_t p = 0; p <= n; p += step) {
      const long double angle =
          2 * std::numbers::pi_v<long double> * static_cast<long double>(p) / static_cast<long double>(n);
      const Extended root = root_of_unity(p, n);
      EXPECT_LE(std::abs(root.real() - std::cos(angle)), bound) << p << " of " << n;
      EXPECT_LE(std::abs(root.imag() + std::sin(angle)), bound) << p << " of " << n;
    }
  }
}

// Errors of tables grow with the transform: the largest here is 2^26.
TEST(Roots, StayOnTheUnitCircleForManyPoints) {
  const index_t n = index_t{1} << 26;
  for (index_t p = 0; p <= n; p += 65537) {
    const Extended root = root_of_unity(p, n);
    EXPECT_LE(std::abs(root.real() * root.real() + root.imag() * root.imag() - 1), bound) << p;
  }
  EXPECT_LE(std::abs(root_of_unity(n / 8, n).real() - std::numbers::sqrt2_v<long double> / 2), bound);
  EXPECT_LE(std::abs(root_of_unity(n / 8, n).imag() + std::numbers::sqrt2_v<long double> / 2), bound);
}

TEST(Roots, OneIsExactAndDoesNotDependOnWhatWasAskedBefore) {
  for (const index_t n : {1, 5, 64, 1000}) EXPECT_EQ(root_of_unity(0, n), Extended(1, 0));
  const Extended first = root_of_unity(11, 1001);
  (void)root_of_unity(3, 17);
  EXPECT_EQ(root_of_unity(11, 1001), first);
}

TEST(Roots, ArePushedAsCosineAndMinusSineTimesAFactor) {
  std::vector<double> table;
  push_root(table, 1, 8, 0.5L);
  ASSERT_EQ(table.size(), 2U);
  EXPECT_DOUBLE_EQ(table[0], std::numbers::sqrt2 / 4);
  EXPECT_DOUBLE_EQ(table[1], -std::numbers::sqrt2 / 4);
}

}  // namespace
}  // namespace weft
