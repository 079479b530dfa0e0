// weft_poisson and weft_vector_poisson: solvers on arrays of the caller.
#include <span>
#include <string>
#include <vector>

#include "c_api/plan_handle.hpp"
#include "c_api/solver_handle.hpp"

using namespace weft::c_api;
using weft::EndValues;
using weft::index_t;
using weft::Poisson;
using weft::Side;
using weft::VectorPoisson;

namespace {

template <class Any>
int coordinates(const Any* solver, int axis, double* values, int64_t count) noexcept {
  return list("solver", solver, values, count, [axis](const auto& p) { return p.points(axis); });
}

// The sizes of the arrays of an operation, as multiples of the points.
struct Shares {
  int in, out;
};

// Calls a method of VectorPoisson; `shares` gives the sizes of its arrays in `components` dimensions.
template <class Shape, class Method>
int operate(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out, int64_t out_count,
            const Shape& shape, const Method& method) noexcept {
  return guarded([&] {
    weft_vector_poisson& any = object("solver", solver);
    const Shares shares = shape(any.visit([](const auto& p) { return p.components(); }));
    const index_t points = points_of(any) * std::max(any.visit([](const auto& p) { return p.batch(); }), index_t{1});
    any.comm.together([&] {
      check_array("in", in, in_count, shares.in * points);
      check_array("out", out, out_count, shares.out * points);
    });
    any.visit(
        [&]<class Real>(VectorPoisson<Real>& p) { method(p, static_cast<const Real*>(in), static_cast<Real*>(out)); });
  });
}

Shares vector_to_vector(int components) { return {components, components}; }
Shares vector_to_scalar(int components) { return {components, 1}; }
Shares scalar_to_vector(int components) { return {1, components}; }
// In two dimensions a curl and a vorticity have one component.
Shares vector_to_curl(int components) { return {components, components == 2 ? 1 : components}; }
Shares curl_to_vector(int components) { return {components == 2 ? 1 : components, components}; }

// Arrays of ends have the points of the rank without the axis. The solver refuses an axis that does not exist.
void check_ends(const weft_poisson& solver, const weft_end_values* ends, int count) {
  weft::require(count >= 0 && (ends != nullptr || count == 0), "ends: " + std::to_string(count) + " entries at " +
                                                                   (ends == nullptr ? "NULL" : "an address") +
                                                                   " were given; give an array and how many it has");
  const weft::Box box = solver.visit([](const auto& p) { return p.box(); });
  const int batch_axes = solver.visit([](const auto& p) { return p.batch() > 0 ? 1 : 0; });
  for (int i = 0; i < count; i++) {
    if (ends[i].axis < 0 || ends[i].axis >= box.dims() - batch_axes) continue;
    const index_t along = box[ends[i].axis + batch_axes].size();
    check_array("ends", ends[i].values, ends[i].count, along == 0 ? 0 : box.size() / along);
  }
}

}  // namespace

