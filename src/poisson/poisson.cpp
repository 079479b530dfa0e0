// The public Poisson solver: problem to schedule, kernel and pipeline.
#include "weft/poisson.hpp"

#include "base/wrap.hpp"
#include "plan/arguments.hpp"
#include "plan/run/pipeline.hpp"
#include "plan/tune/tuner.hpp"
#include "poisson/choices.hpp"
#include "poisson/end_modes.hpp"
#include "poisson/end_values.hpp"
#include "poisson/kernel_modes.hpp"
#include "poisson/line_systems.hpp"
#include "poisson/mean.hpp"
#include "poisson/problem.hpp"
#include "poisson/scales.hpp"
#include "poisson/symbol.hpp"
#include "poisson/wave_ends.hpp"
#include "weft/green.hpp"

namespace weft {

namespace {

// Whether the right-hand side has been checked.
enum class Looked { not_yet, before };

}  // namespace

template <class Real>
struct Poisson<Real>::State {
  State(MPI_Comm user, const PoissonProblem& problem, const PlanOptions& options)
      : start(MPI_Wtime()),
        comm(user),
        kernel_name(problem.kernel.is_users() ? "a user's" : problem.kernel.name),
        in_place(options.in_place),
        power(problem.power),
        batch(problem.batch),
        options(options),
        pipeline(make_pipeline(problem, options)) {
    const Schedule one = make_schedule(input);  // all right-hand sides have the modes of one
    const SymbolInput modes{problem.kernel, problem.screening, power, domain, one, slab_of_modes(input), options};
    if (solved_axis(domain) < 0) {
      green = std::make_unique<GreenSymbol<Real>>(comm, modes);
      if (batch == 0 && power == 1 && has_exact_waves(domain, kernel_name))
        comm.together([&] { waves = std::make_unique<WaveEnds<Real>>(modes, double{green->scale()}, comm.rank()); });
    } else {
      comm.together([&] { systems = make_line_systems<Real>(modes, comm.rank()); });
    }
    comm.together([&] {
      own_symbol = green == nullptr ? systems->symbol() : green->symbol();
      if (batch > 0 && green != nullptr)
        own_symbol.offsets.insert(own_symbol.offsets.begin(), std::vector<index_t>(static_cast<std::size_t>(batch), 0));
    });
    setup_seconds = MPI_Wtime() - start;
  }

  Pipeline<Real> make_pipeline(const PoissonProblem& problem, const PlanOptions& options) {
    comm.require_same("problem", to_text(problem));
    require_same_options(comm, options);
    const int node_ranks = checked_node_ranks(comm, options);
    comm.together([&] {
      require(options.modes.empty() && options.batch_axes.empty(),
              "options: modes and batch_axes are for plans; a solver keeps all modes of its problem, leave them empty");
      domain = domain_of(problem);
      require_scales<Real>(domain, problem);
      std::unique_ptr<GreenKernel> kernel;  // null if an axis is solved along
      if (solved_axis(domain) < 0) {
        kernel = make_kernel(problem.kernel, green_axes(domain), problem.screening, power);
        notes = notes_of(*kernel);
      }
      const std::vector<double> constant(domain.size(), 0.0);
      checks_mean = problem.mean == Mean::error && power > 0 && has_constant_mode(domain) &&
                    (kernel == nullptr ? problem.screening == 0 : kernel->value(constant) == 0);
      refuse_distribution(options);
      if (options.in_place) refuse_padding(domain);
      input = schedule_input(domain, sizeof(Real), options.in_place ? SingleCells::transformed : SingleCells::left_out);
      input.node_ranks = node_ranks;
      input.scheme = options.scheme;
      input.chunks = std::max(options.chunks, 1);
      if (!options.fuse) input.plane_reals = 0;
      input.grid = grid_for(input, options, comm.size());
      make_schedule(with_batch(input, batch));
    });
    const Tuning tuning = estimated<Real>(comm, make_schedule(with_batch(input, batch)), options, Work::solve);
    tuning_summary = summary(tuning);
    input.chunks = std::max(tuning.options.chunks, 1);
    return {comm, make_schedule(with_batch(input, batch)), tuning.options};
  }

