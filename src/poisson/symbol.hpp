// The transformed Green's function of a problem, as the symbol that the last pass multiplies.
#pragma once

#include <string>
#include <vector>

#include "plan/pass/line_pass.hpp"
#include "plan/schedule/schedule.hpp"
#include "weft/boundary.hpp"
#include "weft/comm.hpp"
#include "weft/green.hpp"

namespace weft {

/// What the kernels of a problem are made from.
std::vector<GreenAxis> green_axes(const std::vector<DomainAxis>& domain);

/// What the factors of modes are multiplied by, so that transforms need no normalisation.
double round_trip(const std::vector<DomainAxis>& domain);

/// Owns the factors of one rank: real, folded to the non-negative wavenumbers, only the part that the rank needs.
/// Every normalisation of the transforms is in them. They lie in the order in which the last pass reads them.
template <class Real>
class GreenSymbol {
 public:
  /// Collective. `schedule` says what the modes are and how the last pass goes through them, `slab` is slab_of_modes().
  GreenSymbol(const Comm& comm, const GreenKernel& kernel, const std::vector<DomainAxis>& domain,
              const Schedule& schedule, int slab, const PlanOptions& options);

  const LineSymbol<Real>& symbol() const { return symbol_; }
  index_t bytes() const { return values_.bytes(); }

 private:
  Buffer<Real> values_;
  LineSymbol<Real> symbol_;
};

}  // namespace weft
