// Roots of unity in extended precision, which are rounded for the tables of transforms.
#pragma once

#include <complex>
#include <vector>

#include "weft/types.hpp"

namespace weft {

using Extended = std::complex<long double>;

/// a b. The operator of std::complex checks every product for NaN, which takes most of its time.
inline Extended multiplied(Extended a, Extended b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(-2 pi i p / n), 0 <= p <= n, to a few units in the last place of long double. The bits depend on p and n only.
/// Successive calls with the same n take one multiplication each, since sines of 2 sqrt(n) angles are kept.
Extended root_of_unity(index_t p, index_t n);

/// Appends cos and -sin of 2 pi p / n, 0 <= p <= n, times `factor`, rounded from extended precision.
template <class Real>
void push_root(std::vector<Real>& to, index_t p, index_t n, long double factor = 1);

}  // namespace weft
