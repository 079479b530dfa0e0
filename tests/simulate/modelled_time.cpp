// Bytes on the most loaded link over its speed, and the latencies of messages that wait for one another.
#include "modelled_time.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "exchange/message_schedule.hpp"

namespace weft::simulation {

namespace {

// The line of ranks of an exchange; blocks of the mean size, since a link carries those of many ranks.
LineExchange line_of(const ExchangePlan& plan, int node_ranks) {
  const ProcessGrid& grid = plan.near.grid();
  LineExchange line{grid.size(), grid[plan.process_axis], 1, node_ranks, 0};
  for (int axis = plan.process_axis + 1; axis < grid.dims(); axis++) line.stride *= grid[axis];
  const double bytes = static_cast<double>(plan.near.extents().product()) * plan.width * sizeof(double);
  line.block = bytes / line.ranks / line.peers;
  return line;
}

// What all ranks do at the same time: by place in the line the place that is sent to, and how many blocks.
struct Step {
  std::vector<int> to;
  int blocks = 1;
};

// The steps of strategies that have any: a step begins when what was sent in the one before has arrived.
std::vector<Step> steps_of(Strategy strategy, int peers) {
  std::vector<Step> steps;
  if (strategy == Strategy::multistage)
    for (int stage = 0; stage < stage_count(peers); stage++) {
      steps.push_back({{}, static_cast<int>(stage_distances(stage, peers).size())});
      for (int place = 0; place < peers; place++) steps.back().to.push_back((place + (1 << stage)) % peers);
    }
  if (strategy != Strategy::cyclic && strategy != Strategy::pairwise) return steps;
  for (int place = 0; place < peers; place++) {
    const std::vector<Round> rounds =
        strategy == Strategy::cyclic ? cyclic_rounds(place, peers) : pairwise_rounds(place, peers);
    steps.resize(rounds.size());
    for (std::size_t i = 0; i < rounds.size(); i++) steps[i].to.push_back(rounds[i].send_to);
  }
  return steps;
}

// Seconds in which everything of a kind passes the place where there is most of it.
class Busiest {
 public:
  void add(int kind, int from, int to, double seconds) {
    worst_ = std::max(worst_, seconds_[{kind, from, to}] += seconds);
  }
  double seconds() const { return worst_; }

 private:
  std::map<std::array<int, 3>, double> seconds_;
  double worst_ = 0;
};

// A step on the buses and links of nodes, and of groups where the network has any.
double step_seconds(const LineExchange& line, const Step& step, const Network& network, bool shares) {
  const Rates rates;
  Busiest busiest;
  for (int rank = 0; rank < line.ranks; rank++) {
    const int place = rank / line.stride % line.peers, to = step.to[static_cast<std::size_t>(place)];
    if (to == nobody) continue;
    const int node = rank / line.node_ranks, other = (rank + (to - place) * line.stride) / line.node_ranks;
    const double bytes = step.blocks * line.block;
    if (node != other)
      busiest.add(0, node, node, bytes / rates.network);
    else if (!shares)
      busiest.add(1, node, node, bytes / rates.memory);
    for (const NodeGroup& group : network.groups) {
      const int here = node / group.nodes, there = other / group.nodes;
      if (here == there) continue;
      busiest.add(2, here, here, bytes / (group.links * rates.network));
      busiest.add(3, there, there, bytes / (group.links * rates.network));
      if (network.pair_links > 0) busiest.add(4 + here, here, there, bytes / (network.pair_links * rates.network));
    }
  }
  return busiest.seconds();
}

// Bytes through the memory of a node, where all messages go at once.
double inside_bytes(const LineExchange& line) {
  const double near_peers =
      std::clamp(std::ceil(static_cast<double>(line.node_ranks) / line.stride), 1.0, static_cast<double>(line.peers));
  return (near_peers - 1) * line.node_ranks * line.block;
}

// A pass stores its chunks one after the other, each leaves when those before it have gone, and the next pass, on the
// same core, loads them in the order in which they come (Ayala and Wang 2013, eq. 10).
double overlapped_seconds(double pass, double exchange, int chunks) {
  double arrived = 0, done = pass;
  for (int chunk = 0; chunk < chunks; chunk++) {
    arrived = std::max(arrived, (chunk + 1) * pass / chunks) + exchange / chunks;
    done = std::max(done, arrived) + pass / chunks;
  }
  return done;
}

}  // namespace

ModelledTime modelled_time(const Case& job, const ExchangePlan& plan, const NetworkShape& shape, int node_ranks) {
  const Rates rates;
  const Network network = shape.network(rates);
  const LineExchange line = line_of(plan, node_ranks);
  const bool shares = job.strategy == Strategy::shared || job.strategy == Strategy::hierarchical;
  const Strategy sends = job.strategy == Strategy::hierarchical ? job.between_nodes : job.strategy;
  const std::vector<Step> steps = steps_of(sends, line.peers);
  ModelledTime time{0, 0, most_loaded_link(line, network)};
  for (const Step& step : steps) time.exchange += step_seconds(line, step, network, shares);
  const double memory = shares ? 0 : inside_bytes(line) / rates.memory;
  time.exchange = std::max({time.exchange, memory, time.link.bytes_per_link() / rates.network});
  const double latency = time.link.bytes > 0 ? shape.most_links() * rates.latency_network : rates.latency_memory;
  time.exchange += static_cast<double>(std::max<std::size_t>(steps.size(), 1)) * latency;
  time.total = overlapped_seconds(job.compute, time.exchange, job.chunks);
  return time;
}

}  // namespace weft::simulation
