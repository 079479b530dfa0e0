// Samples a kernel at offsets, or at modes of a longer period, along convolved axes and at wavenumbers along spectral
// ones, transforms the offsets by DCT-I, and gives every rank the entries that its modes need.
#include "poisson/kernel_modes.hpp"

#include <algorithm>
#include <numbers>
#include <utility>

#include "plan/arguments.hpp"
#include "plan/run/pipeline.hpp"
#include "weft/redistribution.hpp"

namespace weft {

namespace {

// Modes per half period along each axis of a kernel that is known by its transform; empty if it is sampled in space.
using HalfPeriods = std::vector<index_t>;

index_t farthest(const DomainAxis& axis) { return green_extent(axis) - 1; }

// Whether the samples of a kernel are the factors of the modes already.
bool samples_are_factors(const std::vector<DomainAxis>& domain, const HalfPeriods& half) {
  for (std::size_t a = 0; a < domain.size(); a++) {
    if (!is_convolved(domain[a].boundary)) continue;
    if (half.empty() || half[a] != farthest(domain[a])) return false;
  }
  return true;
}

double coordinate(const DomainAxis& axis, const HalfPeriods& half, std::size_t a, index_t entry) {
  if (half.empty() || !is_convolved(axis.boundary)) return green_coordinate(axis, entry);
  return std::numbers::pi * static_cast<double>(entry) / (static_cast<double>(half[a]) * axis.spacing());
}

// The kernel at the entries of a box of its array. Collective.
Buffer<double> sample(const KernelJob& in, const HalfPeriods& half, const Box& box, const SampleInput& how) {
  return sample_kernel(
      in, box, [&](std::size_t a, index_t entry) { return coordinate(in.domain[a], half, a, entry); }, how);
}

// Cuts the kernel's modes along the axis that cuts the solver's, as far as a slab can, so that few of them move. The
// order of axes is the same on every grid.
void cut_like(const Layout& spectral, int wanted, ScheduleInput& input) {
  input.scheme = spectral.scheme();
  const auto found = std::find(input.order.begin(), input.order.end(), wanted);
  if (found != input.order.end()) {
    if (input.order.size() > 1) std::swap(*found, input.order[input.order.size() - 2]);
  } else if (spectral.grid()[0] == spectral.ranks()) {
    for (int axis = 0; axis < static_cast<int>(input.axes.size()); axis++)
      if (axis != wanted && input.axes[static_cast<std::size_t>(axis)].kind == Kind::none)
        input.batch_axes.push_back(axis);
  }
}

// The plan that transforms the convolved axes of the kernel, from offsets 0 .. farthest to as many modes, or to the
// modes of longer half periods.
ScheduleInput kernel_schedule(const std::vector<DomainAxis>& domain, const HalfPeriods& half, const Layout& spectral,
                              int slab) {
  ScheduleInput input;
  for (int axis = 0; axis < static_cast<int>(domain.size()); axis++) {
    const auto a = static_cast<std::size_t>(axis);
    if (!is_convolved(domain[a].boundary)) {
      input.axes.push_back(whole_axis(Kind::none, green_extent(domain[a]), axis));
      continue;
    }
    AxisTransform cosine = whole_axis(Kind::dct1, (half.empty() ? farthest(domain[a]) : half[a]) + 1, axis);
    cosine.points = cosine.count = farthest(domain[a]) + 1;
    input.axes.push_back(cosine);
    input.order.insert(input.order.begin(), axis);
  }
  input.plane_reals = fusible_plane_reals(sizeof(double));
  cut_like(spectral, slab, input);
  return input;
}

// The factor that turns the transform of a kernel's samples into the factors of modes.
double norm_of(const KernelJob& in, const HalfPeriods& half) {
  double factor = round_trip(in.domain);
  if (half.empty()) return factor * quadrature_weight(in.domain);
  for (std::size_t a = 0; a < in.domain.size(); a++)
    if (is_convolved(in.domain[a].boundary)) factor /= 2 * static_cast<double>(half[a]);
  return factor;
}

// The kernel in space at the offsets of the physical box of its plan, with room for its modes.
//
// The period of a kernel that is known by its transform is longer than the offsets 0 .. farthest. A plan that pads them
// with zeros is run backward, so that each rank holds only its box of the modes of the long period.
Buffer<double> kernel_in_space(const KernelJob& in, const HalfPeriods& half, const Pipeline<double>& plan) {
  const index_t capacity = std::max(plan.physical_box().size(), plan.spectral_box().size());
  if (half.empty()) return sample(in, half, plan.physical_box(), {plan.threads(), capacity});
  ScheduleInput input = kernel_schedule(in.domain, half, in.spectral, in.slab);
  input.grid = plan.schedule().physical.grid();  // for the same boxes in space
  Pipeline<double> longer(in.comm, make_schedule(input), kernel_options(in.options));
  const Buffer<double> modes = sample(in, half, longer.spectral_box(), {plan.threads()});
  Buffer<double> values;
  in.comm.together([&] { values = Buffer<double>(capacity); });
  longer.transform(Direction::backward, modes.data(), values.data(), 1.0);
  return values;
}

}  // namespace

double quadrature_weight(const std::vector<DomainAxis>& domain) {
  double weight = 1;
  for (const DomainAxis& axis : domain) weight *= is_convolved(axis.boundary) ? axis.spacing() : 1.0;
  return weight;
}

PlanOptions kernel_options(const PlanOptions& options) {
  PlanOptions result;
  result.threads = options.threads;
  result.strategy = Strategy::alltoallv;  // used once: a window would not pay
  result.effort = Effort::estimate;
  result.engine = EngineChoice::automatic;
  return result;
}

Buffer<double> sample_kernel(const KernelJob& in, const Box& box, const Coordinate& coordinate,
                             const SampleInput& how) {
  Buffer<double> values;
  in.comm.together([&] {
    GreenGrid grid;
    for (int axis = 0; axis < box.dims(); axis++) {
      std::vector<double> coordinates;
      for (index_t i = box[axis].lo; i < box[axis].hi; i++)
        coordinates.push_back(coordinate(static_cast<std::size_t>(axis), i));
      grid.coordinates.push_back(std::move(coordinates));
    }
    values = Buffer<double>(std::max(box.size(), how.capacity));
    in.kernel.sample(grid, values.data(), how.threads);
  });
  return values;
}

Buffer<double> redistributed(const KernelJob& in, Buffer<double> values, const Box& owned, const Box& needed,
                             int width) {
  const bool same = owned == needed || (owned.empty() && needed.empty());
  if (in.comm.max(index_t{same ? 0 : 1}) == 0) return values;
  Buffer<double> result;
  in.comm.together([&] { result = Buffer<double>(needed.size() * width); });
  RedistributionOptions once;
  once.strategy = Strategy::alltoallv;
  once.threads = in.options.threads;
  Redistribution(in.comm, owned, needed, sizeof(double) * static_cast<std::size_t>(width), once)
      .forward(values.data(), result.data());
  return result;
}

Box needed_entries(const std::vector<DomainAxis>& domain, const std::vector<AxisTransform>& transforms,
                   const Box& modes) {
  Box needed(modes.dims());
  if (modes.empty()) return needed;
  for (int axis = 0; axis < modes.dims(); axis++) {
    const auto a = static_cast<std::size_t>(axis);
    index_t lo = green_extent(domain[a]), hi = 0;
    for (index_t mode = modes[axis].lo; mode < modes[axis].hi; mode++) {
      const index_t entry = green_index(domain[a], transforms[a], mode);
      lo = std::min(lo, entry);
      hi = std::max(hi, entry + 1);
    }
    needed[axis] = {lo, hi};
  }
  return needed;
}

// Samples and modes share their memory, since all samples have been loaded when the first mode is stored.
Buffer<double> transformed_kernel(const KernelJob& in, const Box& needed) {
  const HalfPeriods half = in.kernel.half_periods();
  Buffer<double> values;
  if (samples_are_factors(in.domain, half)) {
    values = sample(in, half, needed, {default_threads(in.comm, in.options.threads)});
    std::for_each_n(values.data(), needed.size(), [norm = round_trip(in.domain)](double& value) { value *= norm; });
    return values;
  }
  Box modes;
  {
    ScheduleInput input = kernel_schedule(in.domain, {}, in.spectral, in.slab);
    input.grid = choose_grid(input, in.comm.size());
    Pipeline<double> pipeline(in.comm, make_schedule(input), kernel_options(in.options));
    modes = pipeline.spectral_box();
    values = kernel_in_space(in, half, pipeline);
    pipeline.transform(Direction::forward, values.data(), values.data(), norm_of(in, half));
  }
  return redistributed(in, std::move(values), modes, needed, 1);
}

double round_trip(const std::vector<DomainAxis>& domain) {
  double factor = 1;
  for (const DomainAxis& axis : domain) factor *= norm_factor(axis);
  return factor;
}

std::vector<GreenAxis> green_axes(const std::vector<DomainAxis>& domain) {
  std::vector<GreenAxis> axes;
  for (const DomainAxis& axis : domain) {
    const bool convolved = is_convolved(axis.boundary);
    axes.push_back({convolved, axis.spacing(), convolved ? farthest(axis) : 0, axis.shift});
  }
  return axes;
}

}  // namespace weft
