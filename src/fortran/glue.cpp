// Arrays and communicators of Fortran to those of the C interface. Arrays come as descriptors, which know their type,
// extents and strides: one procedure serves all ranks and kinds, and errors name the argument.
#include <string>
#include <vector>

#include "c_api/solver_handle.hpp"
#include "fortran/arrays.hpp"
#include "plan/run/border.hpp"

using namespace weft::c_api;
using weft::Box;
using weft::Direction;
using weft::Extents;
using weft::index_t;

namespace {

int transform_arrays(weft_plan* plan, Direction direction, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  const bool forward = direction == Direction::forward;
  const char *from = forward ? "points" : "modes", *to = forward ? "modes" : "points";
  Extents in_strides, out_strides;
  return checked(
      "plan", plan,
      [&](const weft_plan& any) {
        check(from, *in, side_of_plan(any, side_of(direction, true)));
        check(to, *out, side_of_plan(any, side_of(direction, false)));
        in_strides = strides_of(from, *in);
        out_strides = strides_of(to, *out);
      },
      [&] {
        const auto run = forward ? weft_plan_forward_strided : weft_plan_backward_strided;
        return run(plan, in->base_addr, in_strides.begin(), out->base_addr, out_strides.begin());
      });
}

// The strides of a symbol in the order of C, and its other members. Along axes where it has one element it repeats.
Extents symbol_strides(const CFI_cdesc_t& factors, const Wanted& modes, weft_symbol& symbol) {
  const Extents given = extents_of("symbol", factors);
  const bool is_complex = factors.type == CFI_type_float_Complex || factors.type == CFI_type_double_Complex;
  check_type("symbol", factors, type_text(is_complex, modes.real_bytes));
  weft::require(given.dims() == modes.extents.dims(), "symbol: its rank is " + std::to_string(given.dims()) +
                                                          ", modes have " + std::to_string(modes.extents.dims()) +
                                                          " axes; give one extent per axis, 1 where it repeats");
  Extents strides(given.dims());
  index_t last = 0;
  for (int axis = 0; axis < given.dims(); axis++) {
    const auto& dim = factors.dim[given.dims() - 1 - axis];
    weft::require(given[axis] == modes.extents[axis] || given[axis] == 1,
                  "symbol: its shape is " + shape_text(given) + ", this rank's modes have " +
                      shape_text(modes.extents) + "; give the same extents, or 1 where it repeats");
    strides[axis] = given[axis] == 1 ? 0 : dim.sm / static_cast<index_t>(factors.elem_len);
    last += (given[axis] - 1) * strides[axis];
  }
  symbol = {factors.base_addr, given.product() == 0 ? 0 : last + 1, is_complex ? 1 : 0, nullptr};
  return strides;
}

enum class Holds { scalar, vector, curl };

Wanted field_of(const weft_vector_poisson& solver, Holds holds) {
  const Extents points = solver.visit([](const auto& p) { return p.box().extents(); });
  const bool scalar = holds == Holds::scalar || (holds == Holds::curl && points.dims() == 2);
  const Extents one = scalar ? points : with_components(points, points.dims());
  const index_t batch = solver.visit([](const auto& p) { return p.batch(); });
  return {batch == 0 ? one : with_components(one, batch), false, real_bytes(solver)};
}

using Operation = int (*)(weft_vector_poisson*, const void*, int64_t, void*, int64_t);

int operate(weft_vector_poisson* solver, const CFI_cdesc_t* in, Holds takes, const CFI_cdesc_t* out, Holds gives,
            Operation operation) {
  index_t in_count = 0, out_count = 0;
  return checked(
      "solver", solver,
      [&](const weft_vector_poisson& any) {
        const Wanted from = field_of(any, takes), to = field_of(any, gives);
        check_whole("the input", *in, from);
        check_whole("the output", *out, to);
        in_count = from.extents.product();
        out_count = to.extents.product();
      },
      [&] { return operation(solver, in->base_addr, in_count, out->base_addr, out_count); });
}

// An array that may be omitted.
const void* address_of(const CFI_cdesc_t* array) { return array == nullptr ? nullptr : array->base_addr; }

int move_arrays(weft_redistribution* moves, bool forward, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  Extents in_strides, out_strides;
  const auto check_side = [&](const char* name, const CFI_cdesc_t& array, const Box& box, std::size_t bytes) {
    const Extents given = extents_of(name, array);
    weft::require(given == box.extents(), std::string(name) + ": its shape is " + shape_text(given) +
                                              ", this rank's box is " + shape_text(box.extents()));
    weft::require(array.elem_len == bytes, std::string(name) + ": its elements have " + std::to_string(array.elem_len) +
                                               " bytes, those of the redistribution " + std::to_string(bytes));
    return strides_of(name, array);
  };
  return checked(
      "redistribution", moves,
      [&](const weft_redistribution& any) {
        const Box &has = any.of.from(), &wants = any.of.to();
        in_strides = check_side("the input", *in, forward ? has : wants, any.of.element_bytes());
        out_strides = check_side("the output", *out, forward ? wants : has, any.of.element_bytes());
      },
      [&] {
        const auto run = forward ? weft_redistribution_forward : weft_redistribution_backward;
        return run(moves, in->base_addr, in_strides.begin(), out->base_addr, out_strides.begin());
      });
}

// Three whole arrays of the points, or the modes, of a plan.
struct ThreeArrays {
  const CFI_cdesc_t *a, *b, *out;
};

// An operation of the C interface on three arrays.
template <class Check, class Product>
int product_of(weft_plan* plan, int side, const ThreeArrays& arrays, const Check& check_more, const Product& product) {
  index_t count = 0;
  return checked(
      "plan", plan,
      [&](const weft_plan& any) {
        const Wanted elements = side_of_plan(any, side);
        check_whole("a", *arrays.a, elements);
        check_whole("b", *arrays.b, elements);
        check_whole("out", *arrays.out, elements);
        check_more(elements.extents.dims());
        count = elements.extents.product();
      },
      [&] { return product(arrays.a->base_addr, arrays.b->base_addr, arrays.out->base_addr, count); });
}

using Cyclic = int (*)(weft_plan*, const void*, const void*, void*, int64_t);
using Linear = int (*)(weft_plan*, const void*, const void*, void*, int64_t, const int64_t*);

// Without an origin the product is cyclic. An origin has `entries` numbers in the order of C.
int product_of_points(weft_plan* plan, const ThreeArrays& arrays, const int64_t* origin, int entries, Cyclic cyclic,
                      Linear linear) {
  const auto check_origin = [&](int axes) {
    weft::require(origin == nullptr || entries == axes, "origin: " + std::to_string(entries) + " entries for " +
                                                            std::to_string(axes) + " axes; give one per axis");
  };
  return product_of(
      plan, WEFT_PHYSICAL, arrays, check_origin, [&](const void* a, const void* b, void* out, index_t count) {
        return origin == nullptr ? cyclic(plan, a, b, out, count) : linear(plan, a, b, out, count, origin);
      });
}

}  // namespace

