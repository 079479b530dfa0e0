// Messages between two ranks, counted as they are handed to MPI.
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

/// Messages under way. Pieces of no reals are no messages; pieces that are too large for one become several, split
/// alike on both sides. Nobody else may use the communicator meanwhile.
class Messages {
 public:
  explicit Messages(const Comm& comm);
  /// How many messages so many reals are.
  index_t pieces(index_t reals) const { return (reals + limit_ - 1) / limit_; }
  /// Makes room for so many under way, so that starting them needs no memory: a rank that had none would leave the
  /// others waiting for its messages.
  void reserve(index_t count) { requests_.reserve(static_cast<std::size_t>(count)); }
  template <class Real>
  void send(const Real* data, index_t reals, int peer, int tag);
  template <class Real>
  void receive(Real* data, index_t reals, int peer, int tag);
  /// Lets MPI get on with them; returns whether all are complete.
  bool advance();
  void wait();
  /// What was sent since the last call.
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
