// Movers that need calls to make progress: chunks consist of many messages, some of which start only after others have
// arrived.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "exchange/mover.hpp"

namespace weft {

/// The data that one MPI call sends or receives.
struct Piece {
  int peer;
  void* address;
  int count;
  MPI_Datatype type;

  /// The tag is the number of the chunk, so that the messages of concurrent chunks do not mix.
  MPI_Request send(MPI_Comm comm, int tag) const;
  MPI_Request receive(MPI_Comm comm, int tag) const;
};

/// Appends the pieces of a message, of at most `limit` elements each and no more than an int can count; none for an
/// empty message. Both sides of a message cut it alike as long as they have the same number of elements.
void split(const Message& message, index_t limit, std::vector<Piece>& pieces);

/// The messages that a rank sends and receives.
inline const std::vector<Message>& outgoing(const ChunkMessages& messages, Direction direction) {
  return direction == Direction::forward ? messages.near : messages.far;
}
inline const std::vector<Message>& incoming(const ChunkMessages& messages, Direction direction) {
  return direction == Direction::forward ? messages.far : messages.near;
}

/// One chunk in one direction.
class Run {
 public:
  virtual ~Run() = default;
  virtual void start() = 0;
  /// Tests the pending messages without waiting and starts those that can start now. Returns true when all are
  /// complete.
  virtual bool advance() = 0;
};

/// Drives one run for each chunk and direction.
class DrivenMover : public Mover {
 public:
  using MakeRun = std::function<std::unique_ptr<Run>(std::size_t chunk, Direction direction)>;
  DrivenMover(const Comm& comm, std::size_t chunks, const MakeRun& make);

  void start(Direction direction, std::size_t chunk) override;
  void progress() override;
  /// Drives the other chunks, too, because ranks may finish chunks in different orders.
  void finish(Direction direction, std::size_t chunk) override;

 private:
  Run* run(Direction direction, std::size_t chunk) const;

  Comm comm_;
  std::vector<std::array<std::unique_ptr<Run>, 2>> runs_;  // by chunk; forward, backward
  std::vector<Run*> under_way_;                            // in the order in which they began
};

}  // namespace weft
