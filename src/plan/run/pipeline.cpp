// Makes the exchanges and workspaces of a schedule and runs it in both directions.
#include "plan/run/pipeline.hpp"

#include <utility>

#include "exchange/exchange_seconds.hpp"
#include "exchange/message_limit.hpp"
#include "exchange/sharing.hpp"
#include "model/chosen_machine.hpp"
#include "plan/arguments.hpp"
#include "plan/pass/fused_pass.hpp"
#include "plan/run/workspaces.hpp"
#include "plan/tune/node_map.hpp"

namespace weft {

namespace {

// The text of the lowest rank that has one, broadcast to every rank.
std::string first_text(const Comm& comm, const std::string& text) {
  const index_t lowest = -comm.max(text.empty() ? -index_t{comm.size()} : -index_t{comm.rank()});
  return lowest == comm.size() ? std::string() : comm.broadcast(text, static_cast<int>(lowest));
}

}  // namespace

template <class Real>
Pipeline<Real>::Pipeline(const Comm& comm, Schedule schedule, const PlanOptions& options, const MakePass& make_pass)
    : comm_(comm),
      schedule_(std::move(schedule)),
      arena_(options.workspace),
      threads_(default_threads(comm, options.threads)) {
  const std::vector<index_t> near = node_within(comm, options.node_ranks).all_gather(comm.rank());
  near_ranks_.insert(near.begin(), near.end());
  comm.together([&] { check_line_memory(schedule_, lane_kernels<Real>().lanes * static_cast<int>(sizeof(Real))); });
  for (const PassPlan& pass : schedule_.passes)
    passes_.push_back(make_pass ? make_pass(schedule_, pass)
                                : std::make_unique<FusedPass<Real>>(comm, schedule_, pass, comm.rank(), options));
  if (options.in_place) {
    check_in_place(schedule_);
    const Sharing wanted{comm, in_place_bytes<Real>(comm, schedule_, true), true};
    const bool exchanges = options.strategy == Strategy::hierarchical;  // requested, even if one node holds all ranks
    shares_memory_ = comm.size() == 1 || (!exchanges && may_share(wanted, options));
    notes_.clear();  // the exchanges will give the same notes
  }
  if (!shares_memory_) make_exchanges(options);
  make_workspaces();
  comm_.together([&] {
    endpoints_ = {make_endpoints(Streaming::large), make_endpoints(Streaming::large)};
    for (const Space space : {Space::physical, Space::spectral})
      may_work_in_result_[static_cast<std::size_t>(space)] = may_work_in_result(space);
    if (may_work_in_result_ != std::array{false, false}) in_result_ = make_endpoints(Streaming::none);
    // Each side of an in-place memory that is not shared has strides of its own (takes_groups).
    if (!options.in_place || shares_memory_) groups_ = batch_groups();
    if (groups_.axis >= 0) of_groups_ = {make_endpoints(Streaming::ends), make_endpoints(Streaming::ends)};
  });
  times_.passes.assign(passes_.size(), 0);
  times_.exchanges.assign(schedule_.exchanges.size(), 0);
  const Strategy strategy = shares_memory_ ? Strategy::shared : options.strategy;
  predicted_ =
      predicted(schedule_, {node_map_of(comm, options), sizeof(Real), strategy, chunks(), {}}, chosen_machine(comm));
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
    return make_on_all_ranks([&] { return make_local_buffer<Real>(plan, rank, arena_); });
  }
  const ProcessGrid& grid = plan.near.grid();
  const Comm line = comm_.split("grid " + to_string(grid) + " axis " + std::to_string(plan.process_axis),
                                grid.line(rank, plan.process_axis), grid.coordinate(rank, plan.process_axis));
  ExchangeOptions chosen{options.strategy,
                         options.between_nodes,
                         options.wire,
                         options.send_batch,
                         options.max_pending,
                         message_limit(options.message_limit),
                         arena_};
  const bool automatic = options.strategy == Strategy::automatic;
  if (automatic) chosen.strategy = Strategy::shared;
  const Sharing wanted{line, shared_bytes<Real>(plan, rank, chosen.strategy), chosen.strategy == Strategy::shared};
  if (!may_share(wanted, options)) chosen.strategy = automatic ? Strategy::alltoallv : options.strategy;
  const bool shares = chosen.strategy == Strategy::shared || chosen.strategy == Strategy::hierarchical;
  const Comm node = shares ? node_of(line, options) : line;
  return make_on_all_ranks([&] { return weft::make_exchange<Real>(line, node, plan, rank, chosen); });
}

