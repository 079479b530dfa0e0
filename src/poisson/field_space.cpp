// Checks of vector boundaries and the schedules of fields.
#include "poisson/field_space.hpp"

#include "poisson/problem.hpp"
#include "weft/error.hpp"
#include "weft/vector_poisson.hpp"

namespace weft {

namespace {

End flipped(End end) {
  if (end == End::even) return End::odd;
  return end == End::odd ? End::even : end;
}

bool has_half_modes(const Boundary& b) { return classify(b) == AxisClass::symmetric && b.left != b.right; }

std::string place(std::size_t component, std::size_t axis) {
  return "boundary of component " + std::to_string(component) + ", axis " + std::to_string(axis);
}

// Whether two boundaries have the same modes, up to parities, as all components must along an axis.
bool same_modes(const Boundary& a, const Boundary& b) {
  return classify(a) == classify(b) && has_half_modes(a) == has_half_modes(b) &&
         (a.left == End::unbounded) == (b.left == End::unbounded);
}

}  // namespace

Boundary flipped(const Boundary& boundary) { return {flipped(boundary.left), flipped(boundary.right)}; }

bool is_cosine(const Boundary& boundary) {
  return (boundary.left == End::unbounded ? boundary.right : boundary.left) == End::even;
}

void check_vector(const FieldSpace& space) {
  const std::size_t dims = space.size();
  for (std::size_t axis = 0; axis < dims; axis++) {
    const std::size_t tangential = axis == 0 ? 1 : 0;
    const Boundary& expected = space[tangential][axis];
    for (std::size_t c = 0; c < dims; c++) {
      const Boundary& given = space[c][axis];
      require(
          same_modes(given, expected),
          place(c, axis) + ": " + to_string(given) + " does not go with " + to_string(expected) + " of component " +
              std::to_string(tangential) +
              "; along an axis all components are periodic, unbounded, unbounded on the same side, or have the same "
              "conditions up to even in place of odd. Components that are not a vector field need a solver each");
      const Boundary mirror = c == axis ? flipped(expected) : expected;
      require(given == mirror, place(c, axis) + ": " + to_string(given) + ", but a vector field whose component " +
                                   std::to_string(tangential) + " is " + to_string(expected) + " there is " +
                                   to_string(mirror) +
                                   ": the component normal to an end has the opposite parity of the others. "
                                   "Components that are not a vector field need a solver each");
    }
  }
}

FieldSpace vector_boundary(const std::vector<Boundary>& scalar) {
  FieldSpace space(scalar.size(), scalar);
  for (std::size_t c = 0; c < scalar.size(); c++) space[c][c] = flipped(scalar[c]);
  return space;
}

FieldSpace scalar_space(const FieldSpace& vectors) {
  FieldSpace scalar(1);
  for (std::size_t axis = 0; axis < vectors.size(); axis++) scalar[0].push_back(flipped(vectors[axis][axis]));
  return scalar;
}

FieldSpace curl_space(const FieldSpace& vectors) {
  FieldSpace space = vectors.size() == 2 ? scalar_space(vectors) : vectors;
  for (auto& component : space)
    for (Boundary& boundary : component) boundary = flipped(boundary);
  return space;
}

DomainAxis even_extension(DomainAxis axis) {
  if (has_half_modes(axis.boundary)) return axis;
  for (End* end : {&axis.boundary.left, &axis.boundary.right})
    if (*end == End::odd) *end = End::even;
  const AxisClass kind = classify(axis.boundary);
  if (kind == AxisClass::symmetric || kind == AxisClass::mixed) axis.centring = Centring::node;
  return axis;
}

AxisTransform aligned_transform(const DomainAxis& axis, bool complex_input) {
  AxisTransform transform = axis_transform(axis, complex_input);
  transform.modes = axis_transform(even_extension(axis), complex_input).modes;
  transform.first_mode = lowest_mode(transform.kind);
  return transform;
}

ScheduleInput field_schedule(const FieldSpace& space, const std::vector<DomainAxis>& domain, std::size_t bytes_per_real,
                             index_t fields) {
  ScheduleInput input;
  for (const auto& boundaries : space) {
    std::vector<DomainAxis> axes = domain;
    for (std::size_t a = 0; a < axes.size(); a++) axes[a].boundary = boundaries[a];
    const ScheduleInput scalar = schedule_input(axes, bytes_per_real);
    input.order.clear();
    for (const int axis : scalar.order) input.order.push_back(axis + 1);
    input.plane_reals = scalar.plane_reals;
    input.padded = scalar.padded;
    std::vector<AxisTransform> transforms{whole_axis(Kind::none, fields * static_cast<index_t>(space.size()), 0)};
    for (std::size_t a = 0; a < axes.size(); a++) {
      const AxisTransform& alone = scalar.axes[a];
      transforms.push_back(alone.kind == Kind::none ? alone : aligned_transform(axes[a], alone.kind == Kind::c2c));
    }
    input.components.push_back(std::move(transforms));
  }
  input.axes = input.components.front();
  if (space == FieldSpace(space.size(), space.front())) input.components.clear();
  input.batch_axes = {0};
  return input;
}

}  // namespace weft
