// The slow network of tests (delay/message_delay.cpp): messages take the time that is asked for, however a program
// waits for them. Lower bounds only: nothing bounds from above how long a busy machine takes.
#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <vector>

#include "weft/plan.hpp"

namespace weft {
namespace {

double number(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 0 : std::strtod(text, nullptr);
}

class MessageDelay : public ::testing::Test {
 protected:
  void SetUp() override {
    if (number("WEFT_DELAY_GB_PER_S") == 0) GTEST_SKIP() << "runs with the slow network only";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  /// Seconds that `messages` of so many bytes in all take on one way of a rank's link.
  static double predicted(int messages, double bytes) {
    return messages * 1e-6 * number("WEFT_DELAY_LATENCY_US") + bytes / (1e9 * number("WEFT_DELAY_GB_PER_S"));
  }

  static double seconds(const std::function<void()>& work) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  int peers() const { return size_ - 1; }

  /// Requests that send this rank's number to every other rank and receive theirs, `count` ints each.
  struct Ring {
    std::vector<std::vector<int>> sent, received;
    std::vector<MPI_Request> requests;
  };
  Ring ring(int count, bool persistent) const {
    Ring ring;
    const auto length = static_cast<std::size_t>(count);
    const auto ranks = static_cast<std::size_t>(size_);
    ring.sent.assign(ranks, std::vector<int>(length, rank_));
    ring.received.assign(ranks, std::vector<int>(length, -1));
    for (int peer = 0; peer < size_; ++peer) {
      if (peer == rank_) continue;
      const auto p = static_cast<std::size_t>(peer);
      MPI_Request request[2];
      (persistent ? MPI_Recv_init : MPI_Irecv)(ring.received[p].data(), count, MPI_INT, peer, 0, MPI_COMM_WORLD,
                                               &request[0]);
      (persistent ? MPI_Send_init : MPI_Isend)(ring.sent[p].data(), count, MPI_INT, peer, 0, MPI_COMM_WORLD,
                                               &request[1]);
      ring.requests.insert(ring.requests.end(), {request[0], request[1]});
    }
    return ring;
  }
  void expect_arrived(const Ring& ring) const {
    for (int peer = 0; peer < size_; ++peer) {
      const auto& found = ring.received[static_cast<std::size_t>(peer)];
      EXPECT_EQ(found, std::vector<int>(found.size(), peer == rank_ ? -1 : peer));
    }
  }

  int rank_ = 0, size_ = 0;
};

using Completion = void (*)(std::vector<MPI_Request>&);

void one_by_one(std::vector<MPI_Request>& requests) {
  for (MPI_Request& request : requests) MPI_Wait(&request, MPI_STATUS_IGNORE);
}
void all_at_once(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}
void any(std::vector<MPI_Request>& requests) {
  for (int index = 0; index != MPI_UNDEFINED;)
    MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, MPI_STATUS_IGNORE);
}
void some(std::vector<MPI_Request>& requests) {
  std::vector<int> indices(requests.size());
  for (int completed = 0; completed != MPI_UNDEFINED;)
    MPI_Waitsome(static_cast<int>(requests.size()), requests.data(), &completed, indices.data(), MPI_STATUSES_IGNORE);
}
void test_some(std::vector<MPI_Request>& requests) {
  std::vector<int> indices(requests.size());
  for (int completed = 0; completed != MPI_UNDEFINED;)
    MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &completed, indices.data(), MPI_STATUSES_IGNORE);
}
void test_each(std::vector<MPI_Request>& requests) {
  for (MPI_Request& request : requests)
    for (int done = 0; done == 0;) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

TEST_F(MessageDelay, MessagesOfARankShareItsLinkHoweverItWaits) {
  constexpr int count = 10000;
  for (const Completion wait : {one_by_one, all_at_once, any, some, test_some, test_each}) {
    for (const bool persistent : {false, true}) {
      Ring mine = ring(count, persistent);
      const double took = seconds([&] {
        // The clock of a message that is not persistent has started when it was made, before the barrier.
        if (persistent) MPI_Startall(static_cast<int>(mine.requests.size()), mine.requests.data());
        wait(mine.requests);
      });
      expect_arrived(mine);
      if (!persistent) continue;
      EXPECT_GE(took, predicted(peers(), peers() * count * double{sizeof(int)}));
      for (MPI_Request& request : mine.requests) MPI_Request_free(&request);
    }
  }
}

TEST_F(MessageDelay, NonPersistentMessagesTakeTheirTimeToo) {
  constexpr int count = 10000;
  Ring mine;
  const double took = seconds([&] {
    mine = ring(count, false);
    all_at_once(mine.requests);
  });
  expect_arrived(mine);
  EXPECT_GE(took, predicted(peers(), peers() * count * double{sizeof(int)}));
}

TEST_F(MessageDelay, ATestReturnsAtOnce) {
  constexpr int count = 100000;
  Ring mine;
  int done = 1;
  const double took = seconds([&] {
    mine = ring(count, false);
    MPI_Testall(static_cast<int>(mine.requests.size()), mine.requests.data(), &done, MPI_STATUSES_IGNORE);
  });
  // They take 133 ms a peer; to send and to look at them takes one, unless another process has the core meanwhile.
  if (took < predicted(0, count * double{sizeof(int)}) / 2) {
    EXPECT_EQ(done, 0);
  }
  all_at_once(mine.requests);
  expect_arrived(mine);
}

TEST_F(MessageDelay, APlanTakesAsLongAsItsMessages) {
  PlanOptions options;
  options.strategy = Strategy::alltoallv;
  const Extents shape{32, 32, 32};
  Plan<double> plan(MPI_COMM_WORLD, shape, Kind::c2c, options);
  std::vector<double> u = plan.physical_field(), modes = plan.spectral_field();
  plan.forward(u, modes);  // what is done only once takes its own time
  const double took = seconds([&] { plan.forward(u, modes); });
  ASSERT_GT(plan.bytes_sent(), 0);
  EXPECT_GE(took, predicted(1, static_cast<double>(plan.bytes_sent())));
}

}  // namespace
}  // namespace weft