// Memory may run out on a single rank, or on the ranks of one line.
template <class Real>
template <class Make>
std::unique_ptr<Exchange<Real>> Pipeline<Real>::make_on_all_ranks(const Make& make) const {
  std::unique_ptr<Exchange<Real>> result;
  comm_.together([&] { result = make(); });
  return result;
}

// The ranks of `ranks` that share a node with this one: a real node, or the number of neighbours that the user has
// given.
template <class Real>
Comm Pipeline<Real>::node_of(const Comm& ranks, const PlanOptions& options) const {
  const Comm node = node_within(comm_, options.node_ranks);
  const index_t first = node.all_gather(comm_.rank()).front();
  return ranks.split("nodes of " + std::to_string(options.node_ranks), static_cast<int>(first), ranks.rank());
}

// Whether the memory of the node suffices for `wanted`; if not, notes the reason. Collective; the answer is the same on
// all ranks.
template <class Real>
bool Pipeline<Real>::may_share(const Sharing& wanted, const PlanOptions& options) {
  notes_.emplace_back();
  const Strategy asked = options.strategy;
  if (asked != Strategy::automatic && asked != Strategy::shared && asked != Strategy::hierarchical) return false;
  const std::string reason = first_text(comm_, refusal(wanted, options));
  if (reason.empty()) {
    shared_bytes_ += wanted.my_bytes;
    return true;
  }
  if (asked != Strategy::automatic) throw Error(Fault::resource, impossible(asked, reason));
  notes_.back() = "not shared: " + reason;
  return false;
}

template <class Real>
std::string Pipeline<Real>::refusal(const Sharing& wanted, const PlanOptions& options) const {
  std::string too_little = shortage(comm_, wanted.my_bytes, options.shared_memory_limit, shared_bytes_);
  if (wanted.one_node && node_of(wanted.ranks, options).size() != wanted.ranks.size())
    return no_common_node(wanted.ranks.size());
  return too_little;
}

template <class Real>
void Pipeline<Real>::make_workspaces() {
  comm_.together([&] {
    workspaces_ = workspaces_of(passes_, threads_, arena_, shares_memory_);
    arena_.check();
  });
}

template <class Real>
std::shared_ptr<const InPlaceMemory<Real>> Pipeline<Real>::make_memory() const {
  const Comm alone = comm_.split("rank by rank", comm_.rank(), 0);
  if (shares_memory_) return std::make_shared<const InPlaceMemory<Real>>(comm_, comm_, schedule_);
  std::shared_ptr<const InPlaceMemory<Real>> result;
  comm_.together([&] { result = std::make_shared<const InPlaceMemory<Real>>(comm_, alone, schedule_); });
  return result;
}

// --- running -----------------------------------------------------------------------------------------------------

// An exchange that lies in the memory of all ranks is a barrier.
template <class Real>
void Pipeline<Real>::open(std::size_t exchange, Direction direction, const PassEndpoints& endpoints) {
  times_.exchanges[exchange] = 0;
  if (endpoints.memory == nullptr) exchanges_[exchange]->open(direction);
}

namespace {

// A piece of a pass: from one part of what it loads to one part of what it stores.
struct PartStep {
  std::size_t from, to;
  bool first, last;  // the first piece that loads from its part, the last one that stores to its part
};

// Calls body(PartStep) for all pieces. If both sides are cut in the same way, the pieces are the parts. Otherwise a
// stored part is complete only after the last loaded part has arrived.
template <class Real, class Body>
void for_each_step(const PassEndpoint<Real>& from, const PassEndpoint<Real>& to, const Body& body) {
  const std::size_t sources = from.parts.size(), targets = to.parts.size();
  const bool same_parts = from.axis >= 0 && from.axis == to.axis && sources == targets;
  for (std::size_t i = 0; i < sources; i++) {
    if (same_parts) body(PartStep{i, i, true, true});
    for (std::size_t j = 0; j < targets && !same_parts; j++) body(PartStep{i, j, j == 0, i + 1 == sources});
  }
}

// Calls body(chunk) for the chunks of a part: one chunk, or all of them if the side has a single part.
template <class Body>
void for_chunks(int chunks, std::size_t part, std::size_t parts, const Body& body) {
  for (int chunk = 0; chunk < chunks; chunk++)
    if (parts == 1 || static_cast<std::size_t>(chunk) == part) body(chunk);
}

}  // namespace

template <class Real>
void Pipeline<Real>::count(std::size_t exchange, double seconds) {
  times_.exchanges[exchange] += seconds;
  add_exchange_seconds(seconds);
}

