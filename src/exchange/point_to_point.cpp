// Strategies cyclic and pairwise: one partner at a time, so that no rank is flooded. In round k of cyclic a rank sends
// to the rank k places after it and receives from the rank k places before it (Ayala and Wang 2013). Pairwise is a
// tournament.
#include <utility>

#include "exchange/message_schedule.hpp"
#include "exchange/mover.hpp"
#include "exchange/stepped_run.hpp"

namespace weft {

namespace {

std::vector<Step> steps(const std::vector<Round>& rounds, const ChunkMessages& messages, Direction direction,
                        index_t limit) {
  std::vector<Step> steps;
  const auto add = [&](const std::vector<Message>& messages, int peer, std::vector<Piece>& pieces) {
    if (peer != nobody) split(messages[static_cast<std::size_t>(peer)], limit, pieces);
  };
  for (const Round& round : rounds) {
    Step step;
    add(incoming(messages, direction), round.receive_from, step.receives);
    add(outgoing(messages, direction), round.send_to, step.sends);
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace

std::unique_ptr<Mover> make_round_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                        const MoverOptions& options) {
  const std::vector<Round> rounds = options.strategy == Strategy::cyclic ? cyclic_rounds(comm.rank(), comm.size())
                                                                         : pairwise_rounds(comm.rank(), comm.size());
  return std::make_unique<DrivenMover>(comm, chunks.size(), [&](std::size_t chunk, Direction direction) {
    return std::make_unique<SteppedRun>(comm.handle(), static_cast<int>(chunk),
                                        steps(rounds, chunks[chunk], direction, options.message_limit));
  });
}

}  // namespace weft
