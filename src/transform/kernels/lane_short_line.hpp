// Contiguous lines that are so short that L of them, one in each lane, stay in the registers from their points to their
// modes: by one butterfly, or two stages of radix 4. The results are those of a lane block, to the bit. Included by
// lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_copy.hpp"
#include "lane_short.hpp"
#include "lane_split.hpp"

// L lines of R complex numbers each, or of the modes of 2 R real points but the last one.
template <int R, class Real>
struct ShortLines {
  static constexpr int lanes = lanes_of<Real>, reals = 2 * R;

  Real* const* from;
  Real* const* to;
  int first, used;  // the number of the first line among all lines; how many lines
  Scale<Real> scale;
  std::ptrdiff_t prefetch_distance;

  // The begin of the square of rows at row i: the last one overlaps the previous one if the lanes do not divide them.
  static constexpr int square(int i) { return i + lanes <= reals ? i : reals - lanes; }

  WEFT_INLINE void load(Lane<Real>* z) const {
    Vector<Real> rows[reals];
    WEFT_UNROLL
    for (int i = 0; i < reals; i += lanes) load_rows(from, square(i), rows + square(i));
    if (prefetch_distance != 0)
      for (int l = 0; l < lanes; l++) prefetch_vectors<(reals + lanes - 1) / lanes, false>(from[l] + prefetch_distance);
    WEFT_UNROLL
    for (int j = 0; j < R; j++) z[j] = {rows[2 * j], rows[2 * j + 1]};
  }
  WEFT_INLINE void store(const Lane<Real>* z) const {
    Vector<Real> rows[reals];
    WEFT_UNROLL
    for (int j = 0; j < R; j++) {
      const Lane<Real> a = scale(z[j]);
      rows[2 * j] = a.re;
      rows[2 * j + 1] = a.im;
    }
    WEFT_UNROLL
    for (int i = 0; i < reals; i += lanes) {
      Vector<Real> own[lanes];
      WEFT_UNROLL
      for (int row = 0; row < lanes; row++) own[row] = rows[square(i) + row];
      store_whole_rows<false>(to, lanes, square(i), own);
    }
  }

  // Modes 0 .. R - 1 of the real lines from those of the complex lines; returns mode R, which is real.
  WEFT_INLINE static Vector<Real> separate_modes(const Real* split, Lane<Real>* z) {
    const Lane<Real> zero = z[0];
    separate_pairs<1, R>(split, 1, z);
    z[0] = {zero.re + zero.im, Vector<Real>{}};
    return zero.re - zero.im;
  }
  // The inverse, conjugated.
  WEFT_INLINE static void join_modes(const Real* split, Vector<Real> last, Lane<Real>* z) {
    const Vector<Real> zero = z[0].re;
    z[0] = {zero + last, last - zero};
    WEFT_UNROLL
    for (int k = 1; 2 * k <= R; k++) {
      Lane<Real> low = z[k], high = z[R - k];
      join(low, high, split + 2 * k);
      z[R - k] = high;
      z[k] = low;
    }
  }
};

// Calls work(ShortLines) for L lines after another. What is missing to L lines is loaded from the first of them and
// stored aside.
template <int R, class Real, class Work>
WEFT_INLINE void for_short_lines(const LaneLines<Real>& lines, const Work& work) {
  constexpr int lanes = lanes_of<Real>;
  Real aside[2 * R];
  Real *from[lanes], *to[lanes];
  for (int first = 0; first < lines.count; first += lanes) {
    const int left = lines.count - first;
    ShortLines<R, Real> some{lines.from + first, lines.to + first,       first, lanes,
                             scale_of(lines),    lines.prefetch_distance};
    if (left < lanes) {
      for (int l = 0; l < lanes; l++) {
        from[l] = some.from[l < left ? l : 0];
        to[l] = l < left ? some.to[l] : aside;
      }
      some.from = from;
      some.to = to;
      some.used = left;
    }
    work(some);
  }
}

template <class Real>
void short_lines(const LaneLinePlan<Real>& plan, const LaneLines<Real>& lines) {
  with_short_length<Real, most_short_numbers>(plan.radix * plan.rest.n, [&]<int R>() {
    for_short_lines<R>(lines, [&](const ShortLines<R, Real>& some) WEFT_ALWAYS {
      Lane<Real> z[R];
      some.load(z);
      if (lines.backward) take_conjugates<R>(z);
      short_transform<R>(plan.twiddles, z);
      some.store(z);
    });
  });
}

template <int R, class Real>
WEFT_INLINE void short_real_forward(const LaneRealLinePlan<Real>& plan, const ShortLines<R, Real>& some,
                                    Real* const* last) {
  Lane<Real> z[R];
  some.load(z);
  short_transform<R>(plan.complex.twiddles, z);
  alignas(vector_bytes) Real ends[lanes_of<Real>];
  *rows_of(ends) = some.scale.factors[0] * some.separate_modes(plan.split, z);
  some.store(z);
  for (int l = 0; l < some.used; l++) {
    last[l][0] = ends[l];
    last[l][1] = 0;
  }
}

template <int R, class Real>
WEFT_INLINE void short_real_backward(const LaneRealLinePlan<Real>& plan, const ShortLines<R, Real>& some,
                                     Real* const* last) {
  alignas(vector_bytes) Real ends[lanes_of<Real>] = {};
  for (int l = 0; l < some.used; l++) ends[l] = last[l][0];
  Lane<Real> z[R];
  some.load(z);
  some.join_modes(plan.split, *rows_of(ends), z);
  short_transform<R>(plan.complex.twiddles, z);
  some.store(z);
}

template <class Real>
void short_real_lines(const LaneRealLinePlan<Real>& plan, const LaneLines<Real>& lines, Real* const* last) {
  with_short_length<Real, most_short_numbers>(plan.complex.radix * plan.complex.rest.n, [&]<int R>() {
    for_short_lines<R>(lines, [&](const ShortLines<R, Real>& some) WEFT_ALWAYS {
      lines.backward ? short_real_backward(plan, some, last + some.first)
                     : short_real_forward(plan, some, last + some.first);
    });
  });
}
