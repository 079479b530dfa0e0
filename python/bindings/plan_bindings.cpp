// weft._core.Plan and weft._core.InPlaceField: both precisions behind one class.
#include <nanobind/stl/complex.h>
#include <nanobind/stl/optional.h>

#include <complex>
#include <memory>
#include <optional>
#include <variant>

#include "common.hpp"
#include "numpy_over.hpp"
#include "plain_array.hpp"

namespace weft::python {

namespace {

/// A symbol in main memory with any strides, in the plan's precision, broadcast to the local modes; Python checks that.
using Factors = nb::ndarray<nb::ro, nb::device::cpu>;
/// Local arrays that may have padding between rows and planes; Python has checked shape, type and order.
using PaddedArray = nb::ndarray<nb::device::cpu>;
using ConstPaddedArray = nb::ndarray<nb::ro, nb::device::cpu>;
/// One entry per axis, or none.
using Origin = std::optional<std::vector<index_t>>;

template <class AnyArray>
Extents strides_of(const AnyArray& array) {
  Extents strides;
  for (std::size_t axis = 0; axis < array.ndim(); axis++) strides.push_back(array.stride(axis));
  return strides;
}

/// An in-place field of either precision, real or complex on either side.
struct AnyField {
  template <class Real, class Complex = std::complex<Real>>
  using Of = std::variant<InPlaceField<Real, Real, Real>, InPlaceField<Real, Complex, Real>,
                          InPlaceField<Complex, Complex, Real>>;
  std::variant<Of<double>, Of<float>> field;

  template <class Work>
  auto visit(const Work& work) const {
    return std::visit([&](const auto& of) { return std::visit(work, of); }, field);
  }
};

template <class Real>
typename Plan<Real>::Symbol symbol_from(const Factors& factors) {
  const bool is_complex = factors.dtype().code == static_cast<std::uint8_t>(nb::dlpack::dtype_code::Complex);
  typename Plan<Real>::Symbol symbol{static_cast<const Real*>(factors.data()), {}, is_complex};
  symbol.strides = strides_of(factors);
  return symbol;
}

class AnyPlan {
 public:
  AnyPlan(std::uintptr_t comm, const std::vector<index_t>& shape, const std::vector<std::string>& kinds,
          const std::string& dtype, const Ranges& physical_box, const Ranges& spectral_box, const nb::dict& options)
      : AnyPlan(comm, shape, kinds, dtype, {box_from(physical_box), box_from(spectral_box)}, options_from(options)) {}

  const CallLock& lock() const { return lock_; }

  template <class Work>
  auto visit(const Work& work) const {
    return std::visit(work, plan_);
  }

  /// Calls work(plan) while no other call uses the plan.
  template <class Work>
  auto visit_alone(const Work& work) {
    return without_gil(lock_, [&] { return std::visit(work, plan_); });
  }

  /// Whether `here` is true on all ranks. Collective.
  bool all_agree(bool here) {
    return without_gil(lock_, [&] { return comm_.max(index_t{here ? 0 : 1}) == 0; });
  }
  void forward(const ConstPaddedArray& in, const PaddedArray& out) {
    with_arrays(in, out,
                [&](auto& plan, auto from, auto to) { plan.forward(from, strides_of(in), to, strides_of(out)); });
  }
  void backward(const ConstPaddedArray& in, const PaddedArray& out) {
    with_arrays(in, out,
                [&](auto& plan, auto from, auto to) { plan.backward(from, strides_of(in), to, strides_of(out)); });
  }
  /// The same where these are suitable arrays on all ranks; else returns false. Collective.
  bool forward_if_ready(nb::handle in, nb::handle out) {
    return if_ready(in, out, Direction::forward, [](auto& plan, auto... arrays) { plan.forward(arrays...); });
  }
  bool backward_if_ready(nb::handle in, nb::handle out) {
    return if_ready(in, out, Direction::backward, [](auto& plan, auto... arrays) { plan.backward(arrays...); });
  }
  void apply(const ConstArray& in, const Array& out, const Factors& factors) {
    with_arrays(in, out, [&]<class Real>(Plan<Real>& plan, const Real* from, Real* to) {
      plan.apply(from, to, symbol_from<Real>(factors));
    });
  }

