// The solvers, redistributions and halos of handles.
#pragma once

#include "c_api/handle.hpp"
#include "weft/halo.hpp"
#include "weft/redistribution.hpp"
#include "weft/vector_poisson.hpp"

struct weft_vector_poisson : weft::c_api::Handle<weft::VectorPoisson> {};

namespace weft::c_api {

/// An object of the library without a precision.
template <class Object>
struct PlainHandle {
  Comm comm;
  Object of;
  mutable std::string explanation = {}, strategy = {};

  template <class Work>
  auto visit(const Work& work) const {
    return work(of);
  }
};

}  // namespace weft::c_api

struct weft_redistribution : weft::c_api::PlainHandle<weft::Redistribution> {};
struct weft_halo : weft::c_api::PlainHandle<weft::Halo> {};
