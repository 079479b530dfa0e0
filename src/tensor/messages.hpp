// Messages between two ranks, counted when they are passed to MPI.
#pragma once

#include <vector>

#include "weft/comm.hpp"

namespace weft {

/// Number and bytes of messages that a rank sent.
struct MessageCount {
  index_t messages = 0, bytes = 0;
  MessageCount& operator+=(const MessageCount& other) {
    messages += other.messages;
    bytes += other.bytes;
    return *this;
  }
};

/// Pending messages. An empty piece needs no message; a piece that is too large for one message is split, alike on both
/// sides. No other code may use the communicator meanwhile.
class Messages {
 public:
  explicit Messages(const Comm& comm);
  /// The number of messages for so many reals.
  index_t pieces(index_t reals) const { return (reals + limit_ - 1) / limit_; }
  /// Reserves space for so many pending messages, so that starting them needs no memory: the others would wait for the
  /// messages of a rank without memory.
  void reserve(index_t count) { requests_.reserve(static_cast<std::size_t>(count)); }
  template <class Real>
  void send(const Real* data, index_t reals, int peer, int tag);
  template <class Real>
  void receive(Real* data, index_t reals, int peer, int tag);
  /// Lets MPI make progress; returns whether all messages are complete.
  bool advance();
  void wait();
  /// The messages sent since the last call.
  MessageCount take_count();

 private:
  template <class Real, class Start>
  void in_pieces(index_t reals, Start start);

  Comm comm_;
  index_t limit_;
  std::vector<MPI_Request> requests_;
  MessageCount count_;
};

}  // namespace weft
