// Moving data from one layout to another: an exchange_plan.hpp that is carried out. A strategy only moves blocks.
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

/// What a pass loads from or stores to, one end of an exchange or an array: several parts where passes can work chunk
/// by chunk.
template <class Real>
struct PassEndpoint {
  int axis = -1;  ///< batch axis that is cut into the parts; -1 where there is one part
  std::vector<Part<Real>> parts;
};

/// An endpoint of one part.
template <class Real>
PassEndpoint<Real> endpoint_of(SegmentedView<Real> view) {
  return {-1, {{{}, std::move(view)}}};
}

/// A meeting place of two passes. Forward, the pass before stores to near() and the pass behind loads from far();
/// backward the other way round. The views are valid from construction on.
template <class Real>
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual PassEndpoint<Real> near() const = 0;
  virtual PassEndpoint<Real> far() const = 0;
  virtual int chunks() const { return 1; }
  /// Whether anything is to be opened, started and finished.
  virtual bool moves() const { return true; }
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
std::unique_ptr<Exchange<Real>> make_local_buffer(const ExchangePlan& plan, int rank, const Arena& arena = {});

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
