// Drives an exchange as the passes beside it do: chunk by chunk, looking at the messages now and then.
#include "simulated_exchange.hpp"

#include <string>

#include "exchange/sharing.hpp"

namespace weft::simulation {

namespace {

// Ranks of the line on this rank's node, as Pipeline has them.
Comm sharers_of(const Comm& comm, const Comm& line, int node_ranks) {
  const Comm node = node_within(comm, node_ranks);
  const index_t first = node.all_gather(comm.rank()).front();
  return line.split("nodes of " + std::to_string(node_ranks), static_cast<int>(first), line.rank());
}

bool chunked(const PassEndpoint<double>& endpoint) { return endpoint.parts.size() > 1; }

}  // namespace

SimulatedExchange::SimulatedExchange(const Comm& comm, const Case& job, const ExchangePlan& plan)
    : comm_(comm),
      job_(job),
      fault_(job.damage && comm.rank() == 0 ? 1 : 0),
      near_(plan.near, comm.rank(), plan.near_axis),
      far_(plan.far, comm.rank(), plan.far_axis) {
  const ProcessGrid& grid = plan.near.grid();
  const Comm line = comm.split("axis " + std::to_string(plan.process_axis), grid.line(comm.rank(), plan.process_axis),
                               grid.coordinate(comm.rank(), plan.process_axis));
  const Comm sharers = sharers_of(comm, line, job.node_ranks);
  if (job.strategy == Strategy::shared && sum(comm, line.size() - sharers.size()) > 0) return;
  ExchangeOptions options;
  options.strategy = job.strategy;
  options.between_nodes = job.between_nodes;
  exchange_ = make_exchange<double>(line, sharers, plan, comm.rank(), options);
}

double SimulatedExchange::move(Direction direction, int step, Count& count) {
  constexpr int looks = 2;  // at the messages, in the time that a chunk computes
  const bool forward = direction == Direction::forward;
  const PassEndpoint<double> from = forward ? exchange_->near() : exchange_->far();
  const PassEndpoint<double> to = forward ? exchange_->far() : exchange_->near();
  const auto compute = [&] {
    for (int i = 0; i < looks && job_.compute > 0; i++) {
      smpi_execute_benched(job_.compute / exchange_->chunks() / looks);
      exchange_->progress();
    }
  };
  const double start = start_together(comm_);
  exchange_->open(direction);
  for (int chunk = 0; chunk < exchange_->chunks(); chunk++) {
    if (chunk == 0 || chunked(from))
      (forward ? near_ : far_).fill(from, from.parts[static_cast<std::size_t>(chunk)], step + fault_);
    compute();
    exchange_->start(direction, chunk);
  }
  for (int chunk = 0; chunk < exchange_->chunks(); chunk++) {
    exchange_->finish(direction, chunk);
    if (chunk == exchange_->chunks() - 1 || chunked(to)) {
      const std::size_t part = chunked(to) ? static_cast<std::size_t>(chunk) : 0;
      count += (forward ? far_ : near_).compare(to, to.parts[part], step);
    }
    compute();
  }
  return MPI_Wtime() - start;
}

Outcome SimulatedExchange::run() {
  Outcome outcome;
  Count mine;
  for (int round = 0; round < job_.rounds; round++) {
    outcome.forward = latest(comm_, move(Direction::forward, 2 * round + 1, mine));
    outcome.backward = latest(comm_, move(Direction::backward, 2 * round + 2, mine));
  }
  outcome.count = sum(comm_, mine);
  return outcome;
}

}  // namespace weft::simulation
