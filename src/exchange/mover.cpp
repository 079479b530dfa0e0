// The mover of a strategy, by name.
#include "exchange/mover.hpp"

#include "exchange/movers.hpp"

namespace weft {

std::unique_ptr<Mover> make_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                  const MoverOptions& options) {
  switch (options.strategy) {
    case Strategy::alltoallv:
    case Strategy::alltoallw:
      return make_collective_mover(comm, chunks, options);
    case Strategy::cyclic:
    case Strategy::pairwise:
      return make_round_mover(comm, chunks, options);
    case Strategy::persistent:
      return make_persistent_mover(comm, chunks, options);
    case Strategy::datatype:
      return make_datatype_mover(comm, chunks, options);
    case Strategy::multistage:
      return make_multistage_mover(comm, chunks, options);
    default:
      throw Error(Fault::internal, "strategy " + to_string(options.strategy) + " does not send messages by itself");
  }
}

}  // namespace weft
