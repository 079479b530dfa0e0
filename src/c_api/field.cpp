// weft_field: plans and solvers that work in memory of their own.
#include "c_api/plan_handle.hpp"

using namespace weft::c_api;
using weft::Plan;
using weft::Poisson;

namespace {

template <class Real>
weft_field::Of<Real> field_of(Plan<Real>& plan) {
  using Complex = std::complex<Real>;
  if (plan.physical_complex()) return plan.template in_place_field<Complex, Complex>();
  if (plan.spectral_complex()) return plan.template in_place_field<Real, Complex>();
  return plan.template in_place_field<Real, Real>();
}

template <class Any, class Real>
constexpr bool belongs_to_plan = false;
template <class In, class Out, class Real>
constexpr bool belongs_to_plan<weft::InPlaceField<In, Out, Real>, Real> = true;
template <class Any, class Real>
constexpr bool belongs_to_solver = std::is_same_v<Any, weft::SolverField<Real>>;

// Calls work(plan or solver, field) if `fits` says that the types agree. All ranks check this together before any of
// them begins.
template <class Owner, class Fits, class Work>
void with_field(Owner& owner, const weft_field* field, const Fits& fits, const Work& work) {
  const auto visit = [&](const auto& step) {
    owner.visit([&](auto& of) {
      std::visit([&](const auto& precision) { std::visit([&](const auto& one) { step(of, one); }, precision); },
                 field->of);
    });
  };
  owner.comm.together([&] {
    object("field", field);
    visit([&](auto& of, const auto& one) {
      weft::require(fits(of, one).value,
                    "field: it belongs to another kind of object or another precision; make one with the "
                    "_field_create function of this one");
    });
  });
  visit([&](auto& of, const auto& one) {
    if constexpr (decltype(fits(of, one))::value) work(of, one);
  });
}

constexpr auto fits_plan = []<class Real, class Any>(const Plan<Real>&, const Any&) {
  return std::bool_constant<belongs_to_plan<Any, Real>>{};
};
constexpr auto fits_solver = []<class Real, class Any>(const Poisson<Real>&, const Any&) {
  return std::bool_constant<belongs_to_solver<Any, Real>>{};
};

template <class T>
constexpr bool is_complex = false;
template <class Real>
constexpr bool is_complex<std::complex<Real>> = true;

template <class T>
FieldMemory memory(const weft::FieldView<T>& view) {
  return {view.data(), view.strides(), view.box(), is_complex<T>, sizeof(T) / (is_complex<T> ? 2 : 1)};
}
template <class In, class Out, class Real>
FieldMemory memory(const weft::InPlaceField<In, Out, Real>& field, bool physical) {
  return physical ? memory(field.physical) : memory(field.spectral);
}
template <class Real>
FieldMemory memory(const weft::SolverField<Real>& field, bool physical) {
  weft::require(physical, "side: the field of a solver holds points alone; give WEFT_PHYSICAL");
  return memory(field.values);
}

}  // namespace

FieldMemory weft::c_api::memory_of_field(const weft_field& field, bool physical) {
  return std::visit(
      [&](const auto& precision) {
        return std::visit([&](const auto& one) { return memory(one, physical); }, precision);
      },
      field.of);
}

int weft_plan_field_create(weft_plan* plan, weft_field** field) {
  return guarded([&] {
    weft_plan& any = object("plan", plan);
    any.comm.together([&] { output_of("field", field) = nullptr; });
    *field = any.visit([](auto& p) { return new weft_field{field_of(p)}; });
  });
}
int weft_poisson_field_create(weft_poisson* solver, weft_field** field) {
  return guarded([&] {
    weft_poisson& any = object("solver", solver);
    any.comm.together([&] { output_of("field", field) = nullptr; });
    *field = any.visit(
        []<class Real>(Poisson<Real>& p) { return new weft_field{weft_field::Of<Real>(p.in_place_field())}; });
  });
}
int weft_field_destroy(weft_field** field) { return destroy("field", field); }

int weft_field_array(const weft_field* field, int side, void** data, int64_t* strides) {
  return guarded([&] {
    const weft_field& any = object("field", field);
    const bool physical = is_physical(side);
    output_of("strides", strides);
    const FieldMemory found = memory_of_field(any, physical);
    output_of("data", data) = found.data;
    std::ranges::copy(found.strides, strides);
  });
}

int weft_plan_forward_field(weft_plan* plan, weft_field* field) {
  return guarded(
      [&] { with_field(object("plan", plan), field, fits_plan, [](auto& p, const auto& one) { p.forward(one); }); });
}
int weft_plan_backward_field(weft_plan* plan, weft_field* field) {
  return guarded(
      [&] { with_field(object("plan", plan), field, fits_plan, [](auto& p, const auto& one) { p.backward(one); }); });
}
int weft_plan_apply_field(weft_plan* plan, weft_field* field, const weft_symbol* symbol) {
  return guarded([&] {
    weft_plan& any = object("plan", plan);
    any.comm.together([&] { check_symbol(any, symbol); });
    with_field(any, field, fits_plan, [&](auto& p, const auto& one) { p.apply(one, symbol_from(symbol, p)); });
  });
}
int weft_poisson_solve_field(weft_poisson* solver, weft_field* field) {
  return guarded([&] {
    with_field(object("solver", solver), field, fits_solver, [](auto& p, const auto& one) { p.solve(one); });
  });
}
