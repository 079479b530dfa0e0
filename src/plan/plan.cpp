// The public Plan: arguments to schedule to pipeline.
#include "weft/plan.hpp"

#include <algorithm>
#include <cmath>

#include "plan/arguments.hpp"
#include "plan/bordered_pipeline.hpp"
#include "plan/plan_shape.hpp"

namespace weft {

template <class Real>
struct Plan<Real>::State {
  State(MPI_Comm user, const Extents& shape, const std::vector<Kind>& given, const PlanBoxes& boxes,
        const PlanOptions& options)
      : comm(user),
        kinds(given),
        pipeline(make_pipeline(shape, boxes, options)),
        norm(options.norm),
        chunks(std::max(options.chunks, 1)),
        in_place(options.in_place) {
    for (int axis = 0; axis < shape.dims(); axis++)
      factor *= round_trip_factor(kinds[static_cast<std::size_t>(axis)], shape[axis]);
  }

  BorderedPipeline<Real> make_pipeline(const Extents& shape, const PlanBoxes& boxes, const PlanOptions& options) const {
    comm.require_same("shape", to_string(shape));
    comm.require_same("kinds", to_text(kinds));
    require_same_options(comm, options);
    Schedule schedule;
    comm.together([&] {
      check_shape(shape, kinds);
      check_options(options, ranks_of(options, comm.size()));
      check_boxes(options, boxes, comm.size());
      ScheduleInput input = schedule_input(shape, kinds, sizeof(Real));
      input.scheme = options.scheme;
      input.chunks = std::max(options.chunks, 1);
      if (!options.fuse) input.plane_reals = 0;
      input.grid = grid_for(input, options, ranks_of(options, comm.size()));
      schedule = make_schedule(input);
    });
    return {comm, std::move(schedule), options, boxes};
  }

  Real scale(Direction direction) const {
    if (norm == Norm::ortho) return static_cast<Real>(1 / std::sqrt(factor));
    const bool here = (norm == Norm::backward) == (direction == Direction::backward);
    return static_cast<Real>(here ? 1 / factor : 1);
  }

  // One value per local index of an axis.
  template <class Value>
  std::vector<double> along(const Box& box, const Layout& layout, int axis, const Value& value) const {
    require(axis >= 0 && axis < layout.dims(), "axis: " + std::to_string(axis) +
                                                   " is not an axis of the array; give 0 to " +
                                                   std::to_string(layout.dims() - 1));
    const index_t n = pipeline.schedule().physical.extents()[axis];
    std::vector<double> result;
    for (index_t i = box[axis].lo; i < box[axis].hi; i++)
      result.push_back(value(kinds[static_cast<std::size_t>(axis)], n, i));
    return result;
  }

  // The positions and weights of a field, from functions of the axis.
  template <class Positions, class Weights>
  std::shared_ptr<const AxisPlaces> places(const Positions& positions, const Weights& weights) const {
    AxisPlaces places;
    for (int axis = 0; axis < pipeline.schedule().physical.dims(); axis++) {
      places.positions.push_back(positions(axis));
      places.weights.push_back(weights(axis));
    }
    return std::make_shared<const AxisPlaces>(std::move(places));
  }

  void transform(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out) {
    require_place(false);
    pipeline.transform(direction, in, out, scale(direction));
  }
  // A user's array on the physical (forward) or the spectral side; without strides it is contiguous.
  LocalArray<Real> array(const Real* data, Direction side, Extents strides = {}) const {
    if (strides.dims() == 0) return pipeline.user_array(data, side);
    const Schedule& schedule = pipeline.schedule();
    const int width = side == Direction::forward ? schedule.width_physical : schedule.width_spectral;
    for (index_t& stride : strides) stride *= width;
    LocalArray<Real> result = pipeline.user_array(data, side);
    result.strides = strides;
    return result;
  }

  // Collective.
  void check_strides(const Extents& in, const Extents& out) const {
    const int axes = pipeline.schedule().physical.dims();
    const auto check = [axes](const char* name, const Extents& strides) {
      require(strides.dims() == axes, std::string(name) + ": " + std::to_string(strides.dims()) + " strides for " +
                                          std::to_string(axes) + " axes; give one per axis");
    };
    comm.together([&] {
      check("in_strides", in);
      check("out_strides", out);
    });
  }

