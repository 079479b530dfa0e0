// Checks of options, nodes and shared memory that plans and redistributions have in common.
#include "exchange/sharing.hpp"

#include <algorithm>

#include "base/node_memory.hpp"
#include "exchange/strategy.hpp"
#include "weft/error.hpp"

namespace weft {

namespace {

std::string megabytes(index_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MB"; }

// `zero` is the text for the meaning of 0.
void check_count(const char* name, int value, const char* zero) {
  require(value >= 0,
          std::string(name) + ": " + std::to_string(value) + " is not allowed; give 1 or more, or 0 for " + zero);
}

}  // namespace

void check_options(const RedistributionOptions& options) {
  require(options.threads >= 0 && options.threads <= 4096,
          "threads: " + std::to_string(options.threads) + " is not allowed; give 1 to 4096, or 0 for the default");
  require(options.message_limit >= 1 && options.message_limit < (index_t{1} << 31),
          "message_limit: " + std::to_string(options.message_limit) + " is not allowed; give 1 to 2^31-1 elements");
  check_count("send_batch", options.send_batch, "all at once");
  check_count("max_pending", options.max_pending, "all");
  check_count("node_ranks", options.node_ranks, "the ranks that share a node");
  const Strategy between = options.between_nodes;
  require(row_of(between).make != nullptr,
          "between_nodes: '" + to_string(between) + "' sends no messages; give one of the strategies that do");
}

Comm node_within(const Comm& comm, int node_ranks) {
  Comm machine = comm.node();
  if (node_ranks == 0) return machine;
  return machine.split("nodes of " + std::to_string(node_ranks), machine.rank() / node_ranks, machine.rank());
}

std::string shortage(const Comm& comm, index_t my_bytes, index_t limit, index_t held) {
  const index_t needed = comm.node().sum(my_bytes), before = comm.node().sum(held);
  const index_t free = free_shared_memory(),
                available = limit >= 0 ? std::clamp(limit - before, index_t{0}, free) : free;
  if (needed <= available) return {};
  return "the node's ranks need " + megabytes(needed) + " of shared memory (/dev/shm), " + megabytes(available) +
         " may be used";
}

std::string impossible(Strategy strategy, const std::string& reason) {
  return "strategy: '" + to_string(strategy) + "' is not possible here: " + reason +
         "; use 'alltoallv', or 'auto', which picks it";
}

std::string no_common_node(int ranks) {
  return "the " + std::to_string(ranks) + " ranks of an exchange do not share a node";
}

std::string messages_between_nodes(int far_ranks, int ranks, Strategy between_nodes) {
  return std::to_string(far_ranks) + " of " + std::to_string(ranks) + " ranks on other nodes, by " +
         to_string(between_nodes);
}

}  // namespace weft
