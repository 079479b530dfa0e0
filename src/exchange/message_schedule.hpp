// The rounds and stages in which ranks exchange messages. Pure arithmetic.
#pragma once

#include <vector>

namespace weft {

inline constexpr int nobody = -1;

/// The partners of a rank in one round; `nobody` if it has none.
struct Round {
  int send_to, receive_from;
};

/// The rank `distance` places farther on the ring; |distance| < ranks.
int ring_rank(int rank, int distance, int ranks);

/// ranks - 1 rounds: in round k to the rank k places after, from the rank k places before (Ayala and Wang 2013).
std::vector<Round> cyclic_rounds(int rank, int ranks);

/// A tournament in which all ranks meet each other once: ranks - 1 rounds of pairs; if the number of ranks is odd,
/// `ranks` rounds, in each of which one rank is idle.
std::vector<Round> pairwise_rounds(int rank, int ranks);

/// Stages after which a block can have reached any rank, with 2^stage places per stage: ceil(log2(ranks)).
int stage_count(int ranks);

/// The blocks that every rank passes on in a stage, as ascending distances from sender to receiver: the distances that
/// have the bit `stage` (Bruck et al. 1997).
std::vector<int> stage_distances(int stage, int ranks);

/// The first stage from `stage` on in which a block of this distance is passed on; `nobody` if it has arrived.
int next_stage(int distance, int stage);

}  // namespace weft
