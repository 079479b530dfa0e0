// Vector and scalar fields of one problem: boundaries of their components, and transforms whose modes agree.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "weft/boundary.hpp"

namespace weft {

/// The boundaries of the components of a field: [component][axis].
using FieldSpace = std::vector<std::vector<Boundary>>;

/// even for odd and odd for even.
Boundary flipped(const Boundary& boundary);
/// Whether a component is a sum of cosines along an axis that is not Fourier's: the left end decides, or the only one
/// that is a mirror plane. The derivative of a cosine is minus a sine, that of a sine a cosine.
bool is_cosine(const Boundary& boundary);
/// Throws Error, naming component and axis, unless the components are a vector field: along each axis alike in class,
/// in having half-integer modes, in their unbounded side, and with mirror parities: normal component opposite to the
/// others.
void check_vector(const FieldSpace& space);
/// The scalars whose gradients are such vectors: along each axis the condition of the tangential components.
FieldSpace scalar_space(const FieldSpace& vectors);
/// Where the curl of a vector lies: all parities flipped; in two dimensions one component.
FieldSpace curl_space(const FieldSpace& vectors);

/// An axis with the same modes and even ends, so that its transform has every mode that one of its components can have.
DomainAxis even_extension(DomainAxis axis);
/// The transform of an axis with modes stored by wavenumber: those of cosines and sines at the same place, the missing
/// first or last ones as zeros.
AxisTransform aligned_transform(const DomainAxis& axis, bool complex_input);

/// What a pipeline of `fields` such fields is made from: axis 0 counts the components, field by field, `domain` gives
/// the other axes but for their boundaries.
ScheduleInput field_schedule(const FieldSpace& space, const std::vector<DomainAxis>& domain, std::size_t bytes_per_real,
                             index_t fields = 1);

}  // namespace weft
