// The points of a block as pairs of a place along the convolved axes and a mode of the others.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/green.hpp"

namespace weft {

/// Sums of squared coordinates plus `first`, for all points of the product of the convolved or of the other axes of a
/// block, in C order.
std::vector<double> squares_of(const GreenGrid& grid, const std::vector<GreenAxis>& axes, bool convolved, double first);

/// Calls body(i, place, mode) for each point i of the block, in C order, with its indices in the product of the
/// convolved axes and in that of the others.
template <class Body>
void for_each_place(const GreenGrid& grid, const std::vector<GreenAxis>& axes, const Body& body) {
  const std::size_t dims = axes.size();
  std::vector<std::size_t> index(dims, 0);
  const index_t count = grid.size();
  for (index_t i = 0; i < count; i++) {
    std::size_t convolved = 0, spectral = 0;
    for (std::size_t a = 0; a < dims; a++) {
      std::size_t& place = axes[a].convolved ? convolved : spectral;
      place = place * grid.coordinates[a].size() + index[a];
    }
    body(static_cast<std::size_t>(i), convolved, spectral);
    for (std::size_t a = dims; a-- > 0;) {
      if (++index[a] < grid.coordinates[a].size()) break;
      index[a] = 0;
    }
  }
}

/// The distinct distances r over the convolved axes and wavenumbers k over the others in a block. If the convolved axes
/// have one spacing h, distances are h sqrt(n) for whole numbers n; these are found by a table instead of a search.
///
/// Values that differ by rounding are not merged: which of them are in a block depends on the number of ranks, but the
/// values of a kernel must not.
class RadialGrid {
 public:
  /// k^2 = screening^2 + the sum of squared wavenumbers.
  RadialGrid(const GreenGrid& grid, const std::vector<GreenAxis>& axes, double screening);

  /// Whether all offsets are multiples of one spacing, to rounding, whose squares fit in 32 bits, and no axis has a
  /// shift.
  static bool is_lattice(const GreenGrid& grid, const std::vector<GreenAxis>& axes);

  const std::vector<double>& distances() const { return distances_.distinct; }      ///< ascending
  const std::vector<double>& wavenumbers() const { return wavenumbers_.distinct; }  ///< ascending
  /// The values of all points from those of the pairs: table[k][r].
  void spread(const std::vector<double>& table, double* values, int threads) const;

 private:
  // The length of a point is distinct[which[sum over the axes of the term of its index]]. Terms add up to the index in
  // C order of the product, or on a lattice to the square of the offset.
  struct Lengths {
    std::vector<double> distinct;
    std::vector<std::uint32_t> which;
    std::vector<std::vector<std::uint32_t>> terms;  // by axis; zeros along axes that do not count
  };
  static Lengths sorted(const GreenGrid& grid, const std::vector<GreenAxis>& axes, bool convolved, double first);
  static Lengths on_lattice(const GreenGrid& grid, const std::vector<GreenAxis>& axes);

  const GreenGrid& grid_;
  Lengths distances_, wavenumbers_;
};

}  // namespace weft
