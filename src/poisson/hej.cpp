// The kernels hej2 to hej10, which smooth a source to a Gaussian times a polynomial (Hejlesen, Rasmussen, Chatelain and
// Walther 2013), in closed form for any number of convolved axes and any wavenumber.

#include <array>
#include <cmath>
#include <numbers>

#include "poisson/kernels.hpp"
#include "poisson/radial_kernel.hpp"
#include "poisson/special.hpp"

namespace weft {

namespace {

using std::numbers::pi;
using std::numbers::sqrt2;

/// hej_m has the transform -zeta(q)/q^2, zeta = exp(-S/2) sum_{n < M} (S/2)^n/n!, with S = q^2 s^2, M = m/2. The term n
/// >= 1 of zeta cancels q^2 and is a Gaussian times a Laguerre polynomial in space. The term 0 is an integral over the
/// widths of diffusing Gaussians (Ewald's),
///   G0(r; k) = -int_{s^2/2}^inf exp(-k^2 t) (4 pi t)^(-d/2) exp(-r^2/(4 t)) dt.
class Hej final : public RadialKernel {
 public:
  explicit Hej(const KernelInput& input)
      : RadialKernel(input),
        dimension_(input.dimension()),
        terms_(std::stoi(input.kernel.name.substr(3)) / 2),
        s_(input.kernel.alpha * input.common_spacing()) {}

  void tabulate(std::span<const double> r, double k, double* values) const override {
    if (dimension_ == 0) {
      values[0] = spectral(k);
      return;
    }
    const double kappa = k * k * s_ * s_ / 2;
    const std::array<double, 4> weights = laguerre_weights(kappa);
    const double amplitude = s_ * s_ * std::pow(2 * pi * s_ * s_, -0.5 * dimension_);
    for (std::size_t i = 0; i < r.size(); i++) {
      const double rho = r[i] / s_, b = rho * rho / 2;
      values[i] = smoothed(r[i], rho, k) - amplitude * std::exp(-kappa - b) * laguerre_sum(weights, b);
    }
  }

 private:
  /// -zeta/k^2; without convolved axes there is one distance, 0.
  double spectral(double k) const {
    if (k <= 0) return 0;
    const double half = k * k * s_ * s_ / 2;
    double term = std::exp(-half), zeta = 0;
    for (int n = 0; n < terms_; n++) {
      zeta += term;
      term *= half / (n + 1);
    }
    return -zeta / (k * k);
  }

  /// The weight of each Laguerre polynomial L_i: sum_{i < n < M} kappa^(n-1-i) / (2 n (n-1-i)!).
  std::array<double, 4> laguerre_weights(double kappa) const {
    std::array<double, 4> weights{};
    for (int i = 0; i + 1 < terms_; i++) {
      double power = 1;
      for (int n = i + 1; n < terms_; n++) {
        weights[static_cast<std::size_t>(i)] += power / (2 * n);
        power *= kappa / (n - i);
      }
    }
    return weights;
  }

  /// sum_i weight_i L_i^(d/2-1)(b), DLMF 18.9.1 and table 18.9.1.
  double laguerre_sum(const std::array<double, 4>& weights, double b) const {
    const double order = 0.5 * dimension_ - 1;
    double before = 0, current = 1, sum = 0;
    for (int i = 0; i + 1 < terms_; i++) {
      sum += weights[static_cast<std::size_t>(i)] * current;
      const double next = ((2 * i + 1 + order - b) * current - (i + order) * before) / (i + 1);
      before = current;
      current = next;
    }
    return sum;
  }

  /// G0(r; k), the whole kernel hej2.
  double smoothed(double r, double rho, double k) const {
    if (dimension_ == 3) return r > 0 ? space(r, rho, k) : space_origin(k);
    if (dimension_ == 2) return k > 0 ? plane_wave(rho, k) : plane(r, rho);
    return k > 0 ? line_wave(r, rho, k) : line(r, rho);
  }

  /// exp(k r) erfc((k s + rho)/sqrt2), without overflow.
  double rising(double rho, double k) const {
    const double ks = k * s_;
    return scaled_erfc((ks + rho) / sqrt2) * std::exp(-(ks * ks + rho * rho) / 2);
  }
  /// exp(-k r) erfc((k s - rho)/sqrt2).
  double falling(double r, double rho, double k) const { return std::exp(-k * r) * std::erfc((k * s_ - rho) / sqrt2); }

  /// -1/(2 pi r) times the derivative of line_wave. For k = 0 it is erf(rho/sqrt2), to rounding.
  double space(double r, double rho, double k) const {
    if (k <= 0) return -std::erf(rho / sqrt2) / (4 * pi * r);
    if (rho < 1e-3) return space_origin(k) + r * r / 6 * space_laplacian(k);
    return -(falling(r, rho, k) - rising(rho, k)) / (8 * pi * r);
  }
  double space_origin(double k) const {
    const double ks = k * s_;
    return -std::exp(-ks * ks / 2) * (std::sqrt(2 / pi) - ks * scaled_erfc(ks / sqrt2)) / (4 * pi * s_);
  }

  /// The Laplacian of G0 at the origin: k^2 G0 plus the source. Displaced points may be so close to it that the
  /// difference in space() cancels.
  double space_laplacian(double k) const {
    const double ks = k * s_;
    return k * k * space_origin(k) + std::exp(-ks * ks / 2) * std::pow(2 * pi * s_ * s_, -1.5);
  }

  double plane(double r, double rho) const {
    if (r <= 0) return (std::log(sqrt2 * s_) - std::numbers::egamma / 2) / (2 * pi);
    return (std::log(r) + exponential_integral(rho * rho / 2) / 2) / (2 * pi);
  }
  /// Far from the origin this is K0(k r): the rest of the integral, from 0 to s^2/2, is below exp(-b)/b.
  double plane_wave(double rho, double k) const {
    constexpr double far = 40;
    const double ks = k * s_, b = rho * rho / 2;
    return b > far ? -bessel_k0(ks * rho) / (2 * pi) : -well_function(ks * ks / 2, b) / (4 * pi);
  }

  double line(double r, double rho) const {
    return r / 2 * std::erf(rho / sqrt2) + s_ / std::sqrt(2 * pi) * std::exp(-rho * rho / 2);
  }
  double line_wave(double r, double rho, double k) const { return -(falling(r, rho, k) + rising(rho, k)) / (4 * k); }

  int dimension_;
  int terms_;  ///< M
  double s_;   ///< smoothing length
};

}  // namespace

std::unique_ptr<GreenKernel> make_hej(const KernelInput& input) { return std::make_unique<Hej>(input); }

}  // namespace weft
