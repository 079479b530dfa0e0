// Messages of a chunk with a bound on the sends.
#include "exchange/throttled_run.hpp"

#include <algorithm>
#include <limits>

#include "exchange/message_schedule.hpp"

namespace weft {

namespace {

std::size_t bound(int option) {
  return option == 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(option);
}

}  // namespace

ThrottledRun::ThrottledRun(const Comm& comm, const ChunkMessages& messages, Direction direction,
                           const MoverOptions& options)
    : batch_(bound(options.send_batch)), most_pending_(bound(options.max_pending)) {
  const auto add = [&](const std::vector<Message>& messages, int distance) {
    const int peer = ring_rank(comm.rank(), distance, comm.size());
    split(messages[static_cast<std::size_t>(peer)], options.message_limit, pieces_);
  };
  for (int k = 1; k < comm.size(); k++) add(incoming(messages, direction), -k);
  receives_ = pieces_.size();
  for (int k = 1; k < comm.size(); k++) add(outgoing(messages, direction), k);
  requests_.assign(pieces_.size(), MPI_REQUEST_NULL);
  completed_.resize(pieces_.size());
}

void ThrottledRun::start() {
  done_ = pending_ = 0;
  for (started_ = 0; started_ < receives_; started_++) launch(started_);
  start_sends();
}

bool ThrottledRun::advance() {
  complete_some();
  start_sends();
  return done_ == size();
}

void ThrottledRun::start_sends() {
  const std::size_t count = std::min({batch_, most_pending_ - pending_, size() - started_});
  for (std::size_t i = 0; i < count; i++) launch(started_++);
  pending_ += count;
}

void ThrottledRun::complete_some() {
  int count = 0;
  MPI_Testsome(static_cast<int>(started_), requests_.data(), &count, completed_.data(), MPI_STATUSES_IGNORE);
  if (count == MPI_UNDEFINED) return;  // no message is pending
  done_ += static_cast<std::size_t>(count);
  pending_ -= static_cast<std::size_t>(std::count_if(completed_.begin(), completed_.begin() + count,
                                                     [&](int i) { return is_send(static_cast<std::size_t>(i)); }));
}

}  // namespace weft
