// Bounds on the rounding errors of the lane transforms, derived from the steps that their plans take.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "transform/kernels/lane_kernels.hpp"

namespace weft::engine_test {

// Error of a fast transform in the 2-norm, relative to the result, in units of the roundoff u = eps/2, to first order.
// A stage of radix R multiplies by an orthogonal matrix (times a number), so the relative errors of the stages add
// (Higham, Accuracy and Stability of Numerical Algorithms, section 24.1, does this for R = 2):
//   R = 2     one addition, 1
//   R odd     sums of h = (R-1)/2 products of rounded factors with rounded sums: h + 4 roundings of terms whose
//   absolute
//             values form a matrix of norm sqrt(2) R, where that of the butterfly is sqrt(R)
//   rotation  by a twiddle factor: a complex product, 2 sqrt(2), and a rounded factor, 1
// Radices 4 and 8 save roundings against radix 2. This is c eps log2(n) with c = 2.4 for powers of two and at most 7.4.
constexpr double rotation = 2 * std::numbers::sqrt2 + 1;

inline double direct_roundings(index_t radix) {
  return static_cast<double>((radix - 1) / 2 + 4) * std::sqrt(2.0 * static_cast<double>(radix));
}

inline double smooth_roundings(index_t n) {
  double sum = 0;
  for (const int radix : {2, 3, 5, 7, 11, 13})
    for (; n % radix == 0; n /= radix) sum += (radix == 2 ? 1 : direct_roundings(radix)) + rotation;
  return sum;
}

template <class Real>
double complex_roundings(const LaneDft<Real>& plan);

// A convolution is a transform, a product with a rounded spectrum and a transform back. Orthogonal transforms pass
// their errors on as they are, the product enlarges them by the largest factor: m |S_k| with S the spectrum over m. The
// result has the norm sqrt(p) of the prime's transform.
//   rader  S is that of roots of unity, m |S_k| = sqrt(p) or 1: nothing is enlarged. x_0 is added once, and to mode 0.
//   chirp  m |S_k| / sqrt(p) is 1 to 2.5, by the plan; points and modes are rotated by rounded factors.
template <class Real>
double convolution_roundings(const LanePrimeStage<Real>& stage) {
  const LaneDft<Real>& plan = *stage.convolution;
  double largest = 0;
  for (index_t k = 0; k < plan.n; ++k)
    largest = std::max(largest, std::hypot(static_cast<double>(stage.spectrum[2 * k]),
                                           static_cast<double>(stage.spectrum[2 * k + 1])));
  const double gain = static_cast<double>(plan.n) * largest / std::sqrt(static_cast<double>(stage.prime));
  const bool chirp = stage.method == LanePrimeMethod::chirp;
  return gain * (2 * complex_roundings(plan) + (chirp ? 2 : 1) * rotation) + (chirp ? rotation : 2);
}

template <class Real>
double complex_roundings(const LaneDft<Real>& plan) {
  double sum = smooth_roundings(plan.smooth.n);
  for (int i = 0; i < plan.primes; ++i) {
    const LanePrimeStage<Real>& stage = plan.prime[i];
    const bool direct = stage.method == LanePrimeMethod::direct;
    sum += (direct ? direct_roundings(stage.prime) : convolution_roundings(stage)) + rotation;
  }
  return sum;
}

// Real lines of even length are separated from the complex line by two additions and a rotation; types II and III
// rotate their modes, type IV points and modes (of odd length: modes, by factors +-sqrt(2)). Type I adds its halves in
// pairs, or the even and odd points that were one complex line.
template <class Real>
double folded_roundings(const LaneRealPlan<Real>& plan) {
  const bool type1 = plan.kind == Kind::dct1 || plan.kind == Kind::dst1;
  const bool type4 = plan.kind == Kind::dct4 || plan.kind == Kind::dst4;
  if (type1 && plan.type2 != nullptr)
    return 1 + std::max(plan.type1 == nullptr ? 0 : folded_roundings(*plan.type1), folded_roundings(*plan.type2));
  double sum = complex_roundings(plan.complex);
  if (type1) return sum + 1;
  if (plan.n % 2 == 0 && !type4) sum += 2 + rotation;
  const bool fourier = plan.kind == Kind::r2c;
  return sum + (fourier ? 0 : type4 ? 2 : 1) * rotation;
}

// The matrices of half a spectrum, of cosines and of sines are orthogonal in norms that count some elements (modes, end
// points) half: relative errors may double on the way there and back.
template <class Real>
double real_roundings(const LaneRealPlan<Real>& plan) {
  return 2 * folded_roundings(plan);
}

}  // namespace weft::engine_test
