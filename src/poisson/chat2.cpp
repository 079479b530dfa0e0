// The kernel chat2: singular kernels with the mean over one cell at the origin.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "poisson/kernels.hpp"
#include "poisson/radial_kernel.hpp"

namespace weft {

namespace {

using std::numbers::pi;

/// Beyond this argument K0 is below 1e-305; the library function loses its digits and then fails.
constexpr double bessel_underflow = 700;

}  // namespace

// The difference cancels for small z, so the series of DLMF 10.31.1 replaces it there:
// 1/2 sum_k (z^2/4)^k / (k! (k+1)!) ((psi(k+1) + psi(k+2))/2 - ln(z/2)).
double one_minus_z_k1_over_z2(double z) {
  if (z >= bessel_underflow) return 1 / (z * z);
  if (z >= 2) return (1 - z * std::cyl_bessel_k(1.0, z)) / (z * z);
  double term = 0.5;
  double digamma = -std::numbers::egamma;  // psi(k+1)
  double sum = 0;
  for (int k = 0; k < 20; ++k) {  // (z^2/4)^20 / (20! 21!) < 1e-37
    const double next = digamma + 1.0 / (k + 1);
    sum += term * ((digamma + next) / 2 - std::log(z / 2));
    digamma = next;
    term *= z * z / 4 / ((k + 1.0) * (k + 2.0));
  }
  return sum;
}

namespace {

/// Mean of ln(r)/(2 pi) over a rectangle a x b centred at the origin.
double log_mean(double a, double b) {
  return (std::log(std::hypot(a, b) / 2) - 1.5 + a / (2 * b) * std::atan(b / a) + b / (2 * a) * std::atan(a / b)) /
         (2 * pi);
}

class Chat2 final : public RadialKernel {
 public:
  explicit Chat2(const KernelInput& input) : RadialKernel(input) {
    std::vector<double> spacing;
    double volume = 1;
    for (const GreenAxis& axis : input.axes) {
      if (!axis.convolved) continue;
      spacing.push_back(axis.spacing);
      volume *= axis.spacing;
    }
    convolved_ = static_cast<int>(spacing.size());
    if (convolved_ == 2) {
      radius_ = std::sqrt(volume / pi);
      origin_ = log_mean(spacing[0], spacing[1]);
    } else if (convolved_ == 3) {
      radius_ = std::cbrt(3 * volume / (4 * pi));
      origin_ = -radius_ * radius_ / (2 * volume);
    }
  }

  void tabulate(std::span<const double> r, double k, double* values) const override {
    for (std::size_t i = 0; i < r.size(); i++) values[i] = at(r[i], k);
  }

 private:
  double at(double r, double k) const {
    switch (convolved_) {
      case 3:
        return r > 0 ? -1 / (4 * pi * r) : origin_;
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
    if (r <= 0) return -one_minus_z_k1_over_z2(k * radius_) / pi;
    return k * r < bessel_underflow ? -std::cyl_bessel_k(0.0, k * r) / (2 * pi) : 0;
  }

  int convolved_ = 0;
  double radius_ = 0;  ///< of the sphere or disc that has the size of a cell
  double origin_ = 0;  ///< G(0) for k = 0
};

}  // namespace

std::unique_ptr<GreenKernel> make_chat2(const KernelInput& input) { return std::make_unique<Chat2>(input); }

}  // namespace weft
