// The transformed Green's function of a problem, as the symbol that the last pass multiplies.
#pragma once

#include <string>
#include <vector>

#include "plan/line_pass.hpp"
#include "plan/schedule.hpp"
#include "weft/boundary.hpp"
#include "weft/comm.hpp"
#include "weft/green.hpp"

namespace weft {

/// What the kernels of a problem are made from.
std::vector<GreenAxis> green_axes(const std::vector<DomainAxis>& domain);

/// Owns the factors of one rank: real, folded to the non-negative wavenumbers, only the part that the rank needs.
/// Every normalisation of the transforms is in them.
template <class Real>
class GreenSymbol {
 public:
  /// Collective. `spectral` is the layout of the modes, `transforms` what they are modes of.
  GreenSymbol(const Comm& comm, const GreenKernel& kernel, const std::vector<DomainAxis>& domain,
              const std::vector<AxisTransform>& transforms, const Layout& spectral, const PlanOptions& options);

  const LineSymbol<Real>& symbol() const { return symbol_; }
  index_t bytes() const { return values_.bytes(); }

 private:
  Buffer<Real> values_;
  LineSymbol<Real> symbol_;
};

}  // namespace weft
