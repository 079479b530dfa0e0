// A finite-difference axis: for each mode of the other axes the last pass solves a tridiagonal or cyclic system.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plan/pass/line_symbol.hpp"
#include "poisson/end_modes.hpp"
#include "poisson/symbol.hpp"
#include "weft/boundary.hpp"
#include "weft/poisson.hpp"

namespace weft {

/// The finite-difference axis of a problem; -1: there is none.
int difference_axis(const std::vector<DomainAxis>& domain);

/// Throws Error where a problem has more than one finite-difference axis, or something that does not go with one.
void check_differences(const std::vector<DomainAxis>& domain, const PoissonProblem& problem);

/// From modes of the right-hand side to those of the solution, whole lines along the finite-difference axis at a time.
/// Lengths are in units of its mean width.
template <class Real>
class DifferenceLines final : public LineOperation<Real> {
 public:
  /// `rank` is the one whose modes are solved for.
  DifferenceLines(const SymbolInput& input, int rank);
  DifferenceLines(const DifferenceLines&) = delete;
  DifferenceLines& operator=(const DifferenceLines&) = delete;

  void apply(const ModeLines<Real>& lines, Real* block) const override;

  /// What is given at the ends in the solves that follow, and has to outlive them; null: 0.
  void take_ends(const EndModes<Real>* ends) { ends_ = ends; }

  /// What stands in for factors of modes.
  const LineSymbol<Real>& symbol() const { return symbol_; }
  /// What solutions are multiplied by: the unit squared, and what the transforms there and back leave.
  Real scale() const { return static_cast<Real>(scale_); }
  index_t bytes() const;
  std::string text() const;

 private:
  /// A number of each part and lane of a block, as much as there can be.
  using Values = std::array<Real, 2 * LineSet::most>;

  double shift_of(const ModeLines<Real>& lines, int lane) const;
  void load_ends(const ModeLines<Real>& lines, int right, Values& values) const;
  void take_compact(const DomainAxis& axis);
  bool is_compact() const { return !before_.empty(); }
  void take_mean_out(const ModeLines<Real>& lines, int lane, const std::array<Values, 2>* given, Real* block) const;

  int axis_;
  bool cyclic_, has_constant_;
  double scale_ = 1, screening_;              ///< screening squared
  std::vector<std::vector<double>> squares_;  ///< of the wavenumbers of local modes, per axis; empty along `axis_`
  std::vector<Real> couplings_, widths_, weights_;
  std::vector<Real> before_, middle_, after_;  ///< empty for order 2
  LaneCompact<Real> compact_{};
  std::array<double, 2> end_factors_{};  ///< of what is given, in the units of the rows
  const EndModes<Real>* ends_ = nullptr;
  LineSymbol<Real> symbol_;
};

}  // namespace weft
