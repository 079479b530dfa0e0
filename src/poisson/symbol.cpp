// Samples a kernel at offsets, or at modes of a longer period, along convolved axes and at wavenumbers along spectral
// ones, transforms the offsets by DCT-I, and gives every rank the entries that its modes need.
#include "poisson/symbol.hpp"

#include <algorithm>
#include <numbers>

#include "plan/arguments.hpp"
#include "plan/pipeline.hpp"
#include "weft/green.hpp"
#include "weft/redistribution.hpp"

namespace weft {

namespace {

// Modes per half period along each axis of a kernel that is known by its transform; empty if it is sampled in space.
using HalfPeriods = std::vector<index_t>;

double round_trip(const std::vector<DomainAxis>& domain) {
  double factor = 1;
  for (const DomainAxis& axis : domain) factor *= norm_factor(axis);
  return factor;
}

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

// The kernel, times a factor, at the entries of a box of its array. Collective: kernels of users may throw.
std::vector<double> sample(const Comm& comm, const GreenKernel& kernel, const std::vector<DomainAxis>& domain,
                           const HalfPeriods& half, const Box& box, double factor, int threads) {
  std::vector<double> values;
  comm.together([&] {
    GreenGrid grid;
    for (int axis = 0; axis < box.dims(); axis++) {
      const auto a = static_cast<std::size_t>(axis);
      std::vector<double> coordinates;
      for (index_t i = box[axis].lo; i < box[axis].hi; i++) coordinates.push_back(coordinate(domain[a], half, a, i));
      grid.coordinates.push_back(std::move(coordinates));
    }
    values.resize(static_cast<std::size_t>(box.size()));
    kernel.sample(grid, values.data(), threads);
    for (double& value : values) value *= factor;
  });
  return values;
}

// The plan that transforms the convolved axes of the kernel, from the offsets 0 .. farthest to as many modes, or to
// those of longer half periods.
ScheduleInput kernel_schedule(const std::vector<DomainAxis>& domain, const HalfPeriods& half) {
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

// The kernel in space, normalised, at the offsets of the physical box of its plan.
//
// A kernel that is known by its transform has a period that the offsets 0 .. farthest do not fill: this is the plan
// with zeros behind them, run backward. The samples at the modes of the long period exist on no rank but in blocks.
std::vector<double> kernel_in_space(const Comm& comm, const GreenKernel& kernel, const std::vector<DomainAxis>& domain,
                                    const Pipeline<double>& plan, const PlanOptions& options) {
  const HalfPeriods half = kernel.half_periods();
  const int threads = plan.threads();
  if (half.empty()) {
    const double factor = round_trip(domain) * quadrature_weight(domain);
    return sample(comm, kernel, domain, half, plan.physical_box(), factor, threads);
  }
  ScheduleInput input = kernel_schedule(domain, half);
  input.grid = plan.schedule().physical.grid();  // and so the same boxes in space
  Pipeline<double> longer(comm, make_schedule(input), kernel_options(options));
  double factor = round_trip(domain);
  for (std::size_t a = 0; a < domain.size(); a++)
    if (is_convolved(domain[a].boundary)) factor /= 2 * static_cast<double>(half[a]);
  const std::vector<double> modes = sample(comm, kernel, domain, half, longer.spectral_box(), factor, threads);
  std::vector<double> values;
  comm.together([&] { values.resize(static_cast<std::size_t>(plan.physical_box().size())); });
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

// The transformed kernel at the needed entries, in C order.
std::vector<double> transformed_kernel(const Comm& comm, const GreenKernel& kernel,
                                       const std::vector<DomainAxis>& domain, const Box& needed,
                                       const PlanOptions& options) {
  const HalfPeriods half = kernel.half_periods();
  if (samples_are_factors(domain, half))
    return sample(comm, kernel, domain, half, needed, round_trip(domain), default_threads(comm, options.threads));
  ScheduleInput input = kernel_schedule(domain, {});
  input.grid = choose_grid(input, comm.size());
  Pipeline<double> pipeline(comm, make_schedule(input), kernel_options(options));
  const std::vector<double> samples = kernel_in_space(comm, kernel, domain, pipeline, options);
  std::vector<double> modes, values;
  comm.together([&] {
    modes.resize(static_cast<std::size_t>(pipeline.spectral_box().size()));
    values.resize(static_cast<std::size_t>(needed.size()));
  });
  pipeline.transform(Direction::forward, samples.data(), modes.data(), 1.0);
  RedistributionOptions once;
  once.strategy = Strategy::alltoallv;
  once.threads = options.threads;
  Redistribution(comm, pipeline.spectral_box(), needed, sizeof(double), once).forward(modes.data(), values.data());
  return values;
}

}  // namespace

std::vector<GreenAxis> green_axes(const std::vector<DomainAxis>& domain) {
  std::vector<GreenAxis> axes;
  for (const DomainAxis& axis : domain) {
    const bool convolved = is_convolved(axis.boundary);
    axes.push_back({convolved, axis.spacing(), convolved ? farthest(axis) : 0});
  }
  return axes;
}

template <class Real>
GreenSymbol<Real>::GreenSymbol(const Comm& comm, const GreenKernel& kernel, const std::vector<DomainAxis>& domain,
                               const std::vector<AxisTransform>& transforms, const Layout& spectral,
                               const PlanOptions& options) {
  const Box modes = spectral.box(comm.rank());
  const Box needed = needed_entries(domain, transforms, modes);
  const std::vector<double> values = transformed_kernel(comm, kernel, domain, needed, options);
  values_ = Buffer<Real>(static_cast<index_t>(values.size()));
  std::transform(values.begin(), values.end(), values_.data(), [](double v) { return static_cast<Real>(v); });
  symbol_.data = values_.data();
  const Extents strides = c_strides(needed.extents());
  for (int axis = 0; axis < modes.dims(); axis++) {
    const auto a = static_cast<std::size_t>(axis);
    std::vector<index_t> offsets;
    for (index_t mode = modes[axis].lo; mode < modes[axis].hi; mode++)
      offsets.push_back((green_index(domain[a], transforms[a], mode) - needed[axis].lo) * strides[axis]);
    symbol_.offsets.push_back(std::move(offsets));
  }
}

template class GreenSymbol<double>;
template class GreenSymbol<float>;

}  // namespace weft
