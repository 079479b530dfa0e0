// weft_chebyshev_axis, and the points and weights of such axes.
#include "c_api/solver_handle.hpp"

using namespace weft::c_api;
using weft::ChebyshevAxis;
using weft::index_t;

namespace {

// Calls method(axis, in, out) for arrays of `count` elements.
template <class Method>
int operate(weft_chebyshev_axis* operations, const void* in, void* out, int64_t count, const Method& method) noexcept {
  return guarded([&] {
    weft_chebyshev_axis& any = object("operations", operations);
    any.comm.together([&] {
      check_array("in", in, count, points_of(any));
      check_array("out", out, count, points_of(any));
    });
    any.visit([&]<class Real>(ChebyshevAxis<Real>& axis) {
      method(axis, static_cast<const Real*>(in), static_cast<Real*>(out));
    });
  });
}

using Numbers = std::vector<double> (*)(index_t, double, double);

int numbers(int64_t n, double a, double b, double* values, const Numbers& numbers_of) noexcept {
  return guarded([&] { std::ranges::copy(numbers_of(n, a, b), &output_of("values", values)); });
}

}  // namespace

int weft_chebyshev_points(int64_t n, double a, double b, double* values) {
  return numbers(n, a, b, values, weft::chebyshev_points);
}
int weft_chebyshev_weights(int64_t n, double a, double b, double* values) {
  return numbers(n, a, b, values, weft::chebyshev_weights);
}

int weft_chebyshev_axis_create(MPI_Comm comm, int dims, const int64_t* shape, int axis, double a, double b,
                               const weft_plan_options* options, weft_chebyshev_axis** operations) {
  return guarded([&] {
    const weft::Comm ranks(comm);
    weft::ChebyshevProblem problem{{}, axis, a, b};
    weft::PlanBoxes boxes;
    weft::PlanOptions chosen;
    bool single = false;
    ranks.together([&] {
      output_of("operations", operations) = nullptr;
      problem.shape = extents_from("shape", dims, shape);
      const weft_plan_options known = completed("plan_options", options, default_plan_options());
      weft::require(known.spectral_box == nullptr,
                    "spectral_box: it is for plans only, an axis of Chebyshev points has no modes; leave it NULL");
      boxes = plan_boxes(known);
      chosen = plan_options(known, dims);
      single = is_single(known.precision);
    });
    *operations =
        new weft_chebyshev_axis{make_handle<ChebyshevAxis>(comm, ranks, single, problem, boxes.physical, chosen)};
  });
}
int weft_chebyshev_axis_destroy(weft_chebyshev_axis** operations) { return destroy("operations", operations); }
int weft_chebyshev_axis_box(const weft_chebyshev_axis* operations, weft_box* box, int64_t* count) {
  return box_of("operations", operations, box, count);
}
int weft_chebyshev_axis_derivative(weft_chebyshev_axis* operations, const void* in, void* out, int64_t count,
                                   int order) {
  return operate(operations, in, out, count,
                 [order](auto& axis, auto* from, auto* to) { axis.derivative(from, to, order); });
}
int weft_chebyshev_axis_integral(weft_chebyshev_axis* operations, const void* in, void* out, int64_t count) {
  return operate(operations, in, out, count, [](auto& axis, auto* from, auto* to) { axis.integral(from, to); });
}
int weft_chebyshev_axis_explain(const weft_chebyshev_axis* operations, const char** text) {
  return explain("operations", operations, text);
}
int weft_chebyshev_axis_facts(const weft_chebyshev_axis* operations, weft_facts* facts) {
  return facts_of("operations", operations, facts);
}
