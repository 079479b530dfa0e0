// Moves arrays of users' between bricks and pencils.
#include "simulated_redistribution.hpp"

#include <vector>

#include "weft/redistribution.hpp"

namespace weft::simulation {

namespace {

// A rank's part of a layout, in C order.
class Array {
 public:
  Array(const Layout& layout, int rank)
      : elements_(layout, rank, 0), memory_(static_cast<std::size_t>(2 * layout.box(rank).size())) {
    const Extents extents = layout.box(rank).extents();
    endpoint_ = endpoint_of(whole_view(memory_.data(), extents, real_strides(extents, 2), 2, 0));
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  void* data() { return memory_.data(); }
  void fill(int step) { elements_.fill(endpoint_, endpoint_.parts.front(), step); }
  Count compare(int step) const { return elements_.compare(endpoint_, endpoint_.parts.front(), step); }

 private:
  Elements elements_;
  std::vector<double> memory_;
  PassEndpoint<double> endpoint_;
};

}  // namespace

Outcome run_redistribution(const Comm& comm, const Case& job) {
  const Layout bricks(job.extents, ProcessGrid({job.grid[0], job.grid[1] / 2, 2}), {0, 1, 2});
  const Layout pencils(job.extents, ProcessGrid(job.grid), {0, 1});
  RedistributionOptions options;
  options.strategy = job.strategy;
  options.between_nodes = job.between_nodes;
  options.node_ranks = job.node_ranks;
  options.threads = 1;
  Redistribution moves(comm, bricks.box(comm.rank()), pencils.box(comm.rank()), 2 * sizeof(double), options);
  Array from(bricks, comm.rank()), to(pencils, comm.rank());
  Outcome outcome;
  Count mine;
  const auto move = [&](Array& source, Array& target, int step, const auto& run) {
    source.fill(step + (job.damage && comm.rank() == 0 ? 1 : 0));
    const double start = start_together(comm);
    run();
    const double seconds = latest(comm, MPI_Wtime() - start);
    mine += target.compare(step);
    return seconds;
  };
  for (int round = 0; round < job.rounds; round++) {
    outcome.forward = move(from, to, 2 * round + 1, [&] { moves.forward(from.data(), to.data()); });
    outcome.backward = move(to, from, 2 * round + 2, [&] { moves.backward(to.data(), from.data()); });
  }
  outcome.count = sum(comm, mine);
  return outcome;
}

}  // namespace weft::simulation
