// The factors of a rank's modes in the order in which the last pass reads them, made once for all solvers that need
// them.
#include "poisson/symbol.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/number.hpp"
#include "poisson/kernel_modes.hpp"
#include "poisson/scales.hpp"
#include "poisson/shifted_modes.hpp"

namespace weft {

namespace {

// The entry of every local mode along an axis, counted from the first that is needed.
std::vector<index_t> entries_of(const DomainAxis& axis, const AxisTransform& transform, Range modes, Range needed) {
  std::vector<index_t> entries;
  for (index_t mode = modes.lo; mode < modes.hi; mode++)
    entries.push_back(green_index(axis, transform, mode) - needed.lo);
  return entries;
}

// Whether entry m belongs to mode m, for all modes or as long as there are entries.
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

// For neighbouring lines with neighbouring entries: the entries of a vector of lines are adjacent, one vector per mode.
// If that would leave more than an eighth of the memory empty, C order.
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

// The entries of each line are adjacent.
Arrangement in_lines(const Extents& extents, int line, int neighbours) {
  std::vector<int> order;
  for (int axis = 0; axis < extents.dims(); axis++)
    if (axis != line && axis != neighbours) order.push_back(axis);
  if (neighbours >= 0) order.push_back(neighbours);
  order.push_back(line);
  return {real_strides(extents, 1, order), -1, 1, 0, extents.product()};
}

// Copies values from C order, `step` reals apart, to their places, in the solver's precision. Returns the largest
// absolute value, infinity if any is not a number.
template <class Real>
double arrange(const double* values, index_t step, const Extents& extents, const Arrangement& arrangement, Real* to) {
  const int last = extents.dims() - 1;
  const index_t along = extents[last], rows = along == 0 ? 0 : extents.product() / along;
  double largest = 0;
  for (index_t row = 0; row < rows; row++) {
    Real* start = to;
    index_t rest = row;
    for (int axis = last - 1; axis >= 0; axis--) {
      start += arrangement.place(axis, rest % extents[axis]);
      rest /= extents[axis];
    }
    const double* from = values + row * along * step;
    for (index_t i = 0; i < along; i++) {
      const double value = from[i * step];
      start[arrangement.place(last, i)] = static_cast<Real>(value);
      if (std::isnan(value)) largest = std::numeric_limits<double>::infinity();
      largest = std::max(largest, std::abs(value));
    }
  }
  return largest;
}

// Whether a kernel scales with the square of lengths. With screening it has a length of its own, in two dimensions a
// logarithm. Other powers of lengths may leave the range of numbers even if their products with the kernel do not.
bool has_no_length(const SymbolInput& input) {
  const auto convolved = std::count_if(input.domain.begin(), input.domain.end(),
                                       [](const DomainAxis& axis) { return is_convolved(axis.boundary); });
  return !input.kernel.is_users() && input.screening == 0 && input.power == 1 && convolved != 2;
}

// The domain with lengths in spacings of axis 0. Domains of one shape and different sizes are then the same, to the
// last bit if their ratios of lengths are.
std::vector<DomainAxis> in_spacings(std::vector<DomainAxis> domain) {
  const DomainAxis first = domain.front();
  for (DomainAxis& axis : domain)
    for (double* length : {&axis.length, &axis.shift})
      *length = *length / first.length * static_cast<double>(first.cells);
  return domain;
}

// The axis of lines in the last pass, and the axis of their neighbours.
struct LinesOfModes {
  int line, neighbours;
};

LinesOfModes lines_of(const Schedule& schedule) {
  const PassPlan& pass = schedule.passes.back();
  return {pass.axes.back(), neighbour_axis(pass, pass.axes.back())};
}

// All that the factors of these modes depend on, except for their precision.
std::string key_of(const SymbolInput& input, const std::vector<DomainAxis>& domain, const Box& modes, int lanes) {
  std::string text = input.kernel.name + number(" %.17g", input.kernel.alpha) + number(" %.17g", input.screening) +
                     number(" %.17g", input.power);
  for (int axis = 0; axis < modes.dims(); axis++) {
    const DomainAxis& along = domain[static_cast<std::size_t>(axis)];
    text += "; " + std::to_string(along.cells) + number(" %.17g", along.length) + number(" %.17g ", along.shift) +
            to_string(along.boundary) + " " + to_string(along.centring) + " " +
            to_string(input.schedule.axes[static_cast<std::size_t>(axis)].kind) + " " + std::to_string(modes[axis].lo) +
            " " + std::to_string(modes[axis].hi);
  }
  const LinesOfModes order = lines_of(input.schedule);
  return text + "; " + std::to_string(order.line) + " " + std::to_string(order.neighbours) + " " +
         std::to_string(lanes);
}

// Factors scale with a power of a length, and may exceed the range of the solver's precision. A kernel may be 0 for all
// modes: if there is one mode, or if it is a user's. Collective.
template <class Real>
void require_in_range(const Comm& comm, double largest, double norm) {
  const FactorRange range = factor_range<Real>();
  comm.together([&] {
    require(largest == 0 || (largest >= range.least && largest / norm <= range.most),
            "length: in these units the kernel's factors are up to " + number("%.1e", largest / norm) +
                factors_allowed<Real>());
  });
}

// One real factor for all modes with the same wavenumbers up to signs. Collective.
template <class Real>
ModeFactors<Real> real_factors(const KernelJob& job, const Schedule& schedule, const Box& modes) {
  ModeFactors<Real> result;
  const Comm& comm = job.comm;
  const std::vector<DomainAxis>& domain = job.domain;
  const Box needed = needed_entries(domain, schedule.axes, modes);
  const Buffer<double> values = transformed_kernel(job, needed);
  const Extents extents = needed.extents();
  LineSymbol<Real>& symbol = result.symbol;
  comm.together([&] {
    for (int axis = 0; axis < modes.dims(); axis++) {
      const auto a = static_cast<std::size_t>(axis);
      symbol.offsets.push_back(entries_of(domain[a], schedule.axes[a], modes[axis], needed[axis]));
    }
  });
  const auto [line, neighbours] = lines_of(schedule);
  const auto ordered = [&symbol](int axis, index_t count) {
    return in_order(symbol.offsets[static_cast<std::size_t>(axis)], count);
  };
  const bool vectors = neighbours >= 0 && ordered(neighbours, modes[neighbours].size());
  if (!vectors && ordered(line, extents[line])) symbol.entries = extents[line];
  const Arrangement arrangement =
      vectors ? in_vectors(extents, line, neighbours, lane_kernels<Real>().lanes) : in_lines(extents, line, neighbours);
  for (int axis = 0; axis < modes.dims(); axis++)
    for (index_t& entry : symbol.offsets[static_cast<std::size_t>(axis)]) entry = arrangement.place(axis, entry);
  comm.together([&] { result.values = Buffer<Real>(arrangement.places); });
  result.largest = comm.max(arrange(values.data(), 1, extents, arrangement, result.values.data()));
  symbol.data = result.values.data();
  return result;
}

// A complex factor for every mode. The factors of neighbouring lines are adjacent. Collective.
template <class Real>
ModeFactors<Real> complex_factors(const KernelJob& job, const Schedule& schedule, const Box& modes) {
  ModeFactors<Real> result;
  const Buffer<double> values = shifted_factors(job, schedule.axes, modes);
  const Extents extents = modes.extents();
  const auto [line, neighbours] = lines_of(schedule);
  std::vector<int> order;
  for (int axis = 0; axis < extents.dims(); axis++)
    if (axis != line && axis != neighbours) order.push_back(axis);
  order.push_back(line);
  if (neighbours >= 0) order.push_back(neighbours);
  const Extents strides = real_strides(extents, 2, order);
  job.comm.together([&] {
    result.values = Buffer<Real>(2 * extents.product());
    for (int axis = 0; axis < extents.dims(); axis++) {
      std::vector<index_t>& offsets = result.symbol.offsets.emplace_back();
      for (index_t i = 0; i < extents[axis]; i++) offsets.push_back(i * strides[axis]);
    }
  });
  double largest = 0;
  for (const std::ptrdiff_t part : {0, 1}) {
    if (modes.empty()) break;
    largest = std::max(largest, arrange(values.data() + part, 2, extents, {strides}, result.values.data() + part));
  }
  result.largest = job.comm.max(largest);
  result.symbol.data = result.values.data();
  result.symbol.width = 2;
  result.symbol.step = strides[line];
  return result;
}

// Collective.
template <class Real>
ModeFactors<Real> make_factors(const Comm& comm, const SymbolInput& input, const std::vector<DomainAxis>& domain,
                               const Box& modes) {
  std::unique_ptr<GreenKernel> kernel;
  comm.together([&] { kernel = make_kernel(input.kernel, green_axes(domain), input.screening, input.power); });
  const KernelJob job{comm, *kernel, domain, input.schedule.spectral, input.slab, input.options};
  return is_shifted(domain) ? complex_factors<Real>(job, input.schedule, modes)
                            : real_factors<Real>(job, input.schedule, modes);
}

}  // namespace

template <class Real>
GreenSymbol<Real>::GreenSymbol(const Comm& comm, const SymbolInput& input) {
  std::vector<DomainAxis> domain = input.domain;
  if (has_no_length(input)) {
    spacing_ = domain.front().spacing();
    domain = in_spacings(std::move(domain));
  }
  const Box modes = input.schedule.spectral.box(comm.rank());
  std::string key;
  if (!input.kernel.is_users()) {
    comm.together([&] {
      key = key_of(input, domain, modes, lane_kernels<Real>().lanes);
      factors_ = kept_factors<Real>(key);
    });
    shared_ = comm.max(index_t{factors_ == nullptr ? 1 : 0}) == 0;
  }
  if (!shared_) {
    ModeFactors<Real> made = make_factors<Real>(comm, input, domain, modes);
    comm.together([&] {
      factors_ = std::make_shared<const ModeFactors<Real>>(std::move(made));
      if (!key.empty()) keep_factors<Real>(key, factors_);
    });
  }
  require_in_range<Real>(comm, factors_->largest * (spacing_ * spacing_), round_trip(domain));
}

template class GreenSymbol<double>;
template class GreenSymbol<float>;

}  // namespace weft
