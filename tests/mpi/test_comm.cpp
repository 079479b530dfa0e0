// Comm on any number of ranks: collective errors, caching on the user's communicator, reductions, the node.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "../error_text.hpp"
#include "weft/comm.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

// More communicators than MPICH has context ids (about 2000), so that one leaked per use cannot go unnoticed.
constexpr int many = 3000;

// Taken while the program starts, before main() initialises MPI.
const std::string text_before_init = error_text([] { Comm comm(MPI_COMM_WORLD); });

TEST(Comm, RefusesWhatIsNoCommunicatorOfThisProcess) {
  EXPECT_TRUE(mentions(text_before_init, "MPI is not initialised", "MPI_Init_thread")) << text_before_init;
  EXPECT_TRUE(mentions(error_text([] { Comm comm(MPI_COMM_NULL); }), "MPI_COMM_NULL"));
}

TEST(Comm, RefusesInterCommunicators) {
  const Comm world(MPI_COMM_WORLD);
  if (world.size() < 2) GTEST_SKIP() << "needs two groups of ranks";
  const int side = world.rank() == 0 ? 0 : 1;
  const Comm local = world.split("side of the inter-communicator", side, world.rank());
  MPI_Comm inter = MPI_COMM_NULL;
  MPI_Intercomm_create(local.handle(), 0, world.handle(), side == 0 ? 1 : 0, 7, &inter);
  EXPECT_TRUE(mentions(error_text([&] { Comm comm(inter); }), "inter-communicator", "MPI_Intercomm_merge"));
  MPI_Comm_free(&inter);
}

TEST(Comm, IsADuplicateWithTheSameRanks) {
  const Comm comm(MPI_COMM_WORLD);
  int relation = MPI_UNEQUAL, rank = -1, size = -1;
  MPI_Comm_compare(comm.handle(), MPI_COMM_WORLD, &relation);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT_EQ(relation, MPI_CONGRUENT);
  EXPECT_EQ(comm.rank(), rank);
  EXPECT_EQ(comm.size(), size);
}

TEST(Comm, MpiErrorsAreFatalWhateverTheUsersHandler) {
  MPI_Comm user = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &user);
  MPI_Comm_set_errhandler(user, MPI_ERRORS_RETURN);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(Comm(user).handle(), &handler);
  EXPECT_EQ(handler, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&user);
}

TEST(Comm, SplitGroupsByColorAndOrdersByKey) {
  const Comm world(MPI_COMM_WORLD);
  const Comm parity = world.split("parity, reversed", world.rank() % 2, -world.rank());
  const int members = (world.size() + 1 - world.rank() % 2) / 2;
  EXPECT_EQ(parity.size(), members);
  EXPECT_EQ(parity.rank(), members - 1 - world.rank() / 2);
}

TEST(Comm, CachesTheDuplicateAndItsChildren) {
  const Comm first(MPI_COMM_WORLD);
  const int half = first.rank() % 2;
  const MPI_Comm part = first.split("cached", half, 0).handle(), node = first.node().handle();
  for (int i = 0; i < many; ++i) {
    const Comm again(MPI_COMM_WORLD);
    ASSERT_EQ(again.handle(), first.handle());
    ASSERT_EQ(again.split("cached", half, 0).handle(), part);
    ASSERT_EQ(again.node().handle(), node);
  }
  EXPECT_NE(first.split("another name", half, 0).handle(), part);
}

TEST(Comm, OneNameIsOneSplit) {
  const Comm world(MPI_COMM_WORLD);
  world.split("fixed", 3, world.rank());
  const std::string text = error_text([&] { world.split("fixed", 4, world.rank()); });
  EXPECT_TRUE(mentions(text, "\"fixed\"", "color 3", "color 4", "own name")) << text;
  EXPECT_TRUE(mentions(error_text([&] { world.split("negative", -1, 0); }), "color = -1", "0 or more"));
}

void use_and_free(MPI_Comm parent, int times) {
  for (int i = 0; i < times; ++i) {
    MPI_Comm user = MPI_COMM_NULL;
    MPI_Comm_dup(parent, &user);
    const Comm comm(user);
    comm.split("all", 0, 0).barrier();
    comm.node().barrier();
    ASSERT_EQ(MPI_Comm_free(&user), MPI_SUCCESS);
  }
}

