// Checks and plans that scalar and vector solvers have in common.
#include "poisson/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/number.hpp"
#include "plan/arguments.hpp"
#include "poisson/line_systems.hpp"
#include "weft/error.hpp"

namespace weft {

std::string to_text(const PoissonProblem& problem) {
  std::string text = "cells " + to_string(problem.cells) + ", length";
  for (const double length : problem.length) text += number(" %.17g", length);
  text += ", boundary";
  for (const Boundary& boundary : problem.boundary) text += " " + to_string(boundary);
  text += ", centring";
  for (const Centring centring : problem.centring) text += " " + to_string(centring);
  text += ", kernel " + problem.kernel.name + number(", alpha %.17g", problem.kernel.alpha);
  text += number(", screening %.17g, mean ", problem.screening) + to_string(problem.mean);
  for (const std::vector<double>& axis : problem.widths) {
    text += ", widths";
    for (const double width : axis) text += number(" %.17g", width);
  }
  text += number(", robin %.17g", problem.robin[0]) + number(" %.17g", problem.robin[1]);
  text += number(", power %.17g", problem.power) + ", batch " + std::to_string(problem.batch);
  text += ", order " + std::to_string(problem.order) + ", shift";
  for (const double shift : problem.shift) text += number(" %.17g", shift);
  return text;
}

namespace {

void check_counts(const PoissonProblem& problem) {
  const int dims = problem.cells.dims();
  require(dims == 2 || dims == 3, "cells: " + std::to_string(dims) + " axes were given; a Poisson problem has 2 or 3");
  const auto per_axis = [&](const char* name, std::size_t given, bool one_allowed) {
    require(given == static_cast<std::size_t>(dims) || (one_allowed && given == 1),
            std::string(name) + ": " + std::to_string(given) + " given for " + std::to_string(dims) +
                " axes; give one per axis" + (one_allowed ? ", or one for all" : ""));
  };
  per_axis("length", problem.length.size(), false);
  per_axis("boundary", problem.boundary.size(), false);
  per_axis("centring", problem.centring.size(), true);
  if (!problem.widths.empty()) per_axis("widths", problem.widths.size(), false);
  if (!problem.shift.empty()) per_axis("shift", problem.shift.size(), false);
}

void check_batch(const PoissonProblem& problem) {
  require(problem.batch >= 0,
          "batch: " + std::to_string(problem.batch) +
              " given; give the number of right-hand sides, or 0 for arrays without an axis of them");
  Extents all = problem.cells;
  all.push_back(problem.batch);
  check_total("cells and batch", all);
}

// One cell has one mode, its value, which is as real as that.
bool is_single_cell(const DomainAxis& axis) {
  return axis.cells == 1 && axis.centring == Centring::cell && classify(axis.boundary) == AxisClass::periodic &&
         !axis.is_solved_along();
}

}  // namespace

std::vector<DomainAxis> domain_of(const PoissonProblem& problem) {
  check_counts(problem);
  std::vector<DomainAxis> domain;
  for (int axis = 0; axis < problem.cells.dims(); axis++) {
    const auto a = static_cast<std::size_t>(axis);
    domain.push_back({problem.cells[axis], problem.length[a], problem.boundary[a],
                      problem.centring.size() == 1 ? problem.centring[0] : problem.centring[a]});
    if (!problem.widths.empty()) domain.back().widths = problem.widths[a];
    if (domain.back().is_solved_along()) domain.back().robin = problem.robin;
    if (domain.back().is_differenced()) domain.back().order = problem.order;
    if (!problem.shift.empty()) domain.back().shift = problem.shift[a];
    check(domain.back(), axis);
    if (is_single_cell(domain.back())) domain.back().shift = 0;  // what is constant is the same at displaced points
  }
  require(!is_shifted(domain) || solved_axis(domain) < 0,
          "shift: given with an axis with widths or Chebyshev points, whose solver has no displaced points; omit it");
  check_solved_axis(domain, problem);
  check_total("cells", problem.cells);
  check_batch(problem);
  return domain;
}

void refuse_padding(const std::vector<DomainAxis>& domain) {
  for (std::size_t axis = 0; axis < domain.size(); axis++)
    require(!is_convolved(domain[axis].boundary),
            "in_place: axis " + std::to_string(axis) + " is " + to_string(domain[axis].boundary) +
                ", and the padding of an unbounded end has no room in the array; omit it (rhs and solution of a "
                "solver may be the same array whatever the boundaries are)");
}

namespace {

// If the second axis is padded, an exchange before it sends half as much as one after it. The axis that is cut then is
// axis 0, if that may change places with the second.
bool exchange_first(std::vector<int>& order, const std::vector<Boundary>& boundaries) {
  const auto boundary = [&](std::size_t i) { return boundaries[static_cast<std::size_t>(order[i])]; };
  if (order.size() < 3 || !is_convolved(boundary(1))) return false;
  if (order[2] == 0 && classify(boundary(1)) == classify(boundary(2))) std::swap(order[1], order[2]);
  return true;
}

// Without those axes, as long as there are two others, between which ranks exchange.
void leave_out_single_cells(std::vector<int>& order, const std::vector<DomainAxis>& domain) {
  for (std::size_t i = order.size(); i > 0 && order.size() > 2; i--)
    if (is_single_cell(domain[static_cast<std::size_t>(order[i - 1])]))
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(i - 1));
}

}  // namespace

