// Vector and scalar fields with known derivatives for every boundary, as sums of products of functions of one axis.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "weft/boundary.hpp"

namespace weft::testing {

/// A function of one coordinate with its first three derivatives.
using Jet = std::array<double, 4>;

/// a cos(w x + phase) with its derivatives.
inline Jet wave(double a, double w, double phase, double x) {
  const double c = a * std::cos(w * x + phase), s = a * std::sin(w * x + phase);
  return {c, -w * s, -w * w * c, w * w * w * s};
}

inline Jet sum(const Jet& a, const Jet& b, double factor = 1) {
  Jet result{};
  for (std::size_t i = 0; i < result.size(); i++) result[i] = a[i] + factor * b[i];
  return result;
}

/// Width of the Gaussians along unbounded axes, in lengths.
inline constexpr double jet_width = 0.055;

/// exp(-(x - centre)^2 / (2 w^2)) with its derivatives (Hermite polynomials).
inline Jet bell(double centre, double w, double x) {
  const double t = (x - centre) / w, g = std::exp(-t * t / 2);
  return {g, -t * g / w, (t * t - 1) * g / (w * w), (3 * t - t * t * t) * g / (w * w * w)};
}

/// A function with the symmetries of a boundary on [0, length]; `variant` makes different ones. Along periodic and
/// symmetric axes it has modes up to the fourth, along the others Gaussians and their images.
inline Jet jet(const Boundary& b, double length, int variant, double x) {
  using std::numbers::pi;
  const double unit = pi / length, phase = 0.3 + variant, half = -pi / 2;
  const auto gaussian = [&](double centre, double sign, double mirror) {
    const Jet one = bell(centre * length, jet_width * length, x);
    return sign == 0 ? one : sum(one, bell((2 * mirror - centre) * length, jet_width * length, x), sign);
  };
  switch (classify(b)) {
    case AxisClass::periodic:
      return sum(sum(wave(1, 2 * unit, phase, x), wave(0.4, 4 * unit, 1 - phase, x)), Jet{0.2 * variant, 0, 0, 0});
    case AxisClass::symmetric: {
      const double lowest = b.left == b.right ? 1 : 0.5, start = b.left == End::even ? 0 : half;
      const Jet constant{b == Boundary(End::even) ? 0.2 * variant : 0, 0, 0, 0};
      return sum(sum(wave(1, lowest * unit, start, x), wave(0.3 + 0.1 * variant, (lowest + 2) * unit, start, x)),
                 constant);
    }
    case AxisClass::mixed: {
      const bool left = b.left != End::unbounded;
      const double sign = (left ? b.left : b.right) == End::even ? 1 : -1;
      return left ? gaussian(0.4 + 0.02 * variant, sign, 0) : gaussian(0.6 - 0.02 * variant, sign, 1);
    }
    default:
      return gaussian(0.5 + 0.02 * variant, 0, 0);
  }
}

/// Components of a field with given boundaries, each a product over the axes, and all their derivatives up to third
/// order along each axis.
class ProductField {
 public:
  ProductField(std::vector<std::vector<Boundary>> boundary, std::vector<double> length)
      : boundary_(std::move(boundary)), length_(std::move(length)) {}

  std::size_t components() const { return boundary_.size(); }
  const std::vector<std::vector<Boundary>>& boundary() const { return boundary_; }
  /// The derivative of a component: orders[axis] times along each axis.
  double derivative(std::size_t component, std::vector<int> orders, const std::vector<double>& x) const {
    double product = 1 + 0.5 * static_cast<double>(component);
    for (std::size_t a = 0; a < length_.size(); a++) {
      const int variant = static_cast<int>((component + a) % 3);
      product *= jet(boundary_[component][a], length_[a], variant, x[a])[static_cast<std::size_t>(orders[a])];
    }
    return product;
  }
  double value(std::size_t component, const std::vector<double>& x) const {
    return derivative(component, std::vector<int>(length_.size(), 0), x);
  }
  double first(std::size_t component, std::size_t axis, const std::vector<double>& x) const {
    return second(component, axis, length_.size(), x);
  }
  /// d^2/(dx_a dx_b); b = dims for the first derivative along a alone.
  double second(std::size_t component, std::size_t a, std::size_t b, const std::vector<double>& x) const {
    std::vector<int> orders(length_.size(), 0);
    orders[a]++;
    if (b < orders.size()) orders[b]++;
    return derivative(component, orders, x);
  }

 private:
  std::vector<std::vector<Boundary>> boundary_;
  std::vector<double> length_;
};

}  // namespace weft::testing
