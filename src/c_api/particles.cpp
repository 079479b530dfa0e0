// weft_particle_mesh and weft_migration.
#include "c_api/particle_handle.hpp"

using namespace weft::c_api;
using weft::Box;
using weft::Extents;
using weft::index_t;
using weft::ParticleMesh;
using weft::require;

namespace {

index_t points_of(const weft_particle_mesh& mesh) {
  return mesh.visit([](const auto& of) { return of.owned().size(); });
}

void check_particles(const char* name, const void* given, index_t particles) {
  require(particles >= 0, "particles: " + std::to_string(particles) + " is not allowed; give 0 or more");
  require(given != nullptr || particles == 0,
          std::string(name) + ": NULL was given; give an array for " + std::to_string(particles) + " particles");
}

}  // namespace

int weft_particle_mesh_create(MPI_Comm comm, const int64_t* shape, const weft_box* owned,
                              const weft_particle_problem* problem, weft_particle_mesh** mesh) {
  return guarded([&] {
    const weft::Comm ranks(comm);
    Extents extents;
    Box box;
    weft::ParticleProblem wanted;
    weft::HaloOptions options;
    bool single = false;
    ranks.together([&] {
      output_of("mesh", mesh) = nullptr;
      box = box_from("owned", owned);
      extents = extents_from("shape", box.dims(), shape, WEFT_SPACE_DIMS);
      const weft_particle_problem known = completed("particle_problem", problem, default_particle_problem());
      wanted = particle_problem(known, box.dims());
      options.threads = known.threads;
      options.node_ranks = known.node_ranks;
      options.message_limit = known.message_limit;
      single = is_single(known.precision);
    });
    *mesh = new weft_particle_mesh{make_handle<ParticleMesh>(comm, ranks, single, extents, box, wanted, options)};
  });
}
int weft_particle_mesh_destroy(weft_particle_mesh** mesh) { return destroy("mesh", mesh); }

int weft_particle_mesh_deposit(weft_particle_mesh* mesh, const void* positions, const void* charges, int64_t particles,
                               void* density, int64_t points) {
  return guarded([&] {
    weft_particle_mesh& any = object("mesh", mesh);
    any.comm.together([&] {
      check_particles("positions", positions, particles);
      check_particles("charges", charges, particles);
      check_array("density", density, points, points_of(any));
    });
    any.visit([&]<class Real>(ParticleMesh<Real>& of) {
      of.deposit(static_cast<const Real*>(positions), static_cast<const Real*>(charges), particles,
                 static_cast<Real*>(density));
    });
  });
}
int weft_particle_mesh_gather(weft_particle_mesh* mesh, const void* positions, int64_t particles, const void* arrays,
                              int64_t points, int components, void* values) {
  return guarded([&] {
    weft_particle_mesh& any = object("mesh", mesh);
    any.comm.together([&] {
      check_particles("positions", positions, particles);
      check_particles("values", values, particles);
      check_array("arrays", arrays, points, points_of(any));
    });
    any.visit([&]<class Real>(ParticleMesh<Real>& of) {
      of.gather(static_cast<const Real*>(positions), particles, static_cast<const Real*>(arrays), components,
                static_cast<Real*>(values));
    });
  });
}
int weft_particle_mesh_explain(const weft_particle_mesh* mesh, const char** text) {
  return explain("mesh", mesh, text);
}
int weft_particle_mesh_facts(const weft_particle_mesh* mesh, weft_facts* facts) {
  return facts_of("mesh", mesh, facts);
}

int weft_migration_create(weft_particle_mesh* mesh, const void* positions, int64_t particles,
                          weft_migration** migration, int64_t* arriving) {
  return guarded([&] {
    weft_particle_mesh& any = object("mesh", mesh);
    any.comm.together([&] {
      output_of("migration", migration) = nullptr;
      output_of("arriving", arriving) = 0;
      check_particles("positions", positions, particles);
    });
    *migration = any.visit([&]<class Real>(const ParticleMesh<Real>& of) {
      return new weft_migration{any.comm, particles, of.migration(static_cast<const Real*>(positions), particles)};
    });
    *arriving = (*migration)->of.count();
  });
}
int weft_migration_destroy(weft_migration** migration) { return destroy("migration", migration); }
int weft_migration_forward(weft_migration* migration, const void* in, void* out, size_t bytes) {
  return guarded([&] { object("migration", migration).of.forward(in, out, bytes); });
}
int weft_migration_backward(weft_migration* migration, const void* in, void* out, size_t bytes) {
  return guarded([&] { object("migration", migration).of.backward(in, out, bytes); });
}
