// Halo: layers of the neighbours' points around a rank's block of a distributed array, and their adjoint.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "weft/boundary.hpp"
#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/element.hpp"
#include "weft/layout.hpp"
#include "weft/memory.hpp"

namespace weft {

/// Layers beyond the lower and the upper end of a rank's box along an axis.
struct HaloWidth {
  index_t lower = 0, upper = 0;

  HaloWidth() = default;
  /// One width for both ends. It is implicit, so that a list of numbers is a list of widths.
  HaloWidth(index_t both) : lower(both), upper(both) {}
  HaloWidth(index_t lower_layers, index_t upper_layers) : lower(lower_layers), upper(upper_layers) {}
  friend bool operator==(const HaloWidth&, const HaloWidth&) = default;
};

/// The problem of a halo. Beyond an end x0 of the array, End determines the point that a halo point shows:
///  periodic   the point one period away. The period is N points with Centring::cell. With Centring::node it is N-1
///             points: the last point repeats the first.
///  even, odd  its mirror image, for odd with the opposite sign. The mirror lies between the points x0 and x0-1 of the
///             halo with Centring::cell, and at the point x0 itself with Centring::node.
///  unbounded  nothing: the points there keep their values.
/// Widths may be larger than blocks, and up to 8 times the points of the axis: the rules then apply again.
struct HaloProblem {
  std::vector<HaloWidth> width = {1};  ///< one for all axes, or one per axis
  /// boundary[component][axis]: one list for all components, or one per component; one entry for all axes, or one per
  /// axis.
  std::vector<std::vector<Boundary>> boundary = {{End::periodic}};
  std::vector<Centring> centring = {Centring::cell};  ///< one for all axes, or one per axis
  int components = 1;                                 ///< arrays that are exchanged together, one after the other
  Element element = Element::float64;
};

struct HaloOptions {
  int threads = 0;                                 ///< per rank; 0: cores of the node / ranks of the communicator on it
  int node_ranks = 0;                              ///< ranks that count as one node; 0: as many as share a node
  index_t message_limit = (index_t{1} << 31) - 1;  ///< elements per MPI message beyond which messages are split
  index_t shared_memory_limit = -1;  ///< most bytes of the node's shared memory to use; -1: all that is free
};

/// Fills the layers around a rank's block of a global array of 1 to 6 axes, faces, edges and corners, from the ranks
/// that own the points, and adds such layers back to their owners.
///
/// The local array is [component][x][y]..., contiguous in C order, and holds the box padded(): the box that the rank
/// owns and the layers around it. A rank that owns nothing receives nothing; its array consists of layers alone.
///
/// Each rank exchanges data only with ranks whose points it shows or that show its points: through the shared memory of
/// a node if there is enough, otherwise by one message in each direction.
class Halo {
 public:
  /// Collective over `comm`. `owned` is this rank's part of an array of `shape` points; the parts of all ranks tile
  /// the array. Throws the same Error on every rank if they do not, if an argument is not allowed, or if arguments
  /// differ between ranks.
  Halo(MPI_Comm comm, const Extents& shape, const Box& owned, const HaloProblem& problem = {},
       const HaloOptions& options = {});
  /// The boxes are those of the layout; ranks beyond those of the layout own nothing. Also throws the same Error on
  /// every rank if the layout has more ranks than `comm`.
  Halo(MPI_Comm comm, const Layout& layout, const HaloProblem& problem = {}, const HaloOptions& options = {});
  /// Waits for a pending exchange.
  ~Halo();
  Halo(Halo&&) noexcept;
  Halo& operator=(Halo&&) noexcept;

  /// Fills the layers of `array`. Collective.
  void exchange(void* array);
  /// Begin and complete an exchange, so that a rank can compute results that need no layers in between. Collective.
  /// After start() the points that the rank owns may be overwritten, since their old values have been copied. After
  /// finish() the layers are complete. Both throw Error if they are called in the wrong order.
  void start(void* array);
  void finish();
  /// Adds the layers of `array` to the points that they show, also on other ranks, with the opposite sign where
  /// exchange() changes it: the adjoint of exchange(). The layers keep their values. Collective. The rounding of the
  /// result depends on the number of ranks, since the order of sums does.
  void accumulate(void* array);

  /// This rank's part of the global array.
  const Box& owned() const;
  /// The box of the local array; its indices may lie beyond the global array.
  const Box& padded() const;
  const Extents& shape() const;
  int components() const;
  Element element() const;
  /// "shared", "persistent" for messages, both joined by +, or "none" if this rank needs no other.
  std::string strategy() const;
  int threads() const;
  /// Bytes that this rank holds beyond the caller's arrays.
  index_t workspace_bytes() const;
  /// Bytes that this rank passes to others in one exchange.
  index_t bytes_sent() const;
  /// A line with boxes, strategy, bytes sent, and time of the last exchange. Not collective.
  std::string explain() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// One component of a local array with its layers. Indices count from the first point that the rank owns: -1 is the
/// layer before it.
template <class T>
class HaloView {
 public:
  HaloView(T* first_owned, const Extents& strides) : first_(first_owned), strides_(strides) {}

  template <class... Index>
  T& operator()(Index... index) const {
    T* place = first_;
    int axis = 0;
    ((place += static_cast<index_t>(index) * strides_[axis++]), ...);
    return *place;
  }
  /// The first point that the rank owns, and the elements from one index to the next, per axis.
  T* data() const { return first_; }
  const Extents& strides() const { return strides_; }

 private:
  T* first_;
  Extents strides_;
};

/// The local array of a halo with its memory, filled with zeros. T is the type of Halo::element().
template <class T>
class HaloArray {
 public:
  /// Throws Error if T is another type than that of the halo.
  explicit HaloArray(const Halo& halo)
      : extents_(halo.padded().extents()), values_(static_cast<std::size_t>(extents_.product() * halo.components())) {
    require(element_of<T> == halo.element(), "T: the halo is one of " + to_string(halo.element()) + " and not of " +
                                                 to_string(element_of<T>) + "; give arrays of its type");
    const Extents strides = c_strides(extents_);
    for (int axis = 0; axis < extents_.dims(); axis++)
      first_ += (halo.owned()[axis].lo - halo.padded()[axis].lo) * strides[axis];
  }

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  HaloView<T> view(int component = 0) {
    return {values_.data() + component * extents_.product() + first_, c_strides(extents_)};
  }

 private:
  Extents extents_;  // of the padded box
  index_t first_ = 0;
  AlignedVector<T> values_;
};

}  // namespace weft
