// Lattice Green's functions along one axis, for given symbols of the other axes.
#pragma once

#include <span>

#include "poisson/lattice_symbol.hpp"

namespace weft {

/// g counts as 0 where it is below exp(-lattice_negligible) of its value at the origin, far below the rounding of any
/// sum that it is part of.
inline constexpr double lattice_negligible = 60;

/// g(n) for n = 0 .. values.size() - 1 with P g = Q delta along one axis, where y = b and y = c along the others. For b
/// = c = 0 it is -n/2 plus parts that decay, otherwise it decays.
///
/// Exact up to rounding: the pole of Q/P nearest to y = 0 in closed form (1/(y + s) is the symbol of
/// exp(-2 n asinh(sqrt(s)/2))/sqrt(s (s + 4)), Bickley and others), the rest, which is analytic in a wide strip, by the
/// trapezoidal rule over the angle.
void lattice_line(const LatticeSymbol& symbol, double b, double c, std::span<double> values);

/// lattice_line() for a separable symbol whose sum over the other axes, of any spacings, is `rest` >= 0.
void separable_line(const LatticeSymbol& symbol, double rest, std::span<double> values);

/// A rate a > 0 such that g decays at least as fast as exp(-a n); b or c must be positive.
double lattice_decay(const LatticeSymbol& symbol, double b, double c);

}  // namespace weft
