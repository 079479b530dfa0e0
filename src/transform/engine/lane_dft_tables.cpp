// Chooses the method for large primes in lane transforms and computes its tables.
#include "transform/engine/lane_dft_tables.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "transform/engine/roots.hpp"
#include "transform/fast_length.hpp"

namespace weft {

namespace {

index_t smallest_factor(index_t n) {
  for (index_t p = 2; p * p <= n; p++)
    if (n % p == 0) return p;
  return n;
}

index_t largest_factor(index_t n) {
  index_t largest = 1;
  for (; n > 1; n /= largest) largest = smallest_factor(n);
  return largest;
}

index_t power(index_t base, index_t exponent, index_t modulus) {
  index_t result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 != 0) result = result * base % modulus;
    base = base * base % modulus;
  }
  return result;
}

index_t generator(index_t p) {
  for (index_t g = 2;; g++) {
    bool generates = true;
    for (index_t rest = p - 1; rest > 1 && generates;) {
      const index_t factor = smallest_factor(rest);
      while (rest % factor == 0) rest /= factor;
      generates = power(g, (p - 1) / factor, p) != 1;
    }
    if (generates) return g;
  }
}

// exp(-2 pi i q / n) for one turn, q = 0 .. n - 1
std::vector<Extended> turn(index_t n) {
  std::vector<Extended> result;
  for (index_t q = 0; q < n; q++) result.push_back(root_of_unity(q, n));
  return result;
}

// DFT of points begin, begin + step, .. of x, in extended precision: tables must be more accurate than their users.
std::vector<Extended> extended_dft(const std::vector<Extended>& x, index_t begin, index_t step,
                                   const std::vector<Extended>& roots) {
  const index_t all = static_cast<index_t>(x.size()), n = all / step;
  if (n == 1) return {x[static_cast<std::size_t>(begin)]};
  const index_t p = smallest_factor(n), count = n / p;
  std::vector<Extended> result(static_cast<std::size_t>(n));
  for (index_t r = 0; r < p; r++) {
    const std::vector<Extended> part = extended_dft(x, begin + r * step, p * step, roots);
    for (index_t k = 0; k < n; k++)
      result[static_cast<std::size_t>(k)] +=
          multiplied(part[static_cast<std::size_t>(k % count)], roots[static_cast<std::size_t>(r * k % n * step)]);
  }
  return result;
}

template <class Real>
std::vector<Real> scaled_spectrum(const std::vector<Extended>& x) {
  std::vector<Real> result;
  for (const Extended& value : extended_dft(x, 0, 1, turn(static_cast<index_t>(x.size())))) {
    result.push_back(static_cast<Real>(value.real() / static_cast<long double>(x.size())));
    result.push_back(static_cast<Real>(value.imag() / static_cast<long double>(x.size())));
  }
  return result;
}

// --- the estimate ------------------------------------------------------------------------------------------------

// Cost per point of a convolution without its two transforms: gather, products, scatter.
constexpr double convolution_sweeps = 75;

double prime_cost(LanePrimeMethod method, index_t p) {
  const auto points = static_cast<double>(p);
  if (method == LanePrimeMethod::direct) return points * (25 + 1.1 * points);
  // Setting up a convolution transforms its prime factors by the defining sums: too slow for large ones.
  constexpr index_t largest_prime = 1000;
  if (method == LanePrimeMethod::rader && largest_factor(p - 1) > largest_prime)
    return std::numeric_limits<double>::infinity();
  const index_t length = lane_convolution_length(method, p);
  return 2 * lane_cost(length) + convolution_sweeps * static_cast<double>(length);
}

// The fastest length 2^a 3^b 5^c of at least `least` points.
index_t fastest_length(index_t least) {
  index_t best = 0;
  double best_cost = std::numeric_limits<double>::infinity();
  for_each_fast_length(least, [&](index_t n) {
    const double cost = lane_cost(n);
    if (cost >= best_cost) return;
    best = n;
    best_cost = cost;
  });
  return best;
}

}  // namespace

double lane_cost(index_t n) {
  const index_t smooth = smooth_part(n);
  double per_point = lane_stage_cost(smooth);
  for (index_t rest = n / smooth; rest > 1;) {
    const index_t p = smallest_factor(rest);
    rest /= p;
    per_point += prime_cost(lane_prime_method(p), p) / static_cast<double>(p);
  }
  return per_point * static_cast<double>(n);
}

index_t lane_convolution_length(LanePrimeMethod method, index_t prime) {
  return method == LanePrimeMethod::rader ? prime - 1 : fastest_length(2 * prime - 1);
}