// Starts the messages of a stored part of the side after a pass.
template <class Real>
void Pipeline<Real>::start(const Neighbours& neighbours, const InPlaceMemory<Real>* memory, std::size_t part,
                           std::size_t parts) {
  if (neighbours.leaving == no_exchange || memory != nullptr) return;
  Exchange<Real>& exchange = *exchanges_[neighbours.leaving];
  if (!exchange.moves()) return;
  const double begin = MPI_Wtime();
  for_chunks(exchange.chunks(), part, parts, [&](int chunk) { exchange.start(neighbours.leaves, chunk); });
  count(neighbours.leaving, MPI_Wtime() - begin);
}

// Waits for the messages of a part of the side before a pass.
template <class Real>
void Pipeline<Real>::finish(const Neighbours& neighbours, const InPlaceMemory<Real>* memory, std::size_t part,
                            std::size_t parts) {
  if (neighbours.arriving == no_exchange) return;
  const bool waits = memory == nullptr ? exchanges_[neighbours.arriving]->moves()
                                       : schedule_.exchanges[neighbours.arriving].process_axis >= 0 && comm_.size() > 1;
  if (!waits) return;
  const double begin = MPI_Wtime();
  if (memory == nullptr) {
    Exchange<Real>& exchange = *exchanges_[neighbours.arriving];
    for_chunks(exchange.chunks(), part, parts, [&](int chunk) { exchange.finish(neighbours.arrives, chunk); });
  } else {
    memory->synchronise();
  }
  count(neighbours.arriving, MPI_Wtime() - begin);
}

// Runs a pass piece by piece: a part is loaded when it has arrived, and a stored part is sent when it is complete.
template <class Real>
void Pipeline<Real>::run_in_parts(std::size_t pass, const PassEndpoint<Real>& from, const PassEndpoint<Real>& to,
                                  const Neighbours& neighbours, const PassEndpoints& endpoints, const Piece& piece) {
  const InPlaceMemory<Real>* memory = endpoints.memory;
  const std::function<void()> progress = [this, &neighbours] {
    for (const std::size_t exchange : {neighbours.arriving, neighbours.leaving})
      if (exchange != no_exchange) exchanges_[exchange]->progress();
  };
  const bool moves = memory == nullptr && from.parts.size() * to.parts.size() > 1;
  times_.passes[pass] = 0;
  for_each_step(from, to, [&](const PartStep& step) {
    if (step.first) finish(neighbours, memory, step.from, from.parts.size());
    const double begin = MPI_Wtime();
    const Part<Real>&source = from.parts[step.from], &target = to.parts[step.to];
    typename LocalPass<Real>::PassData data{
        .from = source.view, .to = target.view, .now_and_then = moves ? &progress : nullptr};
    if (from.axis >= 0) data.only.add(from.axis, source.lines);
    if (to.axis >= 0) data.only.add(to.axis, target.lines);
    if (memory != nullptr) data.middle = endpoints.middle[pass];
    piece(data);
    times_.passes[pass] += MPI_Wtime() - begin;
    if (step.last) start(neighbours, memory, step.to, to.parts.size());
  });
}

// Runs a pass from one side to the other in the given direction. It waits for the exchange that it loads from, and
// starts the exchange that it stores to.
template <class Real>
void Pipeline<Real>::run_pass(Direction direction, std::size_t pass, const PassEndpoints& endpoints, Real scale,
                              const AtPoints& at_points) {
  const bool forward = direction == Direction::forward;
  const std::size_t before = pass == 0 ? no_exchange : pass - 1,
                    after = pass + 1 == passes_.size() ? no_exchange : pass;
  const Neighbours neighbours{forward ? before : after, forward ? after : before, direction, direction};
  if (neighbours.leaving != no_exchange) open(neighbours.leaving, direction, endpoints);
  const auto piece = [&](auto& data) {
    data.check_finite = at_points.on_suspect_value != nullptr;
    data.loaded = at_points.operation;
    passes_[pass]->run(direction, data, scale, workspaces_);
    if (data.check_finite) check_finite(at_points.on_suspect_value);
  };
  run_in_parts(pass, forward ? endpoints.before[pass] : endpoints.after[pass],
               forward ? endpoints.after[pass] : endpoints.before[pass], neighbours, endpoints, std::cref(piece));
}

// Calls `on_suspect_value` on all ranks if a thread of any rank has found a value that is not finite.
template <class Real>
void Pipeline<Real>::check_finite(const OnSuspectValue& on_suspect_value) const {
  bool finite = true;
  for (const auto& workspace : workspaces_) {
    const Buffer<Real>& non_finite = workspace.blocks.non_finite;
    finite =
        finite && std::all_of(non_finite.data(), non_finite.data() + non_finite.size(), [](Real x) { return x == 0; });
  }
  if (comm_.max(index_t{finite ? 0 : 1}) > 0) on_suspect_value();
}

