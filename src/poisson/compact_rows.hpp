// Rows of order 4 of a finite-difference axis, and how much its cells count in integrals.
#pragma once

#include <array>
#include <vector>

#include "transform/chosen_kernels.hpp"
#include "weft/boundary.hpp"

namespace weft {

/// Distances of the middles of neighbouring cells in mean widths. The first and the last one are those from the ends,
/// or both the one across a periodic end.
std::vector<double> cell_distances(const DomainAxis& axis);

/// What a LaneCompact has, in units of the mean width.
struct CompactWeights {
  std::vector<double> before, middle, after;
  std::array<LaneWall<double>, 2> walls;
};

/// The weights of f and of u in the rows of order 4. Where g = u'' is a parabola through three neighbouring middles, at
/// the distances a and b of each other, twice integration gives
///   (u[j+1] - u[j]) / b - (u[j] - u[j-1]) / a = A g[j-1] + B g[j] + C g[j+1],
///   A = (a^2 + a b - b^2) / (12 a),   C = (b^2 + a b - a^2) / (12 b),   B = (a + b) / 2 - A - C,
/// exact for u of degree 4 (Goedheer and Potters, J. Comput. Phys. 61, 1985). Beside a wall, a from the first middle,
/// one of the three points is the wall. Its value w and the slope inwards w' obey
///   (u[0] - w) / a - w' = 5 a / 12 g(wall) + a / 12 g[0] + a^2 / 12 g'(wall)
/// for the same u. There g = f + s w and g' = f' + s w', f and f' by the parabola through the first three cells, and
/// w' = -v at an even end, (w - v) / robin at an odd one: v is what is given.
CompactWeights compact_weights(const DomainAxis& axis);

/// How much the cells of a finite-difference axis count in means, 1 in the mean: order 2 counts them by their widths.
/// Of order 4 it is what the sum of its rows leaves to f, of order 4 as well: 26/24, 21/24, 25/24, 1, 1, ... for cells
/// of one width. It may be negative where widths jump.
std::vector<double> cell_weights(const DomainAxis& axis);

}  // namespace weft
