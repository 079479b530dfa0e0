// Moving data from one layout to another. An exchange is data (blocks); a strategy only moves blocks.
//
// Every exchange here is a rotation of one process axis: before it (the near side) a rank owns all of array axis
// near_axis and a part of far_axis, after it (the far side) a part of near_axis and all of far_axis.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "transform/line_engine.hpp"
#include "weft/comm.hpp"
#include "weft/layout.hpp"
#include "weft/options.hpp"

namespace weft {

struct ExchangePlan {
  int process_axis = 0;
  Layout near, far;
  int near_axis = 0, far_axis = 0;
  int width = 1;  ///< reals per element
  /// Parts that are sent one after the other, and the array axis that is cut into them: far_axis (every rank cuts what
  /// it has before the exchange), near_axis (what it has behind it), or one that the exchange leaves alone.
  int chunks = 1, chunk_axis = -1;
  /// The order in which elements lie in memory on both sides: axes from the slowest to the contiguous one; empty: C
  /// order.
  std::vector<int> memory_order{};

  /// Whether anything has to move: the process axis cuts the array.
  bool moves() const { return process_axis >= 0 && near.grid()[process_axis] > 1; }
};

/// What one rank and one peer have in common, in global indices.
struct Block {
  int peer;     ///< position of the peer along the process axis
  Box send;     ///< the part of my near box that the peer owns on the far side
  Box receive;  ///< the part of my far box that the peer owns on the near side
};

/// The part of a chunk that `sender` owns on the near side and `receiver` on the far side; ranks of the communicator
/// of the layouts. Pure arithmetic.
Box exchange_block(const ExchangePlan& plan, int sender, int receiver, int chunk);
/// One block for each coordinate of the process axis, in order, the rank itself included.
std::vector<Block> exchange_blocks(const ExchangePlan& plan, int rank, int chunk);

/// The stretch of lines of a side that belongs to one chunk, or all of them.
template <class Real>
struct Part {
  Range lines;  ///< local indices along the axis of the side
  SegmentedView<Real> view;
};

/// One side of an exchange, or a whole array, as passes see it: several parts where passes can work chunk by chunk.
template <class Real>
struct Side {
  int axis = -1;  ///< batch axis that is cut into the parts; -1 where there is one part
  std::vector<Part<Real>> parts;
};

/// A side without parts.
template <class Real>
Side<Real> whole_side(SegmentedView<Real> view) {
  return {-1, {{{}, std::move(view)}}};
}

/// A meeting place of two passes. Forward, the pass before stores to near() and the pass behind loads from far();
/// backward the other way round. The views are valid from construction on.
template <class Real>
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual Side<Real> near() const = 0;
  virtual Side<Real> far() const = 0;
  virtual int chunks() const { return 1; }
  /// To be called before the first store of a direction: nobody reads any more what is about to be overwritten.
  virtual void open(Direction direction) = 0;
  /// To be called when a chunk has been stored: it begins to move. Chunks are started in order, by all ranks.
  virtual void start(Direction direction, int chunk) = 0;
  /// Lets what moves advance; to be called now and then during a pass.
  virtual void progress() {}
  /// When it returns, the other side of a chunk that was started can be read.
  virtual void finish(Direction direction, int chunk) = 0;
  virtual std::string name() const = 0;
  /// What explain() adds to the name; may be empty.
  virtual std::string detail() const { return {}; }
  virtual index_t workspace_bytes() const = 0;
  /// Bytes that this rank sends to others in one direction.
  virtual index_t bytes_sent() const = 0;
};

/// No communication: an array of the library's own between two passes whose axes are both local to `rank`.
template <class Real>
std::unique_ptr<Exchange<Real>> make_local_station(const ExchangePlan& plan, int rank, const Arena& arena = {});

/// What an exchange is made with.
struct ExchangeOptions {
  Strategy strategy = Strategy::alltoallv;
  Strategy between_nodes = Strategy::cyclic;
  Wire wire = Wire::same;
  int send_batch = 0, max_pending = 0;
  index_t message_limit = (index_t{1} << 31) - 1;
  Arena arena{};  ///< where buffers come from; memory that a node shares does not
};

/// The exchange among the ranks of one line of the process axis; `line` holds just them, in order. `node` holds those
/// of them whose memory this rank shares; strategies other than shared and hierarchical take no notice. Collective.
template <class Real>
std::unique_ptr<Exchange<Real>> make_exchange(const Comm& line, const Comm& node, const ExchangePlan& plan, int rank,
                                              const ExchangeOptions& options);

/// Bytes of shared memory that make_exchange takes for this rank; 0 for strategies that only send messages.
template <class Real>
index_t shared_bytes(const ExchangePlan& plan, int rank, Strategy strategy);

}  // namespace weft
