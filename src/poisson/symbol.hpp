// The transformed Green's function of a problem, as the symbol that multiplies modes in the last pass.
#pragma once

#include <memory>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "poisson/shared_factors.hpp"
#include "weft/boundary.hpp"
#include "weft/comm.hpp"
#include "weft/green.hpp"
#include "weft/options.hpp"

namespace weft {

/// All that the factors of a problem depend on.
struct SymbolInput {
  const Kernel& kernel;
  double screening;
  double power;
  const std::vector<DomainAxis>& domain;
  const Schedule& schedule;  ///< determines the modes and their order in the last pass
  int slab;                  ///< slab_of_modes()
  const PlanOptions& options;
};

/// The factors that one rank needs, with the normalisation of the transforms, in the order in which the last pass reads
/// them: real and folded to the non-negative wavenumbers, or complex with a shift. Solvers of one process with the same
/// modes and kernel share one copy.
template <class Real>
class GreenSymbol {
 public:
  /// Collective.
  GreenSymbol(const Comm& comm, const SymbolInput& input);

  const LineSymbol<Real>& symbol() const { return factors_->symbol; }
  /// A factor of solutions besides the symbol: kernels that scale with the square of lengths are stored for spacing 1
  /// along axis 0.
  Real scale() const { return static_cast<Real>(spacing_ * spacing_); }
  /// The unit of length of the symbol.
  double unit() const { return spacing_; }
  index_t bytes() const { return factors_->values.bytes(); }
  /// Whether another solver had made it.
  bool is_shared() const { return shared_; }

 private:
  double spacing_ = 1;
  bool shared_ = false;
  std::shared_ptr<const ModeFactors<Real>> factors_;
};

}  // namespace weft
