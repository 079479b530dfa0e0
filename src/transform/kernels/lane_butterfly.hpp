// Butterflies of radix 1 (the identity) to 13, and half butterflies of radix 16. Included by lane_table.hpp only,
// inside the namespace of one instruction set.
#pragma once

#include "lane_complex.hpp"

template <bool Fused = false, class Point>
WEFT_INLINE void butterfly4(Point& a, Point& b, Point& c, Point& d) {
  const Point s = a + c, t = a - c, u = b + d, v = times_minus_i(b - d);
  a = sum<Fused>(s, u);
  b = sum<Fused>(t, v);
  c = difference<Fused>(s, u);
  d = difference<Fused>(t, v);
}

// Multiplies four points by exp(-pi i j / 4), then does their butterfly. The factor sqrt(1/2) moves into the last sums,
// which become fused multiply-adds: these cost no more than sums, and share the work with the adders.
template <template <class> class Point, class Real>
WEFT_INLINE void rotated_butterfly4(Point<Real>* x) {
  constexpr Real half_root = Real(0.70710678118654752440L);
  const Point<Real> b = x[1] + times_minus_i(x[1]), minus_d = x[3] - times_minus_i(x[3]);
  const Point<Real> c = times_minus_i(x[2]), s = x[0] + c, t = x[0] - c;
  const Point<Real> u = b - minus_d, v = b + minus_d;
  x[0] = add_product(s, u, half_root);
  x[1] = add_times_minus_i(t, v, half_root);
  x[2] = add_product<true>(s, u, half_root);
  x[3] = add_times_minus_i<true>(t, v, half_root);
}

// Ends a butterfly of 8 by decimation in frequency, from sums (`even`) and differences (`odd`) of points j and j + 4.
template <bool Fused = false, class Point>
WEFT_INLINE void finish8(Point* even, Point* odd, Point* x) {
  butterfly4<Fused>(even[0], even[1], even[2], even[3]);
  rotated_butterfly4(odd);
  WEFT_UNROLL
  for (int j = 0; j < 4; j++) {
    x[2 * j] = even[j];
    x[2 * j + 1] = odd[j];
  }
}

// Twiddle factors occupy the multipliers, too, so fewer sums are fused in butterflies that twiddle factors follow.
template <bool Fused, class Point>
WEFT_INLINE void butterfly8(Point* x) {
  Point even[4], odd[4];
  WEFT_UNROLL
  for (int j = 0; j < 4; j++) {
    even[j] = x[j] + x[j + 4];
    odd[j] = Fused || j < 2 ? difference<true>(x[j], x[j + 4]) : x[j] - x[j + 4];
  }
  finish8<Fused>(even, odd, x);
}

// The series of cos (First = 0) or sin (First = 1) of x, up to a right angle.
template <int First>
constexpr long double circular_series(long double x) {
  long double term = First == 0 ? 1 : x, sum = term;
  for (int k = First + 2; k < 40; k += 2) sum += term *= -x * x / (k * (k - 1));
  return sum;
}

// cos and sin of 2 pi j / R
template <int R>
struct Circle {
  long double cos[R] = {}, sin[R] = {};
  constexpr Circle() {
    for (int j = 0; j < R; j++) {
      const int k = 2 * j < R ? j : R - j;
      const bool left = 4 * k > R;  // of the imaginary axis
      const long double x = 3.14159265358979323846264338327950288L * (left ? R - 2 * k : 2 * k) / R;
      cos[j] = left ? -circular_series<0>(x) : circular_series<0>(x);
      sin[j] = j == k ? circular_series<1>(x) : -circular_series<1>(x);
    }
  }
};
template <int R>
constexpr Circle<R> circle{};

template <int R, class Real>
constexpr Real circle_cos(int j) {
  return Real(circle<R>.cos[j % R]);
}
template <int R, class Real>
constexpr Real circle_sin(int j) {
  return Real(circle<R>.sin[j % R]);
}

template <template <class> class Point, class Real>
WEFT_INLINE void butterfly3(Point<Real>* x) {
  const Point<Real> sum = x[1] + x[2], difference = x[1] - x[2];
  const Point<Real> even = add_product(x[0], sum, circle_cos<3, Real>(1));
  x[0] = x[0] + sum;
  x[1] = add_times_minus_i(even, difference, circle_sin<3, Real>(1));
  x[2] = add_times_minus_i<true>(even, difference, circle_sin<3, Real>(1));
}

