// Samples a kernel at offsets, or at modes of a longer period, along convolved axes and at wavenumbers along spectral
// ones, transforms the offsets by DCT-I, and gives every rank the entries that its modes need.
#include "poisson/symbol.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/number.hpp"
#include "plan/arguments.hpp"
#include "plan/run/pipeline.hpp"
#include "poisson/scales.hpp"
#include "weft/green.hpp"
#include "weft/redistribution.hpp"

namespace weft {

namespace {

// Modes per half period along each axis of a kernel that is known by its transform; empty if it is sampled in space.
using HalfPeriods = std::vector<index_t>;

// What integrals over the convolved axes are multiplied by when they become sums.
double quadrature_weight(const std::vector<DomainAxis>& domain) {
  double weight = 1;
  for (const DomainAxis& axis : domain) weight *= is_convolved(axis.boundary) ? axis.spacing() : 1.0;
  return weight;
}

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

// The kernel, times a factor, at the entries of a box of its array, in memory for `capacity` values or more.
// Collective: kernels of users may throw.
Buffer<double> sample(const Comm& comm, const GreenKernel& kernel, const std::vector<DomainAxis>& domain,
                      const HalfPeriods& half, const Box& box, double factor, int threads, index_t capacity = 0) {
  Buffer<double> values;
  comm.together([&] {
    GreenGrid grid;
    for (int axis = 0; axis < box.dims(); axis++) {
      const auto a = static_cast<std::size_t>(axis);
      std::vector<double> coordinates;
      for (index_t i = box[axis].lo; i < box[axis].hi; i++) coordinates.push_back(coordinate(domain[a], half, a, i));
      grid.coordinates.push_back(std::move(coordinates));
    }
    values = Buffer<double>(std::max(box.size(), capacity));
    kernel.sample(grid, values.data(), threads);
    std::for_each_n(values.data(), box.size(), [factor](double& value) { value *= factor; });
  });
  return values;
}

// Leaves modes where the solver wants them, as far as a slab can: cut along the axis that cuts its own modes. The order
// is the same on every grid.
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

// The plan that transforms the convolved axes of the kernel, from the offsets 0 .. farthest to as many modes, or to
// those of longer half periods.
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

PlanOptions kernel_options(const PlanOptions& options) {
  PlanOptions result;
  result.threads = options.threads;
  result.strategy = Strategy::alltoallv;  // used once: a window would not pay
  result.effort = Effort::estimate;
  result.engine = EngineChoice::automatic;
  return result;
}

// What a rank's kernel is made from.
struct KernelJob {
  const Comm& comm;
  const GreenKernel& kernel;
  const std::vector<DomainAxis>& domain;
  const Layout& spectral;
  int slab;
  const PlanOptions& options;
};

// The kernel in space, normalised, at the offsets of the physical box of its plan, with room for its modes.
//
// A kernel that is known by its transform has a period that the offsets 0 .. farthest do not fill: this is the plan
// with zeros behind them, run backward. The samples at the modes of the long period exist on no rank but in blocks.
Buffer<double> kernel_in_space(const KernelJob& in, const Pipeline<double>& plan) {
  const HalfPeriods half = in.kernel.half_periods();
  const int threads = plan.threads();
  const index_t capacity = std::max(plan.physical_box().size(), plan.spectral_box().size());
  double factor = round_trip(in.domain);
  if (half.empty())
    return sample(in.comm, in.kernel, in.domain, half, plan.physical_box(), factor * quadrature_weight(in.domain),
                  threads, capacity);
  ScheduleInput input = kernel_schedule(in.domain, half, in.spectral, in.slab);
  input.grid = plan.schedule().physical.grid();  // and so the same boxes in space
  Pipeline<double> longer(in.comm, make_schedule(input), kernel_options(in.options));
  for (std::size_t a = 0; a < in.domain.size(); a++)
    if (is_convolved(in.domain[a].boundary)) factor /= 2 * static_cast<double>(half[a]);
  const Buffer<double> modes = sample(in.comm, in.kernel, in.domain, half, longer.spectral_box(), factor, threads);
  Buffer<double> values;
  in.comm.together([&] { values = Buffer<double>(capacity); });
  longer.transform(Direction::backward, modes.data(), values.data(), 1.0);
  return values;
}

// The entries that a rank's modes refer to.
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

// The values of one box in another one; the same memory where no rank needs another box than it has.
Buffer<double> redistributed(const KernelJob& in, Buffer<double> values, const Box& owned, const Box& needed) {
  const bool same = owned == needed || (owned.empty() && needed.empty());
  if (in.comm.max(index_t{same ? 0 : 1}) == 0) return values;
  Buffer<double> result;
  in.comm.together([&] { result = Buffer<double>(needed.size()); });
  RedistributionOptions once;
  once.strategy = Strategy::alltoallv;
  once.threads = in.options.threads;
  Redistribution(in.comm, owned, needed, sizeof(double), once).forward(values.data(), result.data());
  return result;
}

// The transformed kernel at the needed entries, in C order. Samples and modes share their memory, since all samples
// have been loaded when the first mode is stored.
Buffer<double> transformed_kernel(const KernelJob& in, const Box& needed) {
  const HalfPeriods half = in.kernel.half_periods();
  if (samples_are_factors(in.domain, half))
    return sample(in.comm, in.kernel, in.domain, half, needed, round_trip(in.domain),
                  default_threads(in.comm, in.options.threads));
  Buffer<double> values;
  Box modes;
  {
    ScheduleInput input = kernel_schedule(in.domain, {}, in.spectral, in.slab);
    input.grid = choose_grid(input, in.comm.size());
    Pipeline<double> pipeline(in.comm, make_schedule(input), kernel_options(in.options));
    modes = pipeline.spectral_box();
    values = kernel_in_space(in, pipeline);
    pipeline.transform(Direction::forward, values.data(), values.data(), 1.0);
  }
  return redistributed(in, std::move(values), modes, needed);
}

}  // namespace

double round_trip(const std::vector<DomainAxis>& domain) {
  double factor = 1;
  for (const DomainAxis& axis : domain) factor *= norm_factor(axis);
  return factor;
}

std::vector<GreenAxis> green_axes(const std::vector<DomainAxis>& domain) {
  std::vector<GreenAxis> axes;
  for (const DomainAxis& axis : domain) {
    const bool convolved = is_convolved(axis.boundary);
    axes.push_back({convolved, axis.spacing(), convolved ? farthest(axis) : 0});
  }
  return axes;
}

namespace {

// The entry of every local mode along an axis, from the first that is needed.
std::vector<index_t> entries_of(const DomainAxis& axis, const AxisTransform& transform, Range modes, Range needed) {
  std::vector<index_t> entries;
  for (index_t mode = modes.lo; mode < modes.hi; mode++)
    entries.push_back(green_index(axis, transform, mode) - needed.lo);
  return entries;
}

// Whether entry m is that of mode m, for all modes or while there are entries.
bool in_order(const std::vector<index_t>& entries, index_t count) {
  for (std::size_t m = 0; m < entries.size(); m++) {
    const auto mode = static_cast<index_t>(m);
    if (mode < count ? entries[m] != mode : entries[m] > mode) return false;
  }
  return true;
}

// How a rank's factors lie in memory.
struct Arrangement {
  Extents strides;  // of entries, per axis
  int split = -1;   // an axis that is cut into vectors of `lanes` entries, `stride` apart
  index_t lanes = 1, stride = 0;
  index_t places = 0;
  index_t place(int axis, index_t entry) const {
    return axis == split ? entry / lanes * stride + entry % lanes : entry * strides[axis];
  }
};

// Where neighbouring lines have neighbouring entries: those of a vector of lines for each mode, modes one behind the
// other, unless that would leave more than an eighth of the memory empty.
Arrangement in_vectors(const Extents& extents, int line, int neighbours, index_t lanes) {
  std::vector<int> order;
  for (int axis = 0; axis < extents.dims(); axis++)
    if (axis != line && axis != neighbours) order.push_back(axis);
  order.push_back(line);
  Extents inner = extents;
  const index_t vectors = (extents[neighbours] + lanes - 1) / lanes;
  const bool wasteful = 8 * (vectors * lanes - extents[neighbours]) > extents[neighbours];
  if (wasteful) return {c_strides(extents), -1, 1, 0, extents.product()};
  order.push_back(neighbours);
  inner[neighbours] = lanes;
  return {real_strides(inner, 1, order), neighbours, lanes, inner.product(), inner.product() * vectors};
}

// Lines of entries.
Arrangement in_lines(const Extents& extents, int line, int neighbours) {
  std::vector<int> order;
  for (int axis = 0; axis < extents.dims(); axis++)
    if (axis != line && axis != neighbours) order.push_back(axis);
  if (neighbours >= 0) order.push_back(neighbours);
  order.push_back(line);
  return {real_strides(extents, 1, order), -1, 1, 0, extents.product()};
}

// From C order to where they belong, in the solver's precision.
template <class Real>
void arrange(const double* values, const Extents& extents, const Arrangement& arrangement, Real* to) {
  const int last = extents.dims() - 1;
  const index_t along = extents[last], rows = along == 0 ? 0 : extents.product() / along;
  for (index_t row = 0; row < rows; row++) {
    Real* start = to;
    index_t rest = row;
    for (int axis = last - 1; axis >= 0; axis--) {
      start += arrangement.place(axis, rest % extents[axis]);
      rest /= extents[axis];
    }
    const double* from = values + row * along;
    for (index_t i = 0; i < along; i++) start[arrangement.place(last, i)] = static_cast<Real>(from[i]);
  }
}

// Factors go with the square of a length, and may not be what the solver's precision can hold. A kernel may be 0 for
// all modes: where there is one mode, or of a user. Collective.
template <class Real>
void require_in_range(const Comm& comm, const double* values, index_t count, double norm) {
  using Limits = std::numeric_limits<Real>;
  double largest = 0;
  for (index_t i = 0; i < count; i++)
    largest = std::max(largest, std::isfinite(values[i]) ? std::abs(values[i]) : Limits::infinity());
  largest = comm.max(largest);
  const FactorRange range = factor_range<Real>();
  comm.together([&] {
    require(largest == 0 || (largest >= range.least && largest / norm <= range.most),
            "length: in these units the kernel's factors are up to " + number("%.1e", largest / norm) +
                factors_allowed<Real>());
  });
}

}  // namespace

template <class Real>
GreenSymbol<Real>::GreenSymbol(const Comm& comm, const GreenKernel& kernel, const std::vector<DomainAxis>& domain,
                               const Schedule& schedule, int slab, const PlanOptions& options) {
  const Box modes = schedule.spectral.box(comm.rank());
  const Box needed = needed_entries(domain, schedule.axes, modes);
  const Buffer<double> values = transformed_kernel({comm, kernel, domain, schedule.spectral, slab, options}, needed);
  const Extents extents = needed.extents();
  require_in_range<Real>(comm, values.data(), extents.product(), round_trip(domain));
  comm.together([&] {
    for (int axis = 0; axis < modes.dims(); axis++) {
      const auto a = static_cast<std::size_t>(axis);
      symbol_.offsets.push_back(entries_of(domain[a], schedule.axes[a], modes[axis], needed[axis]));
    }
  });
  const PassPlan& pass = schedule.passes.back();
  const int line = pass.axes.back(), neighbours = neighbour_axis(pass, line);
  const auto ordered = [&](int axis, index_t count) {
    return in_order(symbol_.offsets[static_cast<std::size_t>(axis)], count);
  };
  const bool vectors = neighbours >= 0 && ordered(neighbours, modes[neighbours].size());
  if (!vectors && ordered(line, extents[line])) symbol_.entries = extents[line];
  const Arrangement arrangement =
      vectors ? in_vectors(extents, line, neighbours, lane_kernels<Real>().lanes) : in_lines(extents, line, neighbours);
  for (int axis = 0; axis < modes.dims(); axis++)
    for (index_t& entry : symbol_.offsets[static_cast<std::size_t>(axis)]) entry = arrangement.place(axis, entry);
  comm.together([&] { values_ = Buffer<Real>(arrangement.places); });
  arrange(values.data(), extents, arrangement, values_.data());
  symbol_.data = values_.data();
}

template class GreenSymbol<double>;
template class GreenSymbol<float>;

}  // namespace weft
