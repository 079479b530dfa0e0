// The table of exchange strategies: one row defines a strategy, except for its mover, which has a file of its own.
#pragma once

#include "exchange/block_offsets.hpp"
#include "exchange/mover.hpp"

namespace weft {

struct StrategyRow {
  Strategy strategy;
  const char* name;
  MakeMover* make = nullptr;  ///< null: no messages by itself
  Storage near = Storage::blocks, far = Storage::blocks;
  bool shares_memory = false;
  bool throttles_sends = false;  ///< starts its sends in batches (PlanOptions::send_batch)

  /// Whether it packs its messages, so that they can be narrowed on the wire (PlanOptions::wire).
  bool packs_messages() const { return shares_memory || near == Storage::blocks; }
};

const StrategyRow& row_of(Strategy strategy);

}  // namespace weft
