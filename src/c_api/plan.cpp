// weft_plan: transforms of arrays of the caller.
#include "c_api/plan_handle.hpp"

using namespace weft::c_api;
using weft::Box;
using weft::Direction;
using weft::Extents;
using weft::index_t;
using weft::Plan;

namespace weft::c_api {

namespace {

// The number of elements from the first to the last one of a symbol on a rank.
index_t reach(const Extents& modes, const Extents& strides) {
  if (modes.product() == 0) return 0;
  index_t last = 0;
  for (int axis = 0; axis < modes.dims(); axis++) {
    require(strides[axis] >= 0, "symbol: its stride along axis " + std::to_string(axis) + " is " +
                                    std::to_string(strides[axis]) + "; give 0 or more elements");
    last += (modes[axis] - 1) * strides[axis];
  }
  return last + 1;
}

}  // namespace

template <class Real>
typename Plan<Real>::Symbol symbol_from(const weft_symbol* given, const Plan<Real>& plan) {
  const weft_symbol& symbol = pointee("symbol", given, "give the address of a weft_symbol");
  const Extents modes = plan.spectral_box().extents();
  const Extents strides =
      symbol.strides == nullptr ? c_strides(modes) : extents_from("strides", modes.dims(), symbol.strides);
  const index_t wanted = reach(modes, strides);
  require(symbol.count >= wanted, "symbol: it has " + std::to_string(symbol.count) +
                                      " factors, this rank's modes reach " + std::to_string(wanted) +
                                      "; give as many, or strides of 0 along axes where they repeat");
  return {static_cast<const Real*>(symbol.data), strides, symbol.is_complex != 0};
}
template Plan<double>::Symbol symbol_from(const weft_symbol*, const Plan<double>&);
template Plan<float>::Symbol symbol_from(const weft_symbol*, const Plan<float>&);

void check_symbol(const weft_plan& plan, const weft_symbol* given) {
  plan.visit([&](const auto& p) { (void)symbol_from(given, p); });
}

}  // namespace weft::c_api

namespace {

// The strides of one of the caller's arrays. Vectors load lines, so the stride of the last axis is 1.
Extents row_strides_from(const char* name, const Box& box, const void* data, const int64_t* given) {
  check_array(name, data, box.size(), box.size());
  const Extents strides = extents_from(name, box.dims(), given);
  const int last = box.dims() - 1;
  weft::require(strides[last] == 1 || box[last].size() <= 1,
                std::string(name) + ": the stride along the last axis is " + std::to_string(strides[last]) +
                    "; neighbours along it have to lie side by side, with stride 1");
  return strides;
}

int transform_strided(weft_plan* handle, Direction direction, const void* in, const int64_t* in_strides, void* out,
                      const int64_t* out_strides) noexcept {
  return guarded([&] {
    weft_plan& plan = object("plan", handle);
    Extents from, to;
    plan.comm.together([&] {
      from = row_strides_from("in_strides", box_of(plan, side_of(direction, true)), in, in_strides);
      to = row_strides_from("out_strides", box_of(plan, side_of(direction, false)), out, out_strides);
    });
    plan.visit([&]<class Real>(Plan<Real>& p) {
      const auto* source = static_cast<const Real*>(in);
      auto* target = static_cast<Real*>(out);
      direction == Direction::forward ? p.forward(source, from, target, to) : p.backward(source, from, target, to);
    });
  });
}

// Calls work(plan, a, b, out) for arrays of `count` points, or modes, each.
template <class Work>
int multiply(weft_plan* plan, int side, const void* a, const void* b, void* out, int64_t count, const Work& work) {
  return guarded([&] {
    weft_plan& any = object("plan", plan);
    any.comm.together([&] {
      const weft::index_t elements = box_of(any, side).size();
      check_array("a", a, count, elements);
      check_array("b", b, count, elements);
      check_array("out", out, count, elements);
    });
    any.visit([&]<class Real>(Plan<Real>& p) {
      work(p, static_cast<const Real*>(a), static_cast<const Real*>(b), static_cast<Real*>(out));
    });
  });
}

// One entry per axis. Collective.
Extents origin_of(const weft_plan& plan, const int64_t* given) {
  Extents origin;
  plan.comm.together([&] { origin = extents_from("origin", box_of(plan, WEFT_PHYSICAL).dims(), given); });
  return origin;
}

}  // namespace

