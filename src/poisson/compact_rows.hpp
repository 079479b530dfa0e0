// Rows of order 4 of a finite-difference axis, and the weights of its cells in integrals.
#pragma once

#include <array>
#include <vector>

#include "transform/chosen_kernels.hpp"
#include "weft/boundary.hpp"

namespace weft {

/// Distances between the middles of neighbouring cells, in mean widths. The first and the last entry are the distances
/// from the ends, or both the distance across a periodic end.
std::vector<double> cell_distances(const DomainAxis& axis);

/// The data of a LaneCompact, in units of the mean width.
struct CompactWeights {
  std::vector<double> before, middle, after;
  std::array<LaneWall<double>, 2> walls;
};

/// The weights of f and of u in the rows of order 4. Where g = u'' is a parabola through three neighbouring middles, at
/// the distances a and b of each other, twice integration gives
///   (u[j+1] - u[j]) / b - (u[j] - u[j-1]) / a = A g[j-1] + B g[j] + C g[j+1],
///   A = (a^2 + a b - b^2) / (12 a),   C = (b^2 + a b - a^2) / (12 b),   B = (a + b) / 2 - A - C,
/// exact for u of degree 4 (Goedheer and Potters, J. Comput. Phys. 61, 1985). In the first row one of the three points
/// is the wall, at the distance a. Its value w and its inward slope w' obey
///   (u[0] - w) / a - w' = 5 a / 12 g(wall) + a / 12 g[0] + a^2 / 12 g'(wall)
/// for the same u. At the wall g = f + s w and g' = f' + s w', with f and f' from the parabola through the first three
/// cells. With v given, w' = -v at an even end and (w - v) / robin at an odd one.
CompactWeights compact_weights(const DomainAxis& axis);

/// The weights of the cells of a finite-difference axis in means, on average 1. Order 2: the widths. Order 4: the
/// weights of f in the sum of all rows, which are of order 4, too: 26/24, 21/24, 25/24, 1, 1, ... for cells of one
/// width. They may be negative where widths jump.
std::vector<double> cell_weights(const DomainAxis& axis);

}  // namespace weft
