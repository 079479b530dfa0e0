// Multi-indices and shapes: their text and the strides of a C-ordered array.
#include "weft/types.hpp"

#include "weft/error.hpp"

namespace weft {

void Extents::refuse(int dims) {
  throw Error(Fault::argument, "an array of " + std::to_string(dims) + " axes was requested; give between 1 and " +
                                   std::to_string(max_dims) + " axes");
}

std::string to_string(const Extents& extents) {
  if (extents.dims() == 0) return "no axes";
  std::string text;
  for (int axis = 0; axis < extents.dims(); ++axis) {
    if (axis > 0) text += " x ";
    text += std::to_string(extents[axis]);
  }
  return text;
}

Extents c_strides(const Extents& extents) {
  Extents strides(extents.dims());
  index_t stride = 1;
  for (int axis = extents.dims() - 1; axis >= 0; --axis) {
    strides[axis] = stride;
    stride *= extents[axis];
  }
  return strides;
}

}  // namespace weft