  const LineSymbol<Real>& symbol() const { return own_symbol; }
  Real scale() const { return green == nullptr ? systems->scale() : green->scale(); }
  index_t symbol_bytes() const { return green == nullptr ? systems->bytes() : green->bytes(); }
  // Memory for the end values given so far.
  index_t ends_bytes() const {
    index_t bytes = waves == nullptr ? 0 : waves->bytes();
    for (const auto& modes : end_modes) bytes += modes == nullptr ? 0 : modes->bytes();
    return bytes + copy.bytes();
  }
  std::string symbol_text() const {
    if (green == nullptr) return systems->text();
    return "Green's function, " + std::to_string(green->bytes() / 1000) + " kB on this rank" +
           (is_shifted(domain) ? ", complex for displaced points" : "") +
           (green->is_shared() ? ", made for another solver," : ",") + " multiplied inside the last pass";
  }

  std::vector<Choice> choices() const {
    std::vector<Choice> found = choices_of(domain, input, sizeof(Real));
    for (Choice& choice : found) choice.bytes *= std::max(batch, index_t{1});
    return found;
  }

  void check_sizes(std::size_t rhs, std::size_t solution) const {
    const auto points = static_cast<std::size_t>(pipeline.physical_box().size());
    comm.together([&] {
      require(rhs == points && solution == points, "rhs, solution: the local arrays have " + std::to_string(rhs) +
                                                       " and " + std::to_string(solution) +
                                                       " values, but the problem needs " + std::to_string(points));
    });
  }

  void require_place(bool wanted) const {
    require(in_place == wanted,
            wanted ? "in_place: this solver works on arrays of the caller; make it with PlanOptions::in_place"
                   : "in_place: this solver works in place; give it a field of in_place_field()");
  }

  // Collective. `moved`: the right-hand side less the terms of end values; its mean is the one that must be zero.
  void check(const LocalArray<Real>& rhs, const LocalArray<Real>& moved) const {
    check_finite(comm, "rhs", rhs.data, pipeline.schedule(), rhs.strides);
    if (checks_mean) check_means(moved);
  }

  // Collective.
  void check(const Real* rhs, const Real* moved) const {
    check(pipeline.user_array(rhs, Space::physical), pipeline.user_array(moved, Space::physical));
  }

  // A copy of the right-hand side less the terms of end values in differences of order 2. Collective.
  const Real* without_ends(const Real* rhs, const std::vector<EndValues<Real>>& ends) {
    comm.together([&] {
      const index_t points = pipeline.physical_box().size();
      if (copy.size() < points) copy = Buffer<Real>(points);
      std::copy_n(rhs, points, copy.data());
      take_ends_out(domain, pipeline.physical_box(), ends, copy.data());
    });
    return copy.data();
  }

  // Collective. take_ends() comes first; `of_points` subtracts the end values that are not added to modes.
  void solve(const Real* rhs, Real* solution, Looked looked, const PointOperation<Real>* of_points = nullptr) {
    const auto look = [&] { check(rhs, rhs); };
    // The first pass can check the data while it loads them, which saves a sweep.
    const bool checks_finite = looked == Looked::not_yet && pipeline.can_check_finite() && !checks_mean;
    if (looked == Looked::not_yet && !checks_finite) look();
    pipeline.convolve(rhs, solution, symbol(), scale(),
                      {checks_finite ? typename Pipeline<Real>::OnSuspectValue(look) : nullptr, of_points});
  }

  // Whether values at an end are added to modes; otherwise they are subtracted from points of the right-hand side, by
  // differences of order 2.
  bool meets_modes(const EndValues<Real>& given) const {
    const DomainAxis& axis = domain[static_cast<std::size_t>(given.axis)];
    return axis.is_solved_along() ? !axis.is_differenced() || axis.order != 2 : kernel_name != "lgf2";
  }

