/* Particles on a mesh from C: weft::ParticleMesh, weft/particle_mesh.hpp. A part of weft.h, which includes it. */
#ifndef WEFT_PARTICLES_H
#define WEFT_PARTICLES_H

#ifdef __cplusplus
extern "C" {
#endif

/// \file
/// Deposits particles on the points of an array and gathers values at them. Positions are [particle][axis]; positions,
/// charges and values are double or float, as the precision of the mesh says.

typedef struct weft_particle_mesh weft_particle_mesh;  ///< deposits particles on the points of an array
typedef struct weft_migration weft_migration;          ///< the migration of particles to other ranks

/// The positions of the points and the weights of a particle. Fill the struct by weft_particle_problem_init(). The
/// members have the meaning of those of weft::ParticleProblem and weft::HaloOptions.
typedef struct weft_particle_problem {
  size_t struct_size;                        ///< set by weft_particle_problem_init()
  double spacing[WEFT_SPACE_DIMS];           ///< distance of points per axis; 1
  double origin[WEFT_SPACE_DIMS];            ///< position of the point of index 0 per axis; 0
  const char* boundary[WEFT_SPACE_DIMS][2];  ///< per axis and end: "periodic" (default), "even", "odd", "unbounded"
  const char* centring[WEFT_SPACE_DIMS];     ///< "cell" (default) or "node"
  const char* precision;                     ///< "double" (default) or "float"
  int order;                                 ///< points per axis that share a particle, 1 to 8; 2
  int margin;                                ///< points beyond its own up to which a rank accepts particles; 0
  int threads;                               ///< per rank; 0: cores of the node / ranks of the communicator on it
  int node_ranks;                            ///< ranks that count as one node; 0: as many as share a node
  int64_t message_limit;                     ///< elements per MPI message beyond which messages are split
  int reversed;                              ///< not 0: positions name the last axis first
} weft_particle_problem;

/// \cond
int weft_particle_problem_init_sized(weft_particle_problem* problem, size_t size);
/// \endcond
/// Sets the defaults.
static inline int weft_particle_problem_init(weft_particle_problem* problem) {
  return weft_particle_problem_init_sized(problem, sizeof(weft_particle_problem));
}

/// Collective. `owned` is this rank's part of an array of `shape` points on 1 to 3 axes.
int weft_particle_mesh_create(MPI_Comm comm, const int64_t* shape, const weft_box* owned,
                              const weft_particle_problem* problem, weft_particle_mesh** mesh);
int weft_particle_mesh_destroy(weft_particle_mesh** mesh);
/// Sets the `points` elements of `density` to the charge of the points of this rank. Collective. A particle that
/// belongs to another rank is an error.
int weft_particle_mesh_deposit(weft_particle_mesh* mesh, const void* positions, const void* charges, int64_t particles,
                               void* density, int64_t points);
/// Sets values[particle][component] to the values of `components` arrays of `points` elements at the particles.
/// Collective.
int weft_particle_mesh_gather(weft_particle_mesh* mesh, const void* positions, int64_t particles, const void* arrays,
                              int64_t points, int components, void* values);
int weft_particle_mesh_explain(const weft_particle_mesh* mesh, const char** text);
int weft_particle_mesh_facts(const weft_particle_mesh* mesh, weft_facts* facts);

/// The migration of particles to the ranks that own them; `arriving` is the number that this rank has after it.
/// Collective.
int weft_migration_create(weft_particle_mesh* mesh, const void* positions, int64_t particles,
                          weft_migration** migration, int64_t* arriving);
int weft_migration_destroy(weft_migration** migration);
/// Move an array with `bytes` per particle to the new ranks, and back. Collective.
int weft_migration_forward(weft_migration* migration, const void* in, void* out, size_t bytes);
int weft_migration_backward(weft_migration* migration, const void* in, void* out, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
