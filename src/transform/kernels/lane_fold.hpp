// The real transforms see the points and modes of their complex transform through these loads and stores: reordered,
// rotated or continued in its first and last stage, so that none of this needs a sweep of its own. Loads and stores of
// backward transforms exchange real and imaginary parts. Included by lane_table.hpp only, inside the namespace of one
// instruction set.
#pragma once

#include "lane_dft.hpp"

// One part (real or imaginary) of the points of a line, in ascending or descending order.
template <class Real>
struct Line {
  Vector<Real>* first;
  int64_t step;

  WEFT_INLINE Vector<Real>& operator[](int64_t j) const { return first[j * step]; }
  WEFT_INLINE Vector<Real> get(int64_t j) const { return first[j * step]; }
  WEFT_INLINE void set(int64_t j, Vector<Real> a) const { first[j * step] = a; }
  Line from(int64_t j) const { return {first + j * step, step}; }
  Line every_second() const { return {first, 2 * step}; }
  Line backwards(int64_t last) const { return {first + last * step, -step}; }
};

// (c - i s) a
template <class Real>
WEFT_INLINE Lane<Real> rotate_back(const Real* root, Lane<Real> a) {
  const Real c = root[0], s = root[1];
  return {c * a.re + s * a.im, c * a.im - s * a.re};
}

// --- real lines of an odd number of points -----------------------------------------------------------------------
// As complex lines they have no imaginary parts. `Points` and `Modes` have get() and set(): for each point, and for
// modes k < n/2, which determine all others.

template <class Real, class Points>
struct OddPoints {
  using OddLine = void;
  Points x;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const { return {x.get(j), Vector<Real>{}}; }
};

template <class Real, class Points>
struct StoreOddPoints {
  using OddLine = void;
  Points x;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const { x.set(j, a.im); }
};

template <class Real, class Modes>
struct OddModes {
  using OddLine = void;
  Modes y;
  WEFT_INLINE Lane<Real> operator()(int64_t k) const {
    if (2 * k < y.n) return exchanged(y.get(k));
    const Lane<Real> a = y.get(y.n - k);
    return {-a.im, a.re};
  }
};

template <class Real, class Modes>
struct StoreOddModes {
  using OddLine = void;
  Modes y;
  WEFT_INLINE void operator()(int64_t k, Lane<Real> a) const {
    if (2 * k < y.n) y.set(k, a);
  }
};

// The modes of a real DFT.
template <class Real>
struct HalfSpectrum {
  Lane<Real>* modes;
  int64_t n;
  WEFT_INLINE Lane<Real> get(int64_t k) const { return k == 0 ? Lane<Real>{modes[0].re, Vector<Real>{}} : modes[k]; }
  WEFT_INLINE void set(int64_t k, Lane<Real> a) const { modes[k] = a; }
};

// --- types II and III: even points forwards, then the odd ones backwards (Makhoul 1980) --------------------------
// Sine transforms are cosine transforms of the line with alternating signs: `sign` is that of the odd points.

template <class Real>
struct Folded {
  Line<Real> x;
  int64_t n;
  Real sign;

  WEFT_INLINE Vector<Real> get(int64_t i) const { return 2 * i < n ? x[2 * i] : sign * x[2 * (n - i) - 1]; }
  WEFT_INLINE void set(int64_t i, Vector<Real> a) const {
    if (2 * i < n) {
      x[2 * i] = a;
    } else {
      x[2 * (n - i) - 1] = sign * a;
    }
  }
};

template <class Real>
struct FoldedPairs {
  Folded<Real> v;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const { return {v.get(2 * j), v.get(2 * j + 1)}; }
};

template <class Real>
struct StoreFoldedPairs {
  Folded<Real> v;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const {
    v.set(2 * j, a.im);
    v.set(2 * j + 1, a.re);
  }
};

// Mode k of the real line gives modes k and n-k of type II, and is computed from those of type III.
template <class Real>
struct Rotated {
  Line<Real> y;
  int64_t n;
  const Real* roots;

