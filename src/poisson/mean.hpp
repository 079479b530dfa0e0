// The mean of a right-hand side that has to be zero.
#pragma once

#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "weft/boundary.hpp"
#include "weft/box.hpp"
#include "weft/comm.hpp"

namespace weft {

/// Whether the boundaries allow a constant: every axis is periodic or even at both ends.
bool has_constant_mode(const std::vector<DomainAxis>& domain);

/// How much the points of a range of an axis count in means over it, in spacings: nodes by the trapezoidal rule, so
/// that repeated ones count 0, points of an axis that is solved along by solved_weights().
std::vector<double> mean_weights(const DomainAxis& axis, const Range& range);

/// Throws Error, which begins with `name`, on every rank alike unless the mean of `values`, this rank's box of the
/// points, is zero up to rounding. The mean is the integral that the transforms take: even ends on nodes count half,
/// repeated points not at all. Collective.
template <class Real>
void require_zero_mean(const Comm& comm, const std::string& name, const std::vector<DomainAxis>& domain, const Box& box,
                       const LocalArray<Real>& values);

}  // namespace weft
