// Complex numbers interleaved as in memory, for lines too long for a lane block: products with roots of unity, and
// combination with mirrored numbers. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_complex.hpp"

// Copies the real (Part = 0) or imaginary part of each number to both of its lanes.
template <int Part, class V, int... I>
WEFT_INLINE V both_parts(V a, Indices<I...>) {
  return __builtin_shufflevector(a, a, (I / 2 * 2 + Part)...);
}
// Reverses the order of the numbers (pairs of lanes).
template <class V, int... I>
WEFT_INLINE V reversed_numbers(V a, Indices<I...>) {
  return __builtin_shufflevector(a, a, (int(sizeof...(I)) - 2 - I / 2 * 2 + I % 2)...);
}

// a w, or a conj(w)
template <bool Conjugate, class Real>
WEFT_INLINE Vector<Real> product_of_numbers(Vector<Real> a, Vector<Real> w) {
  constexpr LaneIndices<Real> lanes{};
  const Vector<Real> im = both_parts<1>(w, lanes);
  return rotate(Interleaved<Real>{a}, both_parts<0>(w, lanes), Conjugate ? -im : im).v;
}

template <bool Conjugate, class Real>
WEFT_INLINE void multiply_vector(const RootProduct<Real>& product, int64_t at, Real* numbers) {
  const Vector<Real> root =
      product_of_numbers<false, Real>(load_unaligned(product.a + at), load_unaligned(product.b + at));
  store_unaligned(numbers, product_of_numbers<Conjugate, Real>(product.scale * load_unaligned(numbers), root));
}

// Fewer numbers than fill a vector, padded with zeros.
template <class Real>
struct RestOfNumbers {
  alignas(vector_bytes) Real reals[lanes_of<Real>] = {};
  RestOfNumbers() = default;
  RestOfNumbers(const Real* from, int64_t count) { copy(from, count, reals); }
  void put(Real* to, int64_t count) const { copy(reals, count, to); }

 private:
  static void copy(const Real* from, int64_t count, Real* to) {
    for (int64_t i = 0; i < 2 * count; i++) to[i] = from[i];
  }
};

template <bool Conjugate, class Real>
void multiply_all(const RootProduct<Real>& product) {
  constexpr int64_t lanes = lanes_of<Real>;
  const int64_t reals = 2 * product.count, whole = reals / lanes * lanes;
  for (int64_t i = 0; i < whole; i += lanes) multiply_vector<Conjugate>(product, i, product.numbers + i);
  if (whole == reals) return;
  const int64_t left = (reals - whole) / 2;
  RestOfNumbers<Real> numbers(product.numbers + whole, left), a(product.a + whole, left), b(product.b + whole, left);
  multiply_vector<Conjugate>(RootProduct<Real>{.a = a.reals, .b = b.reals, .scale = product.scale}, 0, numbers.reals);
  numbers.put(product.numbers + whole, left);
}

template <class Real>
void multiply_by_roots(const RootProduct<Real>& product) {
  product.conjugate ? multiply_all<true>(product) : multiply_all<false>(product);
}

// own + conj(mirrored) + w (own - conj(mirrored))
template <bool Conjugate, class Real>
WEFT_INLINE Vector<Real> combined(Vector<Real> own, Vector<Real> mirrored, Vector<Real> w) {
  const Vector<Real> conjugate = mirrored * alternating<Real>(1, -1, LaneIndices<Real>{});
  return (own + conjugate) + product_of_numbers<Conjugate, Real>(own - conjugate, w);
}

template <bool Conjugate, class Real>
void combine_all(const MirroredNumbers<Real>& numbers) {
  constexpr int64_t lanes = lanes_of<Real>;
  const int64_t reals = 2 * numbers.count, whole = reals / lanes * lanes;
  for (int64_t i = 0; i < whole; i += lanes) {
    const Vector<Real> mirrored =
        reversed_numbers(load_unaligned(numbers.mirrored + reals - i - lanes), LaneIndices<Real>{});
    store_unaligned(numbers.to + i, combined<Conjugate, Real>(load_unaligned(numbers.own + i), mirrored,
                                                              load_unaligned(numbers.roots + i)));
  }
  const int64_t left = (reals - whole) / 2;
  RestOfNumbers<Real> own(numbers.own + whole, left), roots(numbers.roots + whole, left), mirrored;
  for (int64_t i = 0; i < left; i++)
    for (int64_t part = 0; part < 2; part++) mirrored.reals[2 * i + part] = numbers.mirrored[2 * (left - 1 - i) + part];
  store_unaligned(own.reals, combined<Conjugate, Real>(load_unaligned(own.reals), load_unaligned(mirrored.reals),
                                                       load_unaligned(roots.reals)));
  own.put(numbers.to + whole, left);
}

template <class Real>
void combine_mirrored(const MirroredNumbers<Real>& numbers) {
  numbers.conjugate ? combine_all<true>(numbers) : combine_all<false>(numbers);
}