  WEFT_INLINE void set(int64_t k, Lane<Real> a) const {
    const Lane<Real> b = rotate_back(roots + 2 * k, a);
    y[k] = b.re;
    if (k > 0) y[n - k] = -b.im;
  }
  WEFT_INLINE Lane<Real> get(int64_t k) const {
    if (k == 0) return {y[0], Vector<Real>{}};
    const Lane<Real> b = rotate_back(roots + 2 * k, Lane<Real>{y[k], y[n - k]});
    return {b.re, -b.im};
  }
};

// For a complex line of n/2 points.
template <class Real>
struct StorePairRotated {
  Rotated<Real> y;
  WEFT_INLINE void operator()(int64_t k, Lane<Real> a) const { y.set(k, a); }
};

// --- type IV -----------------------------------------------------------------------------------------------------

// n even: the even points, and the odd points backwards, form a complex line of n/2 points, rotated before and after.
template <class Real>
struct RotatedPairs {
  Line<Real> x;
  int64_t n;
  const Real* roots;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const {
    return rotate_back(roots + 2 * j, Lane<Real>{x[2 * j], x[n - 1 - 2 * j]});
  }
};

template <class Real>
struct StoreRotatedPairs {
  Line<Real> y;
  int64_t n;
  const Real* roots;
  Real sign;
  WEFT_INLINE void operator()(int64_t k, Lane<Real> a) const {
    const Lane<Real> b = rotate_back(roots + 2 * k, a);
    y[2 * k] = b.re;
    y[n - 1 - 2 * k] = -sign * b.im;
  }
};

// n odd: the angles pi (2j+1)(2k+1) / 4n are sums of multiples of 1/8 and of 1/n of a turn, so type IV is a real DFT of
// n points in another order and with other signs (Chan and Ho 1992).
template <class Real>
struct Reordered {
  Line<Real> x;
  const int64_t* order;
  const Real* signs;
  WEFT_INLINE Vector<Real> get(int64_t t) const { return signs[2 * t] * x[order[t]]; }
};

template <class Real>
struct StoreReordered {
  using OddLine = void;
  Line<Real> y;
  const int64_t* order;
  const Real* roots;
  WEFT_INLINE void operator()(int64_t m, Lane<Real> a) const {
    y[order[m]] = roots[2 * m] * a.re + roots[2 * m + 1] * a.im;
  }
};

// --- type I of an odd number N of intervals ----------------------------------------------------------------------
// The line is continued to a period of 2N points. Its even points are the real parts, and its odd points, from point N
// on, the imaginary parts of a complex line of N points. Both parts are even (cosine) or odd (sine).

template <bool Sine, class Real>
struct ContinuedPairs {
  using OddLine = void;
  Line<Real> x;  // point j at x[j], or at x[j - 1] for sines
  int64_t intervals;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const {
    const bool second_half = 2 * j > intervals;
    const int64_t even = second_half ? 2 * (intervals - j) : 2 * j, odd = intervals - even;
    if constexpr (!Sine) return {x[even], x[odd]};
    if (j == 0) return Lane<Real>{};
    const Vector<Real> a = x[even - 1], b = x[odd - 1];
    return second_half ? Lane<Real>{-a, b} : Lane<Real>{a, -b};
  }
};

template <bool Sine, class Real>
struct StoreContinued {
  using OddLine = void;
  Line<Real> y;
  int64_t intervals;
  WEFT_INLINE void operator()(int64_t k, Lane<Real> a) const {
    if (2 * k > intervals || (Sine && k == 0)) return;
    const Real sign = k % 2 == 0 ? Real(1) : Real(-1);
    if constexpr (Sine) {
      y[k - 1] = sign * a.re - a.im;
      y[intervals - k - 1] = sign * a.re + a.im;
    } else {
      y[k] = a.re + sign * a.im;
      y[intervals - k] = a.re - sign * a.im;
    }
  }
};
