// Redistribution: moves a distributed array from one set of boxes to another, without a transform.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/layout.hpp"
#include "weft/options.hpp"

namespace weft {

/// How a redistribution moves its data. The strategies are those of plans (Strategy), with these particulars:
///  alltoallw     datatypes that describe the users' arrays where they are; all others pack and unpack
///  shared        every rank reads what it wants out of the memory of the node
///  hierarchical  shared inside a node, `between_nodes` to all other ranks
struct RedistributionOptions {
  Strategy strategy = Strategy::automatic;
  int threads = 0;                                 ///< per rank; 0: cores of the node / ranks of the communicator on it
  int send_batch = 0;                              ///< messages that a rank starts at a time; 0: all
  int max_pending = 0;                             ///< messages that a rank has under way at most; 0: all
  int node_ranks = 0;                              ///< ranks that count as one node; 0: as many as share a node
  Strategy between_nodes = Strategy::cyclic;       ///< of hierarchical, for ranks of other nodes
  index_t message_limit = (index_t{1} << 31) - 1;  ///< elements per MPI message beyond which messages are split
  index_t shared_memory_limit = -1;  ///< bytes of the node's shared memory to use at most; -1: what is free
};

/// Moves the elements of a global array of 1 to 6 axes from the ranks that own them (their boxes `from`) to those that
/// want them (`to`), as often as wanted. Boxes are any: slabs, pencils, bricks, nothing at all. Those of `from` do not
/// overlap; those of `to` may, which is how ghost layers are filled. Elements that nobody wants stay where they are.
///
/// Arrays are local: element (i, j, ...) of the global array lies at data + sum over axes of (i - box.lo) * stride, in
/// elements. Any strides do: other orders of the axes in memory, gaps around a box, the inside of a larger array.
class Redistribution {
 public:
  /// Collective over `comm`. Throws the same Error on every rank when the boxes of `from` overlap, when one of `to`
  /// wants what nobody has, when the ranks' element sizes or options differ, or when an option is not allowed.
  Redistribution(MPI_Comm comm, const Box& from, const Box& to, std::size_t element_bytes,
                 const RedistributionOptions& options = {});
  /// The boxes that the layouts give to the ranks; ranks beyond those of a layout have nothing of it. Throws the same
  /// Error on every rank, too, when a layout has more ranks than `comm`, or when they are not those of one array.
  Redistribution(MPI_Comm comm, const Layout& from, const Layout& to, std::size_t element_bytes,
                 const RedistributionOptions& options = {});
  /// The same for a communicator of the library's.
  Redistribution(const Comm& comm, const Box& from, const Box& to, std::size_t element_bytes,
                 const RedistributionOptions& options = {});
  ~Redistribution();
  Redistribution(Redistribution&&) noexcept;
  Redistribution& operator=(Redistribution&&) noexcept;

  /// Collective. `in` is this rank's array of the box `from`, `out` that of `to`; they do not overlap. Strides are
  /// elements from one index to the next, per axis; arrays without strides are contiguous in C order. What lies between
  /// the elements of `out` is left alone.
  void forward(const void* in, const Extents& in_strides, void* out, const Extents& out_strides);
  void forward(const void* in, void* out);
  /// From the boxes `to` back to `from`; elements of `from` that nobody wanted keep their value. Throws Error on every
  /// rank where boxes of `to` overlap, since it would not be clear whose element counts.
  void backward(const void* in, const Extents& in_strides, void* out, const Extents& out_strides);
  void backward(const void* in, void* out);

  /// Memory of the library's for the array of `from`, zeroed, that peers of the node can read where it is: forward
  /// from there (forward_source) costs a single copy. Its rows may be padded.
  struct Source {
    void* data;
    Extents strides;  ///< in elements
  };
  /// Collective the first time. Throws Error (Fault::resource) when there is too little memory.
  Source source();
  /// Forward from source(). Collective. When it returns, the source may be written again.
  void forward_source(void* out, const Extents& out_strides);

  const Box& from() const;
  const Box& to() const;
  std::size_t element_bytes() const;
  /// The strategy in use; never automatic. "none" where no rank needs anything of another.
  std::string strategy() const;
  int threads() const;
  /// Bytes that this rank holds beyond the caller's arrays.
  index_t workspace_bytes() const;
  /// Bytes that this rank sends to others in one forward.
  index_t bytes_sent() const;
  /// One line: boxes, strategy and why, bytes sent, time of the last run. Not collective.
  std::string explain() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft
