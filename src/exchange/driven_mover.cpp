// Pieces of messages, and the loop that drives the pending chunks.
#include "exchange/driven_mover.hpp"

#include <algorithm>
#include <limits>

namespace weft {

MPI_Request Piece::send(MPI_Comm comm, int tag) const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(address, count, type, peer, tag, comm, &request);
  return request;
}

MPI_Request Piece::receive(MPI_Comm comm, int tag) const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(address, count, type, peer, tag, comm, &request);
  return request;
}

void split(const Message& message, index_t limit, std::vector<Piece>& pieces) {
  if (message.count == 0) return;
  MPI_Aint lower = 0, extent = 0;
  MPI_Type_get_extent(message.type, &lower, &extent);
  const index_t most = std::min<index_t>(limit, std::numeric_limits<int>::max());
  for (index_t first = 0; first < message.count; first += most) {
    const auto count = static_cast<int>(std::min(most, message.count - first));
    pieces.push_back({message.peer, static_cast<char*>(message.address) + first * extent, count, message.type});
  }
}

DrivenMover::DrivenMover(const Comm& comm, std::size_t chunks, const MakeRun& make) : comm_(comm) {
  for (std::size_t chunk = 0; chunk < chunks; chunk++)
    runs_.push_back({make(chunk, Direction::forward), make(chunk, Direction::backward)});
}

Run* DrivenMover::run(Direction direction, std::size_t chunk) const {
  return runs_[chunk][direction == Direction::forward ? 0 : 1].get();
}

void DrivenMover::start(Direction direction, std::size_t chunk) {
  under_way_.push_back(run(direction, chunk));
  under_way_.back()->start();
}

void DrivenMover::progress() {
  std::erase_if(under_way_, [](Run* run) { return run->advance(); });
}

void DrivenMover::finish(Direction direction, std::size_t chunk) {
  comm_.wait_until([&] {
    progress();
    return std::find(under_way_.begin(), under_way_.end(), run(direction, chunk)) == under_way_.end();
  });
}

}  // namespace weft
