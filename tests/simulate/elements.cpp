// Visits the elements of sides of exchanges.
#include "elements.hpp"

namespace weft::simulation {

template <class Visit>
void Elements::for_each(const PassEndpoint<double>& endpoint, const Part<double>& part, const Visit& visit) const {
  const Extents pitch = c_strides(extents_);
  for (const Segment<double>& segment : part.view.segments) {
    Box local(box_.extents());
    local[axis_] = {segment.first, segment.first + segment.count};
    if (endpoint.axis >= 0) local[endpoint.axis] = part.lines;
    Extents index = local.lower();
    if (local.empty()) continue;
    for (bool more = true; more;) {
      index_t global = 0, offset = 0;
      for (int axis = 0; axis < index.dims(); axis++) {
        global += (box_[axis].lo + index[axis]) * pitch[axis];
        offset += (index[axis] - (axis == axis_ ? segment.first : 0)) * segment.stride[axis];
      }
      visit(segment.base + offset, static_cast<double>(global));
      int axis = index.dims() - 1;
      for (; axis >= 0 && ++index[axis] == local[axis].hi; axis--) index[axis] = local[axis].lo;
      more = axis >= 0;
    }
  }
}

void Elements::fill(const PassEndpoint<double>& endpoint, const Part<double>& part, int step) const {
  for_each(endpoint, part, [step](double* element, double global) {
    element[0] = global;
    element[1] = -step;
  });
}

Count Elements::compare(const PassEndpoint<double>& endpoint, const Part<double>& part, int step) const {
  Count count;
  for_each(endpoint, part, [&](const double* element, double global) {
    count.seen++;
    count.wrong += element[0] == global && element[1] == -step ? 0 : 1;
  });
  return count;
}

}  // namespace weft::simulation
