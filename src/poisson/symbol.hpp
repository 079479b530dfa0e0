// The transformed Green's function of a problem, as the symbol that the last pass multiplies.
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

/// What the factors of a problem depend on, and how they are made.
struct SymbolInput {
  const Kernel& kernel;
  double screening;
  double power;
  const std::vector<DomainAxis>& domain;
  const Schedule& schedule;  ///< says what the modes are and how the last pass goes through them
  int slab;                  ///< slab_of_modes()
  const PlanOptions& options;
};

/// The factors of one rank: real, folded to the non-negative wavenumbers, only the part that the rank needs. Every
/// normalisation of the transforms is in them. They lie in the order in which the last pass reads them. Solvers with
/// the same modes and the same kernel in one process have one copy.
template <class Real>
class GreenSymbol {
 public:
  /// Collective.
  GreenSymbol(const Comm& comm, const SymbolInput& input);

  const LineSymbol<Real>& symbol() const { return factors_->symbol; }
  /// What solutions are multiplied by beside the symbol: it is that of a lattice with spacing 1 along axis 0 where the
  /// kernel goes with the square of lengths.
  Real scale() const { return static_cast<Real>(spacing_ * spacing_); }
  /// The unit of length of the symbol.
  double unit() const { return spacing_; }
  index_t bytes() const { return factors_->values.bytes(); }
  /// Whether it was there already.
  bool is_shared() const { return shared_; }

 private:
  double spacing_ = 1;
  bool shared_ = false;
  std::shared_ptr<const ModeFactors<Real>> factors_;
};

}  // namespace weft
