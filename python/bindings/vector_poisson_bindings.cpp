// weft._core.VectorPoisson: both precisions behind one class.
#include <variant>

#include "common.hpp"

namespace weft::python {

namespace {

using EndPairs = std::vector<std::pair<std::string, std::string>>;

std::vector<Boundary> boundaries_from(const EndPairs& pairs) {
  std::vector<Boundary> boundaries;
  int axis = 0;
  for (const auto& [left, right] : pairs) {
    boundaries.emplace_back(parse_end(left, axis), parse_end(right, axis));
    axis++;
  }
  return boundaries;
}

EndPairs pairs_of(const std::vector<Boundary>& boundaries) {
  EndPairs pairs;
  for (const Boundary& b : boundaries) pairs.emplace_back(to_string(b.left), to_string(b.right));
  return pairs;
}

std::vector<EndPairs> pairs_of(const std::vector<std::vector<Boundary>>& field) {
  std::vector<EndPairs> components;
  for (const auto& boundaries : field) components.push_back(pairs_of(boundaries));
  return components;
}

/// A VectorProblem as by problem_from, with the boundaries of all components.
VectorProblem vector_problem_from(const nb::dict& given) {
  PoissonProblem common = problem_from(given);
  VectorProblem problem{common.cells, common.length, {}, common.centring, common.kernel, common.screening};
  for (const EndPairs& pairs : nb::cast<std::vector<EndPairs>>(given["components"]))
    problem.boundary.push_back(boundaries_from(pairs));
  problem.shift = common.shift;
  problem.power = common.power;
  problem.batch = common.batch;
  problem.derivative = parse_derivative(nb::cast<std::string>(given["derivative"]));
  return problem;
}

class AnyVectorPoisson {
 public:
  AnyVectorPoisson(std::uintptr_t comm, const nb::dict& problem, const std::string& dtype, const nb::dict& options)
      : AnyVectorPoisson(comm, vector_problem_from(problem), dtype, options_from(options)) {}

  const CallLock& lock() const { return lock_; }

  template <class Work>
  auto visit(const Work& work) const {
    return std::visit(work, solver_);
  }

  /// Runs an operation by its name in VectorPoisson.
  void apply(const std::string& operation, const ConstArray& in, const Array& out) {
    const auto run = [&]<class Real>(VectorPoisson<Real>& solver) {
      using Solver = VectorPoisson<Real>;
      static const std::vector<std::pair<std::string, void (Solver::*)(const Real*, Real*)>> operations{
          {"solve", &Solver::solve},       {"biot_savart", &Solver::biot_savart},
          {"curl", &Solver::curl},         {"divergence", &Solver::divergence},
          {"gradient", &Solver::gradient}, {"solve_gradient", &Solver::solve_gradient},
          {"project", &Solver::project}};
      for (const auto& [name, member] : operations)
        if (name == operation)
          return (solver.*member)(static_cast<const Real*>(in.data()), static_cast<Real*>(out.data()));
      throw Error(Fault::internal, "operation: " + operation + " is not known");
    };
    without_gil(lock_, [&] { std::visit(run, solver_); });
  }

 private:
  using Variant = std::variant<VectorPoisson<double>, VectorPoisson<float>>;

  AnyVectorPoisson(std::uintptr_t comm, const VectorProblem& problem, const std::string& dtype,
                   const PlanOptions& options)
      : lock_(call_lock(options.workspace)),
        solver_(without_gil(lock_, [&] { return make(comm, problem, dtype, options); })) {}

  static Variant make(std::uintptr_t comm, const VectorProblem& problem, const std::string& dtype,
                      const PlanOptions& options) {
    return with_real(dtype, [&](auto real) -> Variant {
      return VectorPoisson<decltype(real)>(communicator(comm), problem, options);
    });
  }

  CallLock lock_;
  Variant solver_;
};

}  // namespace

void bind_vector_poisson(nb::module_& module) {
  module.def("vector_boundary",
             [](const EndPairs& scalar) { return pairs_of(vector_boundary(boundaries_from(scalar))); });
  const auto get = [](const auto& member) {
    return [member](const AnyVectorPoisson& any) { return any.visit(member); };
  };
  nb::class_<AnyVectorPoisson> solver(module, "VectorPoisson");
  bind_facts(solver);
  solver
      .def(nb::init<std::uintptr_t, const nb::dict&, const std::string&, const nb::dict&>(), nb::arg("comm_address"),
           nb::arg("problem"), nb::arg("dtype"), nb::arg("options"))
      .def_prop_ro("global_shape", get([](const auto& p) { return list_of(p.extents()); }))
      .def_prop_ro("notes", get([](const auto& p) { return p.notes(); }))
      .def_prop_ro("scalar_boundary", get([](const auto& p) { return pairs_of(p.scalar_boundary()); }))
      .def_prop_ro("curl_boundary", get([](const auto& p) { return pairs_of(p.curl_boundary()); }))
      .def("apply", &AnyVectorPoisson::apply);
}

}  // namespace weft::python
