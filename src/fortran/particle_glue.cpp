// Arrays of Fortran to particle meshes and migrations of the C interface.
#include <string>

#include "c_api/particle_handle.hpp"
#include "fortran/arrays.hpp"

using namespace weft::c_api;
using weft::Direction;
using weft::Extents;
using weft::index_t;

namespace {

/// The particles that an array counts by its last axis. Checks its type, and its other axes.
index_t particles_in(const char* name, const CFI_cdesc_t& array, const Extents& others, std::size_t real_bytes) {
  const Extents given = extents_of(name, array);
  Extents wanted{given[0]};
  for (const index_t n : others) wanted.push_back(n);
  check_whole(name, array, {wanted, false, real_bytes});
  return given[0];
}

/// Checks an array of as many particles as there are positions.
void check_per_particle(const char* name, const CFI_cdesc_t& array, const Extents& others, std::size_t real_bytes,
                        index_t particles) {
  const index_t given = particles_in(name, array, others, real_bytes);
  weft::require(given == particles, std::string(name) + ": it has " + std::to_string(given) + " particles, positions " +
                                        std::to_string(particles) + "; give one entry per particle");
}

Extents points_of(const weft_particle_mesh& mesh) {
  return mesh.visit([](const auto& of) { return of.owned().extents(); });
}

int migrate(weft_migration* migration, const CFI_cdesc_t* in, const CFI_cdesc_t* out, Direction direction) {
  const bool forward = direction == Direction::forward;
  std::size_t bytes = 0;
  const auto check_side = [&](const char* name, const CFI_cdesc_t& array, index_t particles) {
    const Extents given = extents_of(name, array);
    weft::require(given[0] == particles, std::string(name) + ": its last axis counts " + std::to_string(given[0]) +
                                             " particles, this rank has " + std::to_string(particles) + " here");
    weft::require(strides_of(name, array) == c_strides(given),
                  std::string(name) + ": it is a section with gaps; pass a whole array or a contiguous copy");
    index_t each = static_cast<index_t>(array.elem_len);
    for (int axis = 1; axis < given.dims(); axis++) each *= given[axis];
    return static_cast<std::size_t>(each);
  };
  return checked(
      "migration", migration,
      [&](const weft_migration& any) {
        const index_t leaving = any.leaving, arriving = any.of.count();
        bytes = check_side("has", *in, forward ? leaving : arriving);
        const std::size_t other = check_side("gets", *out, forward ? arriving : leaving);
        weft::require(bytes == other, "gets: a particle has " + std::to_string(other) + " bytes there, and " +
                                          std::to_string(bytes) +
                                          " in has; give arrays of one type and shape per particle");
      },
      [&] {
        const auto run = forward ? weft_migration_forward : weft_migration_backward;
        return run(migration, in->base_addr, out->base_addr, bytes);
      });
}

}  // namespace

extern "C" {

int weft_f_particle_mesh_create(MPI_Fint comm, const char* wrong, const int64_t* shape, const weft_box* owned,
                                const weft_particle_problem* problem, weft_particle_mesh** mesh) {
  const int code = fault(MPI_Comm_f2c(comm), wrong);
  return code == WEFT_SUCCESS ? weft_particle_mesh_create(MPI_Comm_f2c(comm), shape, owned, problem, mesh) : code;
}

int weft_f_deposit(weft_particle_mesh* mesh, const CFI_cdesc_t* positions, const CFI_cdesc_t* charges,
                   const CFI_cdesc_t* density) {
  index_t particles = 0, count = 0;
  return checked(
      "mesh", mesh,
      [&](const weft_particle_mesh& any) {
        const Extents points = points_of(any);
        particles = particles_in("positions", *positions, {points.dims()}, real_bytes(any));
        check_per_particle("charges", *charges, {}, real_bytes(any), particles);
        check_whole("density", *density, {points, false, real_bytes(any)});
        count = points.product();
      },
      [&] {
        return weft_particle_mesh_deposit(mesh, positions->base_addr, charges->base_addr, particles, density->base_addr,
                                          count);
      });
}

int weft_f_gather(weft_particle_mesh* mesh, const CFI_cdesc_t* positions, const CFI_cdesc_t* arrays,
                  const CFI_cdesc_t* values) {
  index_t particles = 0, count = 0, components = 1;
  return checked(
      "mesh", mesh,
      [&](const weft_particle_mesh& any) {
        const Extents points = points_of(any);
        const bool several = arrays->rank > points.dims();
        if (several) components = extents_of("arrays", *arrays)[0];
        const Extents wanted = several ? with_components(points, static_cast<int>(components)) : points;
        check_whole("arrays", *arrays, {wanted, false, real_bytes(any)});
        particles = particles_in("positions", *positions, {points.dims()}, real_bytes(any));
        check_per_particle("values", *values, several ? Extents{components} : Extents{}, real_bytes(any), particles);
        count = points.product();
      },
      [&] {
        return weft_particle_mesh_gather(mesh, positions->base_addr, particles, arrays->base_addr, count,
                                         static_cast<int>(components), values->base_addr);
      });
}

int weft_f_migration_create(weft_particle_mesh* mesh, const CFI_cdesc_t* positions, weft_migration** migration,
                            int64_t* arriving) {
  index_t particles = 0;
  return checked(
      "mesh", mesh,
      [&](const weft_particle_mesh& any) {
        particles = particles_in("positions", *positions, {points_of(any).dims()}, real_bytes(any));
      },
      [&] { return weft_migration_create(mesh, positions->base_addr, particles, migration, arriving); });
}

int weft_f_migration_forward(weft_migration* migration, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return migrate(migration, in, out, Direction::forward);
}
int weft_f_migration_backward(weft_migration* migration, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return migrate(migration, in, out, Direction::backward);
}

}  // extern "C"
