// Samples a kernel at all displaced offsets along unbounded axes, transforms them as the solver does, and displaces the
// waves of periodic axes.
#include "poisson/shifted_modes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

#include "plan/arguments.hpp"
#include "plan/run/pipeline.hpp"
#include "poisson/kernels.hpp"

namespace weft {

namespace {

using Complex = std::complex<double>;

bool is_unbounded(const DomainAxis& axis) { return classify(axis.boundary) == AxisClass::unbounded; }
bool is_mixed(const DomainAxis& axis) { return classify(axis.boundary) == AxisClass::mixed; }

// The distance |j h + d| of an entry of an unbounded axis with shift d; j = -P/2 .. P/2 - 1 for a period of P cells.
double distance(const GreenAxis& axis, index_t period, index_t entry) {
  const CellShift shift = cell_shift(axis);
  const auto cells = static_cast<double>(2 * entry < period ? entry : entry - period);
  return std::abs((cells + shift.cells) * axis.spacing + shift.rest);
}

// Multiplies factors by the displaced waves of some axes.
void turn(const KernelJob& in, const std::vector<AxisTransform>& transforms, const Box& modes,
          const std::vector<bool>& along, Complex* factors) {
  index_t stride = modes.size();
  for (int axis = 0; axis < modes.dims() && stride > 0; axis++) {
    const index_t count = modes[axis].size(), block = stride;
    stride /= count;
    const auto a = static_cast<std::size_t>(axis);
    if (!along[a] || in.domain[a].shift == 0) continue;
    const std::vector<Complex> turns = displaced_waves(in.domain[a], transforms[a], modes[axis]);
    for (index_t i = 0; i < modes.size(); i++) factors[i] *= turns[static_cast<std::size_t>(i % block / stride)];
  }
}

// Turns the real numbers at the beginning of a buffer, times a factor, into complex ones, in place.
void make_complex(Buffer<double>& values, index_t count, double factor = 1) {
  for (index_t i = count; i-- > 0;) {
    const double value = factor * values.data()[i];
    values.data()[2 * i] = value;
    values.data()[2 * i + 1] = 0;
  }
}

// Transforms unbounded axes as the solver does, and mixed axes as those of an even kernel. Along other axes the kernel
// is sampled at modes.
ScheduleInput schedule_of(const KernelJob& in, const std::vector<AxisTransform>& transforms) {
  ScheduleInput input;
  input.width = 2;
  for (int axis = 0; axis < static_cast<int>(in.domain.size()); axis++) {
    const auto a = static_cast<std::size_t>(axis);
    const bool fourier = is_unbounded(in.domain[a]), mixed = is_mixed(in.domain[a]);
    const Kind kind = fourier ? transforms[a].kind : mixed ? Kind::dct1 : Kind::none;
    const index_t points = fourier ? transforms[a].length : mixed ? green_extent(in.domain[a]) : transforms[a].modes;
    input.axes.push_back(whole_axis(kind, points, axis));
    if (kind == Kind::r2c) input.width = 1;
    if (kind == Kind::c2c) input.order.push_back(axis);
  }
  const auto before = [&](Kind kind) {
    for (int axis = 0; axis < static_cast<int>(in.domain.size()); axis++)
      if (input.axes[static_cast<std::size_t>(axis)].kind == kind) input.order.insert(input.order.begin(), axis);
  };
  before(Kind::r2c);
  before(Kind::dct1);
  input.plane_reals = fusible_plane_reals(sizeof(double));
  input.grid = choose_grid(input, in.comm.size());
  return input;
}

// The kernel's modes that the solver's modes refer to: sine transforms omit the first.
Box entries_of(const KernelJob& in, const std::vector<AxisTransform>& transforms, Box modes) {
  for (int axis = 0; axis < modes.dims(); axis++) {
    const auto a = static_cast<std::size_t>(axis);
    if (modes.empty() || !is_mixed(in.domain[a])) continue;
    const index_t lowest = lowest_mode(transforms[a].kind);
    modes[axis] = {modes[axis].lo + lowest, modes[axis].hi + lowest};
  }
  return modes;
}

// The factors from samples of the kernel in space along the convolved axes.
Buffer<double> transformed(const KernelJob& in, const std::vector<AxisTransform>& transforms, const Box& modes) {
  const std::vector<GreenAxis> axes = green_axes(in.domain);
  Pipeline<double> plan(in.comm, make_schedule(schedule_of(in, transforms)), kernel_options(in.options));
  const auto place = [&](std::size_t a, index_t entry) {
    if (is_unbounded(in.domain[a])) return distance(axes[a], transforms[a].length, entry);
    if (is_mixed(in.domain[a])) return green_coordinate(in.domain[a], entry);
    return std::abs(wavenumber(in.domain[a], transforms[a], entry));
  };
  const Box points = plan.physical_box();
  const index_t width = plan.schedule().width_physical;
  Buffer<double> samples = sample_kernel(in, points, place, {plan.threads(), points.size() * width});
  if (width == 2) make_complex(samples, points.size());
  Buffer<double> values;
  in.comm.together([&] { values = Buffer<double>(2 * plan.spectral_box().size()); });
  plan.transform(Direction::forward, samples.data(), values.data(),
                 round_trip(in.domain) * quadrature_weight(in.domain));
  samples = Buffer<double>();
  return redistributed(in, std::move(values), plan.spectral_box(), entries_of(in, transforms, modes), 2);
}

}  // namespace

std::vector<std::complex<double>> displaced_waves(const DomainAxis& axis, const AxisTransform& transform, Range modes) {
  const double shift = std::remainder(axis.shift, static_cast<double>(transform.length) * axis.spacing());
  std::vector<std::complex<double>> turns;
  for (index_t mode = modes.lo; mode < modes.hi; mode++) {
    const double angle = wavenumber(axis, transform, mode) * shift;
    turns.push_back(2 * mode == transform.length ? std::cos(angle) : std::polar(1.0, angle));
  }
  return turns;
}

// A kernel that is known by its transform is displaced along all axes, like a periodic one of the solver's own period.
Buffer<double> shifted_factors(const KernelJob& in, const std::vector<AxisTransform>& transforms, const Box& modes) {
  const auto convolved = [](const DomainAxis& axis) { return is_convolved(axis.boundary); };
  const bool in_space = in.kernel.half_periods().empty() && std::any_of(in.domain.begin(), in.domain.end(), convolved);
  Buffer<double> values;
  if (in_space) {
    values = transformed(in, transforms, modes);
  } else {
    const auto place = [&](std::size_t a, index_t mode) {
      return std::abs(wavenumber(in.domain[a], transforms[a], mode));
    };
    values = sample_kernel(in, modes, place, {default_threads(in.comm, in.options.threads), 2 * modes.size()});
    make_complex(values, modes.size(), round_trip(in.domain));
  }
  std::vector<bool> turned;
  for (const DomainAxis& axis : in.domain) turned.push_back(!in_space || !convolved(axis));
  turn(in, transforms, modes, turned, reinterpret_cast<Complex*>(values.data()));
  return values;
}

}  // namespace weft
