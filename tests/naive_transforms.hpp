// Every transform by its defining sum, in long double: what fast transforms are compared with, and how far apart the
// two may be.
#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <vector>

#include "weft/kind.hpp"
#include "weft/types.hpp"

namespace weft::naive {

using Real = long double;
using Complex = std::complex<Real>;
using Line = std::vector<Complex>;

/// The matrix of one kind and length. Every angle is pi (a j + a0)(b k + b0) / half with whole numbers, so it is
/// reduced exactly and its cosine and sine are read from a table of one turn.
class Transform {
 public:
  Transform(Kind kind, index_t n) : kind_(kind), n_(n), angle_(angle_of(kind, n)) {
    for (index_t q = 0; q < 2 * angle_.half; ++q) {
      const Real angle = std::numbers::pi_v<Real> * static_cast<Real>(q) / static_cast<Real>(angle_.half);
      roots_.emplace_back(std::cos(angle), std::sin(angle));
    }
  }

  index_t points() const { return n_; }
  index_t modes() const { return output_length(kind_, n_); }

  /// What point j adds to mode k.
  Complex entry(index_t k, index_t j) const {
    const index_t q = (angle_.a * j + angle_.a0) * (angle_.b * k + angle_.b0) % (2 * angle_.half);
    const Complex& value = roots_[static_cast<std::size_t>(q)];
    if (is_fourier(kind_)) return std::conj(value);
    const bool cosine = kind_ <= Kind::dct4;
    return end_weight(j) * (cosine ? value.real() : value.imag());
  }

  Line forward(const Line& in) const {
    Line out(static_cast<std::size_t>(modes()));
    for (index_t k = 0; k < modes(); ++k)
      for (index_t j = 0; j < n_; ++j)
        add(out[static_cast<std::size_t>(k)], entry(k, j), in[static_cast<std::size_t>(j)]);
    return out;
  }

  /// The unscaled inverse: inverse(kind) for the real-to-real kinds, the conjugate sum for the Fourier kinds, in which
  /// a doubled mode of r2c stands for its conjugate, too.
  Line backward(const Line& in) const {
    if (!is_fourier(kind_)) return Transform(inverse(kind_), n_).forward(in);
    Line out(static_cast<std::size_t>(n_));
    for (index_t j = 0; j < n_; ++j) {
      Complex& sum = out[static_cast<std::size_t>(j)];
      for (index_t k = 0; k < modes(); ++k) {
        const Real weight = static_cast<Real>(mode_weight(kind_, n_, k));
        add(sum, weight * std::conj(entry(k, j)), in[static_cast<std::size_t>(k)]);
      }
      if (kind_ == Kind::r2c) sum = sum.real();
    }
    return out;
  }

 private:
  struct Angle {
    index_t a, a0, b, b0, half;
  };
  static Angle angle_of(Kind kind, index_t n) {
    switch (kind) {
      case Kind::dct1:
        return {1, 0, 1, 0, n - 1};
      case Kind::dct2:
        return {2, 1, 1, 0, 2 * n};
      case Kind::dct3:
        return {1, 0, 2, 1, 2 * n};
      case Kind::dst1:
        return {1, 1, 1, 1, n + 1};
      case Kind::dst2:
        return {2, 1, 1, 1, 2 * n};
      case Kind::dst3:
        return {1, 1, 2, 1, 2 * n};
      case Kind::dct4:
      case Kind::dst4:
        return {2, 1, 2, 1, 4 * n};
      default:
        return {2, 0, 1, 0, n};
    }
  }

  // Points that lie on a plane of symmetry count once, all others stand for their image, too.
  Real end_weight(index_t j) const {
    const bool first = j == 0 && (kind_ == Kind::dct1 || kind_ == Kind::dct3);
    const bool last = j == n_ - 1 && (kind_ == Kind::dct1 || kind_ == Kind::dst3);
    return first || last ? 1 : 2;
  }

  // std::complex looks for NaN in every product, which takes most of the time.
  static void add(Complex& sum, const Complex& a, const Complex& b) {
    sum += Complex(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  }

  Kind kind_;
  index_t n_;
  Angle angle_;
  Line roots_;
};

/// Bound on (error in the 2-norm) / (2-norm of the input) of a transform that is no worse than its defining sum in
/// arithmetic of the unit roundoff eps/2. Each of the n terms is a complex product (two roundings a part, and those of
/// the factor and of the sums: n + 2 in all, each of at most sqrt(2) eps/2), so mode by mode the error is at most
/// (n + 2) eps/sqrt(2) times the sum of |entry| |in|, and the matrix of |entry| <= 1 (Fourier) or 2 (real-to-real) has
/// a norm of at most n or 2n. A doubled mode of r2c counts as 2 backward.
inline Real direct_sum_bound(Kind kind, index_t n, Real eps) {
  const Real largest_entry = kind == Kind::c2c ? 1 : 2;
  return static_cast<Real>(n + 2) * eps / std::numbers::sqrt2_v<Real> * largest_entry * static_cast<Real>(n);
}

/// Bound on (2-norm of the output) / (2-norm of the input): sqrt(round trip) for a matrix that is orthogonal up to a
/// factor. Those of the kinds with weighted ends or with half a spectrum are so up to diagonal factors between
/// 1/sqrt(2) and sqrt(2) on either side.
inline Real gain_bound(Kind kind, index_t n) {
  const Real factor = std::sqrt(static_cast<Real>(round_trip_factor(kind, n)));
  return kind == Kind::c2c || kind == Kind::none ? factor : 2 * factor;
}

inline Real norm(const Line& values) {
  Real sum = 0;
  for (const Complex& value : values) sum += std::norm(value);
  return std::sqrt(sum);
}

}  // namespace weft::naive
