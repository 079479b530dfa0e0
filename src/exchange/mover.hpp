// Moves messages from rank to rank: the part of an exchange that uses MPI and knows nothing about arrays.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "base/arena.hpp"
#include "weft/comm.hpp"
#include "weft/kind.hpp"
#include "weft/options.hpp"

namespace weft {

/// A message to or from one peer: `count` elements of `type` at `address`.
struct Message {
  int peer = 0;  ///< rank in the communicator of the mover
  void* address = nullptr;
  index_t count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// The messages of one chunk, one per rank of the communicator, in order. The count is 0 for the rank itself and for
/// peers that need no message. Forward, near[p] is sent to p and far[p] is received from it; backward, far[p] is sent
/// and near[p] is received. A sent message has as many bytes, and as many pieces of at most `message_limit` elements,
/// as its peer expects.
struct ChunkMessages {
  std::vector<Message> near, far;
};

/// The options of movers.
struct MoverOptions {
  Strategy strategy = Strategy::alltoallv;
  int send_batch = 0;   ///< 0: all at once
  int max_pending = 0;  ///< 0: all
  index_t message_limit = (index_t{1} << 31) - 1;
  Arena arena{};  ///< source of the buffers
};

/// Moves the messages of one or more chunks, any number of times, in either direction. Addresses and types are fixed at
/// planning; types have to outlive the mover. A chunk moves in one direction at a time. Movers of one communicator take
/// turns, and a mover is destroyed only while none of its chunks is pending.
class Mover {
 public:
  virtual ~Mover() = default;
  /// Begins to move a chunk. All ranks start the same chunks in the same order; several may be pending.
  virtual void start(Direction direction, std::size_t chunk) = 0;
  /// Lets pending chunks advance. Call it now and then during other work.
  virtual void progress() = 0;
  /// Waits until a started chunk has arrived and the memory of its senders may be overwritten.
  virtual void finish(Direction direction, std::size_t chunk) = 0;
  /// Bytes of internal memory for blocks that pass through this rank.
  virtual index_t workspace_bytes() const { return 0; }
  /// Bytes that this rank forwards for other ranks in the direction forward.
  virtual index_t forwarded_bytes() const { return 0; }
  /// The text that explain() adds to the name of the strategy; may be empty.
  virtual std::string detail() const { return {}; }
};

using MakeMover = std::unique_ptr<Mover>(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                         const MoverOptions& options);

/// The mover of a strategy that sends messages. Collective over `comm`, and communicates; the traffic is that of this
/// rank. Throws Error(Fault::internal) for other strategies (automatic, shared, hierarchical), and
/// Error(Fault::resource) on every rank alike if a rank has no memory for the blocks that it forwards (multistage).
MakeMover make_mover;

}  // namespace weft
