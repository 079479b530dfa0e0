// Values and slopes that are given at ends: what they add to the differences at the first and the last points.
#pragma once

#include <string>
#include <vector>

#include "weft/boundary.hpp"
#include "weft/box.hpp"
#include "weft/comm.hpp"
#include "weft/poisson.hpp"

namespace weft {

/// Throws Error, on every rank alike, unless each of these is at an odd or even end whose axis has differences of
/// second order, once, and finite. Collective.
template <class Real>
void check_ends(const Comm& comm, const std::vector<DomainAxis>& domain, const std::string& kernel, const Box& box,
                const std::vector<EndValues<Real>>& ends);

/// What a value that is given at an end of the finite-difference axis is multiplied by: of order 2 to be taken from the
/// right-hand side beside it, of order 4 to stand at the wall of compact rows, whose lengths are in mean widths and
/// whose right-hand side is not.
double row_factor(const DomainAxis& axis, Side side);

/// Takes from a right-hand side, this rank's box of the points, what the given values add to the Laplacian of u.
template <class Real>
void take_ends_out(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<EndValues<Real>>& ends,
                   Real* rhs);

/// Whether points of a solution lie on this end and get the values that are given there: an odd one, without Robin's
/// condition, of nodes or Chebyshev points.
bool has_points_on_end(const DomainAxis& axis, Side side);

/// Points of a solution that lie on odd ends get the values that are given there.
template <class Real>
void put_ends_in(const std::vector<DomainAxis>& domain, const Box& box, const std::vector<EndValues<Real>>& ends,
                 Real* solution);

}  // namespace weft
