// Strategy multistage: fewer and larger messages, for networks on which starting a message costs more than its bytes
// (Plimpton, in Ayala and Wang 2013; Bruck et al. 1997). In stage k every rank passes on all blocks whose distance has
// the bit k, 2^k places farther. A block is copied to the send buffer of the first stage in which it moves, then from
// each receive buffer to the send buffer of its next stage, and finally to its destination. Messages have basic types.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "base/buffer.hpp"
#include "exchange/message_schedule.hpp"
#include "exchange/mover.hpp"
#include "exchange/stepped_run.hpp"

namespace weft {

namespace {

using Sizes = std::vector<index_t>;

index_t total(const Sizes& sizes) { return std::accumulate(sizes.begin(), sizes.end(), index_t{0}); }

index_t element_bytes(const Message& message) {
  int bytes = 0;
  if (message.count > 0) MPI_Type_size(message.type, &bytes);
  return bytes;
}

index_t bytes_of(const Message& message) { return message.count * element_bytes(message); }

index_t largest_element(const std::vector<ChunkMessages>& chunks) {
  index_t largest = 1;
  for (const ChunkMessages& messages : chunks)
    for (const auto* side : {&messages.near, &messages.far})
      for (const Message& message : *side) largest = std::max(largest, element_bytes(message));
  return largest;
}

// Bytes of the blocks that a rank sends and receives in a stage, in the order of stage_distances().
struct Stage {
  int to, from;
  std::vector<int> distances;
  Sizes sent, received;
};

Sizes exchange_sizes(const Comm& comm, const Stage& stage) {
  Sizes received(stage.distances.size());
  const auto count = static_cast<int>(received.size());
  MPI_Request arrives = MPI_REQUEST_NULL, leaves = MPI_REQUEST_NULL;
  MPI_Irecv(received.data(), count, MPI_INT64_T, stage.from, 0, comm.handle(), &arrives);
  MPI_Isend(stage.sent.data(), count, MPI_INT64_T, stage.to, 0, comm.handle(), &leaves);
  comm.wait(arrives);
  comm.wait(leaves);
  return received;
}

// The sizes of blocks are passed on like the blocks, so that no rank needs the sizes of all pairs.
std::vector<Stage> plan_stages(const Comm& comm, const std::vector<Message>& outgoing) {
  Sizes held(outgoing.size());  // by distance
  for (int distance = 1; distance < comm.size(); distance++)
    held[static_cast<std::size_t>(distance)] =
        bytes_of(outgoing[static_cast<std::size_t>(ring_rank(comm.rank(), distance, comm.size()))]);
  std::vector<Stage> stages;
  for (int k = 0; k < stage_count(comm.size()); k++) {
    const int places = 1 << k;
    Stage stage{ring_rank(comm.rank(), places, comm.size()),
                ring_rank(comm.rank(), -places, comm.size()),
                stage_distances(k, comm.size()),
                {},
                {}};
    for (const int distance : stage.distances) stage.sent.push_back(held[static_cast<std::size_t>(distance)]);
    stage.received = exchange_sizes(comm, stage);
    for (std::size_t i = 0; i < stage.distances.size(); i++)
      held[static_cast<std::size_t>(stage.distances[i])] = stage.received[i];
    stages.push_back(std::move(stage));
  }
  return stages;
}

// One send buffer for each stage, and a receive buffer for all, one after the other.
index_t buffer_bytes(const std::vector<Stage>& stages) {
  index_t sent = 0, received = 0;
  for (const Stage& stage : stages) {
    sent += total(stage.sent);
    received = std::max(received, total(stage.received));
  }
  return sent + received;
}

// Bytes that a rank sends beyond its own blocks.
index_t forwarded(const std::vector<Stage>& stages, const std::vector<Message>& outgoing) {
  index_t bytes = 0;
  for (const Stage& stage : stages) bytes += total(stage.sent);
  for (const Message& message : outgoing) bytes -= bytes_of(message);
  return bytes;
}

// Turns the stages into steps, which are copies and messages with addresses.
class StepMaker {
 public:
  StepMaker(const Comm& comm, const std::vector<Stage>& stages, std::byte* memory, index_t most_bytes)
      : comm_(comm), stages_(stages), most_bytes_(most_bytes) {
    for (const Stage& stage : stages) {
      buffers_.push_back(memory);
      places_.emplace_back(static_cast<std::size_t>(comm.size()), nullptr);
      for (std::size_t i = 0; i < stage.distances.size(); i++) {
        places_.back()[static_cast<std::size_t>(stage.distances[i])] = memory;
        memory += stage.sent[i];
      }
    }
    arrivals_ = memory;
  }

