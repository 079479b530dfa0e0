// An axis that is solved along, not transformed away: for each mode of the other axes the last pass solves a system of
// equations for whole lines along it, by finite differences or by Chebyshev polynomials.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "plan/pass/line_symbol.hpp"
#include "poisson/end_modes.hpp"
#include "poisson/symbol.hpp"
#include "weft/boundary.hpp"
#include "weft/poisson.hpp"

namespace weft {

/// The finite-difference or Chebyshev axis of a problem; -1: there is none.
int solved_axis(const std::vector<DomainAxis>& domain);
/// The same axis of a problem that has one.
const DomainAxis& solved_axis_of(const SymbolInput& input);

/// Throws Error where a problem has more than one such axis, or something that does not go with it.
void check_solved_axis(const std::vector<DomainAxis>& domain, const PoissonProblem& problem);

/// How much the points of such an axis count in integrals: cells of a finite-difference axis 1 in the mean, Chebyshev
/// points by the weights of Clenshaw and Curtis over the mean distance of points.
std::vector<double> solved_weights(const DomainAxis& axis);

/// From modes of the right-hand side to those of the solution, whole lines along the axis at a time.
template <class Real>
class LineSystems : public LineOperation<Real> {
 public:
  LineSystems(const LineSystems&) = delete;
  LineSystems& operator=(const LineSystems&) = delete;

  /// What is given at the ends in the solves that follow, and has to outlive them; null: 0.
  void take_ends(const EndModes<Real>* ends) { ends_ = ends; }

  /// What stands in for factors of modes.
  const LineSymbol<Real>& symbol() const { return symbol_; }
  /// What solutions are multiplied by: the unit squared, and what the transforms there and back leave.
  Real scale() const { return static_cast<Real>(scale_); }
  virtual index_t bytes() const;
  virtual std::string text() const = 0;

 protected:
  /// A number of each part and lane of a block, as much as there can be.
  using Values = std::array<Real, 2 * LineSet::most>;

  /// `rank` is the one whose modes are solved for. Systems have lengths in units of `unit`; what is given at an end is
  /// multiplied by its factor.
  LineSystems(const SymbolInput& input, int rank, double unit, const std::array<double, 2>& end_factors);

  int axis() const { return axis_; }
  bool has_ends() const { return ends_ != nullptr; }
  /// The squared wavenumber of the other axes, and the screening, of one of the lines.
  double shift_of(const ModeLines<Real>& lines, int lane) const;
  void load_ends(const ModeLines<Real>& lines, int right, Values& values) const;

 private:
  int axis_;
  double scale_, screening_;                  ///< screening squared
  std::vector<std::vector<double>> squares_;  ///< of the wavenumbers of local modes, per axis; empty along `axis_`
  std::array<double, 2> end_factors_;         ///< of what is given, in the units of the systems
  const EndModes<Real>* ends_ = nullptr;
  LineSymbol<Real> symbol_;
};

template <class Real>
std::vector<Real> rounded(const std::vector<double>& values) {
  std::vector<Real> result;
  result.reserve(values.size());
  for (const double value : values) result.push_back(static_cast<Real>(value));
  return result;
}

/// The systems of the axis that a problem has.
template <class Real>
std::unique_ptr<LineSystems<Real>> make_line_systems(const SymbolInput& input, int rank);

}  // namespace weft
