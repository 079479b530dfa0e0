// Transforms fields of a problem and multiplies their modes, in the arrays of a program.
#include "flups/spectrum.hpp"

#include <algorithm>
#include <complex>
#include <numbers>
#include <utility>

#include "poisson/derivative.hpp"
#include "poisson/kernel_modes.hpp"
#include "poisson/problem.hpp"
#include "weft/error.hpp"
#include "weft/green.hpp"

namespace weft::flups {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::vector<DomainAxis> even_axes_of(const Problem& problem) {
  std::vector<DomainAxis> axes;
  for (const DomainAxis& axis : problem.domain(0)) axes.push_back(even_extension(axis));
  return axes;
}

ScheduleInput distributed(ScheduleInput input, const PlanOptions& options) {
  input.scheme = options.scheme;
  input.grid = ProcessGrid(options.grid);
  return input;
}

// Calls visit(number of the first mode of a row, indices of the row). Rows run along the last axis.
template <class Visit>
void for_each_row(const Extents& extents, const Visit& visit) {
  const int last = extents.dims() - 1;
  const index_t row = extents[last], rows = row == 0 ? 0 : extents.product() / row;
  Extents index(extents.dims());
  for (index_t i = 0; i < rows; i++) {
    visit(i * row, index);
    for (int axis = last - 1; axis >= 0; axis--) {
      if (++index[axis] < extents[axis]) break;
      index[axis] = 0;
    }
  }
}

}  // namespace

Layouts layouts_of(const Problem& problem, const PlanOptions& options) {
  const auto schedule = [&](const std::vector<DomainAxis>& axes) {
    return make_schedule(distributed(schedule_input(axes, sizeof(double)), options));
  };
  const Schedule modes = schedule(even_axes_of(problem));
  return {schedule(problem.domain(0)).physical, modes.spectral, modes.width_spectral == 2};
}

Spectrum::Spectrum(const Comm& comm, const Problem& problem, const Kernel& kernel, FLUPS_DiffType derivative,
                   const PlanOptions& options)
    : comm_(comm),
      problem_(problem),
      kernel_(kernel),
      derivative_(derivative),
      options_(options),
      even_axes_(even_axes_of(problem)),
      modes_(make_schedule(distributed(schedule_input(even_axes_, sizeof(double)), options))),
      slab_(slab_of_modes(distributed(schedule_input(even_axes_, sizeof(double)), options))) {}

SpectralInfo Spectrum::info() const {
  SpectralInfo info;
  for (std::size_t a = 0; a < even_axes_.size(); a++) {
    const AxisTransform& transform = modes_.axes[a];
    const std::size_t direction = at(problem_.directions[a]);
    const double period = even_axes_[a].length * (is_convolved(even_axes_[a].boundary) ? 2 : 1);
    info.factor[direction] = (is_fourier(transform.kind) ? 2 : 1) * std::numbers::pi / period;
    info.offset[direction] = mode_number(transform.kind, transform.length, 0);
    if (transform.kind == Kind::c2c) info.symmetry[direction] = static_cast<double>(transform.length) / 2;
  }
  return info;
}

// Components with different modes cannot lie in one array.
void Spectrum::check_alike() const {
  for (int c = 1; c < problem_.components(); c++) {
    const std::vector<DomainAxis> axes = problem_.domain(c);
    for (std::size_t a = 0; a < axes.size(); a++) {
      const DomainAxis axis = even_extension(axes[a]);
      const bool alike =
          classify(axis.boundary) == classify(even_axes_[a].boundary) &&
          (axis.boundary.left == axis.boundary.right) == (even_axes_[a].boundary.left == even_axes_[a].boundary.right);
      require(alike, "bc[" + std::to_string(problem_.directions[a]) + "]: component " + std::to_string(c) + " is " +
                         to_string(axes[a].boundary) + ", component 0 " + to_string(problem_.domain(0)[a].boundary) +
                         ", whose modes are others; transform them by a solver each");
    }
  }
}

