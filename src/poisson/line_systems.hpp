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

/// The finite-difference or Chebyshev axis of a problem; -1 if there is none.
int solved_axis(const std::vector<DomainAxis>& domain);
/// The solved axis of a problem that has one.
const DomainAxis& solved_axis_of(const SymbolInput& input);

/// Throws Error if a problem has more than one such axis, or an option that is not possible with it.
void check_solved_axis(const std::vector<DomainAxis>& domain, const PoissonProblem& problem);

/// The weights of the points of such an axis in integrals, in mean spacings: cell_weights() of finite differences,
/// Clenshaw and Curtis's weights of Chebyshev points.
std::vector<double> solved_weights(const DomainAxis& axis);

/// Computes modes of the solution from modes of the right-hand side, for whole lines along the axis.
template <class Real>
class LineSystems : public LineOperation<Real> {
 public:
  LineSystems(const LineSystems&) = delete;
  LineSystems& operator=(const LineSystems&) = delete;

  /// Sets the end values of the solves that follow, which they must outlive; null: 0.
  void take_ends(const EndModes<Real>* ends) { ends_ = ends; }

  /// The symbol that applies the systems in place of factors of modes.
  const LineSymbol<Real>& symbol() const { return symbol_; }
  /// The factor of solutions: the unit squared times the normalisation of the transforms, forward and backward.
  Real scale() const { return static_cast<Real>(scale_); }
  virtual index_t bytes() const;
  virtual std::string text() const = 0;

 protected:
  /// One number per part and lane of a block, for as many as there can be.
  using Values = std::array<Real, 2 * LineSet::most>;

  /// `rank`: the rank whose modes are solved for. Lengths are in units of `unit`; the values given at each end are
  /// multiplied by its factor.
  LineSystems(const SymbolInput& input, int rank, double unit, const std::array<double, 2>& end_factors);

  int axis() const { return axis_; }
  bool has_ends() const { return ends_ != nullptr; }
  /// The squared wavenumber of the other axes plus the squared screening, for one of the lines.
  double shift_of(const ModeLines<Real>& lines, int lane) const;
  void load_ends(const ModeLines<Real>& lines, int right, Values& values) const;

 private:
  int axis_;
  double scale_, screening_;                  ///< screening squared
  std::vector<std::vector<double>> squares_;  ///< of the wavenumbers of local modes, per axis; empty along `axis_`
  std::array<double, 2> end_factors_;         ///< of end values, in the units of the systems
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

/// Makes the systems of a problem's finite-difference or Chebyshev axis.
template <class Real>
std::unique_ptr<LineSystems<Real>> make_line_systems(const SymbolInput& input, int rank);

}  // namespace weft
