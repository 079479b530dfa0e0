// Complex arithmetic on lanes: real and imaginary parts in separate vectors (Lane), or interleaved as in memory
// (Interleaved). Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "transform/simd/vector.hpp"

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

// Half as many complex numbers as a Lane, interleaved as in memory: real and imaginary parts in adjacent lanes. Every
// operation rounds like that of a Lane, so results are the same to the bit.
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

// A backward transform is the forward one of the conjugate points, conjugated: it has no stages of its own. Loads take
// conjugates by a type of their own, since sums of a butterfly absorb a negation that the compiler knows; stores
// conjugate by the factors that they have anyway.
enum class Numbers { as_they_are, conjugate };
template <Numbers Which, class Real>
WEFT_INLINE Lane<Real> taken(Lane<Real> a) {
  return Which == Numbers::conjugate ? Lane<Real>{a.re, -a.im} : a;
}
template <Numbers Which, class Real>
WEFT_INLINE Interleaved<Real> taken(Interleaved<Real> a) {
  return Which == Numbers::conjugate ? Interleaved<Real>{a.v * alternating<Real>(1, -1, LaneIndices<Real>{})} : a;
}
// The same of `Count` points in registers, and of a block.
template <int Count, class Point>
WEFT_INLINE void take_conjugates(Point* z) {
  WEFT_UNROLL
  for (int i = 0; i < Count; i++) z[i] = taken<Numbers::conjugate>(z[i]);
}
template <class Real>
void take_conjugates(int64_t n, Lane<Real>* block) {
  for (int64_t j = 0; j < n; j++) block[j] = taken<Numbers::conjugate>(block[j]);
}
// `Ends` is LanePoints or LaneLines.
template <class Ends>
Numbers numbers_of(const Ends& ends) {
  return ends.backward ? Numbers::conjugate : Numbers::as_they_are;
}
// Calls run<Which>().
template <class Ends, class Run>
WEFT_INLINE void with_numbers(const Ends& ends, const Run& run) {
  ends.backward ? run.template operator()<Numbers::conjugate>() : run.template operator()<Numbers::as_they_are>();
}

// The factors of real and imaginary parts of results, which conjugate or not. Added are zeros: -0, which changes
// nothing, or 0 to conjugates, so that none of 0 is -0.
template <class Real>
struct Scale {
  Vector<Real> factors, zeros;  // of numbers as they lie in memory
  WEFT_INLINE Vector<Real> operator()(Vector<Real> numbers) const { return numbers * factors + zeros; }
  WEFT_INLINE Lane<Real> operator()(Lane<Real> a) const {
    return {a.re * factors[0] + zeros, a.im * factors[1] + zeros};
  }
};
template <class Real>
WEFT_INLINE Scale<Real> scale_of(Real scale, Numbers results) {
  const bool conjugates = results == Numbers::conjugate;
  constexpr LaneIndices<Real> lanes{};
  const Real zero = conjugates ? Real(0) : -Real(0);
  return {alternating(scale, conjugates ? -scale : scale, lanes), alternating(zero, zero, lanes)};
}
template <template <class> class Ends, class Real>
WEFT_INLINE Scale<Real> scale_of(const Ends<Real>& ends) {
  return scale_of(ends.scale, numbers_of(ends));
}
// The conjugate of a result, by the same rule for zeros.
template <class Real>
WEFT_INLINE Lane<Real> conjugate(Lane<Real> a) {
  return {a.re, Vector<Real>{} - a.im};
}

// a * (-i)
template <class Real>
WEFT_INLINE Lane<Real> times_minus_i(Lane<Real> a) {
  return {a.im, -a.re};
}
template <class Real>
WEFT_INLINE Interleaved<Real> times_minus_i(Interleaved<Real> a) {
  constexpr LaneIndices<Real> lanes{};
  return {swapped_pairs(a.v, lanes) * alternating<Real>(1, -1, lanes)};
}

// c + a b, or c - a b: one fused product.
template <bool Minus = false, class Real>
WEFT_INLINE Lane<Real> add_product(Lane<Real> c, Lane<Real> a, Real b) {
  return Minus ? c - b * a : c + b * a;
}
template <bool Minus = false, class Real>
WEFT_INLINE Interleaved<Real> add_product(Interleaved<Real> c, Interleaved<Real> a, Real b) {
  return {add_product<Minus, Real>(c.v, a.v, alternating(b, b, LaneIndices<Real>{}))};
}
// c - i a b, or c + i a b: one fused product.
template <bool Minus = false, class Real>
WEFT_INLINE Lane<Real> add_times_minus_i(Lane<Real> c, Lane<Real> a, Real b) {
  return add_product<Minus>(c, times_minus_i(a), b);
}
template <bool Minus = false, class Real>
WEFT_INLINE Interleaved<Real> add_times_minus_i(Interleaved<Real> c, Interleaved<Real> a, Real b) {
  constexpr LaneIndices<Real> lanes{};
  return {add_product<Minus, Real>(c.v, swapped_pairs(a.v, lanes), alternating(b, -b, lanes))};
}

// a (c + i s), with factors common to all lanes or one per lane.
template <class Real, class Factor>
WEFT_INLINE Lane<Real> rotate(Lane<Real> a, Factor c, Factor s) {
  return {a.re * c - a.im * s, a.im * c + a.re * s};
}
// a (c - i s), w = {c, s}
template <class Real>
WEFT_INLINE Lane<Real> rotate_back(Lane<Real> a, const Real* w) {
  const Real c = w[0], s = w[1];
  return {a.re * c + a.im * s, a.im * c - a.re * s};
}

// The vectors c and s hold each factor twice, for the two lanes of a pair.
template <class Real>
WEFT_INLINE Interleaved<Real> rotate(Interleaved<Real> a, Vector<Real> c, Vector<Real> s) {
  return {product_and_sums<Real>(a.v, c, s * swapped_pairs(a.v, LaneIndices<Real>{}))};
}
template <class Real>
WEFT_INLINE Interleaved<Real> rotate(Interleaved<Real> a, Real c, Real s) {
  constexpr LaneIndices<Real> lanes{};
  return rotate(a, alternating(c, c, lanes), alternating(s, s, lanes));
}

// Multiplies by the twiddle factor w = {cos, -sin}.
template <template <class> class Point, class Real>
WEFT_INLINE Point<Real> twiddle(Point<Real> a, const Real* w) {
  return rotate(a, w[0], w[1]);
}

template <bool Fused, class Real>
WEFT_INLINE Lane<Real> sum(Lane<Real> a, Lane<Real> b) {
  if constexpr (!Fused || !fuses_sums) return a + b;
  const Vector<Real> one = opaque_one<Real>();
  return {a.re * one + b.re, a.im * one + b.im};
}

template <bool Fused, class Real>
WEFT_INLINE Lane<Real> difference(Lane<Real> a, Lane<Real> b) {
  if constexpr (!Fused || !fuses_sums) return a - b;
  const Vector<Real> one = opaque_one<Real>();
  return {a.re * one - b.re, a.im * one - b.im};
}

template <bool Fused, class Real>
WEFT_INLINE Interleaved<Real> sum(Interleaved<Real> a, Interleaved<Real> b) {
  if constexpr (!Fused || !fuses_sums) return a + b;
  return {a.v * opaque_one<Real>() + b.v};
}
template <bool Fused, class Real>
WEFT_INLINE Interleaved<Real> difference(Interleaved<Real> a, Interleaved<Real> b) {
  if constexpr (!Fused || !fuses_sums) return a - b;
  return {a.v * opaque_one<Real>() - b.v};
}
