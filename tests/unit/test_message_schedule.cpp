// The orders in which ranks exchange messages: everybody meets everybody once, partners agree, every block arrives.
#include "exchange/message_schedule.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace weft {
namespace {

constexpr int most_ranks = 17;

using Rounds = std::vector<Round> (*)(int rank, int ranks);

// The rounds of all ranks.
std::vector<std::vector<Round>> rounds_of_all(Rounds rounds, int ranks) {
  std::vector<std::vector<Round>> result;
  for (int rank = 0; rank < ranks; rank++) result.push_back(rounds(rank, ranks));
  return result;
}

const Round& at(const std::vector<std::vector<Round>>& all, int rank, std::size_t round) {
  return all[static_cast<std::size_t>(rank)][round];
}

// Who is sent to in a round expects just that; the number of messages in all rounds is returned.
std::set<std::pair<int, int>> matched_messages(const std::vector<std::vector<Round>>& all) {
  std::set<std::pair<int, int>> pairs;
  for (int rank = 0; rank < static_cast<int>(all.size()); rank++) {
    EXPECT_EQ(all[static_cast<std::size_t>(rank)].size(), all[0].size());
    for (std::size_t i = 0; i < all[0].size(); i++) {
      const Round& round = at(all, rank, i);
      if (round.send_to != nobody) {
        EXPECT_EQ(at(all, round.send_to, i).receive_from, rank);
        EXPECT_TRUE(pairs.insert({rank, round.send_to}).second) << "twice";
        EXPECT_NE(round.send_to, rank);
      }
      if (round.receive_from != nobody) {
        EXPECT_EQ(at(all, round.receive_from, i).send_to, rank);
      }
    }
  }
  return pairs;
}

TEST(MessageSchedule, EveryOrderedPairMeetsOnceInTheSameRound) {
  for (int ranks = 1; ranks <= most_ranks; ranks++) {
    SCOPED_TRACE(ranks);
    for (const Rounds rounds : {cyclic_rounds, pairwise_rounds}) {
      const auto pairs = matched_messages(rounds_of_all(rounds, ranks));
      EXPECT_EQ(pairs.size(), static_cast<std::size_t>(ranks * (ranks - 1)));
    }
  }
}

TEST(MessageSchedule, CyclicGoesRoundTheRing) {
  const std::vector<Round> rounds = cyclic_rounds(3, 5);
  ASSERT_EQ(rounds.size(), 4U);
  const std::vector<std::pair<int, int>> expected{{4, 2}, {0, 1}, {1, 0}, {2, 4}};
  for (std::size_t i = 0; i < 4; i++) EXPECT_EQ(std::pair(rounds[i].send_to, rounds[i].receive_from), expected[i]);
}

TEST(MessageSchedule, PairsExchangeAndOneRankIsIdleWhereRanksAreOdd) {
  for (int ranks = 2; ranks <= most_ranks; ranks++) {
    SCOPED_TRACE(ranks);
    const auto all = rounds_of_all(pairwise_rounds, ranks);
    ASSERT_EQ(all[0].size(), static_cast<std::size_t>(ranks % 2 == 0 ? ranks - 1 : ranks));
    for (std::size_t i = 0; i < all[0].size(); i++) {
      int idle = 0;
      for (int rank = 0; rank < ranks; rank++) {
        EXPECT_EQ(at(all, rank, i).send_to, at(all, rank, i).receive_from);
        idle += at(all, rank, i).send_to == nobody ? 1 : 0;
      }
      EXPECT_EQ(idle, ranks % 2);
    }
  }
}

TEST(MessageSchedule, StagesAreTheLogarithm) {
  const std::vector<std::pair<int, int>> expected{{1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {7, 3}, {8, 3}, {9, 4}};
  for (const auto& [ranks, stages] : expected) EXPECT_EQ(stage_count(ranks), stages) << ranks;
}

// The destinations of the blocks that a rank holds, by the distance that they have to go.
using Held = std::vector<std::vector<int>>;

Held pass_on(const Held& held, int stage) {
  const int ranks = static_cast<int>(held.size());
  Held after = held;
  for (int rank = 0; rank < ranks; rank++)
    for (const int distance : stage_distances(stage, ranks)) {
      const int from = ring_rank(rank, -(1 << stage), ranks);
      after[static_cast<std::size_t>(rank)][static_cast<std::size_t>(distance)] =
          held[static_cast<std::size_t>(from)][static_cast<std::size_t>(distance)];
    }
  return after;
}

TEST(MessageSchedule, AfterAllStagesEveryBlockHasArrived) {
  for (int ranks = 1; ranks <= most_ranks; ranks++) {
    Held held(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; rank++)
      for (int distance = 0; distance < ranks; distance++)
        held[static_cast<std::size_t>(rank)].push_back(ring_rank(rank, distance, ranks));
    for (int stage = 0; stage < stage_count(ranks); stage++) held = pass_on(held, stage);
    for (int rank = 0; rank < ranks; rank++)
      EXPECT_EQ(held[static_cast<std::size_t>(rank)], std::vector<int>(static_cast<std::size_t>(ranks), rank)) << ranks;
  }
}

TEST(MessageSchedule, ABlockTravelsInTheStagesOfItsBits) {
  EXPECT_EQ(next_stage(0b1010, 0), 1);
  EXPECT_EQ(next_stage(0b1010, 1), 1);
  EXPECT_EQ(next_stage(0b1010, 2), 3);
  EXPECT_EQ(next_stage(0b1010, 4), nobody);
  EXPECT_EQ(stage_distances(1, 7), (std::vector<int>{2, 3, 6}));
}

}  // namespace
}  // namespace weft