BorderedPipeline<double>& Spectrum::pipeline(const FieldSpace& space, const Topology& fields) {
  Box box(fields.box(problem_.directions).dims() + 1);
  const Box points = fields.box(problem_.directions);
  box[0] = points.empty() ? Range{} : Range{0, problem_.components()};
  for (int axis = 0; axis < points.dims(); axis++) box[axis + 1] = points[axis];
  std::string key = to_text(fields);
  for (const auto& component : space)
    for (const Boundary& boundary : component) key += " " + to_string(boundary);
  std::unique_ptr<BorderedPipeline<double>>& kept = pipelines_[key];
  if (kept != nullptr) return *kept;
  Schedule schedule;
  comm_.together([&] {
    check_alike();
    schedule = make_schedule(distributed(field_schedule(space, problem_.axes, sizeof(double)), options_));
  });
  PlanBoxes boxes;
  boxes.physical = box;
  kept = std::make_unique<BorderedPipeline<double>>(comm_, std::move(schedule), options_, options_, boxes);
  return *kept;
}

void Spectrum::transform(double* data, int sign, const Topology& fields) {
  comm_.together([&] {
    require(sign == FLUPS_FORWARD || sign == FLUPS_BACKWARD || sign == FLUPS_BACKWARD_DIFF,
            "sign: " + std::to_string(sign) + "; give FLUPS_FORWARD, FLUPS_BACKWARD or FLUPS_BACKWARD_DIFF");
  });
  FieldSpace space = problem_.boundary;
  if (sign == FLUPS_BACKWARD_DIFF)
    for (auto& component : space)
      for (Boundary& boundary : component) boundary = flipped(boundary);
  BorderedPipeline<double>& plan = pipeline(space, fields);
  const auto doubles = static_cast<std::size_t>(plan.spectral_box().size() * modes_.width_spectral);
  comm_.together([&] { staged_.resize(std::max(staged_.size(), doubles)); });
  LocalArray<double> points{data, {fields.component_doubles()}};
  for (const index_t stride : fields.strides(problem_.directions)) points.strides.push_back(stride);
  const LocalArray<double> modes = plan.user_array(staged_.data(), Space::spectral);
  if (sign == FLUPS_FORWARD) {
    plan.transform(Direction::forward, points, modes, 1.0);
    std::copy_n(staged_.data(), doubles, data);
  } else {
    std::copy_n(data, doubles, staged_.data());
    plan.transform(Direction::backward, modes, points, 1.0);
  }
}

const Spectrum::Factors& Spectrum::factors() {
  if (factors_ != nullptr) return *factors_;
  const Box modes = modes_.spectral.box(comm_.rank());
  const Box needed = needed_entries(even_axes_, modes_.axes, modes);
  std::unique_ptr<GreenKernel> kernel;
  comm_.together([&] { kernel = make_kernel(kernel_, green_axes(even_axes_), 0); });
  auto made = std::make_unique<Factors>();
  made->values = transformed_kernel({comm_, *kernel, even_axes_, modes_.spectral, slab_, options_}, needed);
  const Extents strides = c_strides(needed.extents());
  for (int axis = 0; axis < modes.dims(); axis++) {
    std::vector<index_t>& places = made->places.emplace_back();
    for (index_t mode = modes[axis].lo; mode < modes[axis].hi; mode++) {
      const index_t entry = green_index(even_axes_[at(axis)], modes_.axes[at(axis)], mode);
      places.push_back((entry - needed[axis].lo) * strides[axis]);
    }
  }
  factors_ = std::move(made);
  return *factors_;
}

const Spectrum::Derivatives& Spectrum::derivatives() {
  if (derivatives_ != nullptr) return *derivatives_;
  const Box modes = modes_.spectral.box(comm_.rank());
  auto made = std::make_unique<Derivatives>();
  for (int axis = 0; axis < modes.dims(); axis++)
    made->push_back(
        derivative_symbol(derivative_of(derivative_), even_axes_[at(axis)], modes_.axes[at(axis)], modes[axis]));
  derivatives_ = std::move(made);
  return *derivatives_;
}

