// The factors of modes for solutions at displaced points.
#pragma once

#include <complex>
#include <vector>

#include "poisson/kernel_modes.hpp"

namespace weft {

/// The factors of a box of a solver's modes for its transforms, as pairs of real and imaginary parts in C order,
/// normalised. Solutions at points displaced by a vector d are convolutions with G(x + d), which is not even along the
/// axes of d, so factors are complex and every mode has its own. Collective.
Buffer<double> shifted_factors(const KernelJob& in, const std::vector<AxisTransform>& transforms, const Box& modes);

/// The factors that displace the modes of a range by the shift of their axis. Points do not carry the sine of the
/// shortest wave, so its factor is the cosine alone.
std::vector<std::complex<double>> displaced_waves(const DomainAxis& axis, const AxisTransform& transform, Range modes);

}  // namespace weft
