// The public Plan: turns arguments into a schedule and a pipeline.
#include "weft/plan.hpp"

#include "base/wrap.hpp"
#include "plan/plan_state.hpp"

namespace weft {

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
  return std::vector<Real>(static_cast<std::size_t>(state_->reals(Space::physical)));
}
template <class Real>
std::vector<Real> Plan<Real>::spectral_field() const {
  return std::vector<Real>(static_cast<std::size_t>(state_->reals(Space::spectral)));
}

template <class Real>
void Plan<Real>::forward(const Real* in, Real* out) {
  state_->transform(Direction::forward, state_->array(in, Space::physical), state_->array(out, Space::spectral), false);
}
template <class Real>
void Plan<Real>::backward(const Real* in, Real* out) {
  state_->transform(Direction::backward, state_->array(in, Space::spectral), state_->array(out, Space::physical),
                    false);
}
template <class Real>
void Plan<Real>::forward(const Real* in, const Extents& in_strides, Real* out, const Extents& out_strides) {
  state_->transform(Direction::forward, state_->array(in, Space::physical, in_strides),
                    state_->array(out, Space::spectral, out_strides), true);
}
template <class Real>
void Plan<Real>::backward(const Real* in, const Extents& in_strides, Real* out, const Extents& out_strides) {
  state_->transform(Direction::backward, state_->array(in, Space::spectral, in_strides),
                    state_->array(out, Space::physical, out_strides), true);
}
template <class Real>
Extents Plan<Real>::padded(const Extents& extents, bool is_complex_array) {
  const int width = is_complex_array ? 2 : 1;
  Extents strides = user_strides<Real>(extents, width);
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
    const Box& wanted = physical ? state_->pipeline.physical_box() : state_->pipeline.spectral_box();
    const bool wanted_complex = physical ? physical_complex() : spectral_complex();
    require(box == wanted && is_complex_view == wanted_complex, [&] {
      return std::string(name) + ": the view has " + to_string(box.extents()) +
             (is_complex_view ? " complex" : " real") + " elements, the plan needs " + to_string(wanted.extents()) +
             (wanted_complex ? " complex" : " real");
    });
  };
  state_->comm.together([&] {
    check("in", in, in_complex, direction == Direction::forward);
    check("out", out, out_complex, direction == Direction::backward);
  });
}
template <class Real>
void Plan<Real>::check_size(const char* name, std::size_t given, Direction side) const {
  const index_t wanted = state_->reals(space_before(side));
  require(static_cast<index_t>(given) == wanted, [&] {
    return std::string(name) + ": the local array has " + std::to_string(given) + " reals, the plan needs " +
           std::to_string(wanted);
  });
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
  const index_t modes = state_->pipeline.spectral_box().size();
  state_->comm.together([&] {
    require(static_cast<index_t>(symbol) == modes, [&] {
      return "symbol: it has " + std::to_string(symbol) + " factors, this rank has " + std::to_string(modes) + " modes";
    });
  });
}

template <class Real>
void Plan<Real>::apply(const Real* in, Real* out, const Symbol& symbol) {
  state_->require_place(false);
  const LineSymbol<Real> factors = state_->line_symbol(symbol);
  state_->pipeline.convolve(in, out, factors, state_->scale(Direction::forward) * state_->scale(Direction::backward));
}

template <class Real>
void Plan<Real>::convolve(const Real* a, const Real* b, Real* out) {
  state_->multiply(Product::convolution, a, b, out);
}
template <class Real>
void Plan<Real>::correlate(const Real* a, const Real* b, Real* out) {
  state_->multiply(Product::correlation, a, b, out);
}
template <class Real>
void Plan<Real>::convolve(const Real* a, const Real* b, Real* out, const Extents& origin) {
  state_->multiply(Product::convolution, a, b, out, origin);
}
template <class Real>
void Plan<Real>::correlate(const Real* a, const Real* b, Real* out, const Extents& origin) {
  state_->multiply(Product::correlation, a, b, out, origin);
}
template <class Real>
void Plan<Real>::product(const Real* a, const Real* b, Real* out) {
  state_->multiply_modes(a, b, out);
}
template <class Real>
void Plan<Real>::check_three(Direction side, std::size_t a, std::size_t b, std::size_t out) const {
  state_->comm.together([&] {
    check_size("a", a, side);
    check_size("b", b, side);
    check_size("out", out, side);
  });
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
    if (!memory.fits(state_->pipeline.schedule(), state_->pipeline.shares_memory(), state_->comm.rank()))
      throw Error(Fault::argument,
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
  return state_->along(Space::spectral, axis, mode_number);
}
template <class Real>
std::vector<double> Plan<Real>::weights(int axis) const {
  return state_->along(Space::spectral, axis, mode_weight);
}
template <class Real>
std::vector<double> Plan<Real>::coordinates(int axis) const {
  return state_->along(Space::physical, axis, coordinate);
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
  return wrapped(state_->pipeline.explain() + state_->tuning_summary);
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
  result.reserve(static_cast<std::size_t>(ranks.dims()));
  for (int axis = 0; axis < ranks.dims(); axis++) result.push_back(ranks[axis]);
  return result;
}
template <class Real>
int Plan<Real>::chunks() const {
  return state_->pipeline.chunks();
}
template <class Real>
index_t Plan<Real>::workspace_bytes() const {
  return state_->workspace_bytes();
}
template <class Real>
index_t Plan<Real>::bytes_sent() const {
  return state_->pipeline.bytes_sent();
}

template class Plan<float>;
template class Plan<double>;

}  // namespace weft
