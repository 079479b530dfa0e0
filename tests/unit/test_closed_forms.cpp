// The closed forms of Ayala and Wang (2013) against the numbers that they print.
#include <gtest/gtest.h>

#include <cmath>

#include "model/closed_forms.hpp"

namespace weft {
namespace {

// Table A.3, Bluefire. Table 2, P_max and Fig. 11 take the larger of both t_w, that of a loaded network.
constexpr ElementaryTimes bluefire{0.37e-9, 6.37e-9, 11.60e-9, 7e-6};
constexpr ElementaryTimes idle{0.37e-9, 6.37e-9, 2.19e-9, 7e-6};

TEST(ClosedForms, Table2) {
  // They print two decimals of a per cent, so half of the last one is rounding (one where they cut it off).
  const auto expect_shares = [](double n, double computation, double copying, double communication) {
    const Shares found = shares_without_latency(n, bluefire);
    EXPECT_NEAR(100 * found.computation, computation, 0.01);
    EXPECT_NEAR(100 * found.copying, copying, 0.01);
    EXPECT_NEAR(100 * found.communication, communication, 0.01);
    EXPECT_DOUBLE_EQ(found.computation + found.copying + found.communication, 1);
  };
  expect_shares(1024, 24.69, 34.01, 41.29);
  expect_shares(2048, 26.51, 33.19, 40.29);
}

TEST(ClosedForms, RanksThatAreBest) {
  EXPECT_EQ(std::floor(fastest_ranks(4096, bluefire)), 694532);
  EXPECT_EQ(std::floor(most_ranks_with_overlap(1024, bluefire)), 3156);
  EXPECT_EQ(std::floor(most_ranks_with_overlap(2048, bluefire)), 13455);
  // "Latency is less than 1%" up to P0, which they give as powers of two; with t_w of an idle network.
  const auto nearest_power = [](double ranks) { return std::exp2(std::round(std::log2(ranks))); };
  EXPECT_EQ(nearest_power(most_ranks_without_latency(1024, idle)), 256);
  EXPECT_EQ(nearest_power(most_ranks_without_latency(2048, idle)), 1024);
}

TEST(ClosedForms, OptimaAreExtremaOfTheTimes) {
  const double n = 4096, best = fastest_ranks(n, bluefire);
  const auto seconds = [&](double ranks) {
    const double side = std::sqrt(ranks);
    return pencil_form_at_scale(n, side, side, bluefire).seconds();
  };
  // Eq. (9) leaves out the "- 2" of the number of messages, whose derivative is zero.
  EXPECT_LT(seconds(best), seconds(best * 1.01));
  EXPECT_LT(seconds(best), seconds(best * 0.99));
  for (const double ranks : {256.0, 4096.0}) {
    const double side = std::sqrt(ranks), parts = best_parts(1024, ranks, bluefire);
    // Eq. (11) takes 2 sqrt(P) messages for 2 sqrt(P) - 2: the minimum moves by the root of their ratio.
    const double moved = std::sqrt(side / (side - 1));
    const auto in_parts = [&](double m) { return overlapped_form(1024, side, side, m, bluefire).seconds(); };
    EXPECT_LT(in_parts(parts * moved), in_parts(parts * moved * 1.01));
    EXPECT_LT(in_parts(parts * moved), in_parts(parts * moved * 0.99));
  }
  EXPECT_DOUBLE_EQ(best_parts(1024, most_ranks_with_overlap(1024, bluefire), bluefire), 2);
}

TEST(ClosedForms, Limits) {
  const double n = 1024;
  EXPECT_DOUBLE_EQ(overlapped_form(n, 32, 32, 1, bluefire).seconds(),
                   pencil_form_at_scale(n, 32, 32, bluefire).seconds());
  // (1) and (2) tend to (3): what a rank keeps for itself is 1/32 of what it sends, in both.
  const double exact = pencil_form(n, 32, 32, bluefire, bluefire).seconds();
  const ClosedForm scale = pencil_form_at_scale(n, 32, 32, bluefire);
  EXPECT_LT(exact, scale.seconds());
  EXPECT_GT(exact, scale.seconds() * (1 - 1.0 / 32));
  // One rank copies everything once an exchange and sends nothing.
  const ClosedForm alone = pencil_form(n, 1, 1, bluefire, bluefire);
  EXPECT_DOUBLE_EQ(alone.communication(), 0);
  EXPECT_DOUBLE_EQ(alone.copying, 2 * n * n * n * bluefire.t_a);
  EXPECT_DOUBLE_EQ(alone.computation, serial_seconds(n, bluefire));
  // A slab is a pencil grid of one row, but for the exchange that it does not have.
  EXPECT_DOUBLE_EQ(slab_form(n, 64, bluefire).communication(),
                   pencil_form(n, 1, 64, bluefire, bluefire).communication());
  EXPECT_DOUBLE_EQ(latency_share(n, 1, bluefire), 0);
}

TEST(ClosedForms, Figure11) {
  // At 4096^3: slabs are best while they last; bricks saturate first; stages win beyond some hundred thousand ranks.
  const double n = 4096;
  const auto pencils = [&](double ranks) {
    const double side = std::sqrt(ranks);
    return pencil_form_at_scale(n, side, side, bluefire).seconds();
  };
  const auto stages = [&](double ranks) { return multistage_form(n, ranks, bluefire).seconds(); };
  const auto bricks = [&](double ranks) {
    const double side = std::cbrt(ranks);
    return brick_form(n, side, side, side, bluefire).seconds();
  };
  for (const double ranks : {64.0, 512.0, 4096.0}) {
    EXPECT_LT(slab_form(n, ranks, bluefire).seconds(), pencils(ranks));
    EXPECT_LT(pencils(ranks), stages(ranks));
    EXPECT_LT(pencils(ranks), bricks(ranks));
  }
  EXPECT_LT(pencils(fastest_ranks(n, bluefire)), stages(fastest_ranks(n, bluefire)));
  EXPECT_GT(pencils(4e6), stages(4e6));
  EXPECT_GT(bricks(4e6), pencils(4e6));
}

}  // namespace
}  // namespace weft
