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

/// The waves that have given values v at ends and no Laplacian (less screening^2 u), added to modes. Of the wavenumber
/// kappa of the other axes, screening included, these are v cosh(kappa x) and sinh(kappa x) along the axis.
/// At points h apart they are also waves of second differences, with s = 2 sinh(kappa h / 2) in place of kappa h, but
/// for what an end has beyond it: that is a source r v beside the end. So their modes of wavenumber k are exactly
///   r v e(k) / (4 sin^2(k h / 2) + s^2),
/// e(k) being the mode of 1 beside the end, and r, for cells, 2 cosh(kappa h / 2) at an odd, 2 sinh(kappa h / 2) /
/// kappa at an even end; for nodes 1 and 2 sinh(kappa h) / kappa.
template <class Real>
class WaveEnds final : public LineOperation<Real> {
 public:
  /// `scale` is that of the solver. `rank` is the one whose modes these are.
  WaveEnds(const SymbolInput& input, double scale, int rank);
  WaveEnds(const WaveEnds&) = delete;
  WaveEnds& operator=(const WaveEnds&) = delete;

  void apply(const ModeLines<Real>& lines, Real* block) const override;

  index_t bytes() const;
  /// What is given at the ends of an axis in the solves that follow; null: 0.
  void take_ends(int axis, const EndModes<Real>* ends);

 private:
  /// The other axes of an axis, from the slowest in the tables to that whose modes are neighbours there: where it can
  /// be the one along which the lanes of lines lie, else the lines themselves.
  struct OtherAxes {
    std::array<int, 2> axis{-1, -1};  ///< -1: there is one only
    std::array<index_t, 2> size{1, 1};
    index_t step(int of) const { return of == axis[1] ? 1 : of == axis[0] ? size[1] : 0; }
  };
  /// What an axis adds: for the modes of the other axes `decay`, `gap` and, at each end, what is given there, its real
  /// and imaginary parts, times the `numerator`; for its own modes the square of their sine and the mode of each end.
  struct Response {
    OtherAxes others;
    std::vector<Real> decay, gap;
    std::array<std::vector<Real>, 2> numerator;
    std::array<std::array<std::vector<Real>, 2>, 2> given;
    std::vector<Real> sines;
    std::array<std::vector<Real>, 2> modes;
  };
  OtherAxes others_of(int axis) const;
  void make_response(int axis);
  void add(int axis, const ModeLines<Real>& lines, Real* block) const;
  void add_gathered(int axis, const ModeLines<Real>& lines, Real* block) const;
  LaneWaves<Real> waves_of(int axis, const ModeLines<Real>& lines, const Extents& index) const;

  std::vector<DomainAxis> domain_;
  Box box_;
  std::vector<std::vector<double>> wavenumbers_;  ///< of local modes, per axis
  double screening_, factor_;
  std::vector<Response> responses_;
  std::vector<bool> gives_;  ///< per axis: in the solves that follow
  int line_axis_, lane_axis_;
};

}  // namespace weft
