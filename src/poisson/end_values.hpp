// Values and slopes given at ends, and their terms in the differences at the outermost points.
#pragma once

#include <string>
#include <vector>

#include "weft/boundary.hpp"
#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/poisson.hpp"

namespace weft {

/// Throws Error, on every rank alike, unless each end is odd or even, is on an axis that takes values, is given once,
/// and its values are finite. Collective.
template <class Real>
void check_ends(const Comm& comm, const std::vector<DomainAxis>& domain, const std::string& kernel, const Box& box,
                const std::vector<EndValues<Real>>& ends);

/// The factor of a value given at an end of the finite-difference axis. Order 2: the product is subtracted from the
/// right-hand side beside the end. Order 4: it is the value at the wall of compact rows, whose lengths are in mean
/// widths although their right-hand side is not.
double row_factor(const DomainAxis& axis, Side side);

/// Subtracts the terms of the given values in the Laplacian of u from the right-hand side in this rank's box.
template <class Real>
void take_ends_out(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<EndValues<Real>>& ends,
                   Real* rhs);

/// Whether points of a solution lie on this end and get the values given there: an odd end of nodes or Chebyshev
/// points, without Robin's condition.
bool has_points_on_end(const DomainAxis& axis, Side side);

/// Stores the given values to the points of a solution that lie on odd ends.
template <class Real>
void put_ends_in(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<EndValues<Real>>& ends,
                 Real* solution);

}  // namespace weft
