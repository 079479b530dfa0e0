// The particle meshes and migrations of handles.
#pragma once

#include "c_api/handle.hpp"
#include "weft/particle_mesh.hpp"

struct weft_particle_mesh : weft::c_api::Handle<weft::ParticleMesh> {};
struct weft_migration {
  weft::Comm comm;
  weft::index_t leaving;  ///< particles of this rank before it
  weft::Migration of;
};