  void require_place(bool wanted) const {
    require(in_place == wanted, wanted ? "in_place: this plan works out of place; make it with PlanOptions::in_place"
                                       : "in_place: this plan works in place; give it a field of in_place_field()");
  }

  // The symbol as what passes read: a table of offsets per axis.
  LineSymbol<Real> line_symbol(const Symbol& symbol) {
    const Extents modes = pipeline.spectral_box().extents(), inner = pipeline.inner_modes();
    comm.together([&] {
      require(!symbol.is_complex || pipeline.schedule().width_spectral == 2,
              "symbol: its factors are complex, but the modes of this plan are real; give real factors");
      require(symbol.strides.dims() == modes.dims(), "symbol: " + std::to_string(symbol.strides.dims()) +
                                                         " strides for " + std::to_string(modes.dims()) + " axes");
      require(symbol.data != nullptr || modes.product() == 0, "symbol: its data are a null pointer");
    });
    const int width = symbol.is_complex ? 2 : 1;
    Extents steps = symbol.strides;
    for (index_t& step : steps) step *= width;
    const LocalArray<const Real> factors = pipeline.inner_factors(symbol.data, steps, width);
    LineSymbol<Real> result{factors.data, {}, width, 0};
    for (int axis = 0; axis < inner.dims(); axis++) {
      const index_t step = factors.strides[axis];
      std::vector<index_t>& offsets = result.offsets.emplace_back();
      for (index_t i = 0; i < inner[axis]; i++) offsets.push_back(i * step);
      if (axis == pipeline.last_axis()) result.step = step;
    }
    return result;
  }

  index_t reals(Direction side) const {
    const bool physical = side == Direction::forward;
    const Box box = physical ? pipeline.physical_box() : pipeline.spectral_box();
    return box.size() * (physical ? pipeline.schedule().width_physical : pipeline.schedule().width_spectral);
  }

