// What the tests of schedules share: what schedules are made from.
#pragma once

#include <vector>

#include "plan/schedule/schedule.hpp"

namespace weft::schedule_test {

inline ScheduleInput input_of(const Extents& shape, const std::vector<Kind>& kinds, const std::vector<int>& order,
                              const ProcessGrid& grid = ProcessGrid({1})) {
  ScheduleInput input;
  for (int axis = 0; axis < shape.dims(); axis++)
    input.axes.push_back(whole_axis(kinds[static_cast<std::size_t>(axis)], shape[axis], axis));
  input.order = order;
  input.grid = grid;
  return input;
}

/// numpy's rfftn: the last axis r2c, then c2c, the last axis first.
inline ScheduleInput rfftn(const Extents& shape, const ProcessGrid& grid = ProcessGrid({1})) {
  std::vector<Kind> kinds(static_cast<std::size_t>(shape.dims()), Kind::c2c);
  kinds.back() = Kind::r2c;
  std::vector<int> order;
  for (int axis = shape.dims() - 1; axis >= 0; axis--) order.push_back(axis);
  return input_of(shape, kinds, order, grid);
}

}  // namespace weft::schedule_test
