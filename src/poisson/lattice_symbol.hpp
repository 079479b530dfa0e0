// The symbols of the finite-difference Laplacians whose inverses are the lattice Green's functions.
#pragma once

#include <array>
#include <string>

namespace weft {

/// y_i = 4 sin^2(w_i h / 2), in [0, 4], the symbol of minus the second difference along each axis; 0 for a missing
/// axis.
using SymbolPoint = std::array<double, 3>;

/// P/Q, which approximates -h^2 times the Laplacian, with elementary symmetric functions e2 and e3 of y:
///   P = sum_j powers[j] sum_i y_i^(j+1) + pairs e2 + triple e3,   Q = 1 + q_sum sum_i y_i + q_pairs e2
///       + q_squares sum_i y_i^2.
struct LatticeSymbol {
  std::string name;
  std::array<double, 4> powers{1, 0, 0, 0};
  double pairs = 0, triple = 0;
  double q_sum = 0, q_pairs = 0, q_squares = 0;

  /// Whether P is a sum of functions of one y each, and Q = 1.
  bool separable() const { return pairs == 0; }
  /// sum_j powers[j] y^(j+1).
  double along_axis(double y) const;
  double p(const SymbolPoint& y) const;
  double q(const SymbolPoint& y) const;
};

/// lgf2, lgf4, lgf6, lgf8: second differences of these orders along each axis, from the series of (2 asin(sqrt(y)/2))^2
/// (Fornberg, Math. Comp. 51, 1988); the solution is of the same order.
///
/// The compact (Mehrstellen) stencils, 27 points in 3-D and 9 in 2-D (Collatz, The Numerical Treatment of Differential
/// Equations, 1960; Spotz and Carey, Numer. Methods PDE 12, 1996), have with w in units of 1/h
///   P = |w|^2 - |w|^4/12 + (|w|^6 + 2 |w|^2 e2(w^2) - 12 e3(w^2))/360 + ...   mehr4l, mehr4f
///   P = |w|^2 - |w|^4/12 + (|w|^6 + 2 |w|^2 e2(w^2))/360 + ...                mehr6l, mehr6f.
/// mehr4f and mehr6f weight the right-hand side with Q = 1 - |w|^2/12 + ..., so that P/Q = |w|^2 up to a relative
/// |w|^4 or |w|^6: fourth and sixth order. mehr4l and mehr6l do not (Q = 1), so that
///   1/P = 1/|w|^2 + 1/12 + O(|w|^2):
/// second order with the error -h^2 f / 12 where f is not zero, and fourth order where it is zero; only for a solution
/// that is harmonic everywhere, such as one given on a boundary, are they of order 4 and 6.
const LatticeSymbol& lattice_symbol(const std::string& name);

}  // namespace weft
