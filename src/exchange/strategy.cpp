// The exchange strategies and what follows from their rows: names, and the mover of each.
#include "exchange/strategy.hpp"

#include <array>

#include "base/names.hpp"

namespace weft {

// Defined in the files *_mover.cpp and point_to_point.cpp.
MakeMover make_collective_mover, make_datatype_mover, make_multistage_mover, make_persistent_mover, make_round_mover;

namespace {

constexpr Storage array = Storage::array;

// In the order of the enumeration.
constexpr std::array<StrategyRow, 10> table{{
    {.strategy = Strategy::automatic, .name = "auto"},
    {.strategy = Strategy::alltoallv, .name = "alltoallv", .make = make_collective_mover},
    {.strategy = Strategy::alltoallw, .name = "alltoallw", .make = make_collective_mover, .near = array, .far = array},
    {.strategy = Strategy::persistent, .name = "persistent", .make = make_persistent_mover, .throttles_sends = true},
    {.strategy = Strategy::datatype,
     .name = "datatype",
     .make = make_datatype_mover,
     .near = array,
     .throttles_sends = true},
    {.strategy = Strategy::cyclic, .name = "cyclic", .make = make_round_mover},
    {.strategy = Strategy::pairwise, .name = "pairwise", .make = make_round_mover},
    {.strategy = Strategy::multistage, .name = "multistage", .make = make_multistage_mover},
    {.strategy = Strategy::shared, .name = "shared", .near = array, .far = array, .shares_memory = true},
    {.strategy = Strategy::hierarchical, .name = "hierarchical", .shares_memory = true},
}};

const Names<Strategy>& names() {
  static const Names<Strategy> all = [] {
    Names<Strategy> result;
    for (const StrategyRow& row : table) result.emplace_back(row.strategy, row.name);
    return result;
  }();
  return all;
}

}  // namespace

const StrategyRow& row_of(Strategy strategy) { return table[static_cast<std::size_t>(strategy)]; }

const std::vector<Strategy>& all_strategies() {
  static const std::vector<Strategy> all = [] {
    std::vector<Strategy> result;
    for (const StrategyRow& row : table)
      if (row.strategy != Strategy::automatic) result.push_back(row.strategy);
    return result;
  }();
  return all;
}

std::string to_string(Strategy strategy) { return row_of(strategy).name; }
Strategy parse_strategy(const std::string& text, const std::string& argument) { return parse(names(), argument, text); }

std::unique_ptr<Mover> make_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                  const MoverOptions& options) {
  MakeMover* const make = row_of(options.strategy).make;
  if (make == nullptr)
    throw Error(Fault::internal, "strategy " + to_string(options.strategy) + " does not send messages by itself");
  return make(comm, chunks, options);
}

}  // namespace weft