extern "C" {

int weft_f_plan_create(MPI_Fint comm, const char* wrong, int dims, const int64_t* shape, const char* kinds,
                       const weft_plan_options* options, weft_plan** plan) {
  const int code = fault(MPI_Comm_f2c(comm), wrong);
  return code == WEFT_SUCCESS ? weft_plan_create(MPI_Comm_f2c(comm), dims, shape, kinds, options, plan) : code;
}
int weft_f_poisson_create(MPI_Fint comm, const char* wrong, const weft_poisson_problem* problem,
                          const weft_plan_options* options, weft_poisson** solver) {
  const int code = fault(MPI_Comm_f2c(comm), wrong);
  return code == WEFT_SUCCESS ? weft_poisson_create(MPI_Comm_f2c(comm), problem, options, solver) : code;
}
int weft_f_vector_poisson_create(MPI_Fint comm, const char* wrong, int of_scalar, weft_vector_problem* problem,
                                 const weft_plan_options* options, weft_vector_poisson** solver) {
  int code = fault(MPI_Comm_f2c(comm), wrong);
  if (code != WEFT_SUCCESS) return code;
  if (of_scalar != 0) {
    code = guarded([&] {
      weft::Comm(MPI_Comm_f2c(comm)).together([&] {
        weft::require(weft_vector_boundary(problem) == WEFT_SUCCESS, weft_last_error());
      });
    });
  }
  return code == WEFT_SUCCESS ? weft_vector_poisson_create(MPI_Comm_f2c(comm), problem, options, solver) : code;
}
int weft_f_redistribution_create(MPI_Fint comm, const weft_box* from, const weft_box* to, std::size_t bytes,
                                 const weft_plan_options* options, weft_redistribution** moves) {
  return weft_redistribution_create(MPI_Comm_f2c(comm), from, to, bytes, options, moves);
}

int weft_f_forward(weft_plan* plan, const CFI_cdesc_t* points, const CFI_cdesc_t* modes) {
  return transform_arrays(plan, Direction::forward, points, modes);
}
int weft_f_backward(weft_plan* plan, const CFI_cdesc_t* modes, const CFI_cdesc_t* points) {
  return transform_arrays(plan, Direction::backward, modes, points);
}

int weft_f_apply(weft_plan* plan, const CFI_cdesc_t* in, const CFI_cdesc_t* out, const CFI_cdesc_t* factors) {
  index_t count = 0;
  Extents strides;
  weft_symbol symbol{};
  return checked(
      "plan", plan,
      [&](const weft_plan& any) {
        const Wanted points = side_of_plan(any, WEFT_PHYSICAL);
        check_whole("in", *in, points);
        check_whole("out", *out, points);
        count = points.extents.product();
        strides = symbol_strides(*factors, side_of_plan(any, WEFT_SPECTRAL), symbol);
        symbol.strides = strides.begin();
      },
      [&] { return weft_plan_apply(plan, in->base_addr, out->base_addr, count, &symbol); });
}

int weft_f_convolve(weft_plan* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b, const CFI_cdesc_t* out,
                    const int64_t* origin, int entries) {
  return product_of_points(plan, {a, b, out}, origin, entries, weft_plan_convolve, weft_plan_convolve_linear);
}
int weft_f_correlate(weft_plan* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b, const CFI_cdesc_t* out,
                     const int64_t* origin, int entries) {
  return product_of_points(plan, {a, b, out}, origin, entries, weft_plan_correlate, weft_plan_correlate_linear);
}
int weft_f_product(weft_plan* plan, const CFI_cdesc_t* a, const CFI_cdesc_t* b, const CFI_cdesc_t* out) {
  const auto nothing_more = [](int) {};
  return product_of(plan, WEFT_SPECTRAL, {a, b, out}, nothing_more,
                    [&](const void* from, const void* by, void* to, index_t count) {
                      return weft_plan_product(plan, from, by, to, count);
                    });
}

int weft_f_apply_field(weft_plan* plan, weft_field* field, const CFI_cdesc_t* factors) {
  Extents strides;
  weft_symbol symbol{};
  return checked(
      "plan", plan,
      [&](const weft_plan& any) {
        strides = symbol_strides(*factors, side_of_plan(any, WEFT_SPECTRAL), symbol);
        symbol.strides = strides.begin();
      },
      [&] { return weft_plan_apply_field(plan, field, &symbol); });
}

// Whether a pointer can be of one side of a field, by its rank. One that was never given a status has any.
int weft_f_pointer_rank(const weft_field* field, int side, int rank) {
  return guarded([&] {
    const int dims = memory_of_field(object("field", field), is_physical(side)).box.dims();
    weft::require(rank >= 1 && rank <= weft::max_dims,
                  "the pointer: its status is undefined; declare it => null(), or nullify it before");
    weft::require(rank == dims, "the pointer: its rank is " + std::to_string(rank) + ", the field has " +
                                    std::to_string(dims) + " axes; declare it with as many, and => null()");
  });
}

// Points a pointer of Fortran to one side of a field. Rows may be apart, which CFI_establish cannot say.
int weft_f_field_array(const weft_field* field, int side, CFI_cdesc_t* pointer) {
  return guarded([&] {
    const FieldMemory memory = memory_of_field(object("field", field), is_physical(side));
    const int dims = memory.box.dims();
    check_type("the pointer", *pointer, type_text(memory.is_complex, memory.real_bytes));
    for (int axis = 0; axis < dims; axis++) {
      const int of_c = dims - 1 - axis;
      pointer->dim[axis] = {memory.box[of_c].lo + 1, memory.box[of_c].size(),
                            memory.strides[of_c] * static_cast<index_t>(pointer->elem_len)};
    }
    static double nothing = 0;  // a pointer to an array without elements is associated, too
    pointer->base_addr = memory.data == nullptr ? &nothing : memory.data;
  });
}

int weft_f_poisson_solve(weft_poisson* solver, const CFI_cdesc_t* rhs, const CFI_cdesc_t* solution) {
  return on_points("solver", solver, {{"rhs", rhs}, {"solution", solution}}, [&](index_t count) {
    return weft_poisson_solve(solver, rhs->base_addr, solution->base_addr, count);
  });
}
// Axes of ends have Fortran's numbers; a side that is neither left nor right is -1.
int weft_f_poisson_solve_ends(weft_poisson* solver, const CFI_cdesc_t* rhs, const CFI_cdesc_t* solution,
                              const weft_end_values* ends, int end_count) {
  std::vector<weft_end_values> given;
  const auto convert = [&](const weft_poisson& any) {
    const int axes = rhs->rank - any.visit([](const auto& p) { return p.batch() > 0 ? 1 : 0; });
    given.assign(ends, ends + end_count);
    for (weft_end_values& end : given) {
      weft::require(end.right >= 0, "ends: the side of axis " + std::to_string(end.axis) +
                                        " is neither \"left\" nor \"right\"; give one of them");
      weft::require(end.axis >= 1 && end.axis <= axes, "ends: axis " + std::to_string(end.axis) +
                                                           " is not an axis of the problem; give 1 to " +
                                                           std::to_string(axes));
      end.axis = axes - end.axis;
    }
  };
  return on_points("solver", solver, {{"rhs", rhs}, {"solution", solution}}, convert, [&](index_t count) {
    return weft_poisson_solve_ends(solver, rhs->base_addr, solution->base_addr, count, given.data(), end_count);
  });
}

int weft_f_variable_create(MPI_Fint comm, const char* wrong, const weft_variable_problem* problem,
                           const weft_plan_options* options, weft_variable_poisson** solver) {
  const int code = fault(MPI_Comm_f2c(comm), wrong);
  return code == WEFT_SUCCESS ? weft_variable_poisson_create(MPI_Comm_f2c(comm), problem, options, solver) : code;
}
int weft_f_variable_set(weft_variable_poisson* solver, const CFI_cdesc_t* a, const CFI_cdesc_t* c) {
  return on_points("solver", solver, {{"a", a}, {"c", c}}, [&](index_t count) {
    return weft_variable_poisson_set_coefficients(solver, a->base_addr, address_of(c), count);
  });
}
int weft_f_variable_apply(weft_variable_poisson* solver, const CFI_cdesc_t* u, const CFI_cdesc_t* result) {
  return on_points("solver", solver, {{"u", u}, {"result", result}}, [&](index_t count) {
    return weft_variable_poisson_apply(solver, u->base_addr, result->base_addr, count);
  });
}
int weft_f_variable_solve(weft_variable_poisson* solver, const CFI_cdesc_t* f, const CFI_cdesc_t* u,
                          const CFI_cdesc_t* guess, weft_iteration_report report, void* data) {
  return on_points("solver", solver, {{"f", f}, {"u", u}, {"guess", guess}}, [&](index_t count) {
    return weft_variable_poisson_solve(solver, f->base_addr, u->base_addr, count, address_of(guess), report, data);
  });
}

int weft_f_solve(weft_vector_poisson* solver, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return operate(solver, in, Holds::vector, out, Holds::vector, weft_vector_poisson_solve);
}
int weft_f_biot_savart(weft_vector_poisson* solver, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return operate(solver, in, Holds::curl, out, Holds::vector, weft_vector_poisson_biot_savart);
}
int weft_f_curl(weft_vector_poisson* solver, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return operate(solver, in, Holds::vector, out, Holds::curl, weft_vector_poisson_curl);
}
int weft_f_divergence(weft_vector_poisson* solver, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return operate(solver, in, Holds::vector, out, Holds::scalar, weft_vector_poisson_divergence);
}
int weft_f_gradient(weft_vector_poisson* solver, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return operate(solver, in, Holds::scalar, out, Holds::vector, weft_vector_poisson_gradient);
}
int weft_f_solve_gradient(weft_vector_poisson* solver, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return operate(solver, in, Holds::scalar, out, Holds::vector, weft_vector_poisson_solve_gradient);
}
int weft_f_project(weft_vector_poisson* solver, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return operate(solver, in, Holds::vector, out, Holds::vector, weft_vector_poisson_project);
}
int weft_f_move(weft_redistribution* moves, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return move_arrays(moves, true, in, out);
}
int weft_f_move_back(weft_redistribution* moves, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return move_arrays(moves, false, in, out);
}

}  // extern "C"
