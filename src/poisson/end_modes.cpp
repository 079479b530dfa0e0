// Sends end values from the ranks that own the outermost points to a pipeline of two planes, and their modes on to the
// ranks that hold the lines.
#include "poisson/end_modes.hpp"

#include <algorithm>
#include <utility>

#include "exchange/block_copy.hpp"
#include "plan/arguments.hpp"
#include "poisson/shifted_modes.hpp"

namespace weft {

namespace {

ScheduleInput planes_input(const ScheduleInput& solver, int axis, int ranks) {
  ScheduleInput input;
  input.axes = solver.axes;
  input.axes[static_cast<std::size_t>(axis)] = whole_axis(Kind::none, 2, axis);
  std::copy_if(solver.order.begin(), solver.order.end(), std::back_inserter(input.order),
               [axis](int other) { return other != axis; });
  input.scheme = solver.scheme;
  input.node_ranks = solver.node_ranks;
  input.plane_reals = solver.plane_reals;
  input.grid = choose_grid(input, ranks);
  return input;
}

// Through the memory of a node unless the solver sends messages.
Strategy planes_strategy(const PlanOptions& solver) {
  const Strategy asked = solver.strategy;
  const bool shares = asked == Strategy::automatic || asked == Strategy::shared || asked == Strategy::hierarchical;
  return shares ? Strategy::automatic : Strategy::alltoallv;
}

PlanOptions planes_options(const PlanOptions& solver) {
  PlanOptions options;
  options.threads = solver.threads;
  options.engine = solver.engine;
  options.strategy = planes_strategy(solver);
  options.effort = Effort::estimate;
  return options;
}

// The planes, of the first and of the last point, that the owner of this box of the points has.
Box planes_of(Box points, int axis, index_t all) {
  const Range range = points[axis];
  points[axis] = {range.lo == 0 ? 0 : 1, range.hi == all ? 2 : 1};
  return points;
}

// One factor for each mode of a plane, in C order of the axes of `modes` without `axis`.
template <class Real>
std::vector<std::complex<Real>> turns_of(const std::vector<DomainAxis>& domain, const ScheduleInput& input, int axis,
                                         const Box& modes) {
  std::vector<std::complex<double>> turns{1.0};
  for (int a = 0; a < modes.dims(); a++) {
    if (a == axis) continue;
    const auto which = static_cast<std::size_t>(a);
    const auto along = displaced_waves(domain[which], input.axes[which], modes[a]);
    std::vector<std::complex<double>> product;
    for (const auto& slow : turns)
      for (const auto& fast : along) product.push_back(slow * fast);
    turns = std::move(product);
  }
  return {turns.begin(), turns.end()};
}

}  // namespace

template <class Real>
EndModes<Real>::EndModes(const Comm& comm, const Schedule& schedule, const ScheduleInput& input,
                         const std::vector<DomainAxis>& domain, int axis, const PlanOptions& options)
    : axis_(axis), width_(schedule.width_spectral), points_(schedule.physical.box(comm.rank())) {
  std::optional<Schedule> planes;
  Box lines;
  comm.together([&] {
    planes = make_schedule(planes_input(input, axis, comm.size()));
    owned_ = points_.empty() ? points_ : planes_of(points_, axis, schedule.physical.extents()[axis]);
    lines = schedule.spectral.box(comm.rank());
    if (!lines.empty()) lines[axis] = {0, 2};
    strides_ = c_strides(lines.extents());
  });
  RedistributionOptions moves;
  moves.strategy = planes_strategy(options);
  moves.threads = options.threads;
  pipeline_.emplace(comm, *planes, planes_options(options));
  const auto mode = sizeof(Real) * static_cast<std::size_t>(width_);
  to_pipeline_.emplace(comm, owned_, pipeline_->physical_box(), sizeof(Real), moves);
  to_lines_.emplace(comm, pipeline_->spectral_box(), lines, mode, moves);
  comm.together([&] {
    const auto reals = [](const Box& box, int width) { return static_cast<std::size_t>(box.size() * width); };
    given_.resize(reals(owned_, 1));
    planes_.resize(reals(pipeline_->physical_box(), 1));
    spectrum_.resize(reals(pipeline_->spectral_box(), width_));
    modes_.resize(reals(lines, width_));
    for (int a = 0; a < lines.dims(); a++)
      if (a != axis) normalisation_ *= norm_factor(domain[static_cast<std::size_t>(a)]);
    if (is_shifted(domain)) turns_ = turns_of<Real>(domain, input, axis, pipeline_->spectral_box());
  });
}

template <class Real>
template <class Work>
void EndModes<Real>::for_each_side(const Work& work) {
  index_t rows = 1, row = 1;
  for (int a = 0; a < points_.dims(); a++) (a < axis_ ? rows : row) *= a == axis_ ? 1 : points_[a].size();
  const Range sides = given_.empty() ? Range{} : owned_[axis_];
  const index_t bytes = sizeof(Real);
  for (index_t side = sides.lo; side < sides.hi; side++)
    work(static_cast<std::size_t>(side),
         ByteArray<char>{reinterpret_cast<char*>(given_.data() + (side - sides.lo) * row),
                         {sides.size() * row * bytes, bytes}},
         Extents{rows, row});
}

template <class Real>
void EndModes<Real>::take(const std::array<const Real*, 2>& values) {
  for_each_side([&](std::size_t side, const ByteArray<char>& mine, const Extents& rows) {
    static constexpr Real zero = 0;
    const Real* given = values[side];
    const index_t bytes = sizeof(Real);
    const ByteArray<const char> from{reinterpret_cast<const char*>(given == nullptr ? &zero : given),
                                     given == nullptr ? Extents{0, 0} : Extents{rows[1] * bytes, bytes}};
    copy_block(from, mine, rows, bytes, {});
  });
  to_pipeline_->forward(given_.data(), planes_.data());
  pipeline_->transform(Direction::forward, planes_.data(), spectrum_.data(), Real(1));
  if (!turns_.empty()) displace();
  to_lines_->forward(spectrum_.data(), modes_.data());
}

// Displaced waves are complex, so modes are complex, too.
template <class Real>
void EndModes<Real>::displace() {
  const Box box = pipeline_->spectral_box();
  auto* mode = reinterpret_cast<std::complex<Real>*>(spectrum_.data());
  index_t inner = 1;
  for (int a = axis_ + 1; a < box.dims(); a++) inner *= box[a].size();
  for (std::size_t first = 0; first < turns_.size(); first += static_cast<std::size_t>(inner))
    for (index_t end = 0; end < box[axis_].size(); end++)
      for (std::size_t i = 0; i < static_cast<std::size_t>(inner); i++) *mode++ *= turns_[first + i];
}

template <class Real>
std::array<const Real*, 2> EndModes<Real>::displaced() {
  pipeline_->transform(Direction::backward, spectrum_.data(), planes_.data(), static_cast<Real>(normalisation_));
  to_pipeline_->backward(planes_.data(), given_.data());
  for (auto& values : displaced_) values.resize(given_.size());
  for_each_side([&](std::size_t side, const ByteArray<char>& mine, const Extents& rows) {
    const index_t bytes = sizeof(Real);
    copy_block({mine.data, mine.strides}, {reinterpret_cast<char*>(displaced_[side].data()), {rows[1] * bytes, bytes}},
               rows, bytes, {});
  });
  return {displaced_[0].data(), displaced_[1].data()};
}

template <class Real>
index_t EndModes<Real>::bytes() const {
  std::size_t reals = 0;
  for (const auto* list : {&given_, &planes_, &spectrum_, &modes_, &displaced_[0], &displaced_[1]})
    reals += list->size();
  reals += 2 * turns_.size();
  return static_cast<index_t>(reals * sizeof(Real)) + pipeline_->workspace_bytes() + to_pipeline_->workspace_bytes() +
         to_lines_->workspace_bytes();
}

template <class Real>
index_t EndModes<Real>::place(int right, const Extents& index) const {
  index_t found = right * strides_[axis_];
  for (int a = 0; a < index.dims(); a++) found += a == axis_ ? 0 : index[a] * strides_[a];
  return found;
}

template <class Real>
const Real* EndModes<Real>::at(int right, const Extents& index) const {
  return modes_.data() + place(right, index) * width_;
}

template class EndModes<double>;
template class EndModes<float>;

}  // namespace weft
