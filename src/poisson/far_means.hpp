// Means of 1/r over the cells of a grid that are far from the origin, a line of them at a time.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace weft {

/// The mean of 1/|x| over a cell around c is that of its Taylor series. With half the diagonal of a cell as the unit of
/// length, and r = |c|, it is
///   (1 + sum over m of P_m(c) / r^(4m)) / r,
/// with P_m homogeneous of degree 2 m and even in each coordinate. Since 1/|c - x| expands in Legendre polynomials, the
/// relative error after order M is at most r^-(2 M + 2) / (1 - r^-2).
class FarMeans {
 public:
  explicit FarMeans(const std::array<double, 3>& widths);

  /// Whether the series gives the mean over the cell around (x, y, z) to rounding.
  bool serves(double x, double y, double z) const { return x * x + y * y + z * z >= nearest_ * nearest_; }
  /// The means over the cells around (x, y, z) for each z that serves() accepts. A mean does not depend on the other z.
  void line(double x, double y, std::span<const double> z, double* means) const;

  static constexpr int most_orders = 6;

 private:
  // One number for each pair of powers of x^2 and y^2; z^2 has the remaining power of the order.
  using Factors = std::array<std::array<double, most_orders + 1>, most_orders + 1>;
  template <int Orders>
  void line_of(double x2, double y2, std::span<const double> z, double* means) const;

  double unit_;     // half the diagonal of a cell
  double nearest_;  // the least r
  std::array<Factors, most_orders + 1> polynomials_{};
};

}  // namespace weft