  // Several right-hand sides take end values by their points only.
  void check_ends_of_batch(const std::vector<EndValues<Real>>& ends) const {
    const bool moves = std::none_of(ends.begin(), ends.end(), [&](const auto& end) { return meets_modes(end); });
    const bool on_walls = is_shifted(domain) && std::any_of(ends.begin(), ends.end(), [&](const auto& end) {
                            return has_points_on_end(domain[static_cast<std::size_t>(end.axis)], end.side);
                          });
    require(
        batch == 0 || ends.empty() || (moves && !on_walls),
        "ends: given for " + std::to_string(batch) +
            " right-hand sides at once (batch); they are possible with the kernel lgf2 or along an axis with widths "
            "and order 2, but with a shift not at odd ends of nodes; solve for one right-hand side at a time");
  }

  // Passes end values that are added to modes to the line systems or waves; ends not given are 0. Collective.
  void take_ends(const std::vector<EndValues<Real>>& ends) {
    own_symbol.addition = ends.empty() ? nullptr : waves.get();
    if (systems != nullptr) systems->take_ends(nullptr);
    if (ends.empty()) return;
    for (int axis = 0; axis < static_cast<int>(domain.size()); axis++) {
      const EndModes<Real>* modes = modes_of(axis, ends);
      if (axis == solved_axis(domain)) systems->take_ends(modes);
      if (waves != nullptr) comm.together([&] { waves->take_ends(axis, modes); });
    }
  }

  // The modes of the values given at the ends of an axis; null if none are. Collective.
  EndModes<Real>* modes_of(int axis, const std::vector<EndValues<Real>>& ends) {
    std::array<const Real*, 2> values{};
    bool some = false;
    for (const EndValues<Real>& given : ends) {
      if (given.axis != axis) continue;
      values[given.side == Side::left ? 0 : 1] = given.values;
      some = true;
    }
    if (!some) return nullptr;
    auto& modes = end_modes[static_cast<std::size_t>(axis)];
    if (modes == nullptr)
      modes = std::make_unique<EndModes<Real>>(comm, pipeline.schedule(), input, domain, axis, options);
    modes->take(values);
    return modes.get();
  }

  // The end values at the points of the solution, which a shift displaces. Collective.
  std::vector<EndValues<Real>> at_displaced_points(std::vector<EndValues<Real>> ends) {
    if (!is_shifted(domain)) return ends;
    const std::vector<EndValues<Real>> given = ends;
    for (EndValues<Real>& end : ends)
      if (has_points_on_end(domain[static_cast<std::size_t>(end.axis)], end.side))
        end.values = modes_of(end.axis, given)->displaced()[end.side == Side::left ? 0 : 1];
    return ends;
  }

  // Collective.
  void check_means(const LocalArray<Real>& rhs) const {
    const Box box = pipeline.physical_box();
    if (batch == 0) return require_zero_mean(comm, "rhs", domain, box, rhs);
    for (index_t i = 0; i < batch; i++)
      require_zero_mean(comm, "rhs [" + std::to_string(i) + "]", domain, without_batch(box),
                        LocalArray<Real>{rhs.data + i * rhs.strides[0], without_batch(rhs.strides)});
  }

  const DomainAxis& axis_at(int axis) const {
    const int axes = static_cast<int>(domain.size());
    require(axis >= 0 && axis < axes,
            "axis: " + std::to_string(axis) + " is not an axis of the problem; give 0 to " + std::to_string(axes - 1));
    return domain[static_cast<std::size_t>(axis)];
  }

  // The number of axes of arrays before the axes of the problem.
  int batch_axes() const { return batch > 0 ? 1 : 0; }

