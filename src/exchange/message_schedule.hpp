// Who exchanges with whom and when: the orders of the strategies that send messages in rounds or stages. Pure
// arithmetic.
#pragma once

#include <vector>

namespace weft {

inline constexpr int nobody = -1;

/// What a rank does in one round; `nobody` where it has no partner.
struct Round {
  int send_to, receive_from;
};

/// The rank `distance` places further on the ring; |distance| < ranks.
int ring_rank(int rank, int distance, int ranks);

/// ranks - 1 rounds: to the next rank but k, from the last but k (Ayala and Wang 2013).
std::vector<Round> cyclic_rounds(int rank, int ranks);

/// A tournament in which everybody meets everybody once: ranks - 1 rounds of pairs, or `ranks` rounds in each of which
/// one rank is idle where the number of ranks is odd.
std::vector<Round> pairwise_rounds(int rank, int ranks);

/// Stages that blocks need to get to any rank, travelling 2^stage places in a stage: ceil(log2(ranks)).
int stage_count(int ranks);

/// The blocks that every rank passes on in a stage, by the distance between the rank that they come from and the one
/// that they go to, ascending: those distances that have the bit `stage` (Bruck et al. 1997).
std::vector<int> stage_distances(int stage, int ranks);

/// The first stage from `stage` on in which a block that goes this far is passed on; `nobody` where it has arrived.
int next_stage(int distance, int stage);

}  // namespace weft
