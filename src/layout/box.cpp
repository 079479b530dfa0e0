// Intersections and text of half-open index boxes.
#include "weft/box.hpp"

#include <algorithm>

#include "weft/error.hpp"

namespace weft {

Range intersect(Range a, Range b) {
  const index_t lo = std::max(a.lo, b.lo);
  return {lo, std::max(lo, std::min(a.hi, b.hi))};
}

Box::Box(const Extents& extents) : Box(extents.dims()) {
  for (int axis = 0; axis < dims(); ++axis) (*this)[axis] = {0, extents[axis]};
}

Extents Box::extents() const {
  Extents result(dims());
  for (int axis = 0; axis < dims(); ++axis) result[axis] = (*this)[axis].size();
  return result;
}

Extents Box::lower() const {
  Extents result(dims());
  for (int axis = 0; axis < dims(); ++axis) result[axis] = (*this)[axis].lo;
  return result;
}

Box intersect(const Box& a, const Box& b) {
  if (a.dims() != b.dims()) {
    throw Error(Fault::argument, "cannot intersect box " + to_string(a) + " of " + std::to_string(a.dims()) +
                                     " axes with box " + to_string(b) + " of " + std::to_string(b.dims()) +
                                     " axes; give boxes of one array");
  }
  Box result(a.dims());
  for (int axis = 0; axis < a.dims(); ++axis) result[axis] = intersect(a[axis], b[axis]);
  return result;
}

std::string to_string(const Box& box) {
  if (box.dims() == 0) return "no axes";
  std::string text;
  for (int axis = 0; axis < box.dims(); ++axis) {
    if (axis > 0) text += " x ";
    text += "[" + std::to_string(box[axis].lo) + ", " + std::to_string(box[axis].hi) + ")";
  }
  return text;
}

}  // namespace weft
