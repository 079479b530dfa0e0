// The public Poisson solver: problem to schedule, kernel and pipeline.
#include "weft/poisson.hpp"

#include "base/number.hpp"
#include "plan/arguments.hpp"
#include "plan/pipeline.hpp"
#include "poisson/mean.hpp"
#include "poisson/symbol.hpp"
#include "weft/green.hpp"

namespace weft {

namespace {

std::string to_text(const PoissonProblem& problem) {
  std::string text = "cells " + to_string(problem.cells) + ", length";
  for (const double length : problem.length) text += number(" %.17g", length);
  text += ", boundary";
  for (const Boundary& boundary : problem.boundary) text += " " + to_string(boundary);
  text += ", centring";
  for (const Centring centring : problem.centring) text += " " + to_string(centring);
  text += ", kernel " + problem.kernel.name + number(", alpha %.17g", problem.kernel.alpha);
  return text + number(", screening %.17g, mean ", problem.screening) + to_string(problem.mean);
}

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
}

std::vector<DomainAxis> domain_of(const PoissonProblem& problem) {
  check_counts(problem);
  std::vector<DomainAxis> domain;
  for (int axis = 0; axis < problem.cells.dims(); axis++) {
    const auto a = static_cast<std::size_t>(axis);
    domain.push_back({problem.cells[axis], problem.length[a], problem.boundary[a],
                      problem.centring.size() == 1 ? problem.centring[0] : problem.centring[a]});
    check(domain.back(), axis);
  }
  return domain;
}

ScheduleInput schedule_input(const std::vector<DomainAxis>& domain, std::size_t bytes_per_real) {
  ScheduleInput input;
  std::vector<Boundary> boundaries;
  boundaries.reserve(domain.size());
  for (const DomainAxis& axis : domain) boundaries.push_back(axis.boundary);
  input.order = transform_order(boundaries);
  input.axes.resize(domain.size());
  bool is_complex = false;
  for (const int axis : input.order) {
    const auto a = static_cast<std::size_t>(axis);
    input.axes[a] = axis_transform(domain[a], is_complex);
    is_complex = is_complex || is_fourier(input.axes[a].kind);
  }
  input.plane_reals = fusible_plane_reals(bytes_per_real);
  return input;
}

// A value that is 0 when all of `values` are finite and NaN otherwise: one sweep without branches.
template <class Real>
bool all_finite(const Real* values, index_t count) {
  Real sum = 0;
#pragma omp simd reduction(+ : sum)
  for (index_t i = 0; i < count; i++) sum += values[i] * Real(0);
  return sum == Real(0);
}

}  // namespace

std::string to_string(Mean mean) { return mean == Mean::remove ? "remove" : "error"; }

Mean parse_mean(const std::string& text) {
  if (text == "remove") return Mean::remove;
  require(text == "error", "mean: unknown value '" + text + "'; use remove or error");
  return Mean::error;
}

template <class Real>
struct Poisson<Real>::State {
  State(MPI_Comm user, const PoissonProblem& problem, const PlanOptions& options)
      : start(MPI_Wtime()),
        comm(user),
        pipeline(make_pipeline(problem, options)),
        green(comm, *kernel, domain, pipeline.schedule().axes, pipeline.schedule().spectral, options) {
    kernel.reset();  // tables, and functions of users
    setup_seconds = MPI_Wtime() - start;
  }

  Pipeline<Real> make_pipeline(const PoissonProblem& problem, const PlanOptions& options) {
    comm.require_same("problem", to_text(problem));
    require_same_options(comm, options);
    Schedule schedule;
    comm.together([&] {
      require(options.modes.empty() && options.batch_axes.empty(),
              "options: modes and batch_axes are for plans; a solver keeps all modes of its problem, leave them empty");
      domain = domain_of(problem);
      kernel = make_kernel(problem.kernel, green_axes(domain), problem.screening);
      const std::vector<double> constant(domain.size(), 0.0);
      checks_mean = problem.mean == Mean::error && has_constant_mode(domain) && kernel->value(constant) == 0;
      check_options(options, comm.size());
      refuse_distribution(options);
      ScheduleInput input = schedule_input(domain, sizeof(Real));
      input.scheme = options.scheme;
      input.chunks = std::max(options.chunks, 1);
      if (!options.fuse) input.plane_reals = 0;
      input.grid = grid_for(input, options, comm.size());
      schedule = make_schedule(input);
    });
    return {comm, std::move(schedule), options};
  }

