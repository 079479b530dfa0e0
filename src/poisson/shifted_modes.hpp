// The factors of modes where solutions are wanted at displaced points.
#pragma once

#include <complex>
#include <vector>

#include "poisson/kernel_modes.hpp"

namespace weft {

/// The factors of a box of a solver's modes, with the transforms that it has along its axes: pairs of real and
/// imaginary part in C order, normalised. Solutions at points displaced by a vector d are the convolution with
/// G(x + d), which is even along no axis that has a part of d, so that factors are complex and every mode has its own.
/// Collective.
Buffer<double> shifted_factors(const KernelJob& in, const std::vector<AxisTransform>& transforms, const Box& modes);

/// What modes of a range are multiplied by where the waves of an axis are displaced by its shift. Points carry no sine
/// of the shortest wave, so that this one has its cosine alone.
std::vector<std::complex<double>> displaced_waves(const DomainAxis& axis, const AxisTransform& transform, Range modes);

}  // namespace weft
