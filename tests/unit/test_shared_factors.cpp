// What is kept of the factors that solvers share: those in use, and the last ones within a number and a size.
#include "poisson/shared_factors.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace weft {
namespace {

using Factors = std::shared_ptr<const ModeFactors<double>>;

Factors of_bytes(index_t bytes) {
  ModeFactors<double> factors;
  factors.values = Buffer<double>(bytes / static_cast<index_t>(sizeof(double)));
  return std::make_shared<const ModeFactors<double>>(std::move(factors));
}

std::string key(const std::string& test, std::size_t i) { return test + " " + std::to_string(i); }

void keep_small(const std::string& test, std::size_t count) {
  for (std::size_t i = 0; i < count; i++) keep_factors<double>(key(test, i), of_bytes(64));
}

TEST(SharedFactors, TheLastOnesAreKeptWithoutUse) {
  keep_small("last", most_kept_factors);
  for (std::size_t i = 0; i < most_kept_factors; i++) EXPECT_NE(kept_factors<double>(key("last", i)), nullptr) << i;
  keep_factors<double>("one more", of_bytes(64));
  EXPECT_EQ(kept_factors<double>(key("last", 0)), nullptr);
  EXPECT_NE(kept_factors<double>(key("last", 1)), nullptr);
  EXPECT_EQ(kept_factors<float>("one more"), nullptr);
}

TEST(SharedFactors, WhatIsFoundCountsAsUsedLast) {
  keep_small("found", most_kept_factors);
  EXPECT_NE(kept_factors<double>(key("found", 0)), nullptr);
  keep_factors<double>("one more again", of_bytes(64));
  EXPECT_NE(kept_factors<double>(key("found", 0)), nullptr);
  EXPECT_EQ(kept_factors<double>(key("found", 1)), nullptr);
}

TEST(SharedFactors, WhatASolverHasIsKeptHoweverManyFollow) {
  const Factors mine = of_bytes(64);
  keep_factors<double>("mine", mine);
  keep_small("others", 2 * most_kept_factors);
  EXPECT_EQ(kept_factors<double>("mine"), mine);
}

TEST(SharedFactors, WhatIsTooLargeIsKeptWhileItIsUsedAndDrivesOutNone) {
  keep_factors<double>("small", of_bytes(64));
  Factors large = of_bytes(most_kept_bytes + 64);
  keep_factors<double>("large", large);
  EXPECT_EQ(kept_factors<double>("large"), large);
  large.reset();
  EXPECT_EQ(kept_factors<double>("large"), nullptr);
  EXPECT_NE(kept_factors<double>("small"), nullptr);
  keep_factors<double>("first half", of_bytes(most_kept_bytes / 2));
  keep_factors<double>("second half", of_bytes(most_kept_bytes / 2));
  EXPECT_NE(kept_factors<double>("first half"), nullptr);
  keep_factors<double>("a little more", of_bytes(64));
  EXPECT_NE(kept_factors<double>("first half"), nullptr);
  EXPECT_EQ(kept_factors<double>("second half"), nullptr);
}

}  // namespace
}  // namespace weft
