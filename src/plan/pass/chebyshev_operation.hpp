// Derivatives and integrals of Chebyshev series, line by line.
#pragma once

#include "plan/pass/mode_operation.hpp"

namespace weft {

/// Computes the dct1 of derivatives or integrals from that of values, at the points (a+b)/2 - (b-a)/2 cos(pi j/N).
template <class Real>
class ChebyshevOperation final : public LineOperation<Real> {
 public:
  /// Takes `order` derivatives of lines of N + 1 points or, with order -1, the integral from the first point on. `half`
  /// is half the distance between the ends.
  ChebyshevOperation(index_t intervals, double half, int order)
      : intervals_(intervals), half_(static_cast<Real>(half)), order_(order) {}

  void apply(const ModeLines<Real>& lines, Real* block) const override;

 private:
  void differentiate(Real* block, index_t element) const;
  void integrate(Real* block, index_t element) const;

  index_t intervals_;
  Real half_;
  int order_;
};

}  // namespace weft
