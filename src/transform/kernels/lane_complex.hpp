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

// Exchanges real and imaginary parts. A forward transform between two exchanges is the backward one, which therefore
// has no code of its own. Exchanges cost nothing where parts are loaded and stored separately.
template <class Real>
WEFT_INLINE Lane<Real> exchanged(Lane<Real> a) {
  return {a.im, a.re};
}
template <class Real>
WEFT_INLINE Interleaved<Real> exchanged(Interleaved<Real> a) {
  return {swapped_pairs(a.v, LaneIndices<Real>{})};
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
