// The orders in which ranks exchange messages.
#include "exchange/message_schedule.hpp"

namespace weft {

int ring_rank(int rank, int distance, int ranks) { return (rank + distance + ranks) % ranks; }

std::vector<Round> cyclic_rounds(int rank, int ranks) {
  std::vector<Round> rounds;
  for (int k = 1; k < ranks; k++) rounds.push_back({ring_rank(rank, k, ranks), ring_rank(rank, -k, ranks)});
  return rounds;
}

// All players except for the last sit on a ring of odd length n. In round i two players meet whose places add up to i
// modulo n. The player who would meet himself meets the last player, who is missing if the number of ranks is odd.
std::vector<Round> pairwise_rounds(int rank, int ranks) {
  const int n = ranks % 2 == 0 ? ranks - 1 : ranks, last = n;
  std::vector<Round> rounds;
  for (int i = 0; ranks > 1 && i < n; i++) {
    const int single = i % 2 == 0 ? i / 2 : (i + n) / 2;  // 2 * single = i modulo n
    int partner = ring_rank(i, -rank, n);
    if (rank == last) partner = single;
    if (rank == single) partner = last < ranks ? last : nobody;
    rounds.push_back({partner, partner});
  }
  return rounds;
}

int stage_count(int ranks) {
  int stages = 0;
  while ((1LL << stages) < ranks) stages++;
  return stages;
}

std::vector<int> stage_distances(int stage, int ranks) {
  std::vector<int> distances;
  for (int distance = 1; distance < ranks; distance++)
    if (next_stage(distance, stage) == stage) distances.push_back(distance);
  return distances;
}

int next_stage(int distance, int stage) {
  for (; distance >> stage != 0; stage++)
    if ((distance >> stage) % 2 != 0) return stage;
  return nobody;
}

}  // namespace weft
