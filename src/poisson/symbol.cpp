// Samples a kernel at offsets along convolved axes and at wavenumbers along spectral ones, transforms the offsets by
// DCT-I, and gives every rank the entries that its modes need.
#include "poisson/symbol.hpp"

#include <algorithm>

#include "plan/arguments.hpp"
#include "plan/pipeline.hpp"
#include "weft/green.hpp"
#include "weft/redistribution.hpp"

namespace weft {

namespace {

// Quadrature weights of the convolved axes times the round trip factors of all.
double normalisation(const std::vector<DomainAxis>& domain) {
  double factor = 1;
  for (const DomainAxis& axis : domain)
    factor *= norm_factor(axis) * (is_convolved(axis.boundary) ? axis.spacing() : 1.0);
  return factor;
}

// The kernel, normalised, at the entries of a box of the Green's function's array.
std::vector<double> sample(const GreenKernel& kernel, const std::vector<DomainAxis>& domain, const Box& box,
                           int threads) {
  GreenGrid grid;
  for (int axis = 0; axis < box.dims(); axis++) {
    const DomainAxis& d = domain[static_cast<std::size_t>(axis)];
    std::vector<double> coordinates;
    for (index_t entry = box[axis].lo; entry < box[axis].hi; entry++) coordinates.push_back(green_coordinate(d, entry));
    grid.coordinates.push_back(std::move(coordinates));
  }
  std::vector<double> values(static_cast<std::size_t>(box.size()));
  kernel.sample(grid, values.data(), threads);
  const double factor = normalisation(domain);
  for (double& value : values) value *= factor;
  return values;
}

// The plan that transforms the convolved axes of the kernel.
ScheduleInput kernel_schedule(const std::vector<DomainAxis>& domain, int ranks) {
  ScheduleInput input;
  for (int axis = 0; axis < static_cast<int>(domain.size()); axis++) {
    const DomainAxis& d = domain[static_cast<std::size_t>(axis)];
    input.axes.push_back(whole_axis(is_convolved(d.boundary) ? Kind::dct1 : Kind::none, green_extent(d), axis));
    if (is_convolved(d.boundary)) input.order.insert(input.order.begin(), axis);
  }
  input.plane_reals = fusible_plane_reals(sizeof(double));
  input.grid = choose_grid(input, ranks);
  return input;
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
  const int threads = default_threads(comm, options.threads);
  if (std::none_of(domain.begin(), domain.end(), [](const DomainAxis& d) { return is_convolved(d.boundary); }))
    return sample(kernel, domain, needed, threads);
  PlanOptions kernel_options;
  kernel_options.threads = options.threads;
  kernel_options.strategy = Strategy::alltoallv;  // used once: a window would not pay
  kernel_options.effort = Effort::estimate;
  kernel_options.engine = EngineChoice::automatic;
  Pipeline<double> pipeline(comm, make_schedule(kernel_schedule(domain, comm.size())), kernel_options);
  std::vector<double> samples, modes, values;
  comm.together([&] {
    samples = sample(kernel, domain, pipeline.physical_box(), threads);
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
    axes.push_back({convolved, axis.spacing(), convolved ? green_extent(axis) - 1 : 0});
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
