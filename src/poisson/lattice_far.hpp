// Lattice Green's functions far from the origin, by their expansions in inverse powers of the distance.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "poisson/lattice_symbol.hpp"

namespace weft {

/// The expansion of g with P g = Q delta in d = 2 or 3 dimensions, to seven terms:
///   d = 3   g = 1/(4 pi r) + sum_J F_J(x/r) r^(-2J-1),   d = 2   g = -ln(r)/(2 pi) + sum_J F_J(x/r) r^(-2J),
/// where the expansion of d = 2 fixes the constant of g (Martinsson and Rodin, Proc. R. Soc. A 458, 2002, derive it for
/// lgf2). From 33 lattice spacings on the error is below 1e-17.
class LatticeFarField {
 public:
  LatticeFarField(const LatticeSymbol& symbol, int dimension);

  double operator()(double x, double y, double z) const;
  /// d = 3: g at (x, y, z) for each z whose distance is `nearest` or more. A value does not depend on the other z.
  void line(double x, double y, std::span<const double> z, double nearest, double* values) const;

  /// F_J(x/r) = sum over (b, c) of coefficients[J][b][c] e2^b e3^c in the elementary symmetric functions of the squares
  /// of x/r, whose sum is 1.
  using Coefficients = std::array<std::array<double, 5>, 7>;
  const std::vector<Coefficients>& terms() const { return terms_; }

 private:
  /// The number of terms that count at distances whose square is r2 or more.
  std::size_t terms_at(double r2) const;

  int dimension_;
  std::vector<Coefficients> terms_;
  std::vector<double> reach_;  ///< r^2 from which on a term and all later ones are negligible
};

}  // namespace weft
