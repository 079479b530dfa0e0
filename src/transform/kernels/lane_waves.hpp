// Adds waves with given values at the ends of an axis to the modes of lines. Included by lane_table.hpp only, inside
// the namespace of one instruction set.
#pragma once

#include "transform/simd/vector.hpp"

// One number per lane if the lanes differ, else one for all.
template <bool Differ, class Real>
WEFT_INLINE Vector<Real> for_lanes(const Real* p) {
  if constexpr (Differ) return load_unaligned(p);
  return *p - Vector<Real>{};  // *p + 0 would turn -0 into 0
}

// One contraction of each product and sum, so that all forms have the same bits.
template <bool OthersDiffer, bool OwnDiffers, int Parts, class Real>
void add_wave_parts(const LaneWaves<Real>& waves, Real* block) {
  Vector<Real>* to = rows_of(block);
  int64_t other = 0, own = 0;
  for (int64_t mode = 0; mode < waves.count; mode++, other += waves.other_step, own += waves.own_step) {
    const auto at = [&](const Real* table) { return for_lanes<OthersDiffer>(table + other); };
    const auto along = [&](const Real* table) { return for_lanes<OwnDiffers>(table + own); };
    const Vector<Real> inverse = inverse_or_zero<Real>(along(waves.sines) * at(waves.decay) + at(waves.gap));
    const Vector<Real> left = along(waves.modes[0]) * inverse, right = along(waves.modes[1]) * inverse;
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) {
      const Vector<Real> once = to[mode * Parts + part] + left * at(waves.given[0][part]);
      to[mode * Parts + part] = once + right * at(waves.given[1][part]);
    }
  }
}

template <int Parts, class Real>
void add_waves_of(const LaneWaves<Real>& waves, Real* block) {
  if (!waves.others_differ) return add_wave_parts<false, true, Parts>(waves, block);
  waves.own_differs ? add_wave_parts<true, true, Parts>(waves, block)
                    : add_wave_parts<true, false, Parts>(waves, block);
}

template <class Real>
void add_waves(const LaneWaves<Real>& waves, int width, Real* block) {
  width == 1 ? add_waves_of<1>(waves, block) : add_waves_of<2>(waves, block);
}