// Any odd prime, on lanes: results k and R-k share the sums over x_j + x_{R-j} and over x_j - x_{R-j}.
template <int R, class Real>
WEFT_INLINE void butterfly_odd(Lane<Real>* x) {
  constexpr int half = (R - 1) / 2;
  Lane<Real> sum[half], rotated[half], result[R];
  result[0] = x[0];
  WEFT_UNROLL
  for (int j = 0; j < half; j++) {
    sum[j] = x[j + 1] + x[R - 1 - j];
    rotated[j] = times_minus_i(x[j + 1] - x[R - 1 - j]);
    result[0] = result[0] + sum[j];
  }
  WEFT_UNROLL
  for (int k = 1; k <= half; k++) {
    Lane<Real> even = x[0] + circle_cos<R, Real>(k) * sum[0], odd = circle_sin<R, Real>(k) * rotated[0];
    WEFT_UNROLL
    for (int j = 1; j < half; j++) {
      even = even + circle_cos<R, Real>(k * (j + 1)) * sum[j];
      odd = odd + circle_sin<R, Real>(k * (j + 1)) * rotated[j];
    }
    result[k] = even + odd;
    result[R - k] = even - odd;
  }
  WEFT_UNROLL
  for (int k = 0; k < R; k++) x[k] = result[k];
}

template <int R, class Point>
WEFT_INLINE void butterfly_prime(Point* x) {
  if constexpr (R == 3) {
    butterfly3(x);
  } else {
    butterfly_odd<R>(x);
  }
}

// A butterfly of 9 as 3 x 3 points.
template <template <class> class Point, class Real>
WEFT_INLINE void butterfly9(Point<Real>* x) {
  Point<Real> y[9];
  WEFT_UNROLL
  for (int j = 0; j < 3; j++) {
    Point<Real> column[] = {x[j], x[j + 3], x[j + 6]};
    butterfly3(column);
    WEFT_UNROLL
    for (int k = 0; k < 3; k++) {
      const Real c = circle_cos<9, Real>(j * k), s = circle_sin<9, Real>(j * k);
      y[3 * k + j] = j * k == 0 ? column[k] : rotate(column[k], c, -s);
    }
  }
  WEFT_UNROLL
  for (int k = 0; k < 3; k++) {
    butterfly3(y + 3 * k);
    WEFT_UNROLL
    for (int j = 0; j < 3; j++) x[k + 3 * j] = y[3 * k + j];
  }
}

// Sum and difference of points j and j + R/2. With `Half` only the first half is given; the others are zeros.
template <int R, bool Half, class Point>
WEFT_INLINE Point pair_sum(const Point* x, int place) {
  const int j = place % (R / 2);
  if constexpr (Half) return x[j];
  return x[j] + x[j + R / 2];
}
template <int R, bool Half, template <class> class Point, class Real>
WEFT_INLINE Point<Real> pair_difference(const Point<Real>* x, int place) {
  const int j = place % R;
  if constexpr (Half) return j < R / 2 ? x[j] : Real(-1) * x[j - R / 2];
  return x[j] - x[(j + R / 2) % R];
}

// The number below A * B with remainder a modulo A = 2 or 4 and b modulo B, B odd.
template <int A, int B>
constexpr int with_remainders(int a, int b) {
  constexpr int half = (B + 1) / 2, inverse = A == 2 ? half : half * half;  // 1/A modulo B; 1/B modulo A is B
  return (a * B * B + b * A * inverse) % (A * B);
}

// A butterfly of A * B points, A = 2 or 4, B an odd prime. Without a common factor no twiddle factors are needed
// between the butterflies of A and of B points: point (B i + A j) mod A B is point i of the former and point j of the
// latter, and modes are numbered by their remainders modulo A and B (Good 1958).
template <int A, int B, bool Fused, bool Half = false, class Point>
WEFT_INLINE void butterfly_of_both(Point* x) {
  constexpr int R = A * B;
  Point y[R];
  WEFT_UNROLL
  for (int j = 0; j < B; j++) {
    const Point s = pair_sum<R, Half>(x, A * j), t = pair_difference<R, Half>(x, A * j);
    if constexpr (A == 2) {
      y[j] = s;
      y[B + j] = t;
    } else {
      const Point u = pair_sum<R, Half>(x, A * j + B);
      const Point v = times_minus_i(pair_difference<R, Half>(x, A * j + B));
      y[j] = sum<Fused>(s, u);
      y[B + j] = sum<Fused>(t, v);
      y[2 * B + j] = difference<Fused>(s, u);
      y[3 * B + j] = difference<Fused>(t, v);
    }
  }
  WEFT_UNROLL
  for (int i = 0; i < A; i++) {
    butterfly_prime<B>(y + B * i);
    WEFT_UNROLL
    for (int j = 0; j < B; j++) x[with_remainders<A, B>(i, j)] = y[B * i + j];
  }
}