// MPI_COMM_SELF exhausts the ids of this process without waiting for other ranks, which is slow where ranks share
// cores.
TEST(Comm, FreesEverythingWithTheUsersCommunicator) {
  use_and_free(MPI_COMM_SELF, many);
  use_and_free(MPI_COMM_WORLD, 10);
}

TEST(Comm, HandleOutlivesTheUsersCommunicator) {
  MPI_Comm user = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &user);
  const Comm comm(user);
  MPI_Comm_free(&user);
  EXPECT_EQ(comm.sum(index_t{1}), comm.size());
}

TEST(Comm, DuplicateOfTheUsersCommunicatorHasItsOwnCache) {
  const Comm first(MPI_COMM_WORLD);
  MPI_Comm user = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &user);
  EXPECT_NE(Comm(user).handle(), first.handle());
  MPI_Comm_free(&user);
  EXPECT_EQ(first.sum(index_t{1}), first.size());
}

TEST(Comm, NodeHoldsRanksThatShareMemory) {
  const Comm world(MPI_COMM_WORLD), node = world.node();
  EXPECT_GE(node.size(), 1);
  EXPECT_LE(node.size(), world.size());
  int* memory = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, node.handle(), static_cast<void*>(&memory), &window);
  EXPECT_NE(window, MPI_WIN_NULL);
  MPI_Win_free(&window);
  EXPECT_EQ(world.sum(index_t{node.rank() == 0 ? node.size() : 0}), world.size());
}

// Sets where this process may run for the length of a test.
class Affinity {
 public:
  Affinity() { sched_getaffinity(0, sizeof(before_), &before_); }
  ~Affinity() { sched_setaffinity(0, sizeof(before_), &before_); }
  Affinity(const Affinity&) = delete;
  Affinity& operator=(const Affinity&) = delete;

  // The cores of before.
  std::vector<int> cores() const {
    std::vector<int> found;
    for (int core = 0; core < CPU_SETSIZE; core++)
      if (CPU_ISSET(static_cast<std::size_t>(core), &before_)) found.push_back(core);
    return found;
  }
  static void only(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(static_cast<std::size_t>(core), &set);
    ASSERT_EQ(sched_setaffinity(0, sizeof(set), &set), 0);
  }

 private:
  cpu_set_t before_{};
};

TEST(Comm, CountsTheCoresThatTheRanksOfANodeMayUse) {
  const Comm world(MPI_COMM_WORLD);
  const Affinity affinity;
  const std::vector<int> cores = affinity.cores();
  const auto counted = [] {
    MPI_Comm user = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &user);
    const Comm comm(user);
    const int all = comm.cores();
    EXPECT_EQ(comm.node().cores(), all);
    EXPECT_EQ(comm.split("half", comm.rank() % 2, 0).cores(), all);
    MPI_Comm_free(&user);
    return all;
  };
  EXPECT_GE(counted(), 1);
  Affinity::only(cores.front());
  EXPECT_EQ(counted(), 1);
  if (cores.size() < 2 || world.size() < 2) return;
  Affinity::only(cores[static_cast<std::size_t>(world.node().rank() % 2)]);
  EXPECT_EQ(counted(), std::min(2, world.node().size()));
}

TEST(Comm, Reductions) {
  const Comm comm(MPI_COMM_WORLD);
  const index_t ranks = comm.size(), big = index_t{1} << 40;
  EXPECT_EQ(comm.sum(big + comm.rank()), ranks * big + ranks * (ranks - 1) / 2);
  EXPECT_EQ(comm.max(big + comm.rank()), big + ranks - 1);
  EXPECT_EQ(comm.max(-0.5 * comm.rank()), 0.0);
  EXPECT_EQ(comm.sum(0.25), 0.25 * comm.size());  // exact: multiples of 1/4
  const auto gathered = comm.all_gather(big * comm.rank());
  ASSERT_EQ(gathered.size(), static_cast<std::size_t>(ranks));
  for (index_t rank = 0; rank < ranks; ++rank) EXPECT_EQ(gathered[static_cast<std::size_t>(rank)], big * rank);
}

TEST(Comm, WaitsUntilALookSucceeds) {
  const Comm comm(MPI_COMM_WORLD);
  int looks = 0;
  comm.wait_until([&] { return ++looks == 30; });  // more than it takes to fall asleep between them
  EXPECT_EQ(looks, 30);
}

