// What the tests of vector solvers share: fields on their points.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "weft/vector_poisson.hpp"

namespace weft::testing {

/// visit(index in a component's array, coordinates).
template <class Visit>
void for_each_place(const VectorPoisson<double>& solver, const Visit& visit) {
  const Box box = solver.box();
  std::vector<std::vector<double>> points;
  for (int axis = 0; axis < box.dims(); axis++) points.push_back(solver.points(axis));
  std::vector<double> x(points.size());
  for (index_t i = 0; i < box.size(); i++) {
    index_t rest = i;
    for (std::size_t a = points.size(); a-- > 0;) {
      const auto extent = static_cast<index_t>(points[a].size());
      x[a] = points[a][static_cast<std::size_t>(rest % extent)];
      rest /= extent;
    }
    visit(static_cast<std::size_t>(i), x);
  }
}

/// value(component, x) on this rank's points, component by component.
template <class Value>
std::vector<double> field_of(const VectorPoisson<double>& solver, std::size_t components, const Value& value) {
  const auto size = static_cast<std::size_t>(solver.box().size());
  std::vector<double> field(components * size);
  for_each_place(solver, [&](std::size_t i, const std::vector<double>& x) {
    for (std::size_t c = 0; c < components; c++) field[c * size + i] = value(c, x);
  });
  return field;
}

/// On this rank.
inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); i++) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace weft::testing
