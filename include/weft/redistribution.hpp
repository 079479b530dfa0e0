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

/// Options of a redistribution. The strategies are those of plans (Strategy), with these differences:
///  alltoallw     datatypes that describe the users' arrays; all other strategies pack and unpack
///  shared        every rank reads the data that it receives from the shared memory of the node
///  hierarchical  shared inside a node, `between_nodes` to all other ranks
struct RedistributionOptions {
  Strategy strategy = Strategy::automatic;
  int threads = 0;                                 ///< per rank; 0: cores of the node / ranks of the communicator on it
  int send_batch = 0;                              ///< messages that a rank starts at a time; 0: all
  int max_pending = 0;                             ///< largest number of concurrent messages of a rank; 0: all
  int node_ranks = 0;                              ///< ranks that count as one node; 0: as many as share a node
  Strategy between_nodes = Strategy::cyclic;       ///< strategy of hierarchical for ranks of other nodes
  index_t message_limit = (index_t{1} << 31) - 1;  ///< elements per MPI message beyond which messages are split
  index_t shared_memory_limit = -1;  ///< most bytes of the node's shared memory to use; -1: all that is free
};

/// Moves the elements of a global array of 1 to 6 axes from the ranks that own them (boxes `from`) to the ranks that
/// receive them (boxes `to`). Boxes are arbitrary: slabs, pencils, bricks, or empty. Boxes `from` do not overlap. Boxes
/// `to` may overlap, which fills ghost layers. Elements outside all boxes `to` are not moved.
///
/// Arrays are local: element (i, j, ...) of the global array lies at data + sum over axes of (i - box.lo) * stride, in
/// elements. Strides are arbitrary: other orders of the axes in memory, gaps around a box, the interior of a larger
/// array.
class Redistribution {
 public:
  /// Collective over `comm`. Throws the same Error on every rank if boxes `from` overlap, if a box `to` has elements
  /// that no rank owns, if the ranks' element sizes or options differ, or if an option is not allowed.
  Redistribution(MPI_Comm comm, const Box& from, const Box& to, std::size_t element_bytes,
                 const RedistributionOptions& options = {});
  /// The boxes are those of the layouts; ranks beyond those of a layout have no data. Also throws the same Error on
  /// every rank if a layout has more ranks than `comm`, or if the layouts have different extents.
  Redistribution(MPI_Comm comm, const Layout& from, const Layout& to, std::size_t element_bytes,
                 const RedistributionOptions& options = {});
  /// A redistribution over a communicator of the library.
  Redistribution(const Comm& comm, const Box& from, const Box& to, std::size_t element_bytes,
                 const RedistributionOptions& options = {});
  ~Redistribution();
  Redistribution(Redistribution&&) noexcept;
  Redistribution& operator=(Redistribution&&) noexcept;

  /// Collective. `in` is this rank's array of the box `from`, `out` that of `to`; they do not overlap. Strides are
  /// elements from one index to the next, per axis; arrays without strides are contiguous in C order. Memory between
  /// the elements of `out` does not change.
  void forward(const void* in, const Extents& in_strides, void* out, const Extents& out_strides);
  void forward(const void* in, void* out);
  /// Moves the boxes `to` to the boxes `from`. Elements of `from` outside all boxes `to` keep their value. Throws Error
  /// on every rank if boxes `to` overlap, since the source of an element would be ambiguous.
  void backward(const void* in, const Extents& in_strides, void* out, const Extents& out_strides);
  void backward(const void* in, void* out);

  /// Memory of the library for the array of `from`, filled with zeros, which other ranks of the node read directly:
  /// forward from there (forward_source) needs a single copy. Its rows may be padded.
  struct Source {
    void* data;
    Extents strides;  ///< in elements
  };
  /// The first call is collective. Throws Error (Fault::resource) if there is too little memory.
  Source source();
  /// Forward from source(). Collective. After it returns the source may be written again.
  void forward_source(void* out, const Extents& out_strides);

  const Box& from() const;
  const Box& to() const;
  std::size_t element_bytes() const;
  /// The strategy in use, never automatic. It is "none" if no rank needs data of another.
  std::string strategy() const;
  int threads() const;
  /// Bytes that this rank holds beyond the caller's arrays.
  index_t workspace_bytes() const;
  /// Bytes that this rank sends to others in one forward.
  index_t bytes_sent() const;
  /// A line with boxes, strategy and its reason, bytes sent, and time of the last run. Not collective.
  std::string explain() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weft
