// Makes the exchanges and workspaces of a schedule and runs it in both directions.
#include "plan/pipeline.hpp"

#include <sched.h>
#include <sys/statvfs.h>

#include <cstdio>
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

index_t free_shared_memory() {
  struct statvfs info {};
  if (statvfs("/dev/shm", &info) != 0) return 0;
  return static_cast<index_t>(info.f_bavail) * static_cast<index_t>(info.f_frsize);
}

// Passes over more memory than this store past the cache: what they store would not be there any more when it is read.
constexpr double stream_from_bytes = 16 << 20;

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
  make_exchanges(options);
  make_workspaces();
  times_.passes.assign(passes_.size(), 0);
  times_.exchanges.assign(exchanges_.size(), 0);
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
  if (options.strategy != Strategy::alltoallv) {
    const std::string refusal = first_text(comm_, shared_refusal(line, plan, options));
    if (refusal.empty()) {
      notes_.emplace_back();
      return make_shared_window<Real>(line, plan, rank);
    }
    if (options.strategy == Strategy::shared)
      throw Error(Fault::resource, "strategy: 'shared' is not possible here: " + refusal +
                                       "; use 'alltoallv', or 'auto', which picks it");
    notes_.push_back("not shared: " + refusal);
  } else {
    notes_.emplace_back();
  }
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

template <class Real>
std::string Pipeline<Real>::shared_refusal(const Comm& line, const ExchangePlan& plan,
                                           const PlanOptions& options) const {
  const Comm node = comm_.node();
  index_t mine = shared_window_bytes<Real>(plan, comm_.rank());
  // The windows made before already show in what is free, but not in a limit.
  if (options.shared_memory_limit >= 0)
    for (const auto& made : exchanges_) mine += made->name() == "shared" ? made->workspace_bytes() : 0;
  const index_t needed = node.sum(mine);
  const index_t room = options.shared_memory_limit >= 0 ? options.shared_memory_limit : free_shared_memory();
  if (line.node().size() != line.size())
    return "the " + std::to_string(line.size()) + " ranks of an exchange do not share a node";
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
    plane = std::max(plane, pass.plane_reals());
  }
  comm_.together([&] {
    for (int thread = 0; thread < threads_; thread++)
      workspaces_.push_back({PassWorkspace<Real>(block, points), Buffer<Real>(plane)});
  });
}

template <class Real>
SegmentedView<Real> Pipeline<Real>::user_view(const Real* data, const Layout& layout, int width, int axis) const {
  const Extents extents = layout.box(comm_.rank()).extents();
  // Views serve loads and stores alike; what comes in as const is only ever loaded from.
  return whole_view(const_cast<Real*>(data), extents, real_strides(extents, width), width, axis);  // NOLINT
}

template <class Real>
void Pipeline<Real>::run_pass(Direction direction, std::size_t pass, const SegmentedView<Real>& from,
                              const SegmentedView<Real>& to, Real scale) {
  const double start = MPI_Wtime();
  SegmentedView<Real> target = to;
  target.stream = passes_[pass].bytes() > stream_from_bytes;
  passes_[pass].run(direction, from, target, scale, workspaces_);
  times_.passes[pass] = MPI_Wtime() - start;
}

template <class Real>
void Pipeline<Real>::move(Direction direction, std::size_t exchange) {
  const double start = MPI_Wtime();
  exchanges_[exchange]->move(direction);
  times_.exchanges[exchange] = MPI_Wtime() - start;
}

template <class Real>
void Pipeline<Real>::forward(const Real* in, Real* out, Real scale) {
  const std::size_t last = passes_.size() - 1;
  SegmentedView<Real> from = user_view(in, schedule_.physical, schedule_.width_physical, passes_[0].first_axis());
  for (std::size_t i = 0; i < last; i++) {
    exchanges_[i]->open(Direction::forward);
    run_pass(Direction::forward, i, from, exchanges_[i]->near(), Real(1));
    move(Direction::forward, i);
    from = exchanges_[i]->far();
  }
  run_pass(Direction::forward, last, from,
           user_view(out, schedule_.spectral, schedule_.width_spectral, passes_[last].last_axis()), scale);
}

template <class Real>
void Pipeline<Real>::backward(const Real* in, Real* out, Real scale) {
  const std::size_t last = passes_.size() - 1;
  SegmentedView<Real> from = user_view(in, schedule_.spectral, schedule_.width_spectral, passes_[last].last_axis());
  for (std::size_t i = last; i > 0; i--) {
    exchanges_[i - 1]->open(Direction::backward);
    run_pass(Direction::backward, i, from, exchanges_[i - 1]->far(), Real(1));
    move(Direction::backward, i - 1);
    from = exchanges_[i - 1]->near();
  }
  run_pass(Direction::backward, 0, from,
           user_view(out, schedule_.physical, schedule_.width_physical, passes_[0].first_axis()), scale);
}

