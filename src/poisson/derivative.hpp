// Symbols of first derivatives, along one axis.
#pragma once

#include <vector>

#include "weft/boundary.hpp"
#include "weft/vector_poisson.hpp"

namespace weft {

/// a(w) of the stored modes of a range, where the derivative of exp(i w x) is i a(w) exp(i w x). Zero for the shortest
/// wave, of two points (half of an even number of points of a Fourier axis, the last cosine or sine between mirror
/// planes), whose derivative no mode can hold.
std::vector<double> derivative_symbol(Derivative derivative, const DomainAxis& axis, const AxisTransform& transform,
                                      Range modes);

}  // namespace weft
