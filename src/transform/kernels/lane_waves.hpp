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
    const auto along = [&](const Real* table) { return for_lanes<OwnDiffers>(table + own); };
    const Vector<Real> squares = for_lanes<OthersDiffer>(waves.squares + other),
                       wave = along(waves.modes) * inverse_or_zero<Real>(along(waves.sines) + squares);
    WEFT_UNROLL
    for (int part = 0; part < Parts; part++) {
      const Real* const* given = waves.given[part];
      if constexpr (OthersDiffer) {
        to[mode * Parts + part] += wave * load_unaligned(given[mode % 2] + other);
      } else {
        to[mode * Parts + part] += wave * alternating<Real>(given[0][other], given[1][other], LaneIndices<Real>{});
      }
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
