// Lengths whose squares and cubes a solver can compute with.
#pragma once

#include <string>
#include <vector>

#include "weft/boundary.hpp"
#include "weft/poisson.hpp"

namespace weft {

/// What the largest factor of a mode has to be at least as it is kept, so that others have all digits, too, and at most
/// without what the transforms leave to it, so that solutions are numbers where right-hand sides are near 1.
struct FactorRange {
  double least, most;
};

template <class Real>
FactorRange factor_range();
/// The range, and how to come into it, as the end of a sentence.
template <class Real>
std::string factors_allowed();

/// Throws Error, naming the axis or the screening and what is allowed, where what a solver computes from lengths would
/// leave the range of its numbers: wavenumbers squared, squares and, with three convolved axes, cubes of spacings and
/// distances in double precision, times the factors of transforms there and back; the factors of modes in `Real`.
/// Factors near the ends of the range, and those of other powers than 1, are left to the symbol, which knows them.
template <class Real>
void require_scales(const std::vector<DomainAxis>& domain, const PoissonProblem& problem);

/// Throws Error where wavenumbers, the symbols of first derivatives, leave the range of `Real`.
template <class Real>
void require_derivative_scales(const std::vector<DomainAxis>& domain);

}  // namespace weft
