// Makes the exchanges and workspaces of a schedule and runs it in both directions.
#include "plan/pipeline.hpp"

#include <sched.h>

#include <cstdlib>
#include <thread>
#include <utility>

namespace weft {

namespace {

// The text of the lowest rank that has one, on every rank.
std::string first_text(const Comm& comm, const std::string& text) {
  const index_t lowest = -comm.max(text.empty() ? -index_t{comm.size()} : -index_t{comm.rank()});
  return lowest == comm.size() ? std::string() : comm.broadcast(text, static_cast<int>(lowest));
}

std::string megabytes(index_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB"; }

}  // namespace

int default_threads(const Comm& comm, int asked) {
  if (asked > 0) return asked;
  cpu_set_t mine;
  CPU_ZERO(&mine);
  const bool known = sched_getaffinity(0, sizeof(mine), &mine) == 0;
  const int usable = known ? CPU_COUNT(&mine) : 1;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int share = std::max(cores, usable) / comm.node().size();
  int threads = std::max(1, std::min(usable, share));
  if (const char* limit = std::getenv("OMP_NUM_THREADS")) {
    const int value = std::atoi(limit);
    if (value > 0) threads = std::min(threads, value);
  }
  return threads;
}

template <class Real>
Pipeline<Real>::Pipeline(const Comm& comm, Schedule schedule, const PlanOptions& options)
    : comm_(comm), schedule_(std::move(schedule)), threads_(default_threads(comm, options.threads)) {
  for (const PassPlan& pass : schedule_.passes) passes_.emplace_back(comm, schedule_, pass, comm.rank(), options);
  if (options.in_place) {
    check_in_place(schedule_);
    shares_memory_ = comm.size() == 1 || may_share(comm, in_place_bytes<Real>(comm, schedule_, true), options);
    notes_.clear();  // the exchanges will say the same
  }
  if (!shares_memory_) make_exchanges(options);
  make_workspaces();
  times_.passes.assign(passes_.size(), 0);
  times_.exchanges.assign(schedule_.exchanges.size(), 0);
}

template <class Real>
void Pipeline<Real>::make_exchanges(const PlanOptions& options) {
  for (const ExchangePlan& plan : schedule_.exchanges) exchanges_.push_back(make_exchange(plan, options));
}

template <class Real>
std::unique_ptr<Exchange<Real>> Pipeline<Real>::make_exchange(const ExchangePlan& plan, const PlanOptions& options) {
  const int rank = comm_.rank();
  if (plan.process_axis < 0 || plan.near.grid()[plan.process_axis] == 1) {
    notes_.emplace_back();
    return together([&] {
      return make_local_station<Real>(plan.near.box(rank).extents(), plan.near_axis, plan.far_axis, plan.width);
    });
  }
  const ProcessGrid& grid = plan.near.grid();
  const Comm line = comm_.split("grid " + to_string(grid) + " axis " + std::to_string(plan.process_axis),
                                grid.line(rank, plan.process_axis), grid.coordinate(rank, plan.process_axis));
  if (may_share(line, shared_window_bytes<Real>(plan, rank), options))
    return make_shared_window<Real>(line, plan, rank);
  return together([&] { return make_alltoallv<Real>(line, plan, rank, options.message_limit); });
}

// Memory may run out on one rank alone.
template <class Real>
template <class Make>
std::unique_ptr<Exchange<Real>> Pipeline<Real>::together(const Make& make) const {
  std::unique_ptr<Exchange<Real>> made;
  comm_.together([&] { made = make(); });
  return made;
}

// Whether `ranks` meet in the memory of their node; notes why not. Collective; the answer is the same everywhere.
template <class Real>
bool Pipeline<Real>::may_share(const Comm& ranks, index_t my_bytes, const PlanOptions& options) {
  notes_.emplace_back();
  if (options.strategy == Strategy::alltoallv) return false;
  const std::string refusal = first_text(comm_, shared_refusal(ranks, my_bytes, options));
  if (refusal.empty()) return true;
  if (options.strategy == Strategy::shared)
    throw Error(Fault::resource,
                "strategy: 'shared' is not possible here: " + refusal + "; use 'alltoallv', or 'auto', which picks it");
  notes_.back() = "not shared: " + refusal;
  return false;
}

template <class Real>
std::string Pipeline<Real>::shared_refusal(const Comm& ranks, index_t my_bytes, const PlanOptions& options) const {
  const Comm node = comm_.node();
  // The memory shared before already shows in what is free, but not in a limit.
  if (options.shared_memory_limit >= 0)
    for (const auto& made : exchanges_) my_bytes += made->name() == "shared" ? made->workspace_bytes() : 0;
  const index_t needed = node.sum(my_bytes);
  const index_t room = options.shared_memory_limit >= 0 ? options.shared_memory_limit : free_shared_memory();
  if (ranks.node().size() != ranks.size())
    return "the " + std::to_string(ranks.size()) + " ranks of an exchange do not share a node";
  if (needed > room)
    return "the node's ranks need " + megabytes(needed) + " of shared memory (/dev/shm), " + megabytes(room) +
           " may be used";
  return {};
}

template <class Real>
void Pipeline<Real>::make_workspaces() {
  index_t block = 0, points = 0, plane = 0;
  for (const FusedPass<Real>& pass : passes_) {
    block = std::max(block, pass.block_reals());
    points = std::max(points, pass.most_points());
    if (!shares_memory_) plane = std::max(plane, pass.plane_reals());
  }
  comm_.together([&] {
    for (int thread = 0; thread < threads_; thread++)
      workspaces_.push_back({PassWorkspace<Real>(block, points), Buffer<Real>(plane)});
  });
}

template <class Real>
std::shared_ptr<const InPlaceMemory<Real>> Pipeline<Real>::make_memory() const {
  const Comm alone = comm_.split("rank by rank", comm_.rank(), 0);
  if (shares_memory_) return std::make_shared<const InPlaceMemory<Real>>(comm_, comm_, schedule_);
  std::shared_ptr<const InPlaceMemory<Real>> made;
  comm_.together([&] { made = std::make_shared<const InPlaceMemory<Real>>(comm_, alone, schedule_); });
  return made;
}

// --- what passes work on -----------------------------------------------------------------------------------------

template <class Real>
LocalArray<Real> Pipeline<Real>::user_array(const Real* data, Direction side) const {
  const bool physical = side == Direction::forward;
  const Layout& layout = physical ? schedule_.physical : schedule_.spectral;
  const int width = physical ? schedule_.width_physical : schedule_.width_spectral;
  // Views serve loads and stores alike; what comes in as const is only ever loaded from.
  return {const_cast<Real*>(data), real_strides(layout.box(comm_.rank()).extents(), width)};  // NOLINT
}

template <class Real>
SegmentedView<Real> Pipeline<Real>::view(const LocalArray<Real>& array, const Layout& layout, int width,
                                         int axis) const {
  return whole_view(array.data, layout.box(comm_.rank()).extents(), array.strides, width, axis);
}

template <class Real>
typename Pipeline<Real>::Sides Pipeline<Real>::sides(const LocalArray<Real>& physical,
                                                     const LocalArray<Real>& spectral) const {
  Sides sides;
  sides.before.push_back(view(physical, schedule_.physical, schedule_.width_physical, passes_.front().first_axis()));
  for (const auto& exchange : exchanges_) {
    sides.after.push_back(exchange->near());
    sides.before.push_back(exchange->far());
  }
  sides.after.push_back(view(spectral, schedule_.spectral, schedule_.width_spectral, last_axis()));
  for (auto* views : {&sides.before, &sides.after})
    for (std::size_t i = 0; i < passes_.size(); i++) (*views)[i].stream = passes_[i].bytes() > stream_from_bytes;
  return sides;
}

template <class Real>
typename Pipeline<Real>::Sides Pipeline<Real>::sides(const InPlaceMemory<Real>& memory) const {
  if (!shares_memory_) return sides(memory.physical(), memory.spectral());
  Sides sides;
  for (const FusedPass<Real>& pass : passes_) {
    const PassPlan& plan = pass.plan();
    const auto side = [&](const Layout& layout, int width, int axis) {
      return view(memory.at(layout, width), layout, width, axis);
    };
    sides.before.push_back(side(plan.before, plan.width_before, pass.first_axis()));
    sides.after.push_back(side(plan.after, plan.width_after, pass.last_axis()));
  }
  sides.memory = &memory;
  return sides;
}

// --- running -----------------------------------------------------------------------------------------------------

// In the direction given, pass i goes from one side of `in` to the other side of `out`.
template <class Real>
void Pipeline<Real>::run_pass(Direction direction, std::size_t pass, const Sides& in, const Sides& out, Real scale) {
  const double start = MPI_Wtime();
  const bool forward = direction == Direction::forward;
  typename FusedPass<Real>::Places places{forward ? in.before[pass] : in.after[pass],
                                          forward ? out.after[pass] : out.before[pass]};
  if (in.memory != nullptr) {
    const PassPlan& plan = passes_[pass].plan();
    places.middle = in.memory->at(plan.before, plan.width_before);
  }
  passes_[pass].run(direction, places, scale, workspaces_);
  times_.passes[pass] = MPI_Wtime() - start;
}

template <class Real>
void Pipeline<Real>::move(Direction direction, std::size_t exchange, const Sides& sides) {
  const double start = MPI_Wtime();
  if (sides.memory == nullptr) {
    exchanges_[exchange]->move(direction);
  } else if (schedule_.exchanges[exchange].process_axis >= 0) {
    sides.memory->synchronise();
  }
  times_.exchanges[exchange] = MPI_Wtime() - start;
}

template <class Real>
void Pipeline<Real>::transform(Direction direction, const Sides& sides, Real scale) {
  const bool forward = direction == Direction::forward;
  const std::size_t last = passes_.size() - 1;
  for (std::size_t step = 0; step <= last; step++) {
    const std::size_t pass = forward ? step : last - step, exchange = forward ? pass : pass - 1;
    if (step < last && sides.memory == nullptr) exchanges_[exchange]->open(direction);
    run_pass(direction, pass, sides, sides, step == last ? scale : Real(1));
    if (step < last) move(direction, exchange, sides);
  }
}

template <class Real>
void Pipeline<Real>::convolve(const Sides& in, const Sides& out, const LineSymbol<Real>& symbol, Real scale) {
  const std::size_t last = passes_.size() - 1;
  for (std::size_t i = 0; i < last; i++) {
    if (in.memory == nullptr) exchanges_[i]->open(Direction::forward);
    run_pass(Direction::forward, i, in, in, Real(1));
    move(Direction::forward, i, in);
  }
  if (last > 0 && in.memory == nullptr) exchanges_[last - 1]->open(Direction::backward);
  const double start = MPI_Wtime();
  const PassPlan& plan = passes_[last].plan();
  const auto middle = in.memory == nullptr ? LocalArray<Real>{} : in.memory->at(plan.before, plan.width_before);
  typename FusedPass<Real>::Places places{in.before[last], out.before[last], middle};
  if (last > 0) places.to.stream = false;  // what is stored to has just been loaded from
  passes_[last].convolve(symbol, places, scale, workspaces_);
  times_.passes[last] = MPI_Wtime() - start;
  for (std::size_t i = last; i > 0; i--) {
    move(Direction::backward, i - 1, out);
    if (i > 1 && out.memory == nullptr) exchanges_[i - 2]->open(Direction::backward);
    run_pass(Direction::backward, i - 1, out, out, Real(1));
  }
}

template <class Real>
void Pipeline<Real>::transform(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out,
                               Real scale) {
  const bool forward = direction == Direction::forward;
  transform(direction, sides(forward ? in : out, forward ? out : in), scale);
}

template <class Real>
void Pipeline<Real>::transform(Direction direction, const Real* in, Real* out, Real scale) {
  const Direction other = direction == Direction::forward ? Direction::backward : Direction::forward;
  transform(direction, user_array(in, direction), user_array(out, other), scale);
}

template <class Real>
void Pipeline<Real>::convolve(const Real* in, Real* out, const LineSymbol<Real>& symbol, Real scale) {
  const LocalArray<Real> no_spectrum = user_array(nullptr, Direction::backward);
  convolve(sides(user_array(in, Direction::forward), no_spectrum),
           sides(user_array(out, Direction::forward), no_spectrum), symbol, scale);
}

template <class Real>
void Pipeline<Real>::transform(Direction direction, const InPlaceMemory<Real>& memory, Real scale) {
  transform(direction, sides(memory), scale);
}

template <class Real>
void Pipeline<Real>::convolve(const InPlaceMemory<Real>& memory, const LineSymbol<Real>& symbol, Real scale) {
  const Sides both = sides(memory);
  convolve(both, both, symbol, scale);
}

template class Pipeline<double>;
template class Pipeline<float>;

}  // namespace weft
