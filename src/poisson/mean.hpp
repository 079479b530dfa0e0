// The mean of a right-hand side, which must be zero where the boundaries allow a constant.
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

/// The weights of the points of a range in means along the axis, in spacings: the trapezoidal rule for nodes, with 0
/// for repeated ones, solved_weights() for an axis that is solved along.
std::vector<double> mean_weights(const DomainAxis& axis, const Range& range);

/// Throws Error, whose text begins with `name`, on every rank alike unless the mean of all `values` is zero up to
/// rounding; each rank gives its box of the points. The mean is that of the transforms: nodes on even ends have half
/// the weight, repeated points none. Collective.
template <class Real>
void require_zero_mean(const Comm& comm, const std::string& name, const std::vector<DomainAxis>& domain, const Box& box,
                       const LocalArray<Real>& values);

}  // namespace weft
