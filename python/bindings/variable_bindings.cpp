// weft._core.VariablePoisson: both precisions behind one class.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <variant>

#include "callback.hpp"
#include "common.hpp"

namespace weft::python {

namespace {

/// The members that Poisson has, too, and the choices by name.
VariableProblem variable_problem_from(const nb::dict& given) {
  const PoissonProblem common = problem_from(given);
  VariableProblem problem{common.cells, common.length, common.boundary};
  problem.mean = common.mean;
  const auto [take, parse] = option_readers(given);
  parse("form", problem.form, parse_form);
  parse("faces", problem.faces, parse_faces);
  parse("around", problem.around, parse_around);
  take("tolerance", problem.tolerance);
  take("most_iterations", problem.most_iterations);
  return problem;
}

class AnyVariablePoisson {
 public:
  AnyVariablePoisson(std::uintptr_t comm, const nb::dict& problem, const std::string& dtype, const nb::dict& options)
      : AnyVariablePoisson(comm, variable_problem_from(problem), dtype, options_from(options)) {}

  const CallLock& lock() const { return lock_; }

  template <class Work>
  auto visit(const Work& work) const {
    return std::visit(work, solver_);
  }

  void set_coefficients(const ConstArray& a, const ConstArray& c) {
    visit_alone([&]<class Real>(VariablePoisson<Real>& solver) {
      solver.set_coefficients(static_cast<const Real*>(a.data()), static_cast<const Real*>(c.data()));
    });
  }

  void apply(const ConstArray& u, const Array& out) {
    visit_alone([&]<class Real>(VariablePoisson<Real>& solver) {
      solver.apply(static_cast<const Real*>(u.data()), static_cast<Real*>(out.data()));
    });
  }

  void solve(const ConstArray& f, const Array& out, const std::optional<ConstArray>& guess,
             const IterationReport& report) {
    Teller teller("weft.VariablePoisson: report", comm_);
    IterationReport tell;
    if (report) tell = [&](int iteration, double residual) { teller.tell([&] { report(iteration, residual); }); };
    visit_alone([&]<class Real>(VariablePoisson<Real>& solver) {
      solver.solve(static_cast<const Real*>(f.data()), static_cast<Real*>(out.data()),
                   guess ? static_cast<const Real*>(guess->data()) : nullptr, tell);
    });
    teller.finish();
  }

 private:
  using Variant = std::variant<VariablePoisson<double>, VariablePoisson<float>>;

  AnyVariablePoisson(std::uintptr_t comm, const VariableProblem& problem, const std::string& dtype,
                     const PlanOptions& options)
      : comm_(communicator(comm)), lock_(call_lock(options.workspace)), solver_(without_gil(lock_, [&] {
          return with_real(
              dtype, [&](auto real) -> Variant { return VariablePoisson<decltype(real)>(comm_, problem, options); });
        })) {}

  template <class Work>
  void visit_alone(const Work& work) {
    without_gil(lock_, [&] { std::visit(work, solver_); });
  }

  MPI_Comm comm_;
  CallLock lock_;
  Variant solver_;
};

}  // namespace

void bind_variable_poisson(nb::module_& module) {
  const auto get = [](const auto& member) {
    return [member](const AnyVariablePoisson& any) { return any.visit(member); };
  };
  nb::class_<AnyVariablePoisson> solver(module, "VariablePoisson");
  bind_facts(solver);
  solver
      .def(nb::init<std::uintptr_t, const nb::dict&, const std::string&, const nb::dict&>(), nb::arg("comm_address"),
           nb::arg("problem"), nb::arg("dtype"), nb::arg("options"))
      .def_prop_ro("global_shape", get([](const auto& p) { return list_of(p.layout().extents()); }))
      .def_prop_ro("notes", get([](const auto& p) { return p.notes(); }))
      .def_prop_ro("iterations", get([](const auto& p) { return p.iterations(); }))
      .def_prop_ro("residual", get([](const auto& p) { return p.residual(); }))
      .def_prop_ro("mean_is_free", get([](const auto& p) { return p.mean_is_free(); }))
      .def("set_coefficients", &AnyVariablePoisson::set_coefficients)
      .def("apply", &AnyVariablePoisson::apply)
      .def("solve", &AnyVariablePoisson::solve, nb::arg("f"), nb::arg("out"), nb::arg("guess").none(),
           nb::arg("report").none());
}

}  // namespace weft::python
