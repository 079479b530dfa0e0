// A finite-difference axis: for each mode of the other axes the last pass solves a tridiagonal or cyclic system.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "poisson/line_systems.hpp"

namespace weft {

/// Throws Error unless the order of a finite-difference axis is possible with its widths.
void check_order(const DomainAxis& domain, int axis);

/// Lengths are in units of the mean width.
template <class Real>
class DifferenceLines final : public LineSystems<Real> {
 public:
  /// `rank`: the rank whose modes are solved for.
  DifferenceLines(const SymbolInput& input, int rank);

  void apply(const ModeLines<Real>& lines, Real* block) const override;
  index_t bytes() const override;
  std::string text() const override;

 private:
  using typename LineSystems<Real>::Values;

  void take_compact(const DomainAxis& axis);
  bool is_compact() const { return !before_.empty(); }
  void take_mean_out(const ModeLines<Real>& lines, int lane, const std::array<Values, 2>* given, Real* block) const;

  bool cyclic_, has_constant_;
  std::vector<Real> couplings_, widths_, weights_;
  std::vector<Real> before_, middle_, after_;  ///< empty for order 2
  LaneCompact<Real> compact_{};
};

}  // namespace weft
