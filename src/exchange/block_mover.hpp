// Moves the blocks of a redistribution: they are packed and sent, sent in place as datatypes, or read by peers of the
// node.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/buffer.hpp"
#include "base/node_memory.hpp"
#include "exchange/block_copy.hpp"
#include "exchange/mover.hpp"
#include "weft/box.hpp"

namespace weft {

/// The boxes of all ranks before and after. The direction decides which of them are sources and which are targets.
struct BlockPlan {
  std::vector<Box> from, to;
  index_t element_bytes = 1;
  const std::vector<Box>& sources(Direction direction) const { return direction == Direction::forward ? from : to; }
  const std::vector<Box>& targets(Direction direction) const { return direction == Direction::forward ? to : from; }
};

/// This rank's arrays of both boxes, strides in bytes.
struct BlockArrays {
  ByteArray<const char> in;
  ByteArray<char> out;
};

/// Arrays of the boxes `from` that peers of the node can read where they are: one per rank, null where they cannot.
struct BlockSources {
  const NodeMemory& memory;
  std::vector<ByteArray<const char>> arrays;
};

/// Brings every rank the elements that other ranks own. Elements that the rank owns itself are left to the caller.
class BlockMover {
 public:
  virtual ~BlockMover() = default;
  /// Collective. `overlapped_work` is called once, while messages may be under way. With `sources`, which forward alone
  /// takes, the blocks of a node are read there; then `arrays.in` is this rank's own source.
  virtual void run(Direction direction, const BlockArrays& arrays, const BlockSources* sources,
                   const std::function<void()>& overlapped_work) = 0;
  virtual index_t workspace_bytes() const = 0;
};

/// How blocks are moved, after all checks and choices.
struct BlockMoverOptions {
  MoverOptions messages;  ///< for messages to ranks of other nodes
  int threads = 1;
};

/// `node`: the ranks whose memory this one reads (shared, hierarchical), or only itself if it reads none. Collective.
std::unique_ptr<BlockMover> make_block_mover(const Comm& comm, const Comm& node, const BlockPlan& plan,
                                             const BlockMoverOptions& options);

/// Strategy alltoallw: MPI_Ialltoallw of datatypes that describe the blocks inside the users' arrays.
std::unique_ptr<BlockMover> make_datatype_block_mover(const Comm& comm, const BlockPlan& plan, index_t message_limit);

/// Bytes of the node's memory that this rank's blocks for `node` take. Collective.
index_t shared_block_bytes(const Comm& comm, const Comm& node, const BlockPlan& plan);

/// The part `part` of the array of `box`.
template <class Byte>
ByteArray<Byte> part_of(const ByteArray<Byte>& array, const Box& box, const Box& part) {
  Byte* data = array.data;
  for (int axis = 0; axis < box.dims(); axis++) data += (part[axis].lo - box[axis].lo) * array.strides[axis];
  return {data, array.strides};
}

/// Strides in bytes of a contiguous array in C order.
inline Extents packed_strides(const Extents& extents, index_t element_bytes) {
  Extents strides = c_strides(extents);
  for (index_t& stride : strides) stride *= element_bytes;
  return strides;
}

}  // namespace weft