int weft_plan_create(MPI_Comm comm, int dims, const int64_t* shape, const char* kinds, const weft_plan_options* options,
                     weft_plan** plan) {
  return guarded([&] {
    const weft::Comm ranks(comm);
    Extents extents;
    std::vector<weft::Kind> of_axes;
    weft::PlanBoxes boxes;
    weft::PlanOptions chosen;
    bool single = false;
    ranks.together([&] {
      output_of("plan", plan) = nullptr;
      extents = extents_from("shape", dims, shape);
      of_axes = kinds_from(kinds, extents);
      const weft_plan_options known = completed("plan_options", options, default_plan_options());
      boxes = plan_boxes(known);
      chosen = plan_options(known, dims);
      single = is_single(known.precision);
    });
    *plan = new weft_plan{make_handle<Plan>(comm, ranks, single, extents, of_axes, boxes, chosen)};
  });
}
int weft_plan_destroy(weft_plan** plan) { return destroy("plan", plan); }

int weft_plan_box(const weft_plan* plan, int side, weft_box* to) { return box("plan", plan, side, to); }
int weft_plan_count(const weft_plan* plan, int side, int64_t* elements, int* is_complex) {
  return count("plan", plan, side, elements, is_complex);
}

int weft_plan_forward(weft_plan* plan, const void* in, int64_t in_count, void* out, int64_t out_count) {
  return transform("plan", plan, Direction::forward, in, in_count, out, out_count);
}
int weft_plan_backward(weft_plan* plan, const void* in, int64_t in_count, void* out, int64_t out_count) {
  return transform("plan", plan, Direction::backward, in, in_count, out, out_count);
}
int weft_plan_forward_strided(weft_plan* plan, const void* in, const int64_t* in_strides, void* out,
                              const int64_t* out_strides) {
  return transform_strided(plan, Direction::forward, in, in_strides, out, out_strides);
}
int weft_plan_backward_strided(weft_plan* plan, const void* in, const int64_t* in_strides, void* out,
                               const int64_t* out_strides) {
  return transform_strided(plan, Direction::backward, in, in_strides, out, out_strides);
}

int weft_plan_apply(weft_plan* plan, const void* in, void* out, int64_t count, const weft_symbol* symbol) {
  return guarded([&] {
    weft_plan& any = object("plan", plan);
    any.comm.together([&] {
      check_array("in", in, count, box_of(any, WEFT_PHYSICAL).size());
      check_array("out", out, count, box_of(any, WEFT_PHYSICAL).size());
      check_symbol(any, symbol);
    });
    any.visit([&]<class Real>(Plan<Real>& p) {
      p.apply(static_cast<const Real*>(in), static_cast<Real*>(out), symbol_from(symbol, p));
    });
  });
}

int weft_plan_convolve(weft_plan* plan, const void* a, const void* b, void* out, int64_t count) {
  return multiply(plan, WEFT_PHYSICAL, a, b, out, count, [](auto& p, auto... arrays) { p.convolve(arrays...); });
}
int weft_plan_correlate(weft_plan* plan, const void* a, const void* b, void* out, int64_t count) {
  return multiply(plan, WEFT_PHYSICAL, a, b, out, count, [](auto& p, auto... arrays) { p.correlate(arrays...); });
}
int weft_plan_convolve_linear(weft_plan* plan, const void* a, const void* b, void* out, int64_t count,
                              const int64_t* origin) {
  return multiply(plan, WEFT_PHYSICAL, a, b, out, count,
                  [&](auto& p, auto... arrays) { p.convolve(arrays..., origin_of(*plan, origin)); });
}
int weft_plan_correlate_linear(weft_plan* plan, const void* a, const void* b, void* out, int64_t count,
                               const int64_t* origin) {
  return multiply(plan, WEFT_PHYSICAL, a, b, out, count,
                  [&](auto& p, auto... arrays) { p.correlate(arrays..., origin_of(*plan, origin)); });
}
int weft_plan_product(weft_plan* plan, const void* a, const void* b, void* out, int64_t count) {
  return multiply(plan, WEFT_SPECTRAL, a, b, out, count, [](auto& p, auto... arrays) { p.product(arrays...); });
}

int weft_plan_wavenumbers(const weft_plan* plan, int axis, double* values, int64_t count) {
  return list("plan", plan, values, count, [axis](const auto& p) { return p.wavenumbers(axis); });
}
int weft_plan_weights(const weft_plan* plan, int axis, double* values, int64_t count) {
  return list("plan", plan, values, count, [axis](const auto& p) { return p.weights(axis); });
}
int weft_plan_coordinates(const weft_plan* plan, int axis, double* values, int64_t count) {
  return list("plan", plan, values, count, [axis](const auto& p) { return p.coordinates(axis); });
}
int weft_plan_explain(const weft_plan* plan, const char** text) { return explain("plan", plan, text); }
int weft_plan_facts(const weft_plan* plan, weft_facts* facts) { return facts_of("plan", plan, facts); }
