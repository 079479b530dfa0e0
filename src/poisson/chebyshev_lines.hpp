// A Chebyshev axis: for each mode of the other axes the last pass solves for the coefficients of a polynomial.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "poisson/line_systems.hpp"

namespace weft {

/// Lengths are in units of half the axis. Lines run from its left end, where cos(pi j / N) is 1, to its right end.
template <class Real>
class ChebyshevLines final : public LineSystems<Real> {
 public:
  /// `rank`: the rank whose modes are solved for.
  ChebyshevLines(const SymbolInput& input, int rank);

  void apply(const ModeLines<Real>& lines, Real* block) const override;
  index_t bytes() const override;
  std::string text() const override;

 private:
  using typename LineSystems<Real>::Values;

  std::vector<Real> lower_, upper_;
  std::array<Real, 2> value_{}, slope_{};  ///< of the conditions at the ends
};

}  // namespace weft
