// Values given at ends of transformed axes beside which all waves are exact: what they add to each mode.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "plan/pass/line_symbol.hpp"
#include "poisson/end_modes.hpp"
#include "poisson/symbol.hpp"
#include "weft/boundary.hpp"
#include "weft/green.hpp"

namespace weft {

/// Whether a kernel has the exact factors -1/k^2 on these axes: none is unbounded, and none has differences.
bool has_exact_waves(const std::vector<DomainAxis>& domain, const std::string& kernel);

/// The factors of modes, and the waves that have given values v at ends and no Laplacian (less screening^2 u). Of the
/// wavenumber kappa of the other axes, screening included, these are v cosh(kappa x) and sinh(kappa x) along the axis.
/// At points h apart they are also waves of second differences, with s = 2 sinh(kappa h / 2) in place of kappa h, but
/// for what an end has beyond it: that is a source r v beside the end. So their modes of wavenumber k are exactly
///   r v e(k) / (4 sin^2(k h / 2) + s^2),
/// e(k) being the mode of 1 beside the end, and r, for cells, 2 cosh(kappa h / 2) at an odd, 2 sinh(kappa h / 2) /
/// kappa at an even end; for nodes 1 and 2 sinh(kappa h) / kappa.
template <class Real>
class WaveEnds final : public LineOperation<Real> {
 public:
  /// `factors` and `scale` are those of the solver, which has to outlive this. `rank` is the one whose modes these are.
  WaveEnds(const SymbolInput& input, const LineSymbol<Real>& factors, double scale, int rank);
  WaveEnds(const WaveEnds&) = delete;
  WaveEnds& operator=(const WaveEnds&) = delete;

  void apply(const ModeLines<Real>& lines, Real* block) const override;

  const LineSymbol<Real>& symbol() const { return symbol_; }
  index_t bytes() const;
  /// What is given at the ends of an axis in the solves that follow, and has to outlive them; null: 0.
  void take_ends(int axis, const EndModes<Real>* ends);

 private:
  /// What an axis adds per unit of what is given: for the places of EndModes `numerator`, `decay` and `gap`, for its
  /// own modes the square of their sine and the mode of each end.
  struct Response {
    std::vector<Real> numerator, decay, gap;
    std::vector<Real> sines;
    std::array<std::vector<Real>, 2> modes;
  };
  void make_response(int axis, const EndModes<Real>& ends);
  void add(int axis, const ModeLines<Real>& lines, Real* block) const;

  std::vector<DomainAxis> domain_;
  Box box_;
  std::vector<std::vector<double>> wavenumbers_;  ///< of local modes, per axis
  double screening_, factor_;
  LineSymbol<Real> factors_, symbol_;
  std::vector<Response> responses_;
  std::vector<const EndModes<Real>*> ends_;
};

}  // namespace weft
