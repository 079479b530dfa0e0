// Pieces as products of the images along the axes.
#include "halo/pieces.hpp"

namespace weft {

namespace {

HaloPiece with_axis(HaloPiece piece, int axis, const AxisImage& image) {
  piece.target[axis] = image.target;
  piece.source[axis] = image.source;
  piece.reversed[static_cast<std::size_t>(axis)] = image.reversed;
  piece.negated = piece.negated != image.negated;
  return piece;
}

}  // namespace

Box HaloGeometry::padded(int rank) const {
  Box box = owned[static_cast<std::size_t>(rank)];
  for (int axis = 0; axis < box.dims(); axis++) {
    const HaloWidth& layers = width[static_cast<std::size_t>(axis)];
    box[axis] = {box[axis].lo - layers.lower, box[axis].hi + layers.upper};
  }
  return box;
}

std::vector<HaloPiece> HaloGeometry::pieces(int rank) const {
  std::vector<HaloPiece> all;
  const Box& box = owned[static_cast<std::size_t>(rank)];
  if (box.empty()) return all;
  const Box wide = padded(rank);
  for (std::size_t component = 0; component < axes.size(); component++) {
    std::vector<HaloPiece> products(1);
    products.front() = {static_cast<int>(component), Box(box.dims()), Box(box.dims())};
    for (int axis = 0; axis < box.dims(); axis++) {
      std::vector<HaloPiece> next;
      for (const AxisImage& image : axis_images(axes[component][static_cast<std::size_t>(axis)], wide[axis]))
        for (const HaloPiece& piece : products) next.push_back(with_axis(piece, axis, image));
      products = std::move(next);
    }
    all.insert(all.end(), products.begin(), products.end());
  }
  return all;
}

std::optional<HaloPiece> part_showing(const HaloPiece& piece, const Box& box) {
  HaloPiece part = piece;
  part.source = intersect(piece.source, box);
  if (part.source.empty()) return std::nullopt;
  for (int axis = 0; axis < box.dims(); axis++) {
    const Range whole = piece.source[axis], kept = part.source[axis];
    const bool reversed = piece.reversed[static_cast<std::size_t>(axis)];
    const index_t first = piece.target[axis].lo + (reversed ? whole.hi - kept.hi : kept.lo - whole.lo);
    part.target[axis] = {first, first + kept.size()};
  }
  return part;
}

}  // namespace weft
