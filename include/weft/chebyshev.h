/* Chebyshev points along an axis, from C: weft::ChebyshevAxis, weft/chebyshev.hpp. A part of weft.h, which includes
   it. */
#ifndef WEFT_CHEBYSHEV_H
#define WEFT_CHEBYSHEV_H

#ifdef __cplusplus
extern "C" {
#endif

/// \file
/// Derivatives and integrals along one axis of a distributed array of real numbers with Gauss-Lobatto points, of the
/// polynomials through the points of each line.

typedef struct weft_chebyshev_axis weft_chebyshev_axis;  ///< derivatives and integrals along a Chebyshev axis

/// Sets `values` to the n >= 2 points from a to b, (a+b)/2 - (b-a)/2 cos(pi j/(n-1)). An axis of weft_poisson_problem
/// with the centring "chebyshev" has the points for n = cells + 1, a = 0, b = length.
int weft_chebyshev_points(int64_t n, double a, double b, double* values);
/// Sets `values` to the weights of these points in the integral from a to b (Clenshaw and Curtis 1960).
int weft_chebyshev_weights(int64_t n, double a, double b, double* values);

/// Collective. `shape`: points of the global array, `dims` of them; along `axis` they are Chebyshev points from a to b.
/// In `options` (may be NULL) physical_box is this rank's part; without it the object chooses, see
/// weft_chebyshev_axis_box(). spectral_box, in_place and modes are refused. For complex numbers add a last axis of 2,
/// which batch_axes or the boxes keep whole.
int weft_chebyshev_axis_create(MPI_Comm comm, int dims, const int64_t* shape, int axis, double a, double b,
                               const weft_plan_options* options, weft_chebyshev_axis** operations);
int weft_chebyshev_axis_destroy(weft_chebyshev_axis** operations);
/// This rank's part of the array, and the number of its elements.
int weft_chebyshev_axis_box(const weft_chebyshev_axis* operations, weft_box* box, int64_t* count);
/// The derivative of an order from 1 on. Collective. Both arrays have `count` elements and may be the same. At the ends
/// rounding errors grow by n^2 with each order.
int weft_chebyshev_axis_derivative(weft_chebyshev_axis* operations, const void* in, void* out, int64_t count,
                                   int order);
/// The integral from a to each point. Collective. Both arrays have `count` elements and may be the same.
int weft_chebyshev_axis_integral(weft_chebyshev_axis* operations, const void* in, void* out, int64_t count);
int weft_chebyshev_axis_explain(const weft_chebyshev_axis* operations, const char** text);
int weft_chebyshev_axis_facts(const weft_chebyshev_axis* operations, weft_facts* facts);

#ifdef __cplusplus
}
#endif

#endif