// An axis that is solved along comes last, since each of its lines is a system for one mode of the others. If it is the
// contiguous one of three, fusing as for padded axes has measured best.
ScheduleInput schedule_input(const std::vector<DomainAxis>& domain, std::size_t bytes_per_real, SingleCells single) {
  std::vector<Boundary> boundaries;
  boundaries.reserve(domain.size());
  for (const DomainAxis& axis : domain) boundaries.push_back(axis.boundary);
  std::vector<int> order = transform_order(boundaries);
  const int solved = solved_axis(domain);
  std::stable_partition(order.begin(), order.end(), [&](int axis) { return axis != solved; });
  if (single == SingleCells::left_out) leave_out_single_cells(order, domain);
  const bool contiguous = solved == static_cast<int>(domain.size()) - 1 && order.size() > 2;
  const bool padded = exchange_first(order, boundaries) || contiguous;
  return schedule_input(domain, bytes_per_real, std::move(order), padded);
}

ScheduleInput schedule_input(const std::vector<DomainAxis>& domain, std::size_t bytes_per_real, std::vector<int> order,
                             bool padded) {
  ScheduleInput input;
  input.order = std::move(order);
  input.padded = padded;
  for (int axis = 0; axis < static_cast<int>(domain.size()); axis++)
    input.axes.push_back(whole_axis(Kind::none, domain[static_cast<std::size_t>(axis)].points(), axis));
  bool is_complex = false;
  for (const int axis : input.order) {
    const auto a = static_cast<std::size_t>(axis);
    input.axes[a] = axis_transform(domain[a], is_complex);
    is_complex = is_complex || is_fourier(input.axes[a].kind);
  }
  input.plane_reals = fusible_plane_reals(bytes_per_real);
  return input;
}

ScheduleInput with_batch(ScheduleInput input, index_t batch) {
  if (batch == 0) return input;
  for (int& axis : input.order) axis++;
  input.axes.insert(input.axes.begin(), whole_axis(Kind::none, batch, 0));
  input.batch_axes = {0};
  return input;
}

Box without_batch(const Box& box) {
  Box result(box.dims() - 1);
  for (int axis = 0; axis < result.dims(); axis++) result[axis] = box[axis + 1];
  return result;
}

Extents without_batch(const Extents& extents) {
  Extents result;
  for (int axis = 1; axis < extents.dims(); axis++) result.push_back(extents[axis]);
  return result;
}

