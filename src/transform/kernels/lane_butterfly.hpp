// Complex arithmetic on lanes and the butterflies of radix 2, 3, 4, 5, 7, 8, 11 and 13. Included by lane_table.hpp
// only, inside the namespace of one instruction set.
#pragma once

#include "lane_vector.hpp"

template <class Real>
struct Lane {
  Vector<Real> re, im;
};

template <class Real>
WEFT_INLINE Lane<Real> operator+(Lane<Real> a, Lane<Real> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class Real>
WEFT_INLINE Lane<Real> operator-(Lane<Real> a, Lane<Real> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class Real>
WEFT_INLINE Lane<Real> operator*(Real s, Lane<Real> a) {
  return {s * a.re, s * a.im};
}

// Half as many complex numbers, as they lie in memory: real and imaginary parts in neighbouring lanes. Every operation
// rounds as that of a Lane does, so results are the same to the bit.
template <class Real>
struct Interleaved {
  Vector<Real> v;
};

template <class Real>
WEFT_INLINE Interleaved<Real> operator+(Interleaved<Real> a, Interleaved<Real> b) {
  return {a.v + b.v};
}
template <class Real>
WEFT_INLINE Interleaved<Real> operator-(Interleaved<Real> a, Interleaved<Real> b) {
  return {a.v - b.v};
}
template <class Real>
WEFT_INLINE Interleaved<Real> operator*(Real s, Interleaved<Real> a) {
  return {s * a.v};
}

// What instructions of AVX-512 ask for.
constexpr int all_lanes = -1, present_rounding = 4;

// `even` and `odd` in turn.
template <class Real, int... I>
WEFT_INLINE Vector<Real> alternating(Real even, Real odd, Indices<I...>) {
  return Vector<Real>{(I % 2 == 0 ? even : odd)...};
}
// Lanes of each pair exchanged.
template <class V, int... I>
WEFT_INLINE V swapped_pairs(V a, Indices<I...>) {
  return __builtin_shufflevector(a, a, (I ^ 1)...);
}

// a * (-i) forward, a * (+i) backward
template <bool Forward, class Real>
WEFT_INLINE Lane<Real> quarter_turn(Lane<Real> a) {
  if constexpr (Forward) return {a.im, -a.re};
  return {-a.im, a.re};
}
template <bool Forward, class Real>
WEFT_INLINE Interleaved<Real> quarter_turn(Interleaved<Real> a) {
  constexpr LaneIndices<Real> lanes{};
  return {swapped_pairs(a.v, lanes) * alternating<Real>(Forward ? 1 : -1, Forward ? -1 : 1, lanes)};
}

// GCC fuses sums of lanes by itself where it optimises, but not all of interleaved numbers, and then the bits would
// differ: those it is told to.
#if WEFT_VECTOR_BYTES == 64 && defined(__OPTIMIZE__) && !defined(__clang__)
#define WEFT_FUSES_BY_NAME 1
#else
#define WEFT_FUSES_BY_NAME 0
#endif

// c + a * b, or minus, fused.
template <bool Minus, class Real>
WEFT_INLINE Vector<Real> add_product(Vector<Real> c, Vector<Real> a, Vector<Real> b) {
#if WEFT_FUSES_BY_NAME
  if constexpr (sizeof(Real) == 8) {
    return Minus ? __builtin_ia32_vfnmaddpd512_mask(a, b, c, all_lanes, present_rounding)
                 : __builtin_ia32_vfmaddpd512_mask(a, b, c, all_lanes, present_rounding);
  } else {
    return Minus ? __builtin_ia32_vfnmaddps512_mask(a, b, c, all_lanes, present_rounding)
                 : __builtin_ia32_vfmaddps512_mask(a, b, c, all_lanes, present_rounding);
  }
#else
  return Minus ? c - a * b : c + a * b;
#endif
}
template <bool Minus = false, class Real>
WEFT_INLINE Lane<Real> add_product(Lane<Real> c, Lane<Real> a, Real b) {
  return Minus ? c - b * a : c + b * a;
}
template <bool Minus = false, class Real>
WEFT_INLINE Interleaved<Real> add_product(Interleaved<Real> c, Interleaved<Real> a, Real b) {
  return {add_product<Minus, Real>(c.v, a.v, alternating(b, b, LaneIndices<Real>{}))};
}
// The same with a quarter turn of a.
template <bool Forward, bool Minus = false, class Real>
WEFT_INLINE Lane<Real> add_turned(Lane<Real> c, Lane<Real> a, Real b) {
  return add_product<Minus>(c, quarter_turn<Forward>(a), b);
}
template <bool Forward, bool Minus = false, class Real>
WEFT_INLINE Interleaved<Real> add_turned(Interleaved<Real> c, Interleaved<Real> a, Real b) {
  constexpr LaneIndices<Real> lanes{};
  const Real even = Forward ? b : -b;
  return {add_product<Minus, Real>(c.v, swapped_pairs(a.v, lanes), alternating(even, -even, lanes))};
}

// a * (c + i s) forward, a * (c - i s) backward; factors for all lanes or for each.
template <bool Forward, class Real, class Factor>
WEFT_INLINE Lane<Real> turned(Lane<Real> a, Factor c, Factor s) {
  if constexpr (Forward) return {a.re * c - a.im * s, a.im * c + a.re * s};
  return {a.re * c + a.im * s, a.im * c - a.re * s};
}

// a * b - c in even lanes and a * b + c in odd ones, fused; the other way round where not `Minus`.
template <bool Minus, class Real>
WEFT_INLINE Vector<Real> product_and_sums(Vector<Real> a, Vector<Real> b, Vector<Real> c) {
#if WEFT_FUSES_BY_NAME
  if constexpr (sizeof(Real) == 8) {
    return __builtin_ia32_vfmaddsubpd512_mask(a, b, Minus ? c : -c, all_lanes, present_rounding);
  } else {
    return __builtin_ia32_vfmaddsubps512_mask(a, b, Minus ? c : -c, all_lanes, present_rounding);
  }
#else
  return a * b + c * alternating<Real>(Minus ? -1 : 1, Minus ? 1 : -1, LaneIndices<Real>{});
#endif
}

// Vectors of factors have each of them twice.
template <bool Forward, class Real>
WEFT_INLINE Interleaved<Real> turned(Interleaved<Real> a, Vector<Real> c, Vector<Real> s) {
  return {product_and_sums<Forward, Real>(a.v, c, s * swapped_pairs(a.v, LaneIndices<Real>{}))};
}
template <bool Forward, class Real>
WEFT_INLINE Interleaved<Real> turned(Interleaved<Real> a, Real c, Real s) {
  constexpr LaneIndices<Real> lanes{};
  return turned<Forward>(a, alternating(c, c, lanes), alternating(s, s, lanes));
}

// The same, w = {cos, -sin}.
template <bool Forward, template <class> class Point, class Real>
WEFT_INLINE Point<Real> twiddle(Point<Real> a, const Real* w) {
  return turned<Forward>(a, w[0], w[1]);
}

// Sums as fused multiplications by one, which the compiler must not see through: processors that have adders beside
// their multipliers (AMD's) are bound by the adders, and get through a butterfly sooner where both share its sums. For
// others it is the same work; where there is no room for one in the registers, it is not.
template <class Real>
WEFT_INLINE Vector<Real> opaque_one() {
  Vector<Real> one = Vector<Real>{} + Real(1);
#if WEFT_VECTOR_BYTES == 64
  asm("" : "+v"(one));
#endif
  return one;
}

template <bool Fused, class Real>
WEFT_INLINE Lane<Real> sum(Lane<Real> a, Lane<Real> b) {
  if constexpr (!Fused || WEFT_VECTOR_BYTES != 64) return a + b;
  const Vector<Real> one = opaque_one<Real>();
  return {a.re * one + b.re, a.im * one + b.im};
}

template <bool Fused, class Real>
WEFT_INLINE Lane<Real> difference(Lane<Real> a, Lane<Real> b) {
  if constexpr (!Fused || WEFT_VECTOR_BYTES != 64) return a - b;
  const Vector<Real> one = opaque_one<Real>();
  return {a.re * one - b.re, a.im * one - b.im};
}

template <bool Fused, class Real>
WEFT_INLINE Interleaved<Real> sum(Interleaved<Real> a, Interleaved<Real> b) {
  if constexpr (!Fused || WEFT_VECTOR_BYTES != 64) return a + b;
  return {a.v * opaque_one<Real>() + b.v};
}
template <bool Fused, class Real>
WEFT_INLINE Interleaved<Real> difference(Interleaved<Real> a, Interleaved<Real> b) {
  if constexpr (!Fused || WEFT_VECTOR_BYTES != 64) return a - b;
  return {a.v * opaque_one<Real>() - b.v};
}

template <bool Forward, bool Fused = false, class Point>
WEFT_INLINE void butterfly4(Point& a, Point& b, Point& c, Point& d) {
  const Point s = a + c, t = a - c, u = b + d, v = quarter_turn<Forward>(b - d);
  a = sum<Fused>(s, u);
  b = sum<Fused>(t, v);
  c = difference<Fused>(s, u);
  d = difference<Fused>(t, v);
}

// Four points times exp(-+ pi i j / 4), then their butterfly. The root of one half is left to its last sums, which are
// fused multiplications and additions: these cost no more than sums, and share the work with the processor's adders.
template <bool Forward, template <class> class Point, class Real>
WEFT_INLINE void turned_butterfly4(Point<Real>* x) {
  constexpr Real half_root = Real(0.70710678118654752440L);
  const Point<Real> b = x[1] + quarter_turn<Forward>(x[1]), minus_d = x[3] - quarter_turn<Forward>(x[3]);
  const Point<Real> c = quarter_turn<Forward>(x[2]), s = x[0] + c, t = x[0] - c;
  const Point<Real> u = b - minus_d, v = b + minus_d;
  x[0] = add_product(s, u, half_root);
  x[1] = add_turned<Forward>(t, v, half_root);
  x[2] = add_product<true>(s, u, half_root);
  x[3] = add_turned<Forward, true>(t, v, half_root);
}

// By decimation in frequency: `even` are the sums of points j and j + 4, `odd` their differences.
template <bool Forward, bool Fused = false, class Point>
WEFT_INLINE void finish8(Point* even, Point* odd, Point* x) {
  butterfly4<Forward, Fused>(even[0], even[1], even[2], even[3]);
  turned_butterfly4<Forward>(odd);
  WEFT_UNROLL
  for (int j = 0; j < 4; j++) {
    x[2 * j] = even[j];
    x[2 * j + 1] = odd[j];
  }
}

// Twiddle factors take multipliers, too: with them fewer sums are fused.
template <bool Forward, bool Fused, class Point>
WEFT_INLINE void butterfly8(Point* x) {
  Point even[4], odd[4];
  WEFT_UNROLL
  for (int j = 0; j < 4; j++) {
    even[j] = x[j] + x[j + 4];
    odd[j] = Fused || j < 2 ? difference<true>(x[j], x[j + 4]) : x[j] - x[j + 4];
  }
  finish8<Forward, Fused>(even, odd, x);
}

// cos and sin of 2 pi j / R for j = 1 .. (R-1)/2, R an odd prime
template <int R>
struct Circle;
template <>
struct Circle<3> {
  static constexpr long double cos[] = {-0.5L}, sin[] = {0.86602540378443864676372317075293618L};
};
template <>
struct Circle<5> {
  static constexpr long double cos[] = {0.30901699437494742410229341718281906L,
                                        -0.80901699437494742410229341718281906L};
  static constexpr long double sin[] = {0.95105651629515357211643933337938214L, 0.58778525229247312916870595463907277L};
};
template <>
struct Circle<7> {
  static constexpr long double cos[] = {0.62348980185873353052500488400423981L, -0.22252093395631440428890256449679476L,
                                        -0.90096886790241912623610231950744505L};
  static constexpr long double sin[] = {0.78183148246802980870844452667405775L, 0.97492791218182360701813168299393122L,
                                        0.43388373911755812047576833284835875L};
};
template <>
struct Circle<11> {
  static constexpr long double cos[] = {0.84125353283118116886181164892936768L, 0.41541501300188642552927414923025190L,
                                        -0.14231483827328514044379266862193097L,
                                        -0.65486073394528506405692507247007574L,
                                        -0.95949297361449738989036805707761237L};
  static constexpr long double sin[] = {0.54064081745559758210763595432023706L, 0.90963199535451837141171538308002848L,
                                        0.98982144188093273237609203778236519L, 0.75574957435425828377403584397138290L,
                                        0.28173255684142969771141791535182684L};
};
template <>
struct Circle<13> {
  static constexpr long double cos[] = {
      0.88545602565320989589719192700110990L,  0.56806474673115580251180755911958820L,
      0.12053668025532305334906768745254364L,  -0.35460488704253562596963789260001820L,
      -0.74851074817110109863463059970135090L, -0.97094181742605202715698227629378923L};
  static constexpr long double sin[] = {0.46472317204376854565595763498770160L, 0.82298386589365639457961670228140590L,
                                        0.99270887409805399280075164948986400L, 0.93501624268541482343978459886834560L,
                                        0.66312265824079520237678513370424810L, 0.23931566428755776714875372626021480L};
};

template <int R, class Real>
constexpr Real circle_cos(int j) {
  const int k = j % R;
  return Real(Circle<R>::cos[(2 * k < R ? k : R - k) - 1]);
}
template <int R, class Real>
constexpr Real circle_sin(int j) {
  const int k = j % R;
  return Real(2 * k < R ? Circle<R>::sin[k - 1] : -Circle<R>::sin[R - k - 1]);
}

template <bool Forward, template <class> class Point, class Real>
WEFT_INLINE void butterfly3(Point<Real>* x) {
  const Point<Real> sum = x[1] + x[2], difference = x[1] - x[2];
  const Point<Real> even = add_product(x[0], sum, circle_cos<3, Real>(1));
  x[0] = x[0] + sum;
  x[1] = add_turned<Forward>(even, difference, circle_sin<3, Real>(1));
  x[2] = add_turned<Forward, true>(even, difference, circle_sin<3, Real>(1));
}

// Any odd prime, of lanes: results k and R-k share the sums over x_j + x_{R-j} and over x_j - x_{R-j}.
template <bool Forward, int R, class Real>
WEFT_INLINE void butterfly_odd(Lane<Real>* x) {
  constexpr int half = (R - 1) / 2;
  Lane<Real> sum[half], turned[half], result[R];
  result[0] = x[0];
  WEFT_UNROLL
  for (int j = 0; j < half; j++) {
    sum[j] = x[j + 1] + x[R - 1 - j];
    turned[j] = quarter_turn<Forward>(x[j + 1] - x[R - 1 - j]);
    result[0] = result[0] + sum[j];
  }
  WEFT_UNROLL
  for (int k = 1; k <= half; k++) {
    Lane<Real> even = x[0] + circle_cos<R, Real>(k) * sum[0], odd = circle_sin<R, Real>(k) * turned[0];
    WEFT_UNROLL
    for (int j = 1; j < half; j++) {
      even = even + circle_cos<R, Real>(k * (j + 1)) * sum[j];
      odd = odd + circle_sin<R, Real>(k * (j + 1)) * turned[j];
    }
    result[k] = even + odd;
    result[R - k] = even - odd;
  }
  WEFT_UNROLL
  for (int k = 0; k < R; k++) x[k] = result[k];
}

// R points in natural order to R modes in natural order. `Fused` is for those that are not followed by twiddle factors.
template <bool Forward, int R, bool Fused = false, class Point>
WEFT_INLINE void butterfly(Point* x) {
  if constexpr (R == 2) {
    const Point difference = x[0] - x[1];
    x[0] = x[0] + x[1];
    x[1] = difference;
  } else if constexpr (R == 3) {
    butterfly3<Forward>(x);
  } else if constexpr (R == 4) {
    butterfly4<Forward, Fused>(x[0], x[1], x[2], x[3]);
  } else if constexpr (R == 8) {
    butterfly8<Forward, Fused>(x);
  } else {
    butterfly_odd<Forward, R>(x);
  }
}

// The same where the second half of the points are zeros, R even: x[0] .. x[R/2 - 1] to R modes.
template <bool Forward, int R, class Point>
WEFT_INLINE void butterfly_of_half(Point* x) {
  static_assert(R == 2 || R == 4 || R == 8);
  if constexpr (R == 2) {
    x[1] = x[0];
  } else if constexpr (R == 4) {
    const Point a = x[0], b = x[1], turned = quarter_turn<Forward>(x[1]);
    x[0] = a + b;
    x[1] = a + turned;
    x[2] = a - b;
    x[3] = a - turned;
  } else {
    Point even[4], odd[4];
    WEFT_UNROLL
    for (int j = 0; j < 4; j++) even[j] = odd[j] = x[j];
    finish8<Forward>(even, odd, x);
  }
}

// The same where only the first half of the modes are wanted, R even: by decimation in time.
template <bool Forward, int R, template <class> class Point, class Real>
WEFT_INLINE void butterfly_to_half(Point<Real>* x) {
  static_assert(R == 2 || R == 4 || R == 8);
  if constexpr (R == 2) {
    x[0] = x[0] + x[1];
  } else if constexpr (R == 4) {
    const Point<Real> even = x[0] - x[2], odd = quarter_turn<Forward>(x[1] - x[3]);
    x[0] = (x[0] + x[2]) + (x[1] + x[3]);
    x[1] = even + odd;
  } else {
    Point<Real> even[4], odd[4];
    WEFT_UNROLL
    for (int j = 0; j < 4; j++) {
      even[j] = x[2 * j];
      odd[j] = x[2 * j + 1];
    }
    butterfly4<Forward>(even[0], even[1], even[2], even[3]);
    butterfly4<Forward>(odd[0], odd[1], odd[2], odd[3]);
    constexpr Real half_root = Real(0.70710678118654752440L);
    x[0] = even[0] + odd[0];
    x[1] = add_product(even[1], odd[1] + quarter_turn<Forward>(odd[1]), half_root);
    x[2] = even[2] + quarter_turn<Forward>(odd[2]);
    x[3] = add_product(even[3], quarter_turn<Forward>(odd[3]) - odd[3], half_root);
  }
}