  Comm comm;
  std::vector<Kind> kinds;
  BorderedPipeline<Real> pipeline;
  Norm norm;
  int chunks;
  bool in_place;
  double factor = 1;
};

template <class Real>
Plan<Real>::Plan(MPI_Comm comm, const Extents& shape, const std::vector<Kind>& kinds, const PlanOptions& options)
    : Plan(comm, shape, kinds, PlanBoxes{}, options) {}
template <class Real>
Plan<Real>::Plan(MPI_Comm comm, const Extents& shape, const std::vector<Kind>& kinds, const PlanBoxes& boxes,
                 const PlanOptions& options)
    : state_(std::make_unique<State>(comm, shape, kinds, boxes, options)) {}
template <class Real>
Plan<Real>::Plan(MPI_Comm comm, const Extents& shape, Kind kind, const PlanOptions& options)
    : Plan(comm, shape, one_for_all(shape, kind), options) {}
template <class Real>
Plan<Real>::~Plan() = default;
template <class Real>
Plan<Real>::Plan(Plan&&) noexcept = default;
template <class Real>
Plan<Real>& Plan<Real>::operator=(Plan&&) noexcept = default;

template <class Real>
const Layout& Plan<Real>::physical_layout() const {
  return state_->pipeline.physical_layout();
}
template <class Real>
const Layout& Plan<Real>::spectral_layout() const {
  return state_->pipeline.spectral_layout();
}
template <class Real>
Box Plan<Real>::physical_box() const {
  return state_->pipeline.physical_box();
}
template <class Real>
Box Plan<Real>::spectral_box() const {
  return state_->pipeline.spectral_box();
}
template <class Real>
bool Plan<Real>::physical_complex() const {
  return state_->pipeline.schedule().width_physical == 2;
}
template <class Real>
bool Plan<Real>::spectral_complex() const {
  return state_->pipeline.schedule().width_spectral == 2;
}
template <class Real>
std::vector<Real> Plan<Real>::physical_field() const {
  return std::vector<Real>(static_cast<std::size_t>(state_->reals(Direction::forward)));
}
template <class Real>
std::vector<Real> Plan<Real>::spectral_field() const {
  return std::vector<Real>(static_cast<std::size_t>(state_->reals(Direction::backward)));
}

template <class Real>
void Plan<Real>::forward(const Real* in, Real* out) {
  state_->transform(Direction::forward, state_->array(in, Direction::forward), state_->array(out, Direction::backward));
}
template <class Real>
void Plan<Real>::backward(const Real* in, Real* out) {
  state_->transform(Direction::backward, state_->array(in, Direction::backward),
                    state_->array(out, Direction::forward));
}
template <class Real>
void Plan<Real>::forward(const Real* in, const Extents& in_strides, Real* out, const Extents& out_strides) {
  state_->check_strides(in_strides, out_strides);
  state_->transform(Direction::forward, state_->array(in, Direction::forward, in_strides),
                    state_->array(out, Direction::backward, out_strides));
}
template <class Real>
void Plan<Real>::backward(const Real* in, const Extents& in_strides, Real* out, const Extents& out_strides) {
  state_->check_strides(in_strides, out_strides);
  state_->transform(Direction::backward, state_->array(in, Direction::backward, in_strides),
                    state_->array(out, Direction::forward, out_strides));
}
template <class Real>
Extents Plan<Real>::padded(const Extents& extents, bool is_complex_array) {
  const int width = is_complex_array ? 2 : 1;
  Extents strides = padded_strides<Real>(extents, width);
  for (index_t& stride : strides) stride /= width;
  return strides;
}
template <class Real>
index_t Plan<Real>::span(const Extents& extents, const Extents& strides) {
  return reals_spanned(extents, strides);
}
template <class Real>
void Plan<Real>::check_views(Direction direction, const Box& in, bool in_complex, const Box& out,
                             bool out_complex) const {
  const auto check = [&](const char* name, const Box& box, bool is_complex_view, bool physical) {
    const Box wanted = physical ? physical_box() : spectral_box();
    const bool wanted_complex = physical ? physical_complex() : spectral_complex();
    require(box == wanted && is_complex_view == wanted_complex,
            std::string(name) + ": the view has " + to_string(box.extents()) +
                (is_complex_view ? " complex" : " real") + " elements, the plan needs " + to_string(wanted.extents()) +
                (wanted_complex ? " complex" : " real"));
  };
  state_->comm.together([&] {
    check("in", in, in_complex, direction == Direction::forward);
    check("out", out, out_complex, direction == Direction::backward);
  });
}
template <class Real>
void Plan<Real>::check_size(const char* name, std::size_t given, Direction side) const {
  const index_t wanted = state_->reals(side);
  require(static_cast<index_t>(given) == wanted, std::string(name) + ": the local array has " + std::to_string(given) +
                                                     " reals, the plan needs " + std::to_string(wanted));
}
template <class Real>
void Plan<Real>::check_sizes(Direction direction, std::size_t in, std::size_t out) const {
  const bool forward = direction == Direction::forward;
  state_->comm.together([&] {
    check_size("in", in, forward ? Direction::forward : Direction::backward);
    check_size("out", out, forward ? Direction::backward : Direction::forward);
  });
}
template <class Real>
void Plan<Real>::check_apply(std::size_t in, std::size_t out, std::size_t symbol) const {
  check_factors(symbol);
  state_->comm.together([&] {
    check_size("in", in, Direction::forward);
    check_size("out", out, Direction::forward);
  });
}
template <class Real>
void Plan<Real>::check_factors(std::size_t symbol) const {
  const index_t modes = spectral_box().size();
  state_->comm.together([&] {
    require(static_cast<index_t>(symbol) == modes,
            "symbol: it has " + std::to_string(symbol) + " factors, this rank has " + std::to_string(modes) + " modes");
  });
}

template <class Real>
void Plan<Real>::apply(const Real* in, Real* out, const Symbol& symbol) {
  state_->require_place(false);
  const LineSymbol<Real> factors = state_->line_symbol(symbol);
  state_->pipeline.convolve(in, out, factors, state_->scale(Direction::forward) * state_->scale(Direction::backward));
}

// --- in place ----------------------------------------------------------------------------------------------------

template <class Real>
std::shared_ptr<const InPlaceMemory<Real>> Plan<Real>::make_memory() const {
  state_->require_place(true);
  return state_->pipeline.make_memory();
}
template <class Real>
typename Plan<Real>::Arrays Plan<Real>::arrays_in(const InPlaceMemory<Real>& memory) const {
  const LocalArray<Real> physical = memory.physical(), spectral = memory.spectral();
  const auto elements = [](const LocalArray<Real>& array, int width) {
    Extents strides = array.strides;
    for (index_t& stride : strides) stride /= width;
    return strides;
  };
  return {physical.data, spectral.data, elements(physical, physical_complex() ? 2 : 1),
          elements(spectral, spectral_complex() ? 2 : 1)};
}
template <class Real>
void Plan<Real>::check_memory(const InPlaceMemory<Real>& memory) const {
  state_->require_place(true);
  state_->comm.together([&] {
    require(memory.fits(state_->pipeline.schedule(), state_->pipeline.shares_memory(), state_->comm.rank()),
            "field: it belongs to a plan of another shape, kind or distribution; make one with in_place_field()");
  });
}
template <class Real>
void Plan<Real>::transform(Direction direction, const InPlaceMemory<Real>& memory) {
  check_memory(memory);
  state_->pipeline.transform(direction, memory, state_->scale(direction));
}
template <class Real>
void Plan<Real>::convolve(const InPlaceMemory<Real>& memory, const Symbol& symbol) {
  check_memory(memory);
  const LineSymbol<Real> factors = state_->line_symbol(symbol);
  state_->pipeline.convolve(memory, factors, state_->scale(Direction::forward) * state_->scale(Direction::backward));
}

// --- transforms of whole vectors ---------------------------------------------------------------------------------

template <class Real>
void Plan<Real>::forward(const std::vector<Real>& in, std::vector<Real>& out) {
  check_sizes(Direction::forward, in.size(), out.size());
  forward(in.data(), out.data());
}
template <class Real>
void Plan<Real>::backward(const std::vector<Real>& in, std::vector<Real>& out) {
  check_sizes(Direction::backward, in.size(), out.size());
  backward(in.data(), out.data());
}

template <class Real>
std::vector<double> Plan<Real>::wavenumbers(int axis) const {
  return state_->along(spectral_box(), spectral_layout(), axis, mode_number);
}
template <class Real>
std::vector<double> Plan<Real>::weights(int axis) const {
  return state_->along(spectral_box(), spectral_layout(), axis, mode_weight);
}
template <class Real>
std::vector<double> Plan<Real>::coordinates(int axis) const {
  return state_->along(physical_box(), physical_layout(), axis, coordinate);
}
template <class Real>
std::shared_ptr<const AxisPlaces> Plan<Real>::points() const {
  return state_->places([this](int axis) { return coordinates(axis); },
                        [this](int axis) { return std::vector<double>(coordinates(axis).size(), 1.0); });
}
template <class Real>
std::shared_ptr<const AxisPlaces> Plan<Real>::modes() const {
  return state_->places([this](int axis) { return wavenumbers(axis); }, [this](int axis) { return weights(axis); });
}
template <class Real>
std::string Plan<Real>::explain() const {
  return state_->pipeline.explain();
}
template <class Real>
std::string Plan<Real>::strategy() const {
  return state_->pipeline.strategy();
}
template <class Real>
int Plan<Real>::threads() const {
  return state_->pipeline.threads();
}
template <class Real>
std::vector<int> Plan<Real>::grid() const {
  const ProcessGrid& ranks = physical_layout().grid();
  std::vector<int> result;
  for (int axis = 0; axis < ranks.dims(); axis++) result.push_back(ranks[axis]);
  return result;
}
template <class Real>
int Plan<Real>::chunks() const {
  return state_->chunks;
}
template <class Real>
index_t Plan<Real>::workspace_bytes() const {
  return state_->pipeline.workspace_bytes();
}
template <class Real>
index_t Plan<Real>::bytes_sent() const {
  return state_->pipeline.bytes_sent();
}

template class Plan<float>;
template class Plan<double>;

}  // namespace weft
