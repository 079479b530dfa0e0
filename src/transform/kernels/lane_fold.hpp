// The ends of real transforms: their points and modes are reordered, rotated or continued while the complex transform
// loads and stores, so that none of this needs a sweep of its own. Included by lane_table.hpp only, inside the
// namespace of one instruction set.
#pragma once

#include "lane_dft.hpp"

// One part (real or imaginary) of the points of a line in a lane block.
template <class Real>
struct Rows {
  Vector<Real>* first;
  int64_t step;

  WEFT_INLINE Vector<Real>& operator[](int64_t j) const { return first[j * step]; }
  WEFT_INLINE Vector<Real> get(int64_t j) const { return first[j * step]; }
  WEFT_INLINE void set(int64_t j, Vector<Real> a) const { first[j * step] = a; }
};

// The same in ascending or descending order, in a block or of adjacent lines in memory: one form for both, since each
// compiles all first and last stages. It is copied through registers, as a vector copy of members just written one by
// one would wait for the cache.
template <class Real>
struct Line {
  Real* const* at;
  std::ptrdiff_t shift;
  int64_t step;
  Real scale;  // of what is stored

  WEFT_INLINE Line(Real* const* addresses, std::ptrdiff_t reals, int64_t entries, Real factor)
      : at(in_register(addresses)), shift(in_register(reals)), step(in_register(entries)), scale(factor) {}
  WEFT_INLINE Line(const Line& line) : Line(line.at, line.shift, line.step, line.scale) {}

  WEFT_INLINE Vector<Real> operator[](int64_t j) const { return get(j); }
  WEFT_INLINE Real* place(int64_t j) const { return at[j * step] + shift; }
  WEFT_INLINE Vector<Real> get(int64_t j) const { return load_unaligned(place(j)); }
  WEFT_INLINE void set(int64_t j, Vector<Real> a) const { store_unaligned(place(j), scale * a); }
  WEFT_INLINE Line from(int64_t j) const { return {at + j * step, shift, step, scale}; }
  WEFT_INLINE Line every_second() const { return {at, shift, 2 * step, scale}; }
  WEFT_INLINE Line backwards(int64_t last) const { return {at + last * step, shift, -step, scale}; }
  // At least two points in a block.
  WEFT_INLINE Rows<Real> rows() const {
    Vector<Real>* first = rows_of(place(0));
    return {first, rows_of(place(1)) - first};
  }
};

// --- lines of an odd number of points ----------------------------------------------------------------------------
// As complex lines they have no imaginary parts, and modes k < n/2 determine all others. `points` and `modes` have
// get() and set(). Backward, modes k < n/2 are conjugated.

// A load or a store for such lines (OddLine).
template <class Function>
struct ForOddLines : Function {
  using OddLine = void;
};
template <class Function>
ForOddLines(Function) -> ForOddLines<Function>;

template <class Real, class Points, class Modes>
void odd_forward(const LaneRealPlan<Real>& plan, Points points, Modes modes, LaneScratch<Real> scratch) {
  const auto load = [points](int64_t j) WEFT_ALWAYS { return Lane<Real>{points.get(j), Vector<Real>{}}; };
  const auto store = [modes, n = plan.n](int64_t k, Lane<Real> a) WEFT_ALWAYS {
    if (2 * k < n) modes.set(k, a);
  };
  dft(plan.complex, ForOddLines{load}, ForOddLines{store}, scratch.a, scratch_after(scratch, plan.n));
}

template <class Real, class Modes, class Points>
void odd_backward(const LaneRealPlan<Real>& plan, Modes modes, Points points, LaneScratch<Real> scratch) {
  const auto load = [modes, n = plan.n](int64_t k)
                        WEFT_ALWAYS { return 2 * k < n ? conjugate(modes.get(k)) : modes.get(n - k); };
  const auto store = [points](int64_t j, Lane<Real> a) WEFT_ALWAYS { points.set(j, a.re); };
  dft(plan.complex, ForOddLines{load}, ForOddLines{store}, scratch.a, scratch_after(scratch, plan.n));
}

// The modes of a real DFT.
template <class Real>
struct HalfSpectrum {
  Lane<Real>* modes;
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
      x.set(2 * i, a);
    } else {
      x.set(2 * (n - i) - 1, sign * a);
    }
  }
};

// Mode k of the real line gives modes k and n-k of type II, and is computed from those of type III.
template <class Real>
struct Rotated {
  Line<Real> y;
  int64_t n;
  const Real* roots;

  WEFT_INLINE void set(int64_t k, Lane<Real> a) const {
    const Lane<Real> b = rotate_back(a, roots + 2 * k);
    y.set(k, b.re);
    if (k > 0) y.set(n - k, -b.im);
  }
  WEFT_INLINE Lane<Real> get(int64_t k) const {
    if (k == 0) return {y[0], Vector<Real>{}};
    const Lane<Real> b = rotate_back(Lane<Real>{y[k], y[n - k]}, roots + 2 * k);
    return {b.re, -b.im};
  }
};
