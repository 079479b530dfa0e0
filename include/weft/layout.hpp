// The distribution of a global array over a Cartesian grid of ranks: arithmetic without MPI.
#pragma once

#include <string>
#include <vector>

#include "weft/box.hpp"
#include "weft/partition.hpp"

namespace weft {

/// A Cartesian grid of ranks; the last dimension varies fastest with the rank.
class ProcessGrid {
 public:
  ProcessGrid() = default;
  /// Throws Error unless every entry is at least 1 and their product is a legal number of ranks (31 bits).
  explicit ProcessGrid(std::vector<int> dims);

  int dims() const { return static_cast<int>(dims_.size()); }
  int operator[](int process_axis) const { return dims_[static_cast<std::size_t>(process_axis)]; }
  /// Number of ranks: the product of the dimensions.
  int size() const;
  int coordinate(int rank, int process_axis) const;
  /// The rank that differs from `rank` only in its coordinate along one process axis.
  int neighbour(int rank, int process_axis, int coordinate) const;
  /// A number that is shared by exactly those ranks that differ only along one process axis.
  int line(int rank, int process_axis) const;
  friend bool operator==(const ProcessGrid&, const ProcessGrid&) = default;

 private:
  std::vector<int> dims_;
};

/// A text such as "2 x 3".
std::string to_string(const ProcessGrid& grid);

/// A global array that is cut over a process grid: process axis j cuts array axis cut[j]. Slabs, pencils and bricks are
/// special cases. A process axis with cut[j] == uncut has all data on its coordinate 0.
class Layout {
 public:
  static constexpr int uncut = -1;

  Layout() = default;
  /// cut: one entry per process axis. Throws Error if a cut names no axis of the array or the same axis twice, if there
  /// are not as many cuts as process axes, or if an extent is negative or their product does not fit in 63 bits.
  Layout(Extents extents, ProcessGrid grid, std::vector<int> cut, Scheme scheme = Scheme::even);

  const Extents& extents() const { return extents_; }
  const ProcessGrid& grid() const { return grid_; }
  const std::vector<int>& cut() const { return cut_; }
  Scheme scheme() const { return scheme_; }
  int dims() const { return extents_.dims(); }
  int ranks() const { return grid_.size(); }
  /// The process axis that cuts an array axis, or uncut.
  int process_axis(int array_axis) const;
  /// The part of the global array that a rank owns; may be empty. Throws Error if there is no such rank.
  Box box(int rank) const;
  /// The rank that owns an element of the global array. Throws Error if the index lies outside the array.
  int owner(const Extents& index) const;
  /// This distribution for an array of other extents.
  Layout with_extents(Extents extents) const;
  /// The layout in which one process axis cuts another array axis (or none: uncut).
  Layout with_cut(int process_axis, int array_axis) const;
  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  Extents extents_;
  ProcessGrid grid_;
  std::vector<int> cut_;
  Scheme scheme_ = Scheme::even;
};

/// A text such as "64 x 64 x 33 over 2 x 2: axis 0 cut by 2, axis 1 cut by 2".
std::string to_string(const Layout& layout);

}  // namespace weft