// The pass on the spectral side applies the scale, because in most plans it waits for memory.
template <class Real>
void Pipeline<Real>::transform(Direction direction, const PassEndpoints& endpoints, Real scale) {
  const std::size_t last = passes_.size() - 1;
  for (std::size_t step = 0; step <= last; step++) {
    const std::size_t pass = direction == Direction::forward ? step : last - step;
    run_pass(direction, pass, endpoints, pass == last ? scale : Real(1));
  }
}

// The last pass of a convolution: forward, symbol, backward. Its input and its result pass through the same exchange.
template <class Real>
void Pipeline<Real>::run_last(const LineSymbol<Real>& symbol, const PassEndpoints& in, PassEndpoints& out, Real scale,
                              const AtPoints& at_points) {
  const std::size_t last = passes_.size() - 1, exchange = last == 0 ? no_exchange : last - 1;
  PassEndpoint<Real>& to = out.before[last];
  const bool stream = to.parts.front().view.stream;
  const auto set_stream = [&](bool value) {
    for (Part<Real>& part : to.parts) part.view.stream = value;
  };
  if (last > 0) {
    open(exchange, Direction::backward, in);
    set_stream(false);  // the pass stores to memory that it has just loaded
  }
  const auto piece = [&](auto& data) {
    data.loaded = at_points.operation;
    passes_[last]->convolve(symbol, data, scale, workspaces_);
  };
  run_in_parts(last, in.before[last], to, {exchange, exchange, Direction::forward, Direction::backward}, in,
               std::cref(piece));
  set_stream(stream);
}

template <class Real>
void Pipeline<Real>::convolve(const PassEndpoints& in, PassEndpoints& out, const LineSymbol<Real>& symbol, Real scale,
                              const AtPoints& at_points) {
  const std::size_t last = passes_.size() - 1;
  for (const auto& workspace : workspaces_)
    std::fill_n(workspace.blocks.non_finite.data(), workspace.blocks.non_finite.size(), Real(0));
  for (std::size_t i = 0; i < last; i++) run_pass(Direction::forward, i, in, Real(1), i == 0 ? at_points : AtPoints());
  run_last(symbol, in, out, scale, last == 0 ? at_points : AtPoints());
  for (std::size_t i = last; i > 0; i--) run_pass(Direction::backward, i - 1, out, Real(1));
}

template <class Real>
void Pipeline<Real>::transform(Direction direction, const LocalArray<Real>& in, const LocalArray<Real>& out,
                               Real scale) {
  const bool forward = direction == Direction::forward;
  const LocalArray<Real>&physical = forward ? in : out, &spectral = forward ? out : in;
  if (takes_groups(in, out)) return transform_groups(direction, between(of_groups_[0], physical, spectral), scale);
  transform(
      direction,
      works_in_result(direction, in, out) ? in_result(direction, in, out) : between(endpoints_[0], physical, spectral),
      scale);
}

template <class Real>
void Pipeline<Real>::transform(Direction direction, const Real* in, Real* out, Real scale) {
  transform(direction, user_array(in, space_before(direction)), user_array(out, space_after(direction)), scale);
}

template <class Real>
void Pipeline<Real>::convolve(const Real* in, Real* out, const LineSymbol<Real>& symbol, Real scale,
                              const AtPoints& at_points) {
  const LocalArray<Real> no_spectrum = user_array(nullptr, Space::spectral);
  // Values of the last group may be suspect, which is known too late to leave the result of the first one alone.
  const bool in_groups = groups_.axis >= 0 && at_points.on_suspect_value == nullptr;
  auto& [ends_in, ends_out] = in_groups ? of_groups_ : endpoints_;
  between(ends_in, user_array(in, Space::physical), no_spectrum);
  between(ends_out, user_array(out, Space::physical), no_spectrum);
  in_groups ? convolve_groups(ends_in, ends_out, symbol, scale, at_points.operation)
            : convolve(ends_in, ends_out, symbol, scale, at_points);
}

template <class Real>
void Pipeline<Real>::transform(Direction direction, const InPlaceMemory<Real>& memory, Real scale) {
  if (groups_.axis >= 0) return transform_groups(direction, within(of_groups_[0], memory), scale);
  transform(direction, within(endpoints_[0], memory), scale);
}

template <class Real>
void Pipeline<Real>::convolve(const InPlaceMemory<Real>& memory, const LineSymbol<Real>& symbol, Real scale) {
  if (groups_.axis >= 0)
    return convolve_groups(within(of_groups_[0], memory), within(of_groups_[1], memory), symbol, scale);
  convolve(within(endpoints_[0], memory), within(endpoints_[1], memory), symbol, scale);
}

template class Pipeline<double>;
template class Pipeline<float>;

}  // namespace weft
