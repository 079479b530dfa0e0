// Moves data from one layout to another as exchange_plan.hpp describes. A strategy only moves blocks.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "exchange/exchange_plan.hpp"
#include "weft/comm.hpp"
#include "weft/kind.hpp"
#include "weft/options.hpp"

namespace weft {

/// The range of lines of an endpoint that belongs to one chunk, or all of them.
template <class Real>
struct Part {
  Range lines;  ///< local indices along the axis of the endpoint
  SegmentedView<Real> view;
};

/// What a pass loads from or stores to: one end of an exchange, or an array. It has several parts if passes can work
/// chunk by chunk.
template <class Real>
struct PassEndpoint {
  int axis = -1;  ///< batch axis that is cut into the parts; -1 for a single part
  std::vector<Part<Real>> parts;
};

/// An endpoint of one part.
template <class Real>
PassEndpoint<Real> endpoint_of(SegmentedView<Real> view) {
  return {-1, {{{}, std::move(view)}}};
}

/// The link between two passes. Forward, the first pass stores to near() and the second loads from far(); backward, the
/// second stores to far() and the first loads from near(). The views are valid from construction on.
template <class Real>
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual PassEndpoint<Real> near() const = 0;
  virtual PassEndpoint<Real> far() const = 0;
  virtual int chunks() const { return 1; }
  /// Whether open(), start() and finish() have any effect.
  virtual bool moves() const { return true; }
  /// Call it before the first store of a direction: on return no rank reads the memory that will be overwritten.
  virtual void open(Direction direction) = 0;
  /// Call it when a chunk has been stored: the chunk begins to move. All ranks start the chunks in order.
  virtual void start(Direction direction, int chunk) = 0;
  /// Lets pending messages advance. Call it now and then during a pass.
  virtual void progress() {}
  /// Waits for a started chunk. On return the other side of the chunk can be read.
  virtual void finish(Direction direction, int chunk) = 0;
  virtual std::string name() const = 0;
  /// The text that explain() adds to the name; may be empty.
  virtual std::string detail() const { return {}; }
  virtual index_t workspace_bytes() const = 0;
  /// Bytes that this rank sends to others in one direction.
  virtual index_t bytes_sent() const = 0;
};

/// No communication: an internal array between two passes whose axes are both local to `rank`.
template <class Real>
std::unique_ptr<Exchange<Real>> make_local_buffer(const ExchangePlan& plan, int rank, const Arena& arena = {});

/// The options of an exchange.
struct ExchangeOptions {
  Strategy strategy = Strategy::alltoallv;
  Strategy between_nodes = Strategy::cyclic;
  Wire wire = Wire::same;
  int send_batch = 0, max_pending = 0;
  index_t message_limit = (index_t{1} << 31) - 1;
  Arena arena{};  ///< source of the buffers, except for memory that a node shares
};

/// The exchange among the ranks of one line of the process axis; `line` holds these ranks in order. `node` holds the
/// ranks whose memory this rank shares; only shared and hierarchical use it. Collective.
template <class Real>
std::unique_ptr<Exchange<Real>> make_exchange(const Comm& line, const Comm& node, const ExchangePlan& plan, int rank,
                                              const ExchangeOptions& options);

/// Bytes of shared memory that make_exchange takes for this rank; 0 for strategies that only send messages.
template <class Real>
index_t shared_bytes(const ExchangePlan& plan, int rank, Strategy strategy);

}  // namespace weft
