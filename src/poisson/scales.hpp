// Lengths whose squares and cubes a solver can compute with.
#pragma once

#include <string>
#include <vector>

#include "weft/boundary.hpp"
#include "weft/poisson.hpp"

namespace weft {

/// Bounds on the largest factor of a mode. `least`: with the normalisation of the transforms, so that smaller factors
/// have all digits, too. `most`: without it, so that solutions are finite for right-hand sides near 1.
struct FactorRange {
  double least, most;
};

template <class Real>
FactorRange factor_range();
/// The end of an error text: the range, and how to get into it.
template <class Real>
std::string factors_allowed();

/// Throws Error, naming the axis or the screening and what is allowed, if numbers computed from lengths would leave
/// their range. In double precision: wavenumbers squared, and squares (cubes with three convolved axes) of spacings and
/// distances, times the factors of the transforms. In `Real`: the factors of modes. Factors near the ends of the range,
/// and of powers other than 1, are checked by the symbol, which knows them.
template <class Real>
void require_scales(const std::vector<DomainAxis>& domain, const PoissonProblem& problem);

/// Throws Error if wavenumbers, the symbols of first derivatives, would leave the range of `Real`.
template <class Real>
void require_derivative_scales(const std::vector<DomainAxis>& domain);

}  // namespace weft