int weft_poisson_create(MPI_Comm comm, const weft_poisson_problem* problem, const weft_plan_options* options,
                        weft_poisson** solver) {
  return create<Poisson>(comm, options, solver, [&] { return poisson_problem(problem); });
}
int weft_poisson_destroy(weft_poisson** solver) { return destroy("solver", solver); }
int weft_poisson_box(const weft_poisson* solver, weft_box* box, int64_t* count) {
  return box_of("solver", solver, box, count);
}
int weft_poisson_points(const weft_poisson* solver, int axis, double* values, int64_t count) {
  return coordinates(solver, axis, values, count);
}
int weft_poisson_weights(const weft_poisson* solver, int axis, double* values, int64_t count) {
  return list("solver", solver, values, count, [axis](const auto& p) { return p.weights(axis); });
}
int weft_poisson_solve(weft_poisson* solver, const void* rhs, void* solution, int64_t count) {
  return guarded([&] {
    weft_poisson& any = object("solver", solver);
    any.comm.together([&] {
      check_array("rhs", rhs, count, points_of(any));
      check_array("solution", solution, count, points_of(any));
    });
    any.visit(
        [&]<class Real>(Poisson<Real>& p) { p.solve(static_cast<const Real*>(rhs), static_cast<Real*>(solution)); });
  });
}
int weft_poisson_solve_ends(weft_poisson* solver, const void* rhs, void* solution, int64_t count,
                            const weft_end_values* ends, int end_count) {
  return guarded([&] {
    weft_poisson& any = object("solver", solver);
    any.comm.together([&] {
      check_array("rhs", rhs, count, points_of(any));
      check_array("solution", solution, count, points_of(any));
      check_ends(any, ends, end_count);
    });
    any.visit([&]<class Real>(Poisson<Real>& p) {
      std::vector<EndValues<Real>> given;
      for (const weft_end_values& end : std::span(ends, static_cast<std::size_t>(end_count)))
        given.push_back({end.axis, end.right != 0 ? Side::right : Side::left, static_cast<const Real*>(end.values)});
      p.solve(static_cast<const Real*>(rhs), static_cast<Real*>(solution), given);
    });
  });
}
int weft_poisson_explain(const weft_poisson* solver, const char** text) { return explain("solver", solver, text); }
int weft_poisson_facts(const weft_poisson* solver, weft_facts* facts) { return facts_of("solver", solver, facts); }

int weft_vector_poisson_create(MPI_Comm comm, const weft_vector_problem* problem, const weft_plan_options* options,
                               weft_vector_poisson** solver) {
  return create<VectorPoisson>(comm, options, solver, [&] { return vector_problem(problem); });
}
int weft_vector_poisson_destroy(weft_vector_poisson** solver) { return destroy("solver", solver); }
int weft_vector_poisson_box(const weft_vector_poisson* solver, weft_box* box, int64_t* count) {
  return box_of("solver", solver, box, count);
}
int weft_vector_poisson_points(const weft_vector_poisson* solver, int axis, double* values, int64_t count) {
  return coordinates(solver, axis, values, count);
}
int weft_vector_poisson_solve(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                              int64_t out_count) {
  return operate(solver, in, in_count, out, out_count, vector_to_vector,
                 [](auto& p, auto* from, auto* to) { p.solve(from, to); });
}
int weft_vector_poisson_biot_savart(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                                    int64_t out_count) {
  return operate(solver, in, in_count, out, out_count, curl_to_vector,
                 [](auto& p, auto* from, auto* to) { p.biot_savart(from, to); });
}
int weft_vector_poisson_curl(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                             int64_t out_count) {
  return operate(solver, in, in_count, out, out_count, vector_to_curl,
                 [](auto& p, auto* from, auto* to) { p.curl(from, to); });
}
int weft_vector_poisson_divergence(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                                   int64_t out_count) {
  return operate(solver, in, in_count, out, out_count, vector_to_scalar,
                 [](auto& p, auto* from, auto* to) { p.divergence(from, to); });
}
int weft_vector_poisson_gradient(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                                 int64_t out_count) {
  return operate(solver, in, in_count, out, out_count, scalar_to_vector,
                 [](auto& p, auto* from, auto* to) { p.gradient(from, to); });
}
int weft_vector_poisson_solve_gradient(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                                       int64_t out_count) {
  return operate(solver, in, in_count, out, out_count, scalar_to_vector,
                 [](auto& p, auto* from, auto* to) { p.solve_gradient(from, to); });
}
int weft_vector_poisson_project(weft_vector_poisson* solver, const void* in, int64_t in_count, void* out,
                                int64_t out_count) {
  return operate(solver, in, in_count, out, out_count, vector_to_vector,
                 [](auto& p, auto* from, auto* to) { p.project(from, to); });
}
int weft_vector_poisson_explain(const weft_vector_poisson* solver, const char** text) {
  return explain("solver", solver, text);
}
int weft_vector_poisson_facts(const weft_vector_poisson* solver, weft_facts* facts) {
  return facts_of("solver", solver, facts);
}
