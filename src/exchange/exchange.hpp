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
};

/// What one rank and one peer have in common, in global indices.
struct Block {
  int peer;     ///< position of the peer along the process axis
  Box send;     ///< the part of my near box that the peer owns on the far side
  Box receive;  ///< the part of my far box that the peer owns on the near side
};

/// One block for each coordinate of the process axis, in order, the rank itself included. Pure arithmetic.
std::vector<Block> exchange_blocks(const ExchangePlan& plan, int rank);

/// A meeting place of two passes. Forward, the pass before stores to near() and the pass behind loads from far();
/// backward the other way round. The views are valid from construction on.
template <class Real>
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual SegmentedView<Real> near() const = 0;
  virtual SegmentedView<Real> far() const = 0;
  /// To be called before the first store of a direction: nobody reads any more what is about to be overwritten.
  virtual void open(Direction direction) = 0;
  /// To be called after the last store of a direction: when it returns, the other side can be read.
  virtual void move(Direction direction) = 0;
  virtual std::string name() const = 0;
  /// What explain() adds to the name; may be empty.
  virtual std::string detail() const { return {}; }
  virtual index_t workspace_bytes() const = 0;
  /// Bytes that this rank sends to others in one direction.
  virtual index_t bytes_sent() const = 0;
};

/// No communication: an array of the library's own between two passes whose axes are both local.
template <class Real>
std::unique_ptr<Exchange<Real>> make_local_station(const Extents& extents, int near_axis, int far_axis, int width);

/// MPI_Ialltoallv among the ranks of one line of the process axis; `comm` holds just them, in order.
template <class Real>
std::unique_ptr<Exchange<Real>> make_alltoallv(const Comm& comm, const ExchangePlan& plan, int rank,
                                               index_t message_limit);

/// A shared window on the node; the pass behind works in the peers' memory. Needs all ranks of comm on one node.
template <class Real>
std::unique_ptr<Exchange<Real>> make_shared_window(const Comm& comm, const ExchangePlan& plan, int rank);

/// Bytes of shared memory that make_shared_window takes for this rank.
template <class Real>
index_t shared_window_bytes(const ExchangePlan& plan, int rank);

}  // namespace weft