std::vector<std::string> notes_of(const GreenKernel& kernel) {
  const std::string note = kernel.note();
  return note.empty() ? std::vector<std::string>{} : std::vector<std::string>{note};
}

std::string lines_of(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += "  note      " + note + "\n";
  return text;
}

namespace {

// Sums 0 times each value of a row, without branches: 0 if all values are finite, else NaN.
template <class Real>
bool all_finite(const Real* values, const Extents& extents, const Extents& strides, int axis = 0) {
  if (axis + 1 < extents.dims()) {
    for (index_t i = 0; i < extents[axis]; i++)
      if (!all_finite(values + i * strides[axis], extents, strides, axis + 1)) return false;
    return true;
  }
  Real sum = 0;
#pragma omp simd reduction(+ : sum)
  for (index_t i = 0; i < extents[axis]; i++) sum += values[i] * Real(0);
  return sum == Real(0);
}

// Splits index 0, which counts fields and components, into a field and, if there are several, a component.
Extents told_apart(const Extents& index, index_t components) {
  if (components == 0) return index;
  Extents result{index[0] / components};
  if (components > 1) result.push_back(index[0] % components);
  for (int axis = 1; axis < index.dims(); axis++) result.push_back(index[axis]);
  return result;
}

[[noreturn]] void refuse_value(const std::string& name, const std::string& value, const Extents& index) {
  std::string place;
  for (const index_t i : index) place += (place.empty() ? "" : ", ") + std::to_string(i);
  throw Error(Fault::argument, name + ": " + value + " at point [" + place +
                                   "]; every value must be finite, so correct or mask the data first");
}

// The points of a box that are transformed.
Box transformed_part(Box box, const std::vector<AxisTransform>& axes) {
  for (int axis = 0; axis < box.dims(); axis++) {
    const AxisTransform& transform = axes[static_cast<std::size_t>(axis)];
    box[axis] = intersect(box[axis], {transform.first_point, transform.first_point + transform.count});
  }
  return box;
}

// Checks the values of `part`; `values` are those of `box`.
template <class Real>
void check_part(const std::string& name, const Real* values, const Box& box, const Box& part, const Extents& strides,
                index_t components) {
  const Extents extents = part.extents();
  if (extents.product() == 0) return;
  for (int axis = 0; axis < box.dims(); axis++) values += (part[axis].lo - box[axis].lo) * strides[axis];
  if (all_finite(values, extents, strides)) return;
  for (index_t i = 0; i < extents.product(); i++) {
    Extents index = part.lower();
    index_t rest = i, at = 0;
    for (int axis = box.dims() - 1; axis >= 0; rest /= extents[axis--]) {
      index[axis] += rest % extents[axis];
      at += rest % extents[axis] * strides[axis];
    }
    if (values[at] * Real(0) == Real(0)) continue;
    refuse_value(name, std::to_string(values[at]), told_apart(index, components));
  }
}

}  // namespace

template <class Real>
void check_finite(const Comm& comm, const std::string& name, const Real* values, const Schedule& schedule,
                  const Extents& strides, index_t components) {
  comm.together([&] {
    const Box box = schedule.physical.box(comm.rank());
    if (schedule.components.empty())
      return check_part(name, values, box, transformed_part(box, schedule.axes), strides, components);
    for (index_t component = box[0].lo; component < box[0].hi; component++) {
      const auto which = static_cast<std::size_t>(component) % schedule.components.size();
      Box part = transformed_part(box, schedule.components[which]);
      part[0] = {component, component + 1};
      check_part(name, values, box, part, strides, components);
    }
  });
}

template void check_finite(const Comm&, const std::string&, const double*, const Schedule&, const Extents&, index_t);
template void check_finite(const Comm&, const std::string&, const float*, const Schedule&, const Extents&, index_t);

}  // namespace weft