  double start;
  Comm comm;
  std::string kernel_name;
  bool in_place = false;
  double power = 1;
  index_t batch = 0;
  PlanOptions options;
  std::vector<DomainAxis> domain;
  std::vector<std::string> notes;
  bool checks_mean = false;
  ScheduleInput input;         // of one right-hand side
  std::string tuning_summary;  // written while the pipeline is made
  Pipeline<Real> pipeline;
  std::unique_ptr<GreenSymbol<Real>> green;                  // null if an axis is solved along
  std::unique_ptr<LineSystems<Real>> systems;                // null if no axis is solved along
  LineSymbol<Real> own_symbol;                               // the symbol of either, with an axis for the batch
  std::unique_ptr<WaveEnds<Real>> waves;                     // null if the kernel's waves are not exact at ends
  std::array<std::unique_ptr<EndModes<Real>>, 3> end_modes;  // per axis, made when values are first given at its ends
  Buffer<Real> copy;                                         // of without_ends(), made when first needed
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
index_t Poisson<Real>::batch() const {
  return state_->batch;
}

template <class Real>
std::vector<double> Poisson<Real>::points(int axis) const {
  const std::vector<double> all = coordinates(state_->axis_at(axis));
  const Range range = box()[axis + state_->batch_axes()];
  return {all.begin() + range.lo, all.begin() + range.hi};
}

template <class Real>
std::vector<double> Poisson<Real>::weights(int axis) const {
  return mean_weights(state_->axis_at(axis), box()[axis + state_->batch_axes()]);
}

template <class Real>
std::vector<double> Poisson<Real>::cell_weights() const {
  const int axis = solved_axis(state_->domain);
  return axis < 0 ? std::vector<double>{} : solved_weights(state_->domain[static_cast<std::size_t>(axis)]);
}

template <class Real>
void Poisson<Real>::solve(const Real* rhs, Real* solution) {
  state_->require_place(false);
  state_->take_ends({});
  state_->solve(rhs, solution, Looked::not_yet);
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
void Poisson<Real>::solve(const Real* rhs, Real* solution, const std::vector<EndValues<Real>>& ends) {
  State& state = *state_;
  state.require_place(false);
  state.comm.together([&] {
    require(ends.empty() || state.power == 1,
            "ends: given for a power of the Laplacian, which takes no values at ends; leave power = 1");
  });
  check_ends(state.comm, state.domain, state.kernel_name, box(), ends);
  state.comm.together([&] { state.check_ends_of_batch(ends); });
  std::vector<EndValues<Real>> of_modes, of_points;
  for (const EndValues<Real>& given : ends) (state.meets_modes(given) ? of_modes : of_points).push_back(given);
  if (state.checks_mean) state.check(rhs, state.without_ends(rhs, ends));
  const EndSource<Real> source(state.domain, box(), state.pipeline.schedule().axes, of_points);
  state.take_ends(of_modes);
  state.solve(rhs, solution, state.checks_mean ? Looked::before : Looked::not_yet,
              source.is_empty() ? nullptr : &source);
  put_ends_in(state.domain, box(), state.at_displaced_points(ends), solution);
}

template <class Real>
SolverField<Real> Poisson<Real>::in_place_field() {
  state_->require_place(true);
  const auto memory = state_->pipeline.make_memory();
  const LocalArray<Real> points = memory->physical();
  return {{box(), places(), points.data, points.strides}, memory};
}
template <class Real>
void Poisson<Real>::solve(const SolverField<Real>& field) {
  State& state = *state_;
  state.require_place(true);
  state.comm.together([&] {
    require(field.memory->fits(state.pipeline.schedule(), state.pipeline.shares_memory(), state.comm.rank()),
            "field: it belongs to a solver of another problem or distribution; make one with in_place_field()");
  });
  state.take_ends({});
  state.check(field.memory->physical(), field.memory->physical());
  state.pipeline.convolve(*field.memory, state.symbol(), state.scale());
}

template <class Real>
std::string Poisson<Real>::explain() const {
  const State& state = *state_;
  std::string text = state.tuning_summary + state.pipeline.explain() + "  symbol    " + state.symbol_text() +
                     "; then all steps backward\n";
  if (state.comm.size() > 1) text += "  choice    " + to_text(state.choices()) + "\n";
  return wrapped(text + lines_of(state.notes));
}
template <class Real>
const std::vector<std::string>& Poisson<Real>::notes() const {
  return state_->notes;
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
  return state_->pipeline.workspace_bytes() + state_->symbol_bytes() + state_->ends_bytes();
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
