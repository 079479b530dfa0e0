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

// Calls body(first real, reals) for whole vectors of `count` numbers, then for what is left of them.
template <class Real, class Body>
WEFT_INLINE void for_vectors(int64_t count, const Body& body) {
  constexpr int lanes = lanes_of<Real>;
  int64_t i = 0;
  for (; i + lanes <= 2 * count; i += lanes) body(i, lanes);
  if (i < 2 * count) body(i, int(2 * count - i));
}

template <bool Conjugate, class Real>
void multiply_all(const RootProduct<Real>& product) {
  for_vectors<Real>(product.count, [&](int64_t i, int used) WEFT_ALWAYS {
    const Vector<Real> root =
        product_of_numbers<false, Real>(load_first(product.a + i, used), load_first(product.b + i, used));
    const Vector<Real> number = product.scale * load_first(product.numbers + i, used);
    store_first(product.numbers + i, product_of_numbers<Conjugate, Real>(number, root), used);
  });
}

template <class Real>
void multiply_by_roots(const RootProduct<Real>& product) {
  product.conjugate ? multiply_all<true>(product) : multiply_all<false>(product);
}

template <bool Conjugate, class Real>
void combine_all(const MirroredNumbers<Real>& numbers) {
  constexpr LaneIndices<Real> lanes{};
  for_vectors<Real>(numbers.count, [&](int64_t i, int used) WEFT_ALWAYS {
    Vector<Real> mirrored{};
    if (used == lanes_of<Real>) {
      mirrored = reversed_numbers(load_unaligned(numbers.mirrored + 2 * numbers.count - i - lanes_of<Real>), lanes);
    } else {
      for (int l = 0; l < used; l++) mirrored[l] = numbers.mirrored[used - 2 - l / 2 * 2 + l % 2];
    }
    const Vector<Real> own = load_first(numbers.own + i, used), conjugate = mirrored * alternating<Real>(1, -1, lanes);
    const Vector<Real> rotated =
        product_of_numbers<Conjugate, Real>(own - conjugate, load_first(numbers.roots + i, used));
    store_first<Real>(numbers.to + i, (own + conjugate) + rotated, used);
  });
}

template <class Real>
void combine_mirrored(const MirroredNumbers<Real>& numbers) {
  numbers.conjugate ? combine_all<true>(numbers) : combine_all<false>(numbers);
}