  /// Cyclic without an origin, else linear.
  void convolve(const ConstArray& a, const ConstArray& b, const Array& out, const Origin& origin) {
    multiply(a, b, out, [&](auto& plan, auto... arrays) {
      origin ? plan.convolve(arrays..., extents_from(*origin)) : plan.convolve(arrays...);
    });
  }
  void correlate(const ConstArray& a, const ConstArray& b, const Array& out, const Origin& origin) {
    multiply(a, b, out, [&](auto& plan, auto... arrays) {
      origin ? plan.correlate(arrays..., extents_from(*origin)) : plan.correlate(arrays...);
    });
  }
  void product(const ConstArray& a, const ConstArray& b, const Array& out) {
    multiply(a, b, out, [](auto& plan, auto... arrays) { plan.product(arrays...); });
  }

  AnyField field() {
    return visit_alone([]<class Real>(Plan<Real>& plan) -> AnyField {
      using Complex = std::complex<Real>;
      using Of = AnyField::Of<Real>;
      if (plan.physical_complex()) return {Of(plan.template in_place_field<Complex, Complex>())};
      if (plan.spectral_complex()) return {Of(plan.template in_place_field<Real, Complex>())};
      return {Of(plan.template in_place_field<Real, Real>())};
    });
  }
  void forward_in(const AnyField& any) {
    with_field(any, [](auto& plan, const auto& field) { plan.forward(field); });
  }
  void backward_in(const AnyField& any) {
    with_field(any, [](auto& plan, const auto& field) { plan.backward(field); });
  }
  void apply_in(const AnyField& any, const Factors& factors) {
    with_field(any,
               [&]<class Real>(Plan<Real>& plan, const auto& field) { plan.apply(field, symbol_from<Real>(factors)); });
  }

 private:
  using Variant = std::variant<Plan<double>, Plan<float>>;

  AnyPlan(std::uintptr_t comm, const std::vector<index_t>& shape, const std::vector<std::string>& kinds,
          const std::string& dtype, const PlanBoxes& boxes, const PlanOptions& options)
      : lock_(call_lock(options.workspace)),
        comm_(without_gil(lock_, [&] { return Comm(communicator(comm)); })),
        plan_(without_gil(lock_, [&] { return make(comm, shape, kinds, dtype, boxes, options); })) {}

  static Variant make(std::uintptr_t comm, const std::vector<index_t>& shape, const std::vector<std::string>& kinds,
                      const std::string& dtype, const PlanBoxes& boxes, const PlanOptions& options) {
    std::vector<Kind> parsed;
    parsed.reserve(kinds.size());
    for (const std::string& kind : kinds) parsed.push_back(parse_kind(kind));
    const Extents extents = extents_from(shape);
    return with_real(dtype, [&](auto real) -> Variant {
      return Plan<decltype(real)>(communicator(comm), extents, parsed, boxes, options);
    });
  }

  template <class In, class Out, class Work>
  void with_arrays(const In& in, const Out& out, const Work& work) {
    visit_alone([&]<class Real>(Plan<Real>& plan) {
      work(plan, static_cast<const Real*>(in.data()), static_cast<Real*>(out.data()));
    });
  }

  template <class Work>
  bool if_ready(nb::handle in, nb::handle out, Direction direction, const Work& work) {
    const PlainArray from(in, PlainArray::Use::read), to(out, PlainArray::Use::write);
    return visit_alone([&]<class Real>(Plan<Real>& plan) {
      const auto holds = [&plan](const PlainArray& array, bool points) {
        return array.holds<Real>((points ? plan.physical_box() : plan.spectral_box()).extents(),
                                 points ? plan.physical_complex() : plan.spectral_complex());
      };
      const bool forward = direction == Direction::forward, ready = holds(from, forward) && holds(to, !forward);
      if (comm_.max(index_t{ready ? 0 : 1}) != 0) return false;
      work(plan, from.data<Real>(), from.strides(), to.data<Real>(), to.strides());
      return true;
    });
  }

