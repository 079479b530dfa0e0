// Centred B-splines: how a particle is shared among the points of an axis.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "weft/types.hpp"

namespace weft {

inline constexpr int largest_spline_order = 8;

/// The points that share a particle along an axis, and their shares.
struct SplineWeights {
  index_t first = 0;
  std::array<double, largest_spline_order> weight{};
};

/// The largest whole number that is not above a finite number. std::floor is a call on processors without SSE4.
inline index_t floor_of(double x) {
  const auto near = static_cast<index_t>(x);
  return near - (x < static_cast<double>(near) ? 1 : 0);
}

/// `place`: the position in units of points. The recursion of Cox and de Boor on points with spacing 1: each weight of
/// order k-1 is split between two points of order k.
template <int Order>
SplineWeights spline_weights(double place) {
  const double end = place - 0.5 * Order + 1;
  SplineWeights result{floor_of(end), {}};
  auto& weight = result.weight;
  const double upper = end - static_cast<double>(result.first);  // 0 <= upper < 1
  weight[0] = 1;
  for (std::size_t k = 2; k <= Order; k++) {
    const double step = 1.0 / static_cast<double>(k - 1);
    weight[k - 1] = step * upper * weight[k - 2];
    for (std::size_t j = k - 2; j > 0; j--)
      weight[j] = step * ((upper + static_cast<double>(k - 1 - j)) * weight[j - 1] +
                          (static_cast<double>(j + 1) - upper) * weight[j]);
    weight[0] = step * (1 - upper) * weight[0];
  }
  return result;
}

/// Calls work(std::integral_constant) with an order from 1 to the largest one.
template <int Order = 1, class Work>
void with_order(int order, const Work& work) {
  if (order == Order) return work(std::integral_constant<int, Order>());
  if constexpr (Order < largest_spline_order) with_order<Order + 1>(order, work);
}

}  // namespace weft
