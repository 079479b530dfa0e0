// Lattice Green's functions in two and three dimensions without wavenumbers: near the origin and far from it.
#pragma once

#include <span>
#include <vector>

#include "poisson/lattice_far.hpp"

namespace weft {

/// g with P g = Q delta in d = 2 or 3 dimensions at any lattice point, to 1e-15: a table near the origin, the expansion
/// beyond it. For d = 2 the constant is that of -ln(r)/(2 pi).
class LatticeSpace {
 public:
  /// The largest index of the table along each axis.
  static constexpr int near = 32;

  LatticeSpace(const LatticeSymbol& symbol, int dimension);

  /// g at indices that are not negative; k = 0 for d = 2.
  double operator()(long i, long j, long k) const {
    if (is_near(i, j, k)) return table_at(i, j, k);
    return far_(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
  }
  /// d = 3: g at (i, j, k) for each k.
  void line(long i, long j, std::span<const double> k, double* values) const;

 private:
  static bool is_near(long i, long j, long k) { return i <= near && j <= near && k <= near; }
  double table_at(long i, long j, long k) const {
    return table_[(static_cast<std::size_t>(k) * (near + 1) + static_cast<std::size_t>(j)) * (near + 1) +
                  static_cast<std::size_t>(i)];
  }

  LatticeFarField far_;
  std::vector<double> table_;
};

/// Made once per process for each symbol and dimension (some milliseconds) and kept. Safe for several threads.
const LatticeSpace& lattice_space(const LatticeSymbol& symbol, int dimension);

/// The table of d = 3, [near + 1]^3, for a separable symbol: g = int_0^inf prod_i B(n_i, t) dt with the heat kernels
/// B(n, t) = (1/pi) int_0^pi cos(n w) exp(-t p(w)) dw of one axis.
std::vector<double> lattice_heat_table(const LatticeSymbol& symbol, int near);

/// The table of d = 3 for a symbol of a 27-point stencil: the solution of the difference equations in a cube, with
/// boundary values from the expansion.
std::vector<double> lattice_stencil_table(const LatticeSymbol& symbol, const LatticeFarField& far, int near);

}  // namespace weft