  void check_finite(const Real* rhs) const {
    const Box box = pipeline.physical_box();
    comm.together([&] {
      if (all_finite(rhs, box.size())) return;
      index_t bad = 0;
      while (rhs[bad] * Real(0) == Real(0)) bad++;
      Extents index = box.lower();
      index_t rest = bad;
      for (int axis = box.dims() - 1; axis >= 0; axis--) {
        index[axis] += rest % box[axis].size();
        rest /= box[axis].size();
      }
      std::string place;
      for (const index_t i : index) place += (place.empty() ? "" : ", ") + std::to_string(i);
      throw Error(Fault::argument, "rhs: " + std::to_string(rhs[bad]) + " at point [" + place +
                                       "]; every value has to be finite, mend or mask the data first");
    });
  }

  void check_sizes(std::size_t rhs, std::size_t solution) const {
    const auto points = static_cast<std::size_t>(pipeline.physical_box().size());
    comm.together([&] {
      require(rhs == points && solution == points, "rhs, solution: the local arrays have " + std::to_string(rhs) +
                                                       " and " + std::to_string(solution) +
                                                       " values, the problem needs " + std::to_string(points));
    });
  }

  double start;
  Comm comm;
  std::vector<DomainAxis> domain;
  std::unique_ptr<GreenKernel> kernel;
  bool checks_mean = false;
  Pipeline<Real> pipeline;
  GreenSymbol<Real> green;
  double setup_seconds = 0;
};

template <class Real>
Poisson<Real>::Poisson(MPI_Comm comm, const PoissonProblem& problem, const PlanOptions& options)
    : state_(std::make_unique<State>(comm, problem, options)) {}
template <class Real>
Poisson<Real>::~Poisson() = default;
template <class Real>
Poisson<Real>::Poisson(Poisson&&) noexcept = default;
template <class Real>
Poisson<Real>& Poisson<Real>::operator=(Poisson&&) noexcept = default;

template <class Real>
const Layout& Poisson<Real>::layout() const {
  return state_->pipeline.schedule().physical;
}
template <class Real>
Box Poisson<Real>::box() const {
  return state_->pipeline.physical_box();
}

template <class Real>
std::vector<double> Poisson<Real>::points(int axis) const {
  require(axis >= 0 && axis < layout().dims(), "axis: " + std::to_string(axis) +
                                                   " is not an axis of the problem; give 0 to " +
                                                   std::to_string(layout().dims() - 1));
  std::vector<double> result;
  const Range range = box()[axis];
  for (index_t i = range.lo; i < range.hi; i++)
    result.push_back(state_->domain[static_cast<std::size_t>(axis)].coordinate(i));
  return result;
}

template <class Real>
void Poisson<Real>::solve(const Real* rhs, Real* solution) {
  state_->check_finite(rhs);
  if (state_->checks_mean) require_zero_mean(state_->comm, state_->domain, box(), rhs);
  state_->pipeline.convolve(rhs, solution, state_->green.symbol());
}

template <class Real>
void Poisson<Real>::solve(const std::vector<Real>& rhs, std::vector<Real>& solution) {
  state_->check_sizes(rhs.size(), solution.size());
  solve(rhs.data(), solution.data());
}
template <class Real>
void Poisson<Real>::solve(const Field<Real>& rhs, Field<Real>& solution) {
  state_->check_sizes(rhs.size(), solution.size());
  solve(rhs.data(), solution.data());
}

template <class Real>
std::string Poisson<Real>::explain() const {
  return state_->pipeline.explain() + "  symbol    Green's function, " + std::to_string(state_->green.bytes() / 1000) +
         " kB on this rank, multiplied inside the last pass; then all steps backward\n";
}
template <class Real>
std::string Poisson<Real>::strategy() const {
  return state_->pipeline.strategy();
}
template <class Real>
int Poisson<Real>::threads() const {
  return state_->pipeline.threads();
}
template <class Real>
index_t Poisson<Real>::workspace_bytes() const {
  return state_->pipeline.workspace_bytes() + state_->green.bytes();
}
template <class Real>
index_t Poisson<Real>::bytes_sent() const {
  return 2 * state_->pipeline.bytes_sent();
}
template <class Real>
double Poisson<Real>::setup_seconds() const {
  return state_->setup_seconds;
}

template class Poisson<float>;
template class Poisson<double>;

}  // namespace weft
