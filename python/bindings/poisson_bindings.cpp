// weft._core.Poisson: both precisions behind one class.
#include <nanobind/stl/tuple.h>

#include <new>
#include <tuple>
#include <variant>

#include "common.hpp"
#include "numpy_over.hpp"

namespace weft::python {

namespace {

/// Runs a user's Python function, which the library calls without the GIL. Its exception becomes an Error, which the
/// library throws on every rank.
template <class Call>
void run(const Call& call) {
  const nb::gil_scoped_acquire gil;
  try {
    call();
  } catch (nb::python_error& error) {
    if (error.matches(PyExc_MemoryError)) throw std::bad_alloc();
    const std::string kind = nb::cast<std::string>(error.type().attr("__name__"));
    throw Error(Fault::argument, "kernel: the user's function raised " + kind + ": " + nb::str(error.value()).c_str());
  }
}

/// A numpy array over values of the library, for the duration of a call.
nb::object over(std::span<double> values, const std::vector<std::size_t>& shape) {
  return nb::cast(nb::ndarray<nb::numpy, double>(values.data(), shape.size(), shape.data(), nb::handle()),
                  nb::rv_policy::reference);
}

/// A name, or a weft.kernel.Kernel, whose function fills arrays.
Kernel kernel_from(const nb::object& given) {
  if (nb::isinstance<nb::str>(given)) return {nb::cast<std::string>(given)};
  const HeldObject fill(given.attr("fill"));
  if (nb::cast<std::string>(given.attr("name")) == "of_wavenumber")
    return Kernel::of_wavenumber([fill](const GreenGrid& grid, std::span<double> values) {
      run([&] {
        nb::list wavenumbers;
        std::vector<std::size_t> shape;
        for (const std::vector<double>& axis : grid.coordinates) {
          wavenumbers.append(float_array(axis));
          shape.push_back(axis.size());
        }
        (*fill)(wavenumbers, over(values, shape));
      });
    });
  return Kernel::of_distance([fill](std::span<const double> r, double k, std::span<double> values) {
    run([&] { (*fill)(float_array({r.begin(), r.end()}), k, over(values, {values.size()})); });
  });
}

}  // namespace

PoissonProblem problem_from(const nb::dict& given) {
  const auto take = [&given]<class Value>(const char* name, Value& member) { member = nb::cast<Value>(given[name]); };
  std::vector<index_t> cells;
  std::vector<std::pair<std::string, std::string>> boundary;
  std::vector<std::string> centring;
  PoissonProblem problem;
  take("cells", cells);
  take("length", problem.length);
  take("boundary", boundary);
  take("centring", centring);
  take("screening", problem.screening);
  problem.cells = extents_from(cells);
  int axis = 0;
  for (const auto& [left, right] : boundary) {
    problem.boundary.emplace_back(parse_end(left, axis), parse_end(right, axis));
    axis++;
  }
  problem.centring.clear();
  axis = 0;
  for (const std::string& text : centring) problem.centring.push_back(parse_centring(text, axis++));
  problem.kernel = kernel_from(given["kernel"]);
  take("alpha", problem.kernel.alpha);
  problem.mean = parse_mean(nb::cast<std::string>(given["mean"]));
  if (given.contains("widths")) {
    take("widths", problem.widths);
    std::pair<double, double> robin;
    take("robin", robin);
    problem.robin = {robin.first, robin.second};
    take("order", problem.order);
  }
  if (given.contains("power")) {
    take("power", problem.power);
    take("batch", problem.batch);
  }
  if (given.contains("shift")) take("shift", problem.shift);
  return problem;
}

namespace {

/// The field of an in-place solver of either precision.
struct AnySolverField {
  std::variant<SolverField<double>, SolverField<float>> field;

