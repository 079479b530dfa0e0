// Shares of threads: each once, on threads of their own; and one thread alone in a process that was forked after them.
#include "base/threads.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <thread>
#include <vector>

#include "base/copy_speed.hpp"

namespace weft {
namespace {

constexpr int four = 4;

struct Ran {
  std::vector<int> times;
  std::set<std::thread::id> on;
};

// Every share writes to places of its own.
Ran run(int threads) {
  Ran ran{std::vector<int>(static_cast<std::size_t>(threads)), {}};
  std::vector<std::thread::id> on(ran.times.size());
  on_threads(threads, [&](int thread) {
    ran.times[static_cast<std::size_t>(thread)]++;
    on[static_cast<std::size_t>(thread)] = std::this_thread::get_id();
  });
  ran.on = {on.begin(), on.end()};
  return ran;
}

// What the test returns in a child that is ended after some seconds, for a hang ends in no failure.
template <class Test>
int status_in_child(const Test& test) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(test() ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

TEST(Threads, EveryShareIsDoneOnceOnAThreadOfItsOwn) {
  const Ran ran = run(four);
  EXPECT_EQ(ran.times, std::vector<int>(four, 1));
  EXPECT_EQ(ran.on.size(), std::size_t{four});
  EXPECT_EQ(team(four), four);
}

TEST(Threads, NoThreadDoesNothing) {
  EXPECT_TRUE(run(0).times.empty());
  EXPECT_EQ(team(0), 0);
}

TEST(Threads, AForkedChildDoesAllSharesOnItsOnlyThread) {
  run(four);
  const int status = status_in_child([] {
    const Ran ran = run(four);
    return team(four) == 1 && ran.times == std::vector<int>(four, 1) &&
           ran.on == std::set<std::thread::id>{std::this_thread::get_id()};
  });
  EXPECT_EQ(status, 0) << (WIFSIGNALED(status) ? "it waited for threads that it does not have" : "it did other shares");
}

TEST(Threads, AChildOfAForkedChildAndItsCopiesEnd) {
  run(four);
  EXPECT_EQ(status_in_child(
                [] { return status_in_child([] { return run(four).on.size() == 1 && copy_speed(four) > 0; }) == 0; }),
            0);
}

}  // namespace
}  // namespace weft
