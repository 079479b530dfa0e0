// Exact sums: cancellation, halves, the smallest and largest numbers, and the same bits in every order.
#include "base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace weft {
namespace {

using Limits = std::numeric_limits<double>;

/// The sum of numbers that are added so many at a time.
double sum(std::vector<double> values, std::size_t at_once = ExactSum::most) {
  ExactSum total;
  for (std::size_t from = 0; from < values.size(); from += at_once)
    total.add(std::span(values).subspan(from, std::min(at_once, values.size() - from)));
  return total.rounded();
}

TEST(ExactSum, WhatCancelsLeavesNoError) {
  EXPECT_EQ(sum({}), 0);
  EXPECT_EQ(sum({1e308, 1, -1e308}), 1);
  EXPECT_EQ(sum({1e16, 1, 1e-300, -1e16, -1}), 1e-300);
  EXPECT_EQ(sum({0.1, 0.2, 0.3, -0.3, -0.2, -0.1}), 0);
  EXPECT_EQ(sum({-1e300, 3, 1e300, -5}), -2);
}

TEST(ExactSum, TenTenthsAreRoundedOnce) {
  // 10 times the double next to 0.1 is 1 + 2^-54 10/16, which rounds to 1; additions one by one give 1 - 2^-53.
  EXPECT_EQ(sum(std::vector<double>(10, 0.1)), 1);
}

TEST(ExactSum, HalvesGoToTheEvenNeighbourUnlessMoreFollows) {
  const double half = 0x1p-53;  // half of the last bit of 1
  EXPECT_EQ(sum({1, half}), 1);
  EXPECT_EQ(sum({1, half, Limits::denorm_min()}), 1 + Limits::epsilon());
  EXPECT_EQ(sum({1, half, -Limits::denorm_min()}), 1);
  EXPECT_EQ(sum({1 + Limits::epsilon(), half}), 1 + 2 * Limits::epsilon());
  EXPECT_EQ(sum({-1, -half, -Limits::denorm_min()}), -1 - Limits::epsilon());
}

TEST(ExactSum, SmallestAndLargestNumbers) {
  const double tiny = Limits::denorm_min();
  EXPECT_EQ(sum({tiny, tiny, tiny}), 3 * tiny);
  EXPECT_EQ(sum({Limits::min(), -tiny}), std::nextafter(Limits::min(), 0));
  EXPECT_EQ(sum({Limits::max(), Limits::max(), -Limits::max()}), Limits::max());
  EXPECT_EQ(sum({Limits::max(), Limits::max()}), Limits::infinity());
  EXPECT_EQ(sum({-Limits::max(), -Limits::max()}), -Limits::infinity());
}

TEST(ExactSum, InfiniteAndUndefinedTerms) {
  EXPECT_EQ(sum({1, Limits::infinity(), -5}), Limits::infinity());
  EXPECT_EQ(sum({1, -Limits::infinity(), -5}), -Limits::infinity());
  EXPECT_TRUE(std::isnan(sum({Limits::infinity(), -Limits::infinity()})));
  EXPECT_TRUE(std::isnan(sum({1, Limits::quiet_NaN()})));
}

/// Multiples of 2^-300 are integers that long double, or two of them, would not hold: here they cancel by pairs but for
/// the whole numbers, whose sum is known.
TEST(ExactSum, ManyNumbersOfAllSizesInAnyOrder) {
  std::mt19937_64 random(7);
  std::vector<double> values;
  for (int i = 0; i < 3000; i++) {
    const double value = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 600) - 300);
    values.push_back(value);
    values.push_back(-value);
    values.push_back(i);
  }
  for (const std::size_t at_once : {1, 7, 2048}) {
    std::shuffle(values.begin(), values.end(), random);
    EXPECT_EQ(sum(values, at_once), 3000 * 2999 / 2);
  }
}

TEST(ExactSum, PartsAreAdded) {
  ExactSum one, other;
  std::vector<double> first{1e20, 1}, second{-1e20, 2};
  one.add(first);
  other.add(second);
  one.add(other);
  EXPECT_EQ(one.rounded(), 3);
}

}  // namespace
}  // namespace weft
