// How messages get from rank to rank: the part of an exchange that knows MPI, and nothing about arrays.
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

/// What a rank holds for one peer, or gets from it: `count` elements of `type` at `address`.
struct Message {
  int peer = 0;  ///< rank in the communicator of the mover
  void* address = nullptr;
  index_t count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// The messages of one chunk, one per rank of the communicator, in order; the own one and those that need no message
/// have count 0. Forward, near[p] is sent to p and far[p] received from it; backward the other way round. What a rank
/// sends has as many bytes, and as many messages of at most `message_limit` elements, as its peer expects.
struct ChunkMessages {
  std::vector<Message> near, far;
};

/// The choices that movers know.
struct MoverOptions {
  Strategy strategy = Strategy::alltoallv;
  int send_batch = 0;   ///< 0: all at once
  int max_pending = 0;  ///< 0: all
  index_t message_limit = (index_t{1} << 31) - 1;
  Arena arena{};  ///< where buffers come from
};

/// Moves the messages of one or more chunks, again and again in either direction. Addresses are fixed at planning, and
/// so are types, which have to outlive the mover. A chunk goes in one direction at a time. Movers of one communicator
/// take turns, and a mover ends its life while nothing is under way.
class Mover {
 public:
  virtual ~Mover() = default;
  /// Begins to move a chunk. All ranks start the same chunks in the same order; several may be under way.
  virtual void start(Direction direction, std::size_t chunk) = 0;
  /// Lets what has started advance; to be called now and then during other work.
  virtual void progress() = 0;
  /// Returns when a started chunk has arrived and its senders' memory may be overwritten.
  virtual void finish(Direction direction, std::size_t chunk) = 0;
  /// Memory of its own for blocks that pass through this rank.
  virtual index_t workspace_bytes() const { return 0; }
  /// Bytes that this rank passes on for others, forward.
  virtual index_t forwarded_bytes() const { return 0; }
  /// What explain() adds to the name of the strategy; may be empty.
  virtual std::string detail() const { return {}; }
};

/// The mover of a strategy that sends messages. Collective over `comm`, and communicates; the traffic is that of this
/// rank. Throws Error(Fault::internal) for a strategy that is none of these (automatic, shared, hierarchical), and, on
/// every rank alike, Error(Fault::resource) where a rank has no memory for what it passes on (multistage).
std::unique_ptr<Mover> make_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                  const MoverOptions& options);

}  // namespace weft