// Transforms R points to R modes, both in natural order. `Fused`: no twiddle factors follow.
template <int R, bool Fused = false, class Point>
WEFT_INLINE void butterfly(Point* x) {
  if constexpr (R == 2) {
    const Point difference = x[0] - x[1];
    x[0] = x[0] + x[1];
    x[1] = difference;
  } else if constexpr (R == 4) {
    butterfly4<Fused>(x[0], x[1], x[2], x[3]);
  } else if constexpr (R == 8) {
    butterfly8<Fused>(x);
  } else if constexpr (R == 9) {
    butterfly9(x);
  } else if constexpr (R == 12) {
    butterfly_of_both<4, 3, Fused>(x);
  } else if constexpr (R % 2 == 0) {
    butterfly_of_both<2, R / 2, Fused>(x);
  } else if constexpr (R > 1) {
    butterfly_prime<R>(x);
  }
}

// Multiplies eight points by exp(-pi i j / 8).
template <template <class> class Point, class Real>
WEFT_INLINE void rotate_sixteenths(Point<Real>* x) {
  constexpr Real c = circle_cos<16, Real>(1), s = circle_sin<16, Real>(1);
  constexpr Real half_root = Real(0.70710678118654752440L);
  x[1] = rotate(x[1], c, -s);
  x[2] = half_root * (x[2] + times_minus_i(x[2]));
  x[3] = rotate(x[3], s, -c);
  x[4] = times_minus_i(x[4]);
  x[5] = rotate(x[5], -s, -c);
  x[6] = half_root * (times_minus_i(x[6]) - x[6]);
  x[7] = rotate(x[7], -c, -s);
}

// Computes modes 0, 2, .. of sixteen points, or modes 1, 3, ..: there are too few registers for all at once. `get`
// returns a point, and is called for every point in each of the two halves.
template <bool Odd, class Get, class Point>
WEFT_INLINE void half_butterfly16(const Get& get, Point* x) {
  WEFT_UNROLL
  for (int j = 0; j < 8; j++) x[j] = Odd ? get(j) - get(j + 8) : get(j) + get(j + 8);
  if constexpr (Odd) rotate_sixteenths(x);
  butterfly<8, true>(x);
}

// Transforms x[0] .. x[R/2 - 1] to R modes in natural order, R even; points R/2 and above are zeros.
template <int R, class Point>
WEFT_INLINE void butterfly_of_half(Point* x) {
  static_assert(R % 2 == 0);
  if constexpr (R == 2) {
    x[1] = x[0];
  } else if constexpr (R == 4) {
    const Point a = x[0], b = x[1], rotated = times_minus_i(x[1]);
    x[0] = a + b;
    x[1] = a + rotated;
    x[2] = a - b;
    x[3] = a - rotated;
  } else if constexpr (R == 8) {
    Point even[4], odd[4];
    WEFT_UNROLL
    for (int j = 0; j < 4; j++) even[j] = odd[j] = x[j];
    finish8(even, odd, x);
  } else if constexpr (R == 12) {
    butterfly_of_both<4, 3, false, true>(x);
  } else {
    butterfly_of_both<2, R / 2, false, true>(x);
  }
}

// Computes only the first half of the modes of R points, R even. Radix 8 goes by decimation in time; elsewhere the
// compiler removes the operations of the unused modes.
template <int R, template <class> class Point, class Real>
WEFT_INLINE void butterfly_to_half(Point<Real>* x) {
  static_assert(R % 2 == 0);
  if constexpr (R != 8) return butterfly<R>(x);
  Point<Real> even[4], odd[4];
  WEFT_UNROLL
  for (int j = 0; j < 4; j++) {
    even[j] = x[2 * j];
    odd[j] = x[2 * j + 1];
  }
  butterfly<4>(even);
  butterfly<4>(odd);
  constexpr Real half_root = Real(0.70710678118654752440L);
  x[0] = even[0] + odd[0];
  x[1] = add_product(even[1], odd[1] + times_minus_i(odd[1]), half_root);
  x[2] = even[2] + times_minus_i(odd[2]);
  x[3] = add_product(even[3], times_minus_i(odd[3]) - odd[3], half_root);
}
