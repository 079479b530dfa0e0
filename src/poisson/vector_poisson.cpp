// The public solver for vector fields, which makes pipelines for spaces of fields, and operators as terms of
// derivatives.
#include "weft/vector_poisson.hpp"

#include <algorithm>
#include <map>

#include "base/wrap.hpp"
#include "plan/arguments.hpp"
#include "plan/run/pipeline.hpp"
#include "poisson/derivative.hpp"
#include "poisson/field_operation.hpp"
#include "poisson/kernel_modes.hpp"
#include "poisson/line_systems.hpp"
#include "poisson/problem.hpp"
#include "poisson/scales.hpp"
#include "poisson/symbol.hpp"

namespace weft {

namespace {

std::string key_of(const FieldSpace& space) {
  std::string text;
  for (const auto& component : space) {
    for (const Boundary& boundary : component) text += " " + to_string(boundary);
    text += ";";
  }
  return text;
}

// The problem of one component. All components share everything but the boundaries.
PoissonProblem component_problem(const VectorProblem& problem, std::size_t component) {
  const std::size_t which = problem.boundary.size() == 1 ? 0 : component;
  PoissonProblem one{problem.cells,    problem.length, problem.boundary[which],
                     problem.centring, problem.kernel, problem.screening};
  one.shift = problem.shift;
  one.power = problem.power;
  one.batch = problem.batch;
  return one;
}

std::string to_text(const VectorProblem& problem) {
  std::string text = "derivative " + to_string(problem.derivative) + (problem.reversed ? ", reversed" : "");
  for (std::size_t c = 0; c < problem.boundary.size(); c++) text += "; " + to_text(component_problem(problem, c));
  return text;
}

// The space by axis: component c is the one along axis c.
FieldSpace space_of(const VectorProblem& problem) {
  const auto dims = static_cast<std::size_t>(problem.cells.dims());
  require(problem.boundary.size() == dims || problem.boundary.size() == 1,
          "boundary: given for " + std::to_string(problem.boundary.size()) + " components; a vector field on " +
              std::to_string(dims) + " axes has " + std::to_string(dims) + ", or one list serves all of them");
  FieldSpace space;
  for (std::size_t c = 0; c < dims; c++) {
    const PoissonProblem one = component_problem(problem, c);
    const int solved = solved_axis(domain_of(one));
    require(solved < 0, "centring of axis " + std::to_string(solved) +
                            ": chebyshev given for a vector field, whose axes are all transformed; use cell or node");
    space.push_back(one.boundary);
  }
  if (problem.reversed) std::reverse(space.begin(), space.end());
  check_vector(space);
  return space;
}

void refuse_options(const PlanOptions& options) {
  refuse_distribution(options);
  require(!options.in_place, "in_place: a vector solver works on the arrays of the caller; omit it");
  require(options.modes.empty() && options.batch_axes.empty(),
          "options: modes and batch_axes are for plans; a solver keeps all modes of its problem, leave them empty");
  require(options.chunks <= 1, "chunks: " + std::to_string(options.chunks) +
                                   " given; the components of a vector field are sent in one piece: omit it");
  require(options.workspace == nullptr,
          "workspace: a vector solver holds fields in several plans at once, which cannot share memory; omit it");
}

// The curl in three dimensions, or its only component in two.
std::vector<DerivativeTerm> curl_terms(int dims, double sign) {
  if (dims == 2) return {{0, 1, 0, sign}, {0, 0, 1, -sign}};
  std::vector<DerivativeTerm> terms;
  for (int c = 0; c < 3; c++) {
    const int next = (c + 1) % 3, after = (c + 2) % 3;
    terms.push_back({c, after, next, sign});
    terms.push_back({c, next, after, -sign});
  }
  return terms;
}

// The terms of (d psi/dy, -d psi/dx).
std::vector<DerivativeTerm> rotated_gradient_terms(double sign) { return {{0, 0, 1, sign}, {1, 0, 0, -sign}}; }

}  // namespace

template <class Real>
struct VectorPoisson<Real>::State {
  State(MPI_Comm user, const VectorProblem& problem, const PlanOptions& given)
      : start(MPI_Wtime()),
        comm(user),
        options(given),
        screening(problem.screening),
        batch(problem.batch),
        reversed(problem.reversed) {
    comm.require_same("problem", to_text(problem));
    require_same_options(comm, options);
    node_ranks = checked_node_ranks(comm, options);
    int slab = 0;
    comm.together([&] {
      vectors = space_of(problem);
      domain = domain_of(component_problem(problem, 0));
      for (const DomainAxis& axis : domain) even_axes.push_back(even_extension(axis));
      require_scales<Real>(even_axes, component_problem(problem, 0));
      require_derivative_scales<Real>(even_axes);
      notes = notes_of(*make_kernel(problem.kernel, green_axes(even_axes), problem.screening, problem.power));
      refuse_options(options);
      grid = grid_for(field_input(vectors), options, comm.size());
      // The schedule of one component, a field without axis 0, says where modes lie.
      ScheduleInput scalar = schedule_input(even_axes, sizeof(Real));
      scalar.grid = grid;
      scalar.scheme = options.scheme;
      modes = make_schedule(scalar);
      slab = slab_of_modes(scalar);
    });
    (void)pipeline(vectors);
    green = std::make_unique<GreenSymbol<Real>>(
        comm, SymbolInput{problem.kernel, problem.screening, problem.power, even_axes, modes, slab, options});
    symbol = green->symbol();
    symbol.offsets.insert(symbol.offsets.begin(), std::vector<index_t>(domain.size() * fields(), 0));
    make_derivatives(problem.derivative);
    for (const DomainAxis& axis : even_axes) normalisation *= norm_factor(axis);
    setup_seconds = MPI_Wtime() - start;
  }

