// All messages of a chunk together, with a bound on the sends: shared by the strategies persistent and datatype.
#pragma once

#include <vector>

#include "exchange/driven_mover.hpp"

namespace weft {

/// Receives start at once. Sends start with the next neighbour on the ring, so that not all ranks send to the same rank
/// first (FLUPS, appendix A). Every test starts `send_batch` of them, with at most `max_pending` pending.
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
  std::vector<MPI_Request> requests_;  // of the pieces; inactive or null unless pending
  std::vector<int> completed_;         // indices that MPI reports
  std::size_t started_ = 0, done_ = 0, pending_ = 0;
};

}  // namespace weft
