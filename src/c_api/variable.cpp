// weft_variable_poisson.
#include "c_api/solver_handle.hpp"

using namespace weft::c_api;
using weft::index_t;
using weft::IterationReport;
using weft::VariablePoisson;

namespace {

// A local array that may be omitted, on all ranks together.
void check_optional(const char* name, const void* data, int64_t count, index_t wanted) {
  if (data != nullptr) check_array(name, data, count, wanted);
}

}  // namespace

int weft_variable_poisson_create(MPI_Comm comm, const weft_variable_problem* problem, const weft_plan_options* options,
                                 weft_variable_poisson** solver) {
  return create<VariablePoisson>(comm, options, solver, [&] { return variable_problem(problem); });
}
int weft_variable_poisson_destroy(weft_variable_poisson** solver) { return destroy("solver", solver); }
int weft_variable_poisson_box(const weft_variable_poisson* solver, weft_box* box, int64_t* count) {
  return box_of("solver", solver, box, count);
}
int weft_variable_poisson_points(const weft_variable_poisson* solver, int axis, double* values, int64_t count) {
  return list("solver", solver, values, count, [axis](const auto& p) { return p.points(axis); });
}
int weft_variable_poisson_set_coefficients(weft_variable_poisson* solver, const void* a, const void* c, int64_t count) {
  return guarded([&] {
    weft_variable_poisson& any = object("solver", solver);
    any.comm.together([&] {
      check_array("a", a, count, points_of(any));
      check_optional("c", c, count, points_of(any));
    });
    any.visit([&]<class Real>(VariablePoisson<Real>& p) {
      p.set_coefficients(static_cast<const Real*>(a), static_cast<const Real*>(c));
    });
  });
}
int weft_variable_poisson_apply(weft_variable_poisson* solver, const void* u, void* result, int64_t count) {
  return guarded([&] {
    weft_variable_poisson& any = object("solver", solver);
    any.comm.together([&] {
      check_array("u", u, count, points_of(any));
      check_array("result", result, count, points_of(any));
    });
    any.visit([&]<class Real>(VariablePoisson<Real>& p) {
      p.apply(static_cast<const Real*>(u), static_cast<Real*>(result));
    });
  });
}
int weft_variable_poisson_solve(weft_variable_poisson* solver, const void* f, void* u, int64_t count, const void* guess,
                                weft_iteration_report report, void* data) {
  return guarded([&] {
    weft_variable_poisson& any = object("solver", solver);
    any.comm.together([&] {
      check_array("f", f, count, points_of(any));
      check_array("u", u, count, points_of(any));
      check_optional("guess", guess, count, points_of(any));
    });
    IterationReport tell;
    if (report != nullptr) tell = [=](int iteration, double residual) { report(iteration, residual, data); };
    any.visit([&]<class Real>(VariablePoisson<Real>& p) {
      p.solve(static_cast<const Real*>(f), static_cast<Real*>(u), static_cast<const Real*>(guess), tell);
    });
  });
}
int weft_variable_poisson_outcome(const weft_variable_poisson* solver, int* iterations, double* residual) {
  return guarded([&] {
    const weft_variable_poisson& any = object("solver", solver);
    if (iterations != nullptr) *iterations = any.visit([](const auto& p) { return p.iterations(); });
    if (residual != nullptr) *residual = any.visit([](const auto& p) { return p.residual(); });
  });
}
int weft_variable_poisson_explain(const weft_variable_poisson* solver, const char** text) {
  return explain("solver", solver, text);
}
int weft_variable_poisson_facts(const weft_variable_poisson* solver, weft_facts* facts) {
  return facts_of("solver", solver, facts);
}
