// Special functions, each by the shortest formula that keeps all digits in the range where the kernels need it.
#include "poisson/special.hpp"

#include <algorithm>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/special_functions/expint.hpp>
#include <boost/math/special_functions/legendre.hpp>
#include <cmath>
#include <numbers>

namespace weft {

namespace {

using std::numbers::egamma;
using std::numbers::pi;
using Complex = std::complex<double>;

/// Boost computes in double and gives 0 where a result underflows.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// Contributions below exp(-39) = 1e-17 are dropped.
constexpr double decay = 39;

/// exp(z) E1(z) by the continued fraction DLMF 6.9.1, contracted: 1/(z + 1 - 1/(z + 3 - 4/(z + 5 - 9/...))). After n
/// steps the error is about exp(-4 Re sqrt(n z)), and Re sqrt(z) = sqrt((|z| + Re z)/2).
Complex fraction_e1(Complex z) {
  const int steps = 8 + static_cast<int>(decay * decay / 8 / (std::abs(z) + z.real()));
  Complex rest = 0;
  for (int i = steps; i > 0; i--) rest = double(i) * double(i) / (z + (2.0 * i + 1) - rest);
  return 1.0 / (z + 1.0 - rest);
}

/// E1(z) = -gamma - ln z - sum_k (-z)^k / (k k!), DLMF 6.6.2. Terms reach exp(|z|), E1 is exp(-Re z)/|z|.
Complex series_e1(Complex z) {
  Complex sum = 0, power = -1;
  for (int k = 1; k < 200; k++) {
    power *= -z / double(k);
    sum += power / double(k);
    if (std::abs(power) < 1e-18 * std::abs(sum)) break;
  }
  return -egamma - std::log(z) + sum;
}

/// sum_n (-1)^n n! / z^(n+1), DLMF 6.12.1, to its smallest term, exp(-|z|).
Complex asymptotic_e1(Complex z) {
  Complex term = 1.0 / z, sum = 0;
  for (int n = 1; n < 40 && std::abs(term) > 1e-18 * std::abs(sum); n++) {
    sum += term;
    term *= -double(n) / z;
  }
  return sum;
}

/// The well function for a >= b by Gauss-Legendre panels in u = ln t. The integrand is entire, and at most 1 in a strip
/// of half width pi/2 about the real axis: panels of length 1 with 20 nodes leave 6^-40. They end where the exponent
/// exceeds its minimum, a + b at t = 1, by `decay`.
double direct_well(double a, double b) {
  static const Quadrature rule = gauss_legendre(20);
  const double most = a + b + decay;
  const double last = std::log((most + std::sqrt(most * most - 4 * a * b)) / (2 * a));
  const int panels = static_cast<int>(std::ceil(last));
  const double half = last / (2 * panels);
  double sum = 0;
  for (int panel = 0; panel < panels; panel++) {
    for (std::size_t i = 0; i < rule.nodes.size(); i++) {
      const double t = std::exp(half * (2 * panel + 1 + rule.nodes[i]));
      sum += rule.weights[i] * std::exp(-a * t - b / t);
    }
  }
  return half * sum;
}

}  // namespace

Quadrature gauss_legendre(int n) {
  Quadrature rule;
  for (const double zero : boost::math::legendre_p_zeros<double>(n)) {  // the non-negative zeros, ascending
    rule.nodes.push_back(zero);
    if (zero > 0) rule.nodes.push_back(-zero);
  }
  std::sort(rule.nodes.begin(), rule.nodes.end());
  for (const double x : rule.nodes) {
    const double slope = boost::math::legendre_p_prime(n, x);
    rule.weights.push_back(2 / ((1 - x * x) * slope * slope));
  }
  return rule;
}

double bessel_k0(double x) { return boost::math::cyl_bessel_k(0, x, InDouble()); }
double bessel_k1(double x) { return boost::math::cyl_bessel_k(1, x, InDouble()); }

double mean_k0(double z) {
  if (z >= 2) return (1 - z * bessel_k1(z)) / (z * z);
  // DLMF 10.31.1: 1/2 sum_k (z^2/4)^k / (k! (k+1)!) ((psi(k+1) + psi(k+2))/2 - ln(z/2)).
  double term = 0.5;
  double digamma = -egamma;  // psi(k+1)
  double sum = 0;
  for (int k = 0; k < 20; ++k) {  // (z^2/4)^20 / (20! 21!) < 1e-37
    const double next = digamma + 1.0 / (k + 1);
    sum += term * ((digamma + next) / 2 - std::log(z / 2));
    digamma = next;
    term *= z * z / 4 / ((k + 1.0) * (k + 2.0));
  }
  return sum;
}

double mean_exp(double z) {
  if (z >= 1) return (1 - (1 + z) * std::exp(-z)) / (z * z);
  double term = 0.5, sum = 0;  // exp(-z) sum_n z^n / (n + 2)!
  for (int n = 0; n < 18; n++) {
    sum += term;
    term *= z / (n + 3);
  }
  return std::exp(-z) * sum;
}

double scaled_erfc(double x) {
  if (x < 25) {
    const double square = x * x;  // its rounding error would count x^2 times
    return std::exp(square) * (1 + std::fma(x, x, -square)) * std::erfc(x);
  }
  double term = 1, sum = 0;  // DLMF 7.12.1: the ninth term is below 1e-19
  for (int n = 1; n < 9; n++) {
    sum += term;
    term *= -(2 * n - 1) / (2 * x * x);
  }
  return sum / (x * std::sqrt(pi));
}

double exponential_integral(double x) { return boost::math::expint(1, x, InDouble()); }

std::complex<double> scaled_exponential_integral(std::complex<double> z) {
  if (std::abs(z) >= 40) return asymptotic_e1(z);
  // Near the negative axis the fraction converges slowly and the series has no cancellation.
  return std::abs(z) + z.real() < 2 ? std::exp(z) * series_e1(z) : fraction_e1(z);
}

double sine_integral(double x) {
  if (x >= 4) {  // DLMF 6.5.5: E1(ix) = -Ci(x) + i (Si(x) - pi/2)
    return pi / 2 + (std::polar(1.0, -x) * scaled_exponential_integral({0, x})).imag();
  }
  double power = x, sum = 0;
  for (int n = 1; n < 36; n += 2) {  // 4^37/(37 37!) < 1e-22
    sum += power / n;
    power *= -x * x / ((n + 1.0) * (n + 2.0));
  }
  return sum;
}

std::complex<double> scaled_k0(std::complex<double> w) {
  // DLMF 10.32.9 with 2 w sinh(t/2)^2 = y^2: int over all y of exp(-y^2)/sqrt(y^2 + 2 w), by the trapezoidal rule. Its
  // error is exp(-(pi/step)^2) + exp(-2 pi d/step), d = sqrt(|w| + Re w) the height of the branch points.
  const double step = std::min(0.5, 2 * pi * std::sqrt(std::abs(w) + w.real()) / decay);
  Complex sum = 0.5 / std::sqrt(2.0 * w);
  for (int j = 1; step * step * j * j < decay; j++) {
    const double square = step * step * j * j;
    sum += std::exp(-square) / std::sqrt(square + 2.0 * w);
  }
  return 2 * step * sum;
}

// (i z/pi) int exp(-t^2) / (z^2 - t^2) dt by the trapezoidal rule. Its error is exp(-(pi/h)^2) = 4e-17 for step h, and
// the residues of the poles at t = +- z, which are added where they are not as small (Al Azah and Chandler-Wilde, SIAM
// J. Numer. Anal. 59, 2021). Nodes are moved by half a step if a pole near the axis is close to one.
std::complex<double> faddeeva(double x, double y) {
  constexpr int steps = 12;
  static const double h = std::sqrt(pi / steps);
  const double cell = x / h - std::floor(x / h);
  const bool aside = y >= x || cell < 0.25 || cell > 0.75;
  double real_sum = 0, imaginary_sum = 0;
  for (int k = 0; k < steps; k++) {
    const double t = h * (k + (aside ? 0.5 : 0));
    const double real = (x - y) * (x + y) - t * t, imaginary = 2 * x * y;
    const double weight = std::exp(-t * t) * (!aside && k == 0 ? 0.5 : 1), square = real * real + imaginary * imaginary;
    real_sum += weight * (x * x + y * y + t * t) / square;
    imaginary_sum += weight * (x * x + y * y - t * t) / square;
  }
  const Complex sum(2 * h * y / pi * real_sum, 2 * h * x / pi * imaginary_sum);
  if (y >= pi / h) return sum;
  const Complex z(x, y), turns = std::exp(Complex(0, -2 * pi / h) * z);
  return sum + 2.0 * std::exp(-z * z) / (aside ? 1.0 + turns : 1.0 - turns);
}

double well_function(double a, double b) {
  if (b <= 0) return exponential_integral(a);
  // From 0 to infinity the integral is 2 K0(2 sqrt(a b)) (DLMF 10.32.10), t -> b/(a t) swaps the arguments.
  return a < b ? 2 * bessel_k0(2 * std::sqrt(a * b)) - direct_well(b, a) : direct_well(a, b);
}

}  // namespace weft
