// Chebyshev polynomials along an axis between two walls: points, weights of integrals, derivatives and integrals.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"
#include "weft/types.hpp"

namespace weft {

/// The n >= 2 points of Gauss and Lobatto from a to b, (a+b)/2 - (b-a)/2 cos(pi j/(n-1)); the first is a, the last b.
/// A dct1 of values at these points is that of a Chebyshev series.
std::vector<double> chebyshev_points(index_t n, double a = -1, double b = 1);

/// The weights of values at these points in the integral from a to b, which is exact for the polynomial of degree n-1
/// through them (Clenshaw and Curtis 1960).
std::vector<double> chebyshev_weights(index_t n, double a = -1, double b = 1);

/// A distributed array of real numbers, and the axis of it whose points are chebyshev_points(shape[axis], a, b).
struct ChebyshevProblem {
  Extents shape;
  int axis = 0;
  double a = -1, b = 1;
};

/// Derivatives and integrals along one axis of a distributed array, of the polynomials through the points of each line.
/// A pass that holds whole lines along the axis transforms values, applies a recurrence to the coefficients of several
/// lines at once, and transforms them back: O(N log N) operations per line of N points.
///
/// Arrays are indexed in C order. For complex numbers add a last axis of 2.
template <class Real>
class ChebyshevAxis {
 public:
  /// Collective. `box` is this rank's part of the array, and the boxes tile it; a box without axes on every rank leaves
  /// the distribution to this object. Throws the same Error on every rank if an argument is not allowed or differs
  /// between ranks.
  ChebyshevAxis(MPI_Comm comm, const ChebyshevProblem& problem, const Box& box = {}, const PlanOptions& options = {});
  ~ChebyshevAxis();
  ChebyshevAxis(ChebyshevAxis&&) noexcept;
  ChebyshevAxis& operator=(ChebyshevAxis&&) noexcept;

  /// The part of the array that this rank owns, which may be empty.
  Box box() const;

  /// The derivative of an order from 1 on. At the ends its rounding errors grow by N^2 with each order, like those of
  /// all derivatives on these points. `in` is preserved unless `out` is the same array. Collective.
  void derivative(const Real* in, Real* out, int order = 1);
  /// The integral of the polynomial from a to each point, which is 0 at a up to rounding. Its value at b is the sum
  /// with chebyshev_weights(). `out` may be `in`. Collective.
  void integral(const Real* in, Real* out);

  /// Every step with its lines, bytes, flops and the time of the last run.
  std::string explain() const;
  std::string strategy() const;
  int threads() const;
  index_t workspace_bytes() const;
  /// Bytes that this rank sends in one call.
  index_t bytes_sent() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

extern template class ChebyshevAxis<float>;
extern template class ChebyshevAxis<double>;

}  // namespace weft
