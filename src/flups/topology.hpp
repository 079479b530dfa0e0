// Topologies of FLUPS: the distribution of a program's fields, and their places in memory.
#pragma once

#include <mpi.h>

#include <array>
#include <string>
#include <vector>

#include "weft/layout.hpp"

namespace weft::flups {

/// One entry per direction 0, 1, 2.
using Three = std::array<int, 3>;

/// FLUPS cuts a direction in groups of parts; one part of each group has one point more.
constexpr Scheme scheme = Scheme::grouped;

/// The arguments of a topology.
struct Shape {
  int axis = 0;        ///< the fastest direction in memory; the next ones follow
  int components = 1;  ///< the slowest in memory
  Three points{1, 1, 1};
  Three parts{1, 1, 1};
  Three rank_order{0, 1, 2};  ///< the direction along which ranks count fastest, and the next ones
  bool is_complex = false;
  int alignment = 8;      ///< of rows, in bytes
  bool cartesian = true;  ///< parts are the coordinates of the communicator if it is Cartesian
};

class Topology {
 public:
  /// Throws Error if the shape is not one of this communicator. Not collective.
  Topology(MPI_Comm comm, const Shape& shape);

  const Shape& shape() const { return shape_; }
  MPI_Comm comm() const { return comm_; }
  Partition partition(int direction) const;
  /// The points of this rank along a direction.
  Range range(int direction) const;
  int stored(int direction) const;  ///< points with padding
  int width() const { return shape_.is_complex ? 2 : 1; }
  /// Doubles of this rank's points of one component, and of its memory for one and for all components.
  std::size_t point_doubles() const;
  index_t component_doubles() const;
  std::size_t doubles() const { return static_cast<std::size_t>(component_doubles() * shape_.components); }

  /// The part of a rank along each direction, and the rank of parts.
  Three parts_of(int rank) const;
  int rank_of(const Three& parts) const;

  /// This rank's points and their strides, in numbers, as an array whose axes are the given directions.
  Box box(const std::vector<int>& directions) const;
  Extents strides(const std::vector<int>& directions) const;
  /// The directions from the slowest to the fastest in memory.
  std::vector<int> slowest_first() const;

 private:
  MPI_Comm comm_;
  bool cartesian_ = false;
  Shape shape_;
  Three parts_{};  ///< of this rank
};

/// All members of a topology as a text, for comparison between ranks.
std::string to_text(const Topology& topology);

/// Directions as their numbers, "0, 1, 2".
std::string to_text(const Three& values);

/// A layout of Weft, whose axes are the given directions, the slowest in memory first, as a topology without padding.
Topology topology_of(MPI_Comm comm, const Layout& layout, const std::vector<int>& directions, const Shape& like);

}  // namespace weft::flups