  ScheduleInput field_input(const FieldSpace& space) const {
    ScheduleInput input = field_schedule(space, domain, sizeof(Real), static_cast<index_t>(fields()));
    input.scheme = options.scheme;
    input.node_ranks = node_ranks;
    if (!options.fuse) input.plane_reals = 0;
    return input;
  }

  // A space, or the index of a component, in the order of memory instead of by axis.
  FieldSpace stored(FieldSpace space) const {
    if (reversed) std::reverse(space.begin(), space.end());
    return space;
  }
  int stored(int component, std::size_t components) const {
    return reversed ? static_cast<int>(components) - 1 - component : component;
  }
  // The sign of the curl: axes named in reverse are left-handed.
  double handedness() const { return reversed ? -1 : 1; }

  // The pipeline for fields of a space by axis, made at its first use. Collective then.
  Pipeline<Real>& pipeline(const FieldSpace& by_axis) {
    const FieldSpace space = stored(by_axis);
    std::unique_ptr<Pipeline<Real>>& kept = pipelines[key_of(space)];
    if (kept != nullptr) return *kept;
    Schedule schedule;
    comm.together([&] {
      ScheduleInput input = field_input(space);
      input.grid = grid;
      schedule = make_schedule(input);
    });
    kept = std::make_unique<Pipeline<Real>>(comm, std::move(schedule), options);
    return *kept;
  }

  void make_derivatives(Derivative derivative) {
    const Box box = modes.spectral.box(comm.rank());
    for (int axis = 0; axis < box.dims(); axis++) {
      const auto a = static_cast<std::size_t>(axis);
      const std::vector<double> values = derivative_symbol(derivative, even_axes[a], modes.axes[a], box[axis]);
      derivatives.symbols.emplace_back(values.begin(), values.end());
      derivatives.fourier.push_back(is_fourier(modes.axes[a].kind));
    }
  }

  // Collective.
  void check(const Real* in, const char* name, const Pipeline<Real>& of) const {
    const index_t counted = of.schedule().physical.extents()[0] / static_cast<index_t>(fields());
    check_finite(comm, name, in, of.schedule(), c_strides(of.physical_box().extents()), batch == 0 ? 0 : counted);
  }

  /// Applies an operation that turns the modes of a field of one space into those of another.
  void run(const FieldSpace& from, const FieldSpace& to, const Real* in, Real* out,
           const ModeOperation<Real>& operation, double scale) {
    Pipeline<Real>& forward = pipeline(from);
    Pipeline<Real>& backward = pipeline(to);
    check(in, "field", forward);
    forward.combine(backward, forward.user_array(in, Space::physical), backward.user_array(out, Space::physical),
                    operation, static_cast<Real>(scale), static_cast<index_t>(fields()));
  }

