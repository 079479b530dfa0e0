// The kernel hej0, which has all wavenumbers up to pi/h along the convolved axes and none above (Hejlesen, Winckelmans
// and Walther 2019), in closed form or by an integral along the path of steepest descent.

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "poisson/kernels.hpp"
#include "poisson/radial_kernel.hpp"
#include "poisson/special.hpp"
#include "poisson/stretched_integral.hpp"

namespace weft {

namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

/// int_K^inf J0(q r) q/(q^2 + k^2) dq at one distance, for many k.
///
/// J0 is the real part of the Hankel function H1, which decays along q = K + i t/r. With z = x + i t, x = K r, and i
/// H1(z) = (2/pi) K0(-i z), the integral is
///   (2/pi) Re[exp(i x) int_0^inf exp(-t) (exp(w) K0(w)) z/(z^2 + (k r)^2) dt],   w = -i z.
/// The integrand has branch points and poles at the distance x from the path, at t = i x and t = i x +- k r. Panels of
/// length up to 4 x/pi with 20 nodes leave (pi/2 + sqrt(1 + (pi/2)^2))^-40 = 3e-22.
class BesselTail {
 public:
  explicit BesselTail(double x) {
    static const Quadrature rule = gauss_legendre(20);
    constexpr double end = 40;  // exp(-40) = 4e-18
    const int panels = std::max(2, static_cast<int>(std::ceil(end * pi / (4 * x))));
    const double half = end / (2 * panels);
    for (int panel = 0; panel < panels; panel++) {
      for (std::size_t i = 0; i < rule.nodes.size(); i++) {
        const double t = half * (2 * panel + 1 + rule.nodes[i]);
        const Complex factor = 2 / pi * rule.weights[i] * half * std::exp(-t) * std::polar(1.0, x);
        nodes_.emplace_back(x, t);
        values_.push_back(factor * scaled_k0({t, -x}));
      }
    }
  }

  double at(double kr) const {
    double sum = 0;
    for (std::size_t i = 0; i < nodes_.size(); i++) {
      // Re[v z/(z^2 + p)] = Re[v z conj(z^2 + p)]/|z^2 + p|^2; the real part of z^2 + p may vanish, the whole cannot.
      const double x = nodes_[i].real(), t = nodes_[i].imag(), v = values_[i].real(), u = values_[i].imag();
      const double real = x * x - t * t + kr * kr, imaginary = 2 * x * t;
      sum += ((v * x - u * t) * real + (v * t + u * x) * imaginary) / (real * real + imaginary * imaginary);
    }
    return sum;
  }

 private:
  std::vector<Complex> nodes_, values_;
};

/// With K = pi/h, d convolved axes and q along them: G = -(2 pi)^-d int_{|q| < K} exp(i q x)/(q^2 + k^2) dq.
class Hej0 final : public RadialKernel {
 public:
  explicit Hej0(const KernelInput& input)
      : RadialKernel(input), dimension_(input.dimension()), limit_(pi / input.common_spacing()) {}

  void tabulate(std::span<const double> r, double k, double* values) const override {
    tabulate_all(r, std::span(&k, 1), values, r.size());
  }

  void tabulate_all(std::span<const double> r, std::span<const double> k, double* values,
                    std::size_t stride) const override {
    for (std::size_t i = 0; i < r.size(); i++) {
      if (dimension_ == 2 && r[i] > 0 && !is_near(r[i])) {
        const BesselTail tail(limit_ * r[i]);
        for (std::size_t j = 0; j < k.size(); j++) values[j * stride + i] = plane(r[i], k[j], tail);
      } else {
        for (std::size_t j = 0; j < k.size(); j++) values[j * stride + i] = at(r[i], k[j]);
      }
    }
  }

 private:
  /// Whether r is below the spacing (K r < pi, with room for rounding), as for displaced points alone.
  bool is_near(double r) const { return limit_ * r < 3; }

  double at(double r, double k) const {
    if (dimension_ > 1 && r > 0 && is_near(r)) return near(r, k);
    switch (dimension_) {
      case 3:
        return r > 0 ? space(r, k) : space_origin(k);
      case 2:
        return plane_origin(k);
      case 1:
        return r > 0 ? line(r, k) : line_origin(k);
      default:
        return k > 0 ? -1 / (k * k) : 0;
    }
  }

  /// The value at the origin plus the change from there, which is used where tails would cancel:
  ///   -(2 pi)^-d int_{|q| < K} (exp(i q x) - 1)/(q^2 + k^2) dq.
  double near(double r, double k) const {
    const bool plane = dimension_ == 2;
    const double added = stretched_integral(k > 0 ? k : limit_, 0, limit_, [&](double q) {
      const double wave = plane ? j0(q * r) : std::sin(q * r) / (q * r), shell = plane ? q : q * q / pi;
      return (wave - 1) * shell / (q * q + k * k);
    });
    return (plane ? plane_origin(k) : space_origin(k)) - added / (2 * pi);
  }

  /// exp(i K r) times exp(z) E1(z) for z = -+ k r - i K r: int_K^inf exp(i q r)/(q -+ i k) dq.
  Complex tail(double r, double signed_k) const {
    return std::polar(1.0, limit_ * r) * scaled_exponential_integral({signed_k * r, -limit_ * r});
  }

  /// k = 0: Si(K r). k > 0: int_0^K q sin(q r)/(q^2 + k^2) dq by partial fractions.
  double space(double r, double k) const {
    const double integral = k > 0 ? pi / 2 * std::exp(-k * r) - (tail(r, k) + tail(r, -k)).imag() / 2  //
                                  : sine_integral(limit_ * r);
    return -integral / (2 * pi * pi * r);
  }
  /// -int_0^K q^2/(q^2 + k^2) dq / (2 pi^2).
  double space_origin(double k) const {
    if (k < 2 * limit_) return (k * std::atan2(limit_, k) - limit_) / (2 * pi * pi);
    const double t = limit_ / k;
    double power = 1, sum = 0;  // 1 - atan(t)/t, whose terms cancel for small t
    for (int n = 3; n < 55; n += 2) {
      power *= -t * t;
      sum -= power / n;
    }
    return -limit_ * sum / (2 * pi * pi);
  }

  static double plane(double r, double k, const BesselTail& tail) {
    return ((k > 0 ? -bessel_k0(k * r) : std::log(r)) + tail.at(k * r)) / (2 * pi);
  }
  /// k > 0: -int_0^K q/(q^2 + k^2) dq / (2 pi). k = 0: the constant is that of ln(r)/(2 pi) far away.
  double plane_origin(double k) const {
    if (k <= 0) return (std::log(2 / limit_) - std::numbers::egamma) / (2 * pi);
    return -std::log1p(limit_ * limit_ / (k * k)) / (4 * pi);
  }

  double line(double r, double k) const {
    if (k <= 0) return (r * sine_integral(limit_ * r) + std::cos(limit_ * r) / limit_) / pi;
    const Complex difference = tail(r, -k) - tail(r, k);
    return -std::exp(-k * r) / (2 * k) + difference.imag() / (2 * pi * k);
  }
  /// k = 0: the constant is that of |x|/2 far away.
  double line_origin(double k) const { return k > 0 ? -std::atan(limit_ / k) / (pi * k) : 1 / (pi * limit_); }

  int dimension_;
  double limit_;  ///< K
};

}  // namespace

std::unique_ptr<GreenKernel> make_hej0(const KernelInput& input) { return std::make_unique<Hej0>(input); }

}  // namespace weft
