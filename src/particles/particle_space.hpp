// Positions of particles on a mesh: places in units of points, nearest points, and allowed ranges.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "weft/particle_mesh.hpp"

namespace weft {

inline constexpr int most_particle_axes = 3;

/// An axis of a mesh for particles.
struct ParticleAxis {
  double origin = 0, spacing = 1;
  index_t points = 0;
  bool periodic = false;
  double least = 0, most = 0;  ///< in units of points; allowed range along an axis that is not periodic
};

/// Throws Error if a member is not allowed for a mesh of this shape. Halos check their own arguments.
void check_particles(const Extents& shape, const ParticleProblem& problem);
/// All members as a text, to compare between ranks.
std::string to_text(const ParticleProblem& problem);
/// The halo that clouds spill into.
HaloProblem particle_halo(const ParticleProblem& problem, Element element);
std::vector<ParticleAxis> particle_axes(const Extents& shape, const ParticleProblem& problem);

/// The place of a coordinate. On a periodic axis it is in the first period: from -1/2 up to, but not including, points
/// - 1/2. NaN outside the allowed range.
double place_of(const ParticleAxis& axis, double coordinate);
/// The point nearest to a place.
index_t nearest_point(const ParticleAxis& axis, double place);
/// This place, or its image in another period, whose nearest point is in the range; NaN if there is none.
double place_near(const ParticleAxis& axis, double place, Range range);

}  // namespace weft