LanePrimeMethod lane_prime_method(index_t prime) {
  LanePrimeMethod best = LanePrimeMethod::direct;
  for (const LanePrimeMethod method : {LanePrimeMethod::rader, LanePrimeMethod::chirp})
    if (prime_cost(method, prime) < prime_cost(best, prime)) best = method;
  return best;
}

bool takes_chirp(index_t n) {
  for (index_t rest = n / smooth_part(n); rest > 1;) {
    const index_t p = smallest_factor(rest);
    if (lane_prime_method(p) == LanePrimeMethod::chirp) return true;
    rest /= p;
  }
  return false;
}

// --- tables ------------------------------------------------------------------------------------------------------

namespace {

// x_{g^q} convolved with the roots exp(-2 pi i g^-q / p) gives modes g^-q, except for the term x_0. Returns the
// spectrum of these roots.
template <class Real>
std::vector<Real> rader(index_t p, std::vector<std::int64_t>& order) {
  const index_t g = generator(p), inverse = power(g, p - 2, p);
  const std::vector<Extended> roots = turn(p);
  std::vector<Extended> kernel;
  for (index_t q = 0, point = 1; q < p - 1; q++, point = point * g % p) order.push_back(point);
  for (index_t q = 0, mode = 1; q < p - 1; q++, mode = mode * inverse % p) {
    order.push_back(mode);
    kernel.push_back(roots[static_cast<std::size_t>(mode)]);
  }
  return scaled_spectrum<Real>(kernel);
}

// j k = (j^2 + k^2 - (k-j)^2) / 2: multiplies points and modes by factors exp(-pi i j^2 / p), convolves with their
// conjugates, whose spectrum it returns.
template <class Real>
std::vector<Real> chirp(index_t p, index_t points, std::vector<Real>& factors) {
  const std::vector<Extended> roots = turn(2 * p);
  std::vector<Extended> kernel(static_cast<std::size_t>(points));
  for (index_t j = 0; j < p; j++) {
    const index_t square = j * j % (2 * p);
    push_root(factors, square, 2 * p);
    const Extended value = std::conj(roots[static_cast<std::size_t>(square)]);
    kernel[static_cast<std::size_t>(j)] = value;
    if (j > 0) kernel[static_cast<std::size_t>(points - j)] = value;
  }
  return scaled_spectrum<Real>(kernel);
}

}  // namespace

template <class Real>
LaneDftTables<Real>::LaneDftTables(index_t n, const std::vector<int>& radices) : smooth_(smooth_part(n), radices) {
  const index_t parts = n / smooth_part(n);
  index_t count = n;
  for (index_t rest = parts; rest > 1;) {
    const index_t p = smallest_factor(rest);
    rest /= p;
    count /= p;
    add_prime(p, count);
  }
  if (parts > 1) {
    scratch_points_ = std::max(scratch_points_, smooth_.plan().n);
    set_order(parts);
  }
  plan_ = {n, smooth_.plan(), static_cast<int>(stages_.size()), stages_.data(), order_.data()};
}

template <class Real>
void LaneDftTables<Real>::add_prime(index_t p, index_t count) {
  Prime& prime = primes_.emplace_back();
  for (index_t c = 0; c < count; c++)
    for (index_t r = 0; r < p; r++) push_root(prime.twiddles, c * r, p * count);
  const LanePrimeMethod method = lane_prime_method(p);
  if (method == LanePrimeMethod::direct) {
    for (index_t k = 1; 2 * k < p; k++)
      for (index_t j = 1; 2 * j < p; j++) push_root(prime.factors, p - k * j % p, p);
    scratch_points_ = std::max(scratch_points_, 2 * p);
  } else {
    const index_t points = lane_convolution_length(method, p);
    prime.convolution = std::make_unique<LaneDftTables>(points);
    prime.spectrum = method == LanePrimeMethod::rader ? rader<Real>(p, prime.order) : chirp(p, points, prime.factors);
    scratch_points_ = std::max(scratch_points_, p + points + prime.convolution->scratch_points());
  }
  stages_.push_back({method, p, count, prime.twiddles.data(), prime.factors.data(), prime.order.data(),
                     prime.convolution == nullptr ? nullptr : &prime.convolution->plan(), prime.spectrum.data()});
}

template <class Real>
void LaneDftTables<Real>::set_order(index_t parts) {
  for (index_t part = 0; part < parts; part++) {
    index_t mode = 0, weight = 1, rest = part, below = parts;
    for (const LanePrimeStage<Real>& stage : stages_) {
      below /= stage.prime;
      mode += weight * (rest / below);
      rest %= below;
      weight *= stage.prime;
    }
    order_.push_back(mode);
  }
}

template class LaneDftTables<double>;
template class LaneDftTables<float>;

}  // namespace weft
