// Sends start in the order of the ring, so many at a look and so many under way as the options say.
#include "exchange/throttled_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace weft {
namespace {

// One real from everybody to everybody else.
class OneReal {
 public:
  explicit OneReal(const Comm& comm)
      : out_(static_cast<std::size_t>(comm.size()), comm.rank()), in_(static_cast<std::size_t>(comm.size()), -1) {
    for (int peer = 0; peer < comm.size(); peer++) {
      const auto p = static_cast<std::size_t>(peer);
      const index_t count = peer == comm.rank() ? 0 : 1;
      traffic_.near.push_back({peer, &out_[p], count, MPI_DOUBLE});
      traffic_.far.push_back({peer, &in_[p], count, MPI_DOUBLE});
    }
  }
  const ChunkMessages& traffic() const { return traffic_; }
  bool arrived(int rank) const {
    for (int peer = 0; peer < static_cast<int>(in_.size()); peer++)
      if (in_[static_cast<std::size_t>(peer)] != (peer == rank ? -1 : peer)) return false;
    return true;
  }

 private:
  std::vector<double> out_, in_;
  ChunkMessages traffic_;
};

// Notes who is sent to. A synchronous send cannot end before its receive has begun.
class NotedRun final : public ThrottledRun {
 public:
  NotedRun(const Comm& comm, const ChunkMessages& traffic, int batch, int pending)
      : ThrottledRun(comm, traffic, Direction::forward, {Strategy::datatype, batch, pending, 1}), comm_(comm) {}
  const std::vector<int>& sent() const { return sent_; }

 private:
  void launch(std::size_t i) override {
    const Piece& p = piece(i);
    if (!is_send(i)) {
      request(i) = p.receive(comm_.handle(), 0);
    } else {
      sent_.push_back(p.peer);
      MPI_Issend(p.address, p.count, p.type, p.peer, 0, comm_.handle(), &request(i));
    }
  }

  Comm comm_;
  std::vector<int> sent_;
};

// Rank 0 is ahead: nobody has begun to receive while it looks `looks` times. Returns how many sends it has started.
int started_alone(const Comm& comm, int batch, int pending, int looks) {
  const OneReal blocks(comm);
  NotedRun run(comm, blocks.traffic(), batch, pending);
  int started = 0;
  if (comm.rank() == 0) {
    run.start();
    for (int look = 0; look < looks; look++) EXPECT_EQ(run.advance(), comm.size() == 1);
    started = static_cast<int>(run.sent().size());
  }
  comm.barrier();
  if (comm.rank() != 0) run.start();
  comm.wait_until([&] { return run.advance(); });
  EXPECT_TRUE(blocks.arrived(comm.rank()));
  std::vector<int> ring;
  for (int k = 1; k < comm.size(); k++) ring.push_back((comm.rank() + k) % comm.size());
  EXPECT_EQ(run.sent(), ring);
  return started;
}

TEST(ThrottledRun, StartsABatchAtEveryLook) {
  const Comm comm(MPI_COMM_WORLD);
  const int messages = comm.size() - 1;
  for (const int batch : {1, 2})
    for (const int looks : {0, 1, 2}) {
      const int started = started_alone(comm, batch, 0, looks);
      if (comm.rank() == 0) {
        EXPECT_EQ(started, std::min(messages, batch * (looks + 1)));
      }
    }
}

TEST(ThrottledRun, HasNoMoreSendsUnderWayThanAllowed) {
  const Comm comm(MPI_COMM_WORLD);
  const int messages = comm.size() - 1;
  for (const int pending : {1, 2, 3})
    for (const int batch : {0, 1}) {
      const int started = started_alone(comm, batch, pending, 5);
      if (comm.rank() == 0) {
        EXPECT_EQ(started, std::min(messages, pending));
      }
    }
}

TEST(ThrottledRun, StartsEverythingAtOnceUnlessToldOtherwise) {
  const Comm comm(MPI_COMM_WORLD);
  const int started = started_alone(comm, 0, 0, 0);
  if (comm.rank() == 0) {
    EXPECT_EQ(started, comm.size() - 1);
  }
}

}  // namespace
}  // namespace weft
