// Folds points beyond the ends of an axis back into it, one by one, and joins adjacent points into ranges.
#include "halo/axis_images.hpp"

#include <optional>

namespace weft {

namespace {

struct Folded {
  index_t point;
  bool reversed = false, negated = false;
};

// Mirrors may face each other; their images are then mirrored again.
std::optional<Folded> fold(const HaloAxis& axis, index_t point) {
  const bool cell = axis.centring == Centring::cell;
  Folded at{point};
  if (axis.boundary.left == End::periodic) {
    const index_t period = cell ? axis.points : axis.points - 1;
    at.point = (point % period + period) % period;
    return at;
  }
  while (at.point < 0 || at.point >= axis.points) {
    const bool left = at.point < 0;
    const End end = left ? axis.boundary.left : axis.boundary.right;
    if (end == End::unbounded) return std::nullopt;
    const index_t ends = left ? 0 : 2 * (axis.points - 1), between = left ? -1 : 1;
    at = {ends + (cell ? between : 0) - at.point, !at.reversed, at.negated != (end == End::odd)};
  }
  return at;
}

// Whether a point continues the range of the image before it.
bool joins(const AxisImage& image, const Folded& next) {
  return image.reversed == next.reversed && image.negated == next.negated &&
         next.point == (next.reversed ? image.source.lo - 1 : image.source.hi);
}

void add_beyond(const HaloAxis& axis, Range range, std::vector<AxisImage>& images) {
  bool follows = false;  // whether the previous point has an image
  for (index_t i = range.lo; i < range.hi; i++) {
    const std::optional<Folded> at = fold(axis, i);
    if (at && follows && joins(images.back(), *at)) {
      images.back().target.hi++;
      at->reversed ? images.back().source.lo-- : images.back().source.hi++;
    } else if (at) {
      images.push_back({{i, i + 1}, {at->point, at->point + 1}, at->reversed, at->negated});
    }
    follows = at.has_value();
  }
}

}  // namespace

std::vector<AxisImage> axis_images(const HaloAxis& axis, Range range) {
  std::vector<AxisImage> images;
  add_beyond(axis, intersect(range, {range.lo, 0}), images);
  const Range inside = intersect(range, {0, axis.points});
  if (inside.size() > 0) images.push_back({inside, inside});
  add_beyond(axis, intersect(range, {axis.points, range.hi}), images);
  return images;
}

}  // namespace weft
