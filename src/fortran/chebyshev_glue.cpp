// Arrays of Fortran to the Chebyshev axes of the C interface.
#include "c_api/solver_handle.hpp"
#include "fortran/arrays.hpp"

using namespace weft::c_api;
using weft::index_t;

extern "C" {

int weft_f_chebyshev_create(MPI_Fint comm, const char* wrong, int dims, const int64_t* shape, int axis, double a,
                            double b, const weft_plan_options* options, weft_chebyshev_axis** made) {
  const int code = fault(MPI_Comm_f2c(comm), wrong);
  return code == WEFT_SUCCESS ? weft_chebyshev_axis_create(MPI_Comm_f2c(comm), dims, shape, axis, a, b, options, made)
                              : code;
}
int weft_f_chebyshev_derivative(weft_chebyshev_axis* axis, const CFI_cdesc_t* in, const CFI_cdesc_t* out, int order) {
  return on_points("axis", axis, {{"in", in}, {"out", out}}, [&](index_t count) {
    return weft_chebyshev_axis_derivative(axis, in->base_addr, out->base_addr, count, order);
  });
}
int weft_f_chebyshev_integral(weft_chebyshev_axis* axis, const CFI_cdesc_t* in, const CFI_cdesc_t* out) {
  return on_points("axis", axis, {{"in", in}, {"out", out}}, [&](index_t count) {
    return weft_chebyshev_axis_integral(axis, in->base_addr, out->base_addr, count);
  });
}

}  // extern "C"
