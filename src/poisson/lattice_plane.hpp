// Lattice Green's functions along two axes for a wavenumber of the third.
#pragma once

#include <span>

#include "poisson/lattice_symbol.hpp"
#include "weft/types.hpp"

namespace weft {

/// g(i, j) with P g = Q delta along two axes, where y = c > 0 along the third, for the product of two lists of indices,
/// in C order. g = (1/(2 pi)) int cos(j t) V(i, t) dt with the solutions V of one axis. The integrand is periodic and
/// analytic, so the trapezoidal rule gives g to rounding, without periodic images.
void lattice_plane(const LatticeSymbol& symbol, double c, std::span<const index_t> rows,
                   std::span<const index_t> columns, index_t farthest, double* values);

}  // namespace weft
