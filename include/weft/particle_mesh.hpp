// ParticleMesh: deposits particles on the points of a distributed array and gathers values at them, by B-splines.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "weft/halo.hpp"

namespace weft {

/// The positions of the points of a mesh, and the weights of a particle.
struct ParticleProblem {
  std::vector<double> spacing;       ///< distance of points: one for all axes, or one per axis
  std::vector<double> origin = {0};  ///< position of the point of index 0: one for all axes, or one per axis
  /// Points per axis that share a particle: 1 nearest point, 2 cloud in cell (CIC), 3 triangular cloud (TSC), 4
  /// piecewise cubic (PCS), up to 8. The weights are the centred B-spline of this order.
  int order = 2;
  /// The conditions beyond the ends, as in HaloProblem; one for all axes, or one per axis. Particles stay at least
  /// (order - 1) / 2 points away from unbounded ends, so that their clouds lie inside.
  std::vector<Boundary> boundary = {End::periodic};
  std::vector<Centring> centring = {Centring::cell};  ///< as in HaloProblem; periodic axes need cell
  int margin = 0;                                     ///< points beyond its own up to which a rank accepts particles
  bool reversed = false;                              ///< positions name the last axis first, as in Fortran
};

/// The migration of particles and their attributes to other ranks. Made by ParticleMesh::migration.
class Migration {
 public:
  /// Collective. `owners`: the new rank of each particle of this rank.
  Migration(const Comm& comm, const std::vector<int>& owners);
  ~Migration();
  Migration(Migration&&) noexcept;
  Migration& operator=(Migration&&) noexcept;

  /// The number of particles of this rank after the migration.
  index_t count() const;
  /// Moves one array with `bytes` per particle, the same number on all ranks. `in` has the particles before the
  /// migration, `out` those after it, in the order of the ranks that they come from. Collective.
  void forward(const void* in, void* out, std::size_t bytes) const;
  /// Moves an array of the particles after the migration to the ranks and places that they had before. Collective.
  void backward(const void* in, void* out, std::size_t bytes) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Deposits particles on the points of a distributed array of 1 to 3 axes, and gathers values at particles.
///
/// A particle belongs to the rank that owns the point nearest to it, or the upper one of two at the same distance.
/// Along periodic axes positions may be any number of periods away. Local arrays are this rank's box, contiguous in C
/// order; positions are [particle][axis]. Real is float or double.
///
/// The weights of a particle add up to 1, so that all points together have the charge of all particles. gather() is the
/// adjoint of deposit(): the sum of charge times gathered value is the sum over the points of deposit times value. With
/// a kernel that is odd in the distance, the forces between particles through the mesh therefore add up to zero
/// (Hockney and Eastwood 1981).
template <class Real>
class ParticleMesh {
 public:
  /// Collective. Throws the same Error on every rank if an argument is not allowed or differs between ranks.
  ParticleMesh(MPI_Comm comm, const Extents& shape, const Box& owned, const ParticleProblem& problem,
               const HaloOptions& options = {});
  ~ParticleMesh();
  ParticleMesh(ParticleMesh&&) noexcept;
  ParticleMesh& operator=(ParticleMesh&&) noexcept;

  // The following members are collective. They throw the same Error on every rank if a particle of any rank is not a
  // finite number, lies beyond an end that is not periodic, or (except for migration()) is farther than `margin` points
  // from the points that the rank owns.

  /// Sets `mesh` to the charge of each point, from one charge per particle.
  void deposit(const Real* positions, const Real* charges, index_t count, Real* mesh);
  /// Sets values[particle][component] to the values of `components` arrays [component][x][y]... at the particles.
  void gather(const Real* positions, index_t count, const Real* mesh, int components, Real* values);
  /// The migration of particles to the ranks that own them.
  Migration migration(const Real* positions, index_t count) const;

  const Box& owned() const;
  /// The strategy for layers: "shared", "persistent", both, or "none".
  std::string strategy() const;
  int threads() const;
  index_t workspace_bytes() const;
  /// Bytes that this rank passes to others in one deposit, or in one gather of a component.
  index_t bytes_sent() const;
  std::string explain() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class ParticleMesh<float>;
extern template class ParticleMesh<double>;

}  // namespace weft