  // Adds up terms of derivatives of the field itself, or of its solution.
  void differentiate(const FieldSpace& from, const FieldSpace& to, const Real* in, Real* out,
                     std::vector<DerivativeTerm> terms, bool solution) {
    for (DerivativeTerm& term : terms) {
      term.in = stored(term.in, from.size());
      term.out = stored(term.out, to.size());
    }
    const DerivativeOperation<Real> operation({stored(from), derivatives, solution ? &symbol : nullptr}, terms);
    run(from, to, in, out, operation, solution ? double{green->scale()} : normalisation);
  }

  void gradient(const Real* in, Real* out, bool solution) {
    std::vector<DerivativeTerm> terms;
    terms.reserve(domain.size());
    for (int axis = 0; axis < dims(); axis++) terms.push_back({axis, 0, axis, 1});
    differentiate(scalar_space(vectors), vectors, in, out, terms, solution);
  }

  int dims() const { return static_cast<int>(domain.size()); }
  std::size_t fields() const { return static_cast<std::size_t>(std::max(batch, index_t{1})); }
  bool is_spectral() const {
    return std::none_of(domain.begin(), domain.end(), [](const DomainAxis& d) { return is_convolved(d.boundary); });
  }

  double start;
  Comm comm;
  PlanOptions options;
  FieldSpace vectors;                 ///< by axis
  std::vector<DomainAxis> domain;     ///< of component 0
  std::vector<DomainAxis> even_axes;  ///< with the modes that all components share
  double screening;
  index_t batch;
  bool reversed;
  std::vector<std::string> notes;
  ProcessGrid grid;
  Schedule modes;  ///< of the even extensions
  int node_ranks = 0;
  std::map<std::string, std::unique_ptr<Pipeline<Real>>> pipelines;
  std::unique_ptr<GreenSymbol<Real>> green;
  LineSymbol<Real> symbol;  ///< of the kernel, with axis 0 added
  ModeDerivatives<Real> derivatives;
  double normalisation = 1;
  double setup_seconds = 0;
};

template <class Real>
VectorPoisson<Real>::VectorPoisson(MPI_Comm comm, const VectorProblem& problem, const PlanOptions& options)
    : state_(std::make_unique<State>(comm, problem, options)) {}
template <class Real>
VectorPoisson<Real>::~VectorPoisson() = default;
template <class Real>
VectorPoisson<Real>::VectorPoisson(VectorPoisson&&) noexcept = default;
template <class Real>
VectorPoisson<Real>& VectorPoisson<Real>::operator=(VectorPoisson&&) noexcept = default;

template <class Real>
int VectorPoisson<Real>::components() const {
  return state_->dims();
}
template <class Real>
index_t VectorPoisson<Real>::batch() const {
  return state_->batch;
}
template <class Real>
Box VectorPoisson<Real>::box() const {
  const Box field = state_->pipeline(state_->vectors).physical_box();
  Box box(field.dims() - 1);
  for (int axis = 0; axis < box.dims(); axis++) box[axis] = field[axis + 1];
  return box;
}
template <class Real>
Extents VectorPoisson<Real>::extents() const {
  Extents extents;
  for (const DomainAxis& axis : state_->domain) extents.push_back(axis.points());
  return extents;
}
template <class Real>
std::vector<double> VectorPoisson<Real>::points(int axis) const {
  require(axis >= 0 && axis < components(), "axis: " + std::to_string(axis) +
                                                " is not an axis of the problem; give 0 to " +
                                                std::to_string(components() - 1));
  std::vector<double> result;
  const Range range = box()[axis];
  for (index_t i = range.lo; i < range.hi; i++)
    result.push_back(state_->domain[static_cast<std::size_t>(axis)].coordinate(i));
  return result;
}
template <class Real>
std::vector<Boundary> VectorPoisson<Real>::scalar_boundary() const {
  return scalar_space(state_->vectors).front();
}
template <class Real>
std::vector<std::vector<Boundary>> VectorPoisson<Real>::curl_boundary() const {
  return state_->stored(curl_space(state_->vectors));
}

template <class Real>
void VectorPoisson<Real>::solve(const Real* rhs, Real* solution) {
  Pipeline<Real>& pipeline = state_->pipeline(state_->vectors);
  state_->check(rhs, "rhs", pipeline);
  pipeline.convolve(rhs, solution, state_->symbol, state_->green->scale());
}

template <class Real>
void VectorPoisson<Real>::biot_savart(const Real* vorticity, Real* velocity) {
  const FieldSpace curl = curl_space(state_->vectors);
  const double sign = -state_->handedness();
  if (state_->dims() == 2)
    state_->differentiate(curl, state_->vectors, vorticity, velocity, rotated_gradient_terms(sign), true);
  else
    state_->differentiate(state_->vectors, curl, vorticity, velocity, curl_terms(3, sign), true);
}
template <class Real>
void VectorPoisson<Real>::curl(const Real* vector, Real* result) {
  state_->differentiate(state_->vectors, curl_space(state_->vectors), vector, result,
                        curl_terms(state_->dims(), state_->handedness()), false);
}
template <class Real>
void VectorPoisson<Real>::divergence(const Real* vector, Real* scalar) {
  std::vector<DerivativeTerm> terms;
  terms.reserve(state_->domain.size());
  for (int axis = 0; axis < state_->dims(); axis++) terms.push_back({0, axis, axis, 1});
  state_->differentiate(state_->vectors, scalar_space(state_->vectors), vector, scalar, terms, false);
}
template <class Real>
void VectorPoisson<Real>::gradient(const Real* scalar, Real* vector) {
  state_->gradient(scalar, vector, false);
}
template <class Real>
void VectorPoisson<Real>::solve_gradient(const Real* scalar, Real* vector) {
  state_->gradient(scalar, vector, true);
}
template <class Real>
void VectorPoisson<Real>::project(const Real* vector, Real* result) {
  require(!is_shifted(state_->domain),
          "shift: given; project() takes a part of the field at its own points, make a solver without");
  require(state_->is_spectral() || state_->screening == 0,
          "screening: " + std::to_string(state_->screening) +
              " given; project() with unbounded axes needs the kernel of the Laplacian alone, make a solver without");
  const LineSymbol<Real>* inverse = state_->is_spectral() ? nullptr : &state_->symbol;
  const ProjectionOperation<Real> operation(
      {state_->vectors, state_->derivatives, inverse, state_->reversed, state_->green->unit()},
      static_cast<Real>(state_->normalisation));
  state_->run(state_->vectors, state_->vectors, vector, result, operation, 1);
}

template <class Real>
std::string VectorPoisson<Real>::explain() const {
  std::string text;
  for (const auto& [boundaries, pipeline] : state_->pipelines)
    text += "fields with boundaries" + boundaries + "\n" + pipeline->explain();
  text += "  symbol    Green's function, " + std::to_string(state_->green->bytes() / 1000) +
          " kB on this rank, shared by all components; derivatives and symbol act inside the last pass\n";
  return wrapped(text + lines_of(state_->notes));
}
template <class Real>
const std::vector<std::string>& VectorPoisson<Real>::notes() const {
  return state_->notes;
}
template <class Real>
std::string VectorPoisson<Real>::strategy() const {
  return state_->pipeline(state_->vectors).strategy();
}
template <class Real>
int VectorPoisson<Real>::threads() const {
  return state_->pipeline(state_->vectors).threads();
}
template <class Real>
index_t VectorPoisson<Real>::workspace_bytes() const {
  index_t bytes = state_->green->bytes();
  for (const auto& [boundaries, pipeline] : state_->pipelines) bytes += pipeline->workspace_bytes();
  return bytes;
}
template <class Real>
index_t VectorPoisson<Real>::bytes_sent() const {
  return 2 * state_->pipeline(state_->vectors).bytes_sent();
}
template <class Real>
double VectorPoisson<Real>::setup_seconds() const {
  return state_->setup_seconds;
}

template class VectorPoisson<float>;
template class VectorPoisson<double>;

}  // namespace weft
