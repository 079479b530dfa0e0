// Adds waves with given values at the ends of axes to the modes of lines, which are multiplied by their factors first.
// Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_factors.hpp"

// The numbers of an axis in a mode of the lines, of which those that are the same in all modes are in registers.
template <LinesAt At, class Real>
struct WaveNumbers {
  static constexpr bool own_varies = At == LinesAt::along || At == LinesAt::any;
  static constexpr bool others_vary = At != LinesAt::along;
  static constexpr int own_lanes = At == LinesAt::any ? lanes_of<Real> : 1;

  const LaneWaveAxis<Real> axis;  // a copy: stores may alias the original
  Vector<Real> sines{}, scales{}, squares{};

  explicit WEFT_INLINE WaveNumbers(const LaneWaveAxis<Real>& from) : axis(from) {
    if constexpr (!own_varies) {
      constexpr bool differ = At == LinesAt::across;
      sines = number<differ>(axis.sines);
      scales = number<differ>(axis.scales);
    }
    if constexpr (!others_vary) squares = number<true>(axis.squares);
  }

  // The place of a mode in squares and given.
  WEFT_INLINE int64_t other(int64_t mode) const {
    return At == LinesAt::across ? mode : mode * (At == LinesAt::beside ? axis.step : lanes_of<Real>);
  }

  // One per lane if the lanes differ, else one for all.
  template <bool Differ>
  static WEFT_INLINE Vector<Real> number(const Real* p) {
    if constexpr (Differ) return load_unaligned(p);
    return *p - Vector<Real>{};  // *p + 0 would turn -0 into 0
  }

  WEFT_INLINE Vector<Real> below(int64_t mode) const {
    const Vector<Real> own = own_varies ? number<(own_lanes > 1)>(axis.sines + mode * own_lanes) : sines,
                       by = own_varies ? number<(own_lanes > 1)>(axis.scales + mode * own_lanes) : scales;
    return own + by * (others_vary ? number<At != LinesAt::across>(axis.squares + other(mode)) : squares);
  }
  WEFT_INLINE Vector<Real> given(int part, int64_t mode) const {
    const Real* const* tables = axis.given[part];
    if constexpr (At == LinesAt::along) return load_unaligned(tables[mode % 2]);
    if constexpr (At == LinesAt::across)
      return swapped_upper<1>(number<false>(tables[0] + mode), number<false>(tables[1] + mode), LaneIndices<Real>{});
    return load_unaligned(tables[0] + other(mode));
  }
};

template <class Real>
struct WaveNumbers<LinesAt::none, Real> {
  explicit WEFT_INLINE WaveNumbers(const LaneWaveAxis<Real>&) {}
};

template <int Parts, class Real, LinesAt First, LinesAt Second = LinesAt::none, LinesAt Third = LinesAt::none>
struct WaveAdder {
  static constexpr int axes = Second == LinesAt::none ? 1 : Third == LinesAt::none ? 2 : 3;
  const WaveNumbers<First, Real> first;
  const WaveNumbers<Second, Real> second;
  const WaveNumbers<Third, Real> third;

  explicit WEFT_INLINE WaveAdder(const LaneWaves<Real>& waves)
      : first(waves.axes[0]), second(waves.axes[1]), third(waves.axes[2]) {}

  // One inverse serves all axes. Products are fused by name: so all forms have the same contractions, and the same
  // bits.
  WEFT_INLINE void add(const LineFactors<Real>& factors, int64_t mode, Vector<Real>* to) const {
    const Vector<Real> by = load_unaligned(factor_address(factors, mode)), a = first.below(mode);
    Vector<Real> sum[Parts];
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) sum[part] = to[mode * Parts + part] * by;
    if constexpr (axes == 1) {
      const Vector<Real> inverse = inverse_or_zero<Real>(a);
      add_each(sum, inverse, [&](int part) WEFT_ALWAYS { return first.given(part, mode); });
    } else {
      const Vector<Real> b = second.below(mode), both = a * b;
      Vector<Real> inverse;  // of both
      if constexpr (axes == 2) {
        inverse = inverse_or_zero<Real>(both);
      } else {
        const Vector<Real> c = third.below(mode), of_all = inverse_or_zero<Real>(both * c);
        add_each(sum, both * of_all, [&](int part) WEFT_ALWAYS { return third.given(part, mode); });
        inverse = c * of_all;
      }
      add_each(sum, inverse, [&](int part) WEFT_ALWAYS {
        return add_product<false, Real>(second.given(part, mode) * a, first.given(part, mode), b);
      });
    }
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) to[mode * Parts + part] = sum[part];
  }

  template <class Given>
  static WEFT_INLINE void add_each(Vector<Real>* sum, Vector<Real> inverse, const Given& given) {
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) sum[part] = add_product<false, Real>(sum[part], inverse, given(part));
  }

  WEFT_INLINE void add_to(int64_t modes, const LineFactors<Real> factors, Vector<Real>* to) const {
    for (int64_t mode = 0; mode < modes; mode++) add(factors, mode, to);
  }
};

// Lines lie along one axis at most, their lanes along another, and one beside them is the third.
template <class... Others>
constexpr bool may_follow(LinesAt next, Others... before) {
  return ((next == LinesAt::any ? before == next : before != next && before != LinesAt::any) && ...);
}

template <int Parts, LinesAt... Known, class Real>
void add_waves_at(const LaneWaves<Real>& waves, const LineFactors<Real>& factors, Real* block) {
  constexpr int known = sizeof...(Known);
  if constexpr (known > 0)
    if (known == waves.count)
      return WaveAdder<Parts, Real, Known...>(waves).add_to(waves.modes, factors, rows_of(block));
  if constexpr (known < 3) {
    using enum LinesAt;
    const LinesAt next = waves.axes[known].lines;
    if constexpr (may_follow(along, Known...))
      if (next == along) return add_waves_at<Parts, Known..., along>(waves, factors, block);
    if constexpr (may_follow(across, Known...))
      if (next == across) return add_waves_at<Parts, Known..., across>(waves, factors, block);
    if constexpr (may_follow(beside, Known...))
      if (next == beside) return add_waves_at<Parts, Known..., beside>(waves, factors, block);
    if constexpr (may_follow(any, Known...))
      if (next == any) return add_waves_at<Parts, Known..., any>(waves, factors, block);
  }
}

template <class Real>
void add_waves(const LaneWaves<Real>& waves, const LineFactors<Real>* factors, int width, Real* block) {
  Real ones[lanes_of<Real>];
  for (Real& one : ones) one = 1;
  LineFactors<Real> by{.data = ones};
  if (factors != nullptr && factors->width == 1) {
    by = *factors;
  } else if (factors != nullptr) {
    multiply(*factors, waves.modes, width, block);
  }
  width == 1 ? add_waves_at<1>(waves, by, block) : add_waves_at<2>(waves, by, block);
}
