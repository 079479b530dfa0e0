// weft._core.Plan: both precisions behind one class.
#include <nanobind/stl/optional.h>

#include <optional>
#include <variant>

#include "common.hpp"

namespace weft::python {

namespace {

class AnyPlan {
 public:
  AnyPlan(std::uintptr_t comm, const std::vector<index_t>& shape, const std::vector<std::string>& kinds,
          const std::optional<std::vector<int>>& grid, const std::string& dtype, const std::string& strategy,
          int threads, const std::string& norm, const std::string& effort, const std::string& engine)
      : plan_(make(comm, shape, kinds, grid, dtype, strategy, threads, norm, effort, engine)) {}

  template <class Work>
  auto visit(const Work& work) const {
    return std::visit(work, plan_);
  }

  void forward(const ConstArray& in, const Array& out) { run(in, out, true); }
  void backward(const ConstArray& in, const Array& out) { run(in, out, false); }

 private:
  using Variant = std::variant<Plan<double>, Plan<float>>;

  static Variant make(std::uintptr_t comm, const std::vector<index_t>& shape, const std::vector<std::string>& kinds,
                      const std::optional<std::vector<int>>& grid, const std::string& dtype,
                      const std::string& strategy, int threads, const std::string& norm, const std::string& effort,
                      const std::string& engine) {
    std::vector<Kind> parsed;
    for (const std::string& kind : kinds) parsed.push_back(parse_kind(kind));
    PlanOptions options = options_from(grid.value_or(std::vector<int>{}), strategy, threads, engine);
    options.norm = parse_norm(norm);
    options.effort = parse_effort(effort);
    const Extents extents = extents_from(shape);
    return with_real(dtype, [&](auto real) -> Variant {
      return Plan<decltype(real)>(communicator(comm), extents, parsed, options);
    });
  }

  void run(const ConstArray& in, const Array& out, bool forward) {
    std::visit(
        [&]<class Real>(Plan<Real>& plan) {
          const auto* from = static_cast<const Real*>(in.data());
          auto* to = static_cast<Real*>(out.data());
          forward ? plan.forward(from, to) : plan.backward(from, to);
        },
        plan_);
  }

  Variant plan_;
};

}  // namespace

void bind_plan(nb::module_& module) {
  const auto get = [](const auto& member) { return [member](const AnyPlan& any) { return any.visit(member); }; };
  nb::class_<AnyPlan>(module, "Plan")
      .def(nb::init<std::uintptr_t, const std::vector<index_t>&, const std::vector<std::string>&,
                    const std::optional<std::vector<int>>&, const std::string&, const std::string&, int,
                    const std::string&, const std::string&, const std::string&>(),
           nb::arg("comm_address"), nb::arg("shape"), nb::arg("kinds"), nb::arg("grid").none(), nb::arg("dtype"),
           nb::arg("strategy"), nb::arg("threads"), nb::arg("norm"), nb::arg("effort"), nb::arg("engine"))
      .def_prop_ro("physical_box", get([](const auto& p) { return ranges_of(p.physical_box()); }))
      .def_prop_ro("spectral_box", get([](const auto& p) { return ranges_of(p.spectral_box()); }))
      .def_prop_ro("physical_complex", get([](const auto& p) { return p.physical_complex(); }))
      .def_prop_ro("spectral_complex", get([](const auto& p) { return p.spectral_complex(); }))
      .def_prop_ro("physical_shape_global", get([](const auto& p) { return list_of(p.physical_layout().extents()); }))
      .def_prop_ro("spectral_shape_global", get([](const auto& p) { return list_of(p.spectral_layout().extents()); }))
      .def_prop_ro("workspace_bytes", get([](const auto& p) { return p.workspace_bytes(); }))
      .def_prop_ro("bytes_sent", get([](const auto& p) { return p.bytes_sent(); }))
      .def_prop_ro("strategy", get([](const auto& p) { return p.strategy(); }))
      .def_prop_ro("threads", get([](const auto& p) { return p.threads(); }))
      .def("explain", get([](const auto& p) { return p.explain(); }))
      .def("wavenumbers",
           [](const AnyPlan& any, int axis) {
             return any.visit([axis](const auto& p) { return float_array(p.wavenumbers(axis)); });
           })
      .def("weights",
           [](const AnyPlan& any, int axis) {
             return any.visit([axis](const auto& p) { return float_array(p.weights(axis)); });
           })
      .def("coordinates",
           [](const AnyPlan& any, int axis) {
             return any.visit([axis](const auto& p) { return float_array(p.coordinates(axis)); });
           })
      .def("forward", &AnyPlan::forward)
      .def("backward", &AnyPlan::backward);
}

}  // namespace weft::python