  std::vector<Step> steps(const std::vector<Message>& outgoing, const std::vector<Message>& incoming) const {
    std::vector<Step> steps(stages_.size() + 1);
    for (int distance = 1; distance < comm_.size(); distance++) {
      const Message& message = outgoing[static_cast<std::size_t>(ring_rank(comm_.rank(), distance, comm_.size()))];
      if (message.count > 0)
        steps.front().copies.push_back(
            {message.address, place(distance, 0, incoming), static_cast<std::size_t>(bytes_of(message))});
    }
    for (std::size_t k = 0; k < stages_.size(); k++) {
      const Stage& stage = stages_[k];
      split({stage.from, arrivals_, total(stage.received), MPI_BYTE}, most_bytes_, steps[k].receives);
      split({stage.to, buffers_[k], total(stage.sent), MPI_BYTE}, most_bytes_, steps[k].sends);
      const std::byte* from = arrivals_;
      for (std::size_t i = 0; i < stage.distances.size(); i++) {
        const auto bytes = static_cast<std::size_t>(stage.received[i]);
        void* to = place(stage.distances[i], static_cast<int>(k) + 1, incoming);
        if (bytes > 0) steps[k + 1].copies.push_back({from, to, bytes});
        from += bytes;
      }
    }
    return steps;
  }

 private:
  // The destination of a block that this rank holds before stage k.
  void* place(int distance, int k, const std::vector<Message>& incoming) const {
    const int next = next_stage(distance, k);
    if (next != nobody) return places_[static_cast<std::size_t>(next)][static_cast<std::size_t>(distance)];
    return incoming[static_cast<std::size_t>(ring_rank(comm_.rank(), -distance, comm_.size()))].address;
  }

  const Comm& comm_;
  const std::vector<Stage>& stages_;
  index_t most_bytes_;
  std::vector<std::byte*> buffers_;              // by stage
  std::vector<std::vector<std::byte*>> places_;  // by stage, distance
  std::byte* arrivals_;
};

// Memory of the blocks that pass through, by chunk, for both directions.
using Memory = std::vector<Buffer<std::byte>>;

class MultistageMover final : public DrivenMover {
 public:
  // `make` may use the memory.
  MultistageMover(const Comm& comm, std::size_t chunks, const MakeRun& make, Memory&& memory, index_t forwarded_bytes)
      : DrivenMover(comm, chunks, make), memory_(std::move(memory)), forwarded_bytes_(forwarded_bytes) {}
  index_t forwarded_bytes() const override { return forwarded_bytes_; }
  index_t workspace_bytes() const override {
    index_t bytes = 0;
    for (const Buffer<std::byte>& buffer : memory_) bytes += buffer.bytes();
    return bytes;
  }

 private:
  Memory memory_;
  index_t forwarded_bytes_;
};

}  // namespace

std::unique_ptr<Mover> make_multistage_mover(const Comm& comm, const std::vector<ChunkMessages>& chunks,
                                             const MoverOptions& options) {
  // The size of the largest type of all ranks: ranks without blocks of their own forward blocks of others as bytes.
  const index_t element = comm.max(largest_element(chunks));
  const index_t most_bytes = std::min<index_t>(options.message_limit, std::numeric_limits<int>::max()) * element;
  std::vector<std::vector<Stage>> stages;  // by chunk and direction
  index_t passed_on = 0;
  for (const ChunkMessages& messages : chunks) {
    stages.push_back(plan_stages(comm, messages.near));
    passed_on += forwarded(stages.back(), messages.near);
    stages.push_back(plan_stages(comm, messages.far));
  }
  Memory memory;
  comm.together([&] {
    for (std::size_t chunk = 0; chunk < chunks.size(); chunk++)
      memory.emplace_back(std::max(buffer_bytes(stages[2 * chunk]), buffer_bytes(stages[2 * chunk + 1])),
                          options.arena);
  });
  const auto make = [&](std::size_t chunk, Direction direction) {
    const std::vector<Stage>& mine = stages[2 * chunk + (direction == Direction::forward ? 0 : 1)];
    const StepMaker maker(comm, mine, memory[chunk].data(), most_bytes);
    return std::make_unique<SteppedRun>(
        comm.handle(), static_cast<int>(chunk),
        maker.steps(outgoing(chunks[chunk], direction), incoming(chunks[chunk], direction)));
  };
  return std::make_unique<MultistageMover>(comm, chunks.size(), make, std::move(memory), passed_on);
}

}  // namespace weft
