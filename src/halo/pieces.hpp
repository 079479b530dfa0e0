// The blocks of a halo, with the owners and the positions of the points that they show. Pure arithmetic.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "halo/axis_images.hpp"
#include "weft/halo.hpp"

namespace weft {

/// A block of a halo, and the block of the array that it shows.
struct HaloPiece {
  int component = 0;
  Box target, source;
  std::array<bool, max_dims> reversed{};
  bool negated = false;
};

/// A halo of every rank: axes per component, widths per axis, and the boxes that the ranks own.
struct HaloGeometry {
  std::vector<std::vector<HaloAxis>> axes;
  std::vector<HaloWidth> width;
  std::vector<Box> owned;

  Box padded(int rank) const;
  /// All points that the array of a rank shows, from any owner, including the rank's own box. The list is empty for a
  /// rank without data. The order is the same on all ranks.
  std::vector<HaloPiece> pieces(int rank) const;
};

/// The part of a piece that shows points of a box.
std::optional<HaloPiece> part_showing(const HaloPiece& piece, const Box& box);

/// Whether a piece lies at the place of its points.
inline bool is_in_place(const HaloPiece& piece) { return piece.source == piece.target; }

}  // namespace weft
