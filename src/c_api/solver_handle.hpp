// Solvers and redistributions behind their handles.
#pragma once

#include "c_api/handle.hpp"
#include "weft/redistribution.hpp"
#include "weft/vector_poisson.hpp"

struct weft_vector_poisson : weft::c_api::Handle<weft::VectorPoisson> {};

struct weft_redistribution {
  weft::Comm comm;
  weft::Redistribution of;
  mutable std::string explanation = {}, strategy = {};

  template <class Work>
  auto visit(const Work& work) const {
    return work(of);
  }
};
