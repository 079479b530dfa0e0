// The blocks that meet on a rank in a step of a product: Cannon's algorithm on any mesh. Pure arithmetic.
#pragma once

#include <vector>

#include "weft/layout.hpp"

namespace weft {

/// The ranks of a mesh line `along` the axis of a product pass the blocks of the array round; those of a line `across`
/// it pass the blocks of the matrix. In step t the rank with coordinate a along and skew s(c) for its coordinate c
/// across multiplies array block (a + s(c) + t) mod r by matrix block [(a + s(c) + t) mod r][a], r being the ranks
/// along.
///
/// On a square of ranks s(c) = c, every matrix block is on one rank, and this is the algorithm of the paper. With fewer
/// ranks across than along, each rank keeps a queue of blocks: it uses the first and passes it on to a rank where it is
/// the last. With more, they form several rings, each with all blocks. A ring of one rank has all blocks, sends none,
/// and needs no skew, so matrix="own" is the same case.
class ProductRing {
 public:
  ProductRing(const ProcessGrid& mesh, int along, int across, bool own_blocks);

  int along() const { return along_; }
  int across() const { return across_; }
  int steps() const { return steps_; }
  /// s(c) for every coordinate across.
  const std::vector<int>& skew() const { return skew_; }

  /// One rank's place in the rings.
  struct Position {
    int here;         ///< coordinate along
    int skew;         ///< s of this rank
    int queue;        ///< matrix blocks that it holds in step t: those of the steps t .. t + queue - 1
    int next, prev;   ///< ranks along from which array blocks come, and to which they go
    int next_across;  ///< rank across from which matrix blocks come; this rank itself in a ring of one
    int prev_across;
    int prev_queue;            ///< matrix blocks that prev_across holds
    std::vector<int> members;  ///< ranks of the ring across, by position
    std::vector<int> skews;    ///< s of each, and r after the last
    int position;              ///< of this rank in it

    bool alone() const { return members.size() == 1; }
    /// The position in the ring of the rank that holds the block for this skew.
    int holder(int skew) const;
  };
  Position position(const ProcessGrid& mesh, int rank) const;
  /// The block that a rank multiplies in a step.
  int block(const Position& position, int step) const { return (position.here + position.skew + step) % steps_; }

 private:
  int along_, across_, steps_;
  std::vector<int> first_;  // coordinate across at which each ring begins, and the number of ranks across
  std::vector<int> skew_;
};

}  // namespace weft
