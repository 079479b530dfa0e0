// weft._core.ChebyshevAxis, and the points and weights of such axes.
#include <variant>

#include "common.hpp"

namespace weft::python {

namespace {

/// An axis of an array of either precision.
class AnyChebyshevAxis {
 public:
  AnyChebyshevAxis(std::uintptr_t comm, const std::vector<index_t>& shape, int axis, std::pair<double, double> ends,
                   const Ranges& box, const std::string& dtype, const nb::dict& options)
      : AnyChebyshevAxis(comm, {extents_from(shape), axis, ends.first, ends.second}, box_from(box), dtype,
                         options_from(options)) {}

  /// Python has checked shapes and types on every rank.
  void derivative(const ConstArray& in, const Array& out, int order) {
    visit_alone([&]<class Real>(ChebyshevAxis<Real>& axis) {
      axis.derivative(static_cast<const Real*>(in.data()), static_cast<Real*>(out.data()), order);
    });
  }
  void integral(const ConstArray& in, const Array& out) {
    visit_alone([&]<class Real>(ChebyshevAxis<Real>& axis) {
      axis.integral(static_cast<const Real*>(in.data()), static_cast<Real*>(out.data()));
    });
  }
  index_t workspace_bytes() const {
    return std::visit([](const auto& axis) { return axis.workspace_bytes(); }, axis_);
  }

 private:
  using Variant = std::variant<ChebyshevAxis<double>, ChebyshevAxis<float>>;

  AnyChebyshevAxis(std::uintptr_t comm, const ChebyshevProblem& problem, const Box& box, const std::string& dtype,
                   const PlanOptions& options)
      : lock_(call_lock(options.workspace)), axis_(without_gil(lock_, [&] {
          return with_real(dtype, [&](auto real) -> Variant {
            return ChebyshevAxis<decltype(real)>(communicator(comm), problem, box, options);
          });
        })) {}

  template <class Work>
  void visit_alone(const Work& work) {
    without_gil(lock_, [&] { std::visit(work, axis_); });
  }

  CallLock lock_;
  Variant axis_;
};

}  // namespace

void bind_chebyshev(nb::module_& module) {
  nb::class_<AnyChebyshevAxis>(module, "ChebyshevAxis")
      .def(nb::init<std::uintptr_t, const std::vector<index_t>&, int, std::pair<double, double>, const Ranges&,
                    const std::string&, const nb::dict&>(),
           nb::arg("comm_address"), nb::arg("shape"), nb::arg("axis"), nb::arg("ends"), nb::arg("box"),
           nb::arg("dtype"), nb::arg("options"))
      .def_prop_ro("workspace_bytes", &AnyChebyshevAxis::workspace_bytes)
      .def("derivative", &AnyChebyshevAxis::derivative)
      .def("integral", &AnyChebyshevAxis::integral);
  module.def(
      "chebyshev_points", [](index_t n, double a, double b) { return float_array(chebyshev_points(n, a, b)); },
      nb::arg("n"), nb::arg("a"), nb::arg("b"));
  module.def(
      "chebyshev_weights", [](index_t n, double a, double b) { return float_array(chebyshev_weights(n, a, b)); },
      nb::arg("n"), nb::arg("a"), nb::arg("b"));
}

}  // namespace weft::python