template <class Real>
void Pipeline<Real>::convolve(const Real* in, Real* out, const LineSymbol<Real>& symbol) {
  const std::size_t last = passes_.size() - 1;
  const int axis = passes_[0].first_axis();
  const SegmentedView<Real> source = user_view(in, schedule_.physical, schedule_.width_physical, axis);
  const SegmentedView<Real> target = user_view(out, schedule_.physical, schedule_.width_physical, axis);
  for (std::size_t i = 0; i < last; i++) {
    exchanges_[i]->open(Direction::forward);
    run_pass(Direction::forward, i, i == 0 ? source : exchanges_[i - 1]->far(), exchanges_[i]->near(), Real(1));
    move(Direction::forward, i);
  }
  const double start = MPI_Wtime();
  if (last == 0) {
    passes_[0].convolve(symbol, source, target, workspaces_);
  } else {
    exchanges_[last - 1]->open(Direction::backward);
    const SegmentedView<Real> place = exchanges_[last - 1]->far();
    passes_[last].convolve(symbol, place, place, workspaces_);
  }
  times_.passes[last] = MPI_Wtime() - start;
  for (std::size_t i = last; i > 0; i--) {
    move(Direction::backward, i - 1);
    if (i > 1) exchanges_[i - 2]->open(Direction::backward);
    run_pass(Direction::backward, i - 1, exchanges_[i - 1]->near(), i == 1 ? target : exchanges_[i - 2]->far(),
             Real(1));
  }
}

template <class Real>
std::string Pipeline<Real>::strategy() const {
  std::string text;
  for (const auto& exchange : exchanges_) {
    const std::string name = exchange->name();
    if (name != "none" && text.find(name) == std::string::npos) text += (text.empty() ? "" : "+") + name;
  }
  return text.empty() ? "none" : text;
}

template <class Real>
index_t Pipeline<Real>::workspace_bytes() const {
  index_t bytes = 0;
  for (const auto& exchange : exchanges_) bytes += exchange->workspace_bytes();
  for (const auto& w : workspaces_) bytes += w.blocks.bytes() + w.plane.bytes();
  return bytes;
}

template <class Real>
index_t Pipeline<Real>::bytes_sent() const {
  index_t bytes = 0;
  for (const auto& exchange : exchanges_) bytes += exchange->bytes_sent();
  return bytes;
}

namespace {

std::string number(const char* format, double value) {
  char text[64];
  (void)std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

template <class Real>
std::string Pipeline<Real>::explain() const {
  std::string text =
      "physical " + to_string(schedule_.physical) + (schedule_.width_physical == 2 ? ", complex" : ", real") +
      "\nspectral " + to_string(schedule_.spectral) + (schedule_.width_spectral == 2 ? ", complex" : ", real") + "\n" +
      std::to_string(comm_.size()) + " ranks, " + std::to_string(threads_) + " threads each, workspace " +
      megabytes(workspace_bytes()) + " on rank " + std::to_string(comm_.rank()) + "; per direction, on this rank:\n";
  for (std::size_t i = 0; i < passes_.size(); i++) {
    text += "  pass      " + passes_[i].describe() + "; " + number("%.1f MB of memory, ", passes_[i].bytes() * 1e-6) +
            number("%.1f Mflop", passes_[i].flops() * 1e-6);
    if (times_.passes[i] > 0) text += number(", last run %.3f ms", times_.passes[i] * 1e3);
    text += "\n";
    if (i + 1 == passes_.size()) break;
    const ExchangePlan& plan = schedule_.exchanges[i];
    text += "  exchange  " + exchanges_[i]->name() + ", axis " + std::to_string(plan.near_axis) + " <-> axis " +
            std::to_string(plan.far_axis) +
            number(", %.1f MB sent", static_cast<double>(exchanges_[i]->bytes_sent()) * 1e-6);
    if (!exchanges_[i]->detail().empty()) text += ", " + exchanges_[i]->detail();
    if (!notes_[i].empty()) text += " (" + notes_[i] + ")";
    if (times_.exchanges[i] > 0) text += number(", last run %.3f ms", times_.exchanges[i] * 1e3);
    text += "\n";
  }
  return text;
}

template class Pipeline<double>;
template class Pipeline<float>;

}  // namespace weft
