// weft._core.Poisson: both precisions behind one class.
#include <variant>

#include "common.hpp"

namespace weft::python {

namespace {

class AnyPoisson {
 public:
  AnyPoisson(std::uintptr_t comm, const std::vector<index_t>& cells, const std::vector<double>& length,
             const std::vector<std::pair<std::string, std::string>>& boundary, const std::vector<std::string>& centring,
             const std::string& kernel, const std::string& dtype, const nb::dict& options)
      : solver_(make(comm, problem_from(cells, length, boundary, centring, kernel), dtype, options_from(options))) {}

  template <class Work>
  auto visit(const Work& work) const {
    return std::visit(work, solver_);
  }

  void solve(const ConstArray& in, const Array& out) {
    std::visit(
        [&]<class Real>(Poisson<Real>& solver) {
          solver.solve(static_cast<const Real*>(in.data()), static_cast<Real*>(out.data()));
        },
        solver_);
  }

 private:
  using Variant = std::variant<Poisson<double>, Poisson<float>>;

  static PoissonProblem problem_from(const std::vector<index_t>& cells, const std::vector<double>& length,
                                     const std::vector<std::pair<std::string, std::string>>& boundary,
                                     const std::vector<std::string>& centring, const std::string& kernel) {
    PoissonProblem problem{extents_from(cells), length, {}, {}, kernel};
    int axis = 0;
    for (const auto& [left, right] : boundary) {
      problem.boundary.emplace_back(parse_end(left, axis), parse_end(right, axis));
      axis++;
    }
    axis = 0;
    for (const std::string& text : centring) problem.centring.push_back(parse_centring(text, axis++));
    return problem;
  }

  static Variant make(std::uintptr_t comm, const PoissonProblem& problem, const std::string& dtype,
                      const PlanOptions& options) {
    return with_real(
        dtype, [&](auto real) -> Variant { return Poisson<decltype(real)>(communicator(comm), problem, options); });
  }

  Variant solver_;
};

}  // namespace

void bind_poisson(nb::module_& module) {
  const auto get = [](const auto& member) { return [member](const AnyPoisson& any) { return any.visit(member); }; };
  nb::class_<AnyPoisson>(module, "Poisson")
      .def(nb::init<std::uintptr_t, const std::vector<index_t>&, const std::vector<double>&,
                    const std::vector<std::pair<std::string, std::string>>&, const std::vector<std::string>&,
                    const std::string&, const std::string&, const nb::dict&>(),
           nb::arg("comm_address"), nb::arg("cells"), nb::arg("length"), nb::arg("boundary"), nb::arg("centring"),
           nb::arg("kernel"), nb::arg("dtype"), nb::arg("options"))
      .def_prop_ro("local_box", get([](const auto& p) { return ranges_of(p.box()); }))
      .def_prop_ro("global_shape", get([](const auto& p) { return list_of(p.layout().extents()); }))
      .def_prop_ro("workspace_bytes", get([](const auto& p) { return p.workspace_bytes(); }))
      .def_prop_ro("bytes_sent", get([](const auto& p) { return p.bytes_sent(); }))
      .def_prop_ro("strategy", get([](const auto& p) { return p.strategy(); }))
      .def_prop_ro("threads", get([](const auto& p) { return p.threads(); }))
      .def_prop_ro("setup_seconds", get([](const auto& p) { return p.setup_seconds(); }))
      .def("explain", get([](const auto& p) { return p.explain(); }))
      .def("points", [](const AnyPoisson& any,
                        int axis) { return any.visit([axis](const auto& p) { return float_array(p.points(axis)); }); })
      .def("solve", &AnyPoisson::solve);
}

}  // namespace weft::python