  template <class Work>
  void multiply(const ConstArray& a, const ConstArray& b, const Array& out, const Work& work) {
    with_arrays(a, out, [&]<class Real>(Plan<Real>& plan, const Real* from, Real* to) {
      work(plan, from, static_cast<const Real*>(b.data()), to);
    });
  }

  // Python has checked on every rank that the precisions agree.
  template <class Work>
  void with_field(const AnyField& any, const Work& work) {
    without_gil(lock_, [&] {
      any.visit([&]<class In, class Out, class Real>(const InPlaceField<In, Out, Real>& field) {
        work(std::get<Plan<Real>>(plan_), field);
      });
    });
  }

  CallLock lock_;
  Comm comm_;
  Variant plan_;
};

void bind_field(nb::module_& module) {
  const auto get = [](const auto& member) { return [member](const AnyField& any) { return any.visit(member); }; };
  nb::class_<AnyField>(module, "InPlaceField")
      .def("physical", get([](const auto& f) { return numpy_over(f.physical, f.memory); }))
      .def("spectral", get([](const auto& f) { return numpy_over(f.spectral, f.memory); }))
      .def_prop_ro("nbytes", get([](const auto& f) { return f.memory->bytes(); }));
}

}  // namespace

/// Strides in bytes of a padded array of the user's.
std::vector<index_t> padded_byte_strides(const std::vector<index_t>& shape, bool is_complex, bool is_double) {
  const int width = is_complex ? 2 : 1;
  Extents strides =
      is_double ? user_strides<double>(extents_from(shape), width) : user_strides<float>(extents_from(shape), width);
  for (index_t& stride : strides) stride *= is_double ? index_t{sizeof(double)} : index_t{sizeof(float)};
  return list_of(strides);
}

void bind_plan(nb::module_& module) {
  module.def("padded_byte_strides", &padded_byte_strides, nb::arg("shape"), nb::arg("is_complex"), nb::arg("is_double"),
             "Strides in bytes of an array whose rows and planes are padded if it is large.");
  bind_field(module);
  const auto get = [](const auto& member) { return [member](const AnyPlan& any) { return any.visit(member); }; };
  nb::class_<AnyPlan>(module, "Plan")
      .def(nb::init<std::uintptr_t, const std::vector<index_t>&, const std::vector<std::string>&, const std::string&,
                    const Ranges&, const Ranges&, const nb::dict&>(),
           nb::arg("comm_address"), nb::arg("shape"), nb::arg("kinds"), nb::arg("dtype"), nb::arg("physical_box"),
           nb::arg("spectral_box"), nb::arg("options"))
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
      .def_prop_ro("grid", get([](const auto& p) { return p.grid(); }))
      .def_prop_ro("chunks", get([](const auto& p) { return p.chunks(); }))
      .def("explain", &explained<AnyPlan>)
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
      .def("all_agree", &AnyPlan::all_agree)
      .def("forward_if_ready", &AnyPlan::forward_if_ready, nb::arg("given").none(), nb::arg("out").none())
      .def("backward_if_ready", &AnyPlan::backward_if_ready, nb::arg("given").none(), nb::arg("out").none())
      .def("forward", &AnyPlan::forward)
      .def("backward", &AnyPlan::backward)
      .def("apply", &AnyPlan::apply)
      .def("convolve", &AnyPlan::convolve, nb::arg("a"), nb::arg("b"), nb::arg("out"), nb::arg("origin").none())
      .def("correlate", &AnyPlan::correlate, nb::arg("a"), nb::arg("b"), nb::arg("out"), nb::arg("origin").none())
      .def("product", &AnyPlan::product)
      .def("field", &AnyPlan::field)
      .def("forward", &AnyPlan::forward_in)
      .def("backward", &AnyPlan::backward_in)
      .def("apply", &AnyPlan::apply_in);
}

}  // namespace weft::python
