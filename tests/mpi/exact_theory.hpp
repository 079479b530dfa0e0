// What the exact solutions share: where the sources lie, and bounds on the error of chat2.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "weft/boundary.hpp"

namespace weft::exact {

/// Width of the Gaussians in units of the length: more than 7 widths from every centre to every end.
inline constexpr double gaussian_width = 0.055;

bool is_half_mode(const Boundary& boundary);
bool has_constant_mode(const Boundary& boundary);
int count_convolved(const std::vector<Boundary>& boundaries);

/// A Gaussian centre and its sign.
struct Source {
  double centre;
  double sign;
};

/// The source of a convolved axis and, at a mixed axis, its image in the mirror plane.
std::vector<Source> sources(const Boundary& boundary, double length, double unbounded_centre);

// With eps as at chat2_leading: |eps(t, k h) - eps(0, k h)| <= theta_bound |t|^2 for |t_i| <= theta_reach, for all d
// and k. A scan over t and k h with theta-function sums for eps found the largest ratio for d = 1, k = 0 at t =
// theta_reach, where it is known in closed form: eps(t) = 1/t^2 - 1/(4 sin(t/2)^2), ratio 0.00938.
inline constexpr double theta_reach = 1.25 * std::numbers::pi;
inline constexpr double theta_bound = 0.0094;

/// Number of sources with their images in the mirror planes: 2 to the number of mixed axes.
double count_images(const std::vector<Boundary>& boundaries);

/// Bound on |eps(0, k h) - chat2_leading| / (k h)^2 for all k h >= smallest_kh.
double wavenumber_bound(int convolved, double smallest_kh);

/// Bound on the error from the part of a Gaussian of width w beyond theta_reach, per unit amplitude of f; h is the
/// spacing.
double gaussian_alias(double w, double length, double h);

/// A function of one coordinate that keeps values: a grid has many points and few coordinates. Each has a place by its
/// bits, and what lay there before is worked out again when it is wanted.
class Remembered {
 public:
  explicit Remembered(std::function<double(double)> function) : function_(std::move(function)) {
    known_.fill({std::numeric_limits<double>::quiet_NaN(), 0});
  }
  double operator()(double x) {
    auto& [place, value] = known_[std::bit_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u >> 56];
    if (place != x) value = function_(place = x);
    return value;
  }

 private:
  std::function<double(double)> function_;
  std::array<std::pair<double, double>, 256> known_;
};

}  // namespace weft::exact