TEST(Comm, BroadcastsTextInMessagesOfAnySize) {
  const Comm comm(MPI_COMM_WORLD);
  const std::string text = "thirty characters in all, ok.\n";
  for (int root = 0; root < comm.size(); ++root) {
    const std::string mine = comm.rank() == root ? text : std::string(static_cast<std::size_t>(comm.rank()), '?');
    for (index_t largest : {4, 15, 29, 30, 31}) EXPECT_EQ(comm.broadcast(mine, root, largest), text);
    EXPECT_EQ(comm.broadcast(mine, root), text);
    EXPECT_EQ(comm.broadcast(comm.rank() == root ? "" : "not empty", root), "");
  }
}

TEST(Together, RunsTheWorkAndReturnsWhenNothingThrows) {
  const Comm comm(MPI_COMM_WORLD);
  int calls = 0;
  EXPECT_NO_THROW(comm.together([&] { ++calls; }));
  EXPECT_EQ(calls, 1);
}

TEST(Together, OneRankThrowsAndAllThrowTheSame) {
  const Comm comm(MPI_COMM_WORLD);
  for (int culprit = 0; culprit < comm.size(); ++culprit) {
    const std::string expected = "fault of rank " + std::to_string(culprit);
    try {
      comm.together([&] {
        if (comm.rank() == culprit) throw Error(Fault::file, expected);
      });
      ADD_FAILURE() << "nothing thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), expected);
      EXPECT_EQ(error.fault(), Fault::file);
    }
  }
}

TEST(Together, LowestOfSeveralRanksSpeaks) {
  const Comm comm(MPI_COMM_WORLD);
  const int lowest = comm.size() / 2;
  const std::string text = error_text([&] {
    comm.together([&] {
      if (comm.rank() >= lowest) throw Error(Fault::argument, "rank " + std::to_string(comm.rank()) + " speaks");
    });
  });
  EXPECT_EQ(text, "rank " + std::to_string(lowest) + " speaks");
}

template <class Thrown>
Error caught_together(const Comm& comm, const Thrown& thrown) {
  try {
    comm.together([&] {
      if (comm.rank() == comm.size() - 1) throw thrown;
    });
  } catch (const Error& error) {
    return error;
  }
  return Error(Fault::argument, "no error");
}

TEST(Together, OtherExceptionsBecomeErrorsToo) {
  const Comm comm(MPI_COMM_WORLD);
  const Error internal = caught_together(comm, std::out_of_range("index 9 of 3"));
  EXPECT_EQ(internal.fault(), Fault::internal);
  EXPECT_STREQ(internal.what(), "index 9 of 3");
  const Error resource = caught_together(comm, std::bad_alloc());
  EXPECT_EQ(resource.fault(), Fault::resource);
  EXPECT_TRUE(mentions(resource.what(), "out of memory"));
  EXPECT_EQ(caught_together(comm, 42).fault(), Fault::internal);
}

TEST(RequireSame, AcceptsOneValue) {
  const Comm comm(MPI_COMM_WORLD);
  EXPECT_NO_THROW(comm.require_same("cells", "32 x 32 x 32"));
  EXPECT_NO_THROW(comm.require_same("cells", ""));
}

TEST(RequireSame, NamesTheLowestRankThatDiffers) {
  const Comm comm(MPI_COMM_WORLD);
  if (comm.size() < 2) GTEST_SKIP() << "one rank cannot differ from itself";
  for (int odd = 1; odd < comm.size(); ++odd) {
    const std::string value = comm.rank() < odd ? "32 x 32 x 32" : "32 x 32 x " + std::to_string(32 + comm.rank());
    const std::string text = error_text([&] { comm.require_same("cells", value); });
    EXPECT_EQ(text, "cells differ between ranks: rank 0 has 32 x 32 x 32, rank " + std::to_string(odd) +
                        " has 32 x 32 x " + std::to_string(32 + odd) + "; give every rank the same value");
  }
}

TEST(Session, LeavesAnMpiThatOthersStartedRunning) {
  int argc = 0, finalised = 1, rank = -1;
  char** argv = nullptr;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    const Session session(argc, argv);
    EXPECT_EQ(session.root(), rank == 0);
    EXPECT_EQ(session.world(), MPI_COMM_WORLD);
  }
  MPI_Finalized(&finalised);
  EXPECT_EQ(finalised, 0);
}

}  // namespace
}  // namespace weft