  template <class Work>
  auto visit(const Work& work) const {
    return std::visit(work, field);
  }
};

class AnyPoisson {
 public:
  AnyPoisson(std::uintptr_t comm, const nb::dict& problem, const std::string& dtype, const nb::dict& options)
      : AnyPoisson(comm, problem_from(problem), dtype, options_from(options)) {}

  const CallLock& lock() const { return lock_; }

  template <class Work>
  auto visit(const Work& work) const {
    return std::visit(work, solver_);
  }

  /// Calls work(solver) while no other call uses the solver.
  template <class Work>
  auto visit_alone(const Work& work) {
    return without_gil(lock_, [&] { return std::visit(work, solver_); });
  }

  void solve(const ConstArray& in, const Array& out) {
    visit_alone([&]<class Real>(Poisson<Real>& solver) {
      solver.solve(static_cast<const Real*>(in.data()), static_cast<Real*>(out.data()));
    });
  }

  /// `ends`: axis, whether it is the right end, and the values there.
  void solve_ends(const ConstArray& in, const Array& out, const std::vector<std::tuple<int, bool, ConstArray>>& ends) {
    visit_alone([&]<class Real>(Poisson<Real>& solver) {
      std::vector<EndValues<Real>> given;
      for (const auto& [axis, right, values] : ends)
        given.push_back({axis, right ? Side::right : Side::left, static_cast<const Real*>(values.data())});
      solver.solve(static_cast<const Real*>(in.data()), static_cast<Real*>(out.data()), given);
    });
  }

  AnySolverField field() {
    return visit_alone([](auto& solver) { return AnySolverField{solver.in_place_field()}; });
  }
  // Python has checked on every rank that the precisions agree.
  void solve_in(const AnySolverField& any) {
    without_gil(lock_, [&] {
      any.visit([&]<class Real>(const SolverField<Real>& field) { std::get<Poisson<Real>>(solver_).solve(field); });
    });
  }

 private:
  using Variant = std::variant<Poisson<double>, Poisson<float>>;

  AnyPoisson(std::uintptr_t comm, const PoissonProblem& problem, const std::string& dtype, const PlanOptions& options)
      : lock_(call_lock(options.workspace)),
        solver_(without_gil(lock_, [&] { return make(comm, problem, dtype, options); })) {}

  static Variant make(std::uintptr_t comm, const PoissonProblem& problem, const std::string& dtype,
                      const PlanOptions& options) {
    return with_real(
        dtype, [&](auto real) -> Variant { return Poisson<decltype(real)>(communicator(comm), problem, options); });
  }

  CallLock lock_;
  Variant solver_;
};

}  // namespace

void bind_poisson(nb::module_& module) {
  module.def("kernels", [] { return kernel_names(); });
  const auto get = [](const auto& member) { return [member](const AnyPoisson& any) { return any.visit(member); }; };
  nb::class_<AnyPoisson> solver(module, "Poisson");
  bind_facts(solver);
  solver
      .def(nb::init<std::uintptr_t, const nb::dict&, const std::string&, const nb::dict&>(), nb::arg("comm_address"),
           nb::arg("problem"), nb::arg("dtype"), nb::arg("options"))
      .def_prop_ro("global_shape", get([](const auto& p) { return list_of(p.layout().extents()); }))
      .def_prop_ro("notes", get([](const auto& p) { return p.notes(); }))
      .def_prop_ro("cell_weights", get([](const auto& p) { return p.cell_weights(); }))
      .def("solve", &AnyPoisson::solve)
      .def("solve_ends", &AnyPoisson::solve_ends)
      .def("field", &AnyPoisson::field)
      .def("solve_in", &AnyPoisson::solve_in);
  const auto of = [](const auto& member) { return [member](const AnySolverField& any) { return any.visit(member); }; };
  nb::class_<AnySolverField>(module, "SolverField")
      .def("values", of([](const auto& f) { return numpy_over(f.values, f.memory); }))
      .def_prop_ro("nbytes", of([](const auto& f) { return f.memory->bytes(); }));
}

}  // namespace weft::python