void Spectrum::multiply(double* data, FLUPS_SolverType type) {
  comm_.together([&] {
    require(type == STD || type == ROT, "type: " + std::to_string(static_cast<int>(type)) + "; give STD or ROT");
    check_alike();
    if (type == STD) return;
    (void)derivative_of(derivative_);
    require(
        problem_.vector_parts().size() == 1,
        "type: ROT of modes without mirror symmetry, whose curl has other modes: let the component along a direction "
        "be ODD where the others are EVEN there and EVEN where they are ODD, or call flups_solve");
  });
  type == STD ? multiply_components(data) : multiply_curl(data);
}

void Spectrum::multiply_components(double* data) {
  const Factors& by = factors();
  const Extents extents = modes_.spectral.box(comm_.rank()).extents();
  const int width = modes_.width_spectral, last = extents.dims() - 1;
  for (int c = 0; c < problem_.components(); c++) {
    double* component = data + c * extents.product() * width;
    for_each_row(extents, [&](index_t row, const Extents& index) {
      const double* factor = by.values.data();
      for (int axis = 0; axis < last; axis++) factor += by.places[at(axis)][static_cast<std::size_t>(index[axis])];
      for (index_t m = 0; m < extents[last]; m++)
        for (int part = 0; part < width; part++)
          component[(row + m) * width + part] *= factor[by.places[at(last)][static_cast<std::size_t>(m)]];
    });
  }
}

// lap u = curl f, as component c of the modes: (d_next f_after - d_after f_next) G.
void Spectrum::multiply_curl(double* data) {
  using Number = std::complex<double>;
  const Factors& by = factors();
  const Derivatives& symbols = derivatives();
  const Extents extents = modes_.spectral.box(comm_.rank()).extents();
  const int width = modes_.width_spectral, last = extents.dims() - 1;
  const index_t component = extents.product() * width;
  std::array<std::array<Number, 3>, 3> unit;  // [axis][component]: the derivative is that times a(w)
  std::array<int, 3> axis_of{};               // by direction
  for (int axis = 0; axis < 3; axis++) {
    axis_of[at(problem_.directions[at(axis)])] = axis;
    for (int c = 0; c < 3; c++) {
      const bool fourier = is_fourier(modes_.axes[at(axis)].kind);
      const double sign = is_cosine(problem_.boundary[at(c)][at(axis)]) ? -1 : 1;
      unit[at(axis)][at(c)] = fourier ? Number(0, 1) : Number(sign, 0);
    }
  }
  for_each_row(extents, [&](index_t row, Extents index) {
    for (index_t m = 0; m < extents[last]; m++) {
      index[last] = m;
      double* mode = data + (row + m) * width;
      std::array<Number, 3> field;
      for (int c = 0; c < 3; c++) field[at(c)] = {mode[c * component], width == 2 ? mode[c * component + 1] : 0.0};
      index_t place = 0;
      for (int axis = 0; axis < 3; axis++) place += by.places[at(axis)][static_cast<std::size_t>(index[axis])];
      const auto derivative = [&](int direction, int c) {
        const int axis = axis_of[at(direction)];
        return unit[at(axis)][at(c)] * symbols[at(axis)][static_cast<std::size_t>(index[axis])] * field[at(c)];
      };
      for (int c = 0; c < 3; c++) {
        const int next = (c + 1) % 3, after = (c + 2) % 3;
        const Number curl = derivative(next, after) - derivative(after, next);
        for (int part = 0; part < width; part++)
          mode[c * component + part] = (part == 0 ? curl.real() : curl.imag()) * by.values.data()[place];
      }
    }
  });
}

}  // namespace weft::flups
