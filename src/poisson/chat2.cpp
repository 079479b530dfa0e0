// The kernel chat2: singular kernels with the mean over one cell at the origin.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "base/number.hpp"
#include "poisson/kernels.hpp"
#include "poisson/radial_kernel.hpp"
#include "poisson/special.hpp"

namespace weft {

namespace {

using std::numbers::pi;

/// Mean of ln(r)/(2 pi) over a rectangle a x b centred at the origin.
double log_mean(double a, double b) {
  return (std::log(std::hypot(a, b) / 2) - 1.5 + a / (2 * b) * std::atan(b / a) + b / (2 * a) * std::atan(a / b)) /
         (2 * pi);
}

/// The largest spacing of the convolved axes, and the smallest of all axes.
struct Spacings {
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  std::size_t along = 0, across = 0;
};

Spacings spacings_of(const std::vector<GreenAxis>& axes) {
  Spacings found;
  for (std::size_t a = 0; a < axes.size(); a++) {
    const double h = axes[a].spacing;
    if (axes[a].convolved && h > found.largest) {
      found.largest = h;
      found.along = a;
    }
    if (h < found.smallest) {
      found.smallest = h;
      found.across = a;
    }
  }
  return found;
}

/// Cells of a larger ratio of spacings are not nearly cubes: at a ratio of two, chat2 has the error of igf.
constexpr double most_ratio = 2;

class Chat2 final : public RadialKernel {
 public:
  explicit Chat2(const KernelInput& input) : RadialKernel(input), spacings_(spacings_of(input.axes)) {
    std::vector<double> spacing;
    double volume = 1;
    for (const GreenAxis& axis : input.axes) {
      if (!axis.convolved) continue;
      spacing.push_back(axis.spacing);
      volume *= axis.spacing;
    }
    convolved_ = static_cast<int>(spacing.size());
    if (convolved_ < 2) return;
    near_ = *std::min_element(spacing.begin(), spacing.end());
    if (convolved_ == 2) {
      radius_ = std::sqrt(volume / pi);
      origin_ = log_mean(spacing[0], spacing[1]);
    } else {
      radius_ = std::cbrt(3 * volume / (4 * pi));
      origin_ = -radius_ * radius_ / volume;
    }
    near_ = std::min(near_, radius_);
  }

  void tabulate(std::span<const double> r, double k, double* values) const override {
    for (std::size_t i = 0; i < r.size(); i++) values[i] = at(r[i], k);
  }

  std::string note() const override {
    const double ratio = spacings_.largest / spacings_.smallest;
    if (ratio <= most_ratio * (1 + 1e-12)) return {};
    const auto axis = [](std::size_t a, double h) { return number("%.3g", h) + " along axis " + std::to_string(a); };
    return "kernel: chat2 is made for cells that are nearly cubes; the longest spacing is " + number("%.3g", ratio) +
           " times the shortest (" + axis(spacings_.along, spacings_.largest) + ", " +
           axis(spacings_.across, spacings_.smallest) +
           "), so the potential near charges may be wrong by several percent, and by tens from 10:1 on; use igf, which "
           "integrates the kernel over cells, or truncated if the data are smooth";
  }

 private:
  // Displaced points can lie closer to a source than a cell's size. Inside the ball or disc of that size the kernel is
  // the parabola of a uniform charge. Offsets of the grid lie outside it.
  double at(double r, double k) const {
    if (r <= 0 || r >= near_) return singular(r, k);
    const double origin = singular(0, k);
    return origin + r * r / (near_ * near_) * (singular(near_, k) - origin);
  }

  double singular(double r, double k) const {
    switch (convolved_) {
      case 3:
        return r > 0 ? -std::exp(-k * r) / (4 * pi * r) : origin_ * mean_exp(k * radius_);
      case 2:
        return k > 0 ? screened_plane(r, k) : plane(r);
      case 1:
        return k > 0 ? -std::exp(-k * r) / (2 * k) : r / 2;
      default:
        return k > 0 ? -1 / (k * k) : 0;
    }
  }

  double plane(double r) const { return r > 0 ? std::log(r) / (2 * pi) : origin_; }

  double screened_plane(double r, double k) const {
    return r > 0 ? -bessel_k0(k * r) / (2 * pi) : -mean_k0(k * radius_) / pi;
  }

  Spacings spacings_;
  int convolved_ = 0;
  double radius_ = 0;  ///< of the sphere or disc that has the size of a cell
  double near_ = 0;    ///< that radius or a spacing, if one is shorter; 0 for d < 2
  double origin_ = 0;  ///< d = 2: G(0) for k = 0; d = 3: G(0) is this times the mean of exp(-k r) over r dr
};

}  // namespace

std::unique_ptr<GreenKernel> make_chat2(const KernelInput& input) { return std::make_unique<Chat2>(input); }

}  // namespace weft
