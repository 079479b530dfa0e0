// Differential operators between vector and scalar fields, on the modes of lines.
#pragma once

#include <vector>

#include "plan/pass/line_symbol.hpp"
#include "plan/pass/mode_operation.hpp"
#include "poisson/field_space.hpp"

namespace weft {

/// One term of an operator: result[out] += sign * d(field[in])/d(axis).
struct DerivativeTerm {
  int out, in, axis;
  double sign;
};

/// Derivative symbols on the modes of this rank.
template <class Real>
struct ModeDerivatives {
  std::vector<std::vector<Real>> symbols;  ///< a(w) of local modes, per axis of the problem
  std::vector<bool> fourier;               ///< whether the derivative is i a(w) instead of a change of parity
};

/// The input of an operator: the fields that it is applied to, and the kernel that multiplies them.
template <class Real>
struct FieldInput {
  FieldSpace space;                          ///< of the fields
  const ModeDerivatives<Real>& derivatives;  ///< has to outlive the operation
  const LineSymbol<Real>* kernel = nullptr;  ///< multiplies the fields; axis 0 counts components; may be null
  bool reversed = false;                     ///< of projections, whose space is by axis: the last component comes first
  double unit = 1;                           ///< of projections: the unit of length of the kernel
};

/// result = sum of terms, applied to the field or to its product with the kernel.
template <class Real>
class DerivativeOperation final : public ModeOperation<Real> {
 public:
  DerivativeOperation(const FieldInput<Real>& input, std::vector<DerivativeTerm> terms);
  void apply(const ModeLines<Real>& lines, std::span<const ModeBlock<Real>> in,
             std::span<const ModeBlock<Real>> out) const override;

 private:
  FieldInput<Real> input_;
  std::vector<DerivativeTerm> terms_;
};

/// result = factor field - grad lap^-1 div field, where the kernel is lap^-1 times `factor`, the normalisation of the
/// transforms. Without a kernel, lap is the sum of the squared derivatives, so that the result has no divergence.
template <class Real>
class ProjectionOperation final : public ModeOperation<Real> {
 public:
  ProjectionOperation(const FieldInput<Real>& input, Real factor);
  void apply(const ModeLines<Real>& lines, std::span<const ModeBlock<Real>> in,
             std::span<const ModeBlock<Real>> out) const override;

 private:
  void load_inverse_laplacian(const ModeLines<Real>& lines, const ModeBlock<Real>& potential) const;

  FieldInput<Real> input_;
  FieldSpace scalar_;
  ModeDerivatives<Real> derivatives_;  ///< without a kernel scaled so that the largest is about 1
  Real factor_;
};

}  // namespace weft
