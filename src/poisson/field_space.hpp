// Vector and scalar fields of one problem: boundaries of their components, and transforms whose modes agree.
#pragma once

#include <string>
#include <vector>

#include "plan/schedule/schedule.hpp"
#include "weft/boundary.hpp"

namespace weft {

/// The boundaries of the components of a field: [component][axis].
using FieldSpace = std::vector<std::vector<Boundary>>;

/// The boundary with even and odd exchanged.
Boundary flipped(const Boundary& boundary);
/// Whether a component is a sum of cosines along an axis without a Fourier transform. The left end decides, or the only
/// end that is a mirror plane. The derivative of a cosine is minus a sine, that of a sine a cosine.
bool is_cosine(const Boundary& boundary);
/// Throws Error, naming component and axis, unless the components are a vector field: along each axis they agree in
/// class, unbounded side and half-integer modes, and at mirror planes the normal component has the opposite parity of
/// the others.
void check_vector(const FieldSpace& space);
/// The space of scalars whose gradients are in `vectors`: along each axis the boundary of the tangential components.
FieldSpace scalar_space(const FieldSpace& vectors);
/// The space of the curls of `vectors`: all parities flipped; in two dimensions one component.
FieldSpace curl_space(const FieldSpace& vectors);

/// The axis with even ends in place of odd ones. Its transform has every mode that a component can have.
DomainAxis even_extension(DomainAxis axis);
/// The transform of an axis with modes stored by wavenumber: cosines and sines of a wavenumber have the same index, and
/// a missing first or last mode is stored as zero.
AxisTransform aligned_transform(const DomainAxis& axis, bool complex_input);

/// The input for the schedule of a pipeline of several fields of a space. Axis 0 counts components, field by field;
/// `domain` gives the other axes without their boundaries.
ScheduleInput field_schedule(const FieldSpace& space, const std::vector<DomainAxis>& domain, std::size_t bytes_per_real,
                             index_t fields = 1);

}  // namespace weft
