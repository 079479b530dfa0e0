// All messages of a chunk together, with a bound on the sends: what strategies persistent and datatype share.
#pragma once

#include <vector>

#include "exchange/driven_mover.hpp"

namespace weft {

/// Receives start at once. Sends start at the neighbour on the ring and go round it, so that not all ranks send to the
/// same one first (FLUPS, appendix A); `send_batch` of them at every look, and never more than `max_pending` under way.
class ThrottledRun : public Run {
 public:
  ThrottledRun(const Comm& comm, const ChunkMessages& messages, Direction direction, const MoverOptions& options);
  void start() final;
  bool advance() final;

 protected:
  /// The receives, then the sends, each in the order in which they start.
  std::size_t size() const { return pieces_.size(); }
  bool is_send(std::size_t i) const { return i >= receives_; }
  const Piece& piece(std::size_t i) const { return pieces_[i]; }
  MPI_Request& request(std::size_t i) { return requests_[i]; }
  /// Starts message i; request(i) stands for it then.
  virtual void launch(std::size_t i) = 0;

 private:
  void start_sends();
  void complete_some();

  std::vector<Piece> pieces_;
  std::size_t receives_ = 0, batch_, most_pending_;
  std::vector<MPI_Request> requests_;  // of the pieces; inactive or null but for those under way
  std::vector<int> completed_;         // what MPI says
  std::size_t started_ = 0, done_ = 0, pending_ = 0;
};

}  // namespace weft
