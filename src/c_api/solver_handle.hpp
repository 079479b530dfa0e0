// The solvers, Chebyshev axes, redistributions and halos of handles.
#pragma once

#include "c_api/handle.hpp"
#include "weft/chebyshev.hpp"
#include "weft/halo.hpp"
#include "weft/redistribution.hpp"
#include "weft/variable_poisson.hpp"
#include "weft/vector_poisson.hpp"

struct weft_vector_poisson : weft::c_api::Handle<weft::VectorPoisson> {};
struct weft_variable_poisson : weft::c_api::Handle<weft::VariablePoisson> {};
struct weft_chebyshev_axis : weft::c_api::Handle<weft::ChebyshevAxis> {};

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

/// Creates a solver of any kind; `read` returns its problem. Collective.
template <template <class> class Solver, class Any, class Read>
int create(MPI_Comm comm, const weft_plan_options* options, Any** solver, const Read& read) {
  return guarded([&] {
    const Comm ranks(comm);
    decltype(read()) problem;
    PlanOptions chosen;
    bool single = false;
    ranks.together([&] {
      output_of("solver", solver) = nullptr;
      problem = read();
      const weft_plan_options known = completed("plan_options", options, default_plan_options());
      chosen = solver_options(known, problem.cells.dims());
      single = is_single(known.precision);
    });
    *solver = new Any{make_handle<Solver>(comm, ranks, single, problem, chosen)};
  });
}

/// The points of this rank.
template <class Any>
index_t points_of(const Any& solver) {
  return solver.visit([](const auto& p) { return p.box().size(); });
}

/// This rank's box, and its points.
template <class Any>
int box_of(const char* name, const Any* handle, weft_box* box, int64_t* count) noexcept {
  return guarded([&] {
    const Any& any = object(name, handle);
    output_of("box", box) = c_box(any.visit([](const auto& p) { return p.box(); }));
    output_of("count", count) = points_of(any);
  });
}

}  // namespace weft::c_api

struct weft_redistribution : weft::c_api::PlainHandle<weft::Redistribution> {};
struct weft_halo : weft::c_api::PlainHandle<weft::Halo> {};
