// The discrete operator div(a grad u) - c u of each form, on this rank's cells.
#pragma once

#include <memory>

#include "weft/variable_poisson.hpp"

namespace weft {

/// The input of an operator.
struct OperatorInput {
  MPI_Comm comm;
  const VariableProblem& problem;
  const Layout& layout;  ///< of the cells
  const PlanOptions& options;
  int threads;
};

template <class Real>
class VariableOperator {
 public:
  VariableOperator() = default;
  virtual ~VariableOperator() = default;
  VariableOperator(const VariableOperator&) = delete;
  VariableOperator& operator=(const VariableOperator&) = delete;

  /// Sets the coefficients, which are not copied; a null `c` is 0. Collective.
  virtual void take(const Real* a, const Real* c) = 0;
  /// result = div(a grad u) - c u; `result` must not be `u`. Collective.
  virtual void apply(const Real* u, Real* result) = 0;
  /// Removes the waves that the form does not represent. Collective.
  virtual void filter(Real* values) = 0;

  virtual index_t workspace_bytes() const = 0;
  /// Bytes that this rank sends in apply().
  virtual index_t bytes_sent() const = 0;
  /// Lines of explain().
  virtual std::string explain() const = 0;
};

/// Makes the operator of a form. Collective.
template <class Real>
std::unique_ptr<VariableOperator<Real>> make_flux_operator(const OperatorInput& input);
template <class Real>
std::unique_ptr<VariableOperator<Real>> make_spectral_operator(const OperatorInput& input);

}  // namespace weft
