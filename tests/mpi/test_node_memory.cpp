// Memory that the ranks of a node share: where its parts lie, what is in them, who sees it, and that it goes.
#include "base/node_memory.hpp"

#include <gtest/gtest.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "../error_text.hpp"
#include "nodes.hpp"

namespace weft {
namespace {

using testing::mentions;

/// All ranks, or where they are on several nodes those of this one.
const Comm& node() {
  static const Comm comm = testing::one_node() ? Comm(MPI_COMM_WORLD) : Comm(MPI_COMM_WORLD).node();
  return comm;
}

/// How files of shared memory of this run begin: with the process of the rank that makes them.
std::string file_prefix() { return node().broadcast("weft-" + std::to_string(getpid()) + "-", 0); }

int files_left() {
  const std::string prefix = file_prefix();
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
    count += entry.path().filename().string().rfind(prefix, 0) == 0 ? 1 : 0;
  return count;
}

/// What this process has mapped of such files.
std::vector<std::string> mapped_files() {
  const std::string prefix = file_prefix();
  std::vector<std::string> result;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("/dev/shm/" + prefix) != std::string::npos) result.push_back(line);
  return result;
}

/// A number for every byte, another for every rank and round.
char pattern(int rank, int round, index_t i) { return static_cast<char>((i * 31 + rank * 57 + round * 101 + 7) % 251); }

bool holds_pattern(const NodeMemory& memory, int rank, int round, index_t bytes) {
  const char* part = memory.part(rank);
  for (index_t i = 0; i < bytes; i++)
    if (part[i] != pattern(rank, round, i)) return false;
  return true;
}

void store_pattern(const NodeMemory& memory, int rank, int round, index_t bytes) {
  char* part = memory.part(rank);
  for (index_t i = 0; i < bytes; i++) part[i] = pattern(rank, round, i);
}

/// Every rank sees what every rank has stored, again and again.
void expect_shared(index_t (*bytes_of)(int)) {
  const NodeMemory memory(node(), bytes_of(node().rank()));
  for (int round = 0; round < 20; round++) {
    store_pattern(memory, node().rank(), round, bytes_of(node().rank()));
    memory.synchronise();
    for (int rank = 0; rank < node().size(); rank++)
      EXPECT_TRUE(holds_pattern(memory, rank, round, bytes_of(rank))) << "part of rank " << rank << ", round " << round;
    memory.synchronise();
  }
}

TEST(NodeMemory, PartsLieOneBehindTheOtherInWholeCacheLines) {
  const auto asked = [](int rank) { return index_t{100} * rank + 1; };
  const NodeMemory memory(node(), asked(node().rank()));
  EXPECT_EQ(memory.bytes(), (asked(node().rank()) + 63) / 64 * 64);
  for (int rank = 0; rank < node().size(); rank++) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.part(rank)) % 64, 0U);
    const index_t before = rank == 0 ? 0 : (asked(rank - 1) + 63) / 64 * 64;
    EXPECT_EQ(memory.part(rank) - memory.part(std::max(rank - 1, 0)), before);
  }
}

TEST(NodeMemory, BeginsAsZeros) {
  constexpr index_t bytes = 100000;
  for (int again = 0; again < 2; again++) {  // the second time where the first one has been
    const NodeMemory memory(node(), bytes);
    const char *begin = memory.part(0), *end = memory.part(node().size() - 1) + bytes;
    EXPECT_TRUE(std::all_of(begin, end, [](char byte) { return byte == 0; }));
    memory.synchronise();
    std::fill_n(memory.part(node().rank()), bytes, char{1});
    memory.synchronise();
  }
}

TEST(NodeMemory, WhatIsStoredIsSeenByAll) {
  expect_shared([](int rank) { return index_t{1000} + 10 * rank; });
}

TEST(NodeMemory, RanksMayAskForNothing) {
  expect_shared([](int rank) { return rank % 2 == 0 ? index_t{0} : index_t{77}; });
  expect_shared([](int rank) { return rank == 0 ? index_t{77} : index_t{0}; });
  const NodeMemory none(node(), 0);
  EXPECT_EQ(none.bytes(), 0);
  EXPECT_NE(none.part(0), nullptr);
  none.synchronise();
}

TEST(NodeMemory, ASingleRankNeedsNoFile) {
  const Comm alone(MPI_COMM_SELF);
  const NodeMemory memory(alone, 1000);
  EXPECT_EQ(memory.bytes(), 1024);
  EXPECT_TRUE(std::all_of(memory.part(0), memory.part(0) + 1000, [](char byte) { return byte == 0; }));
  store_pattern(memory, 0, 0, 1000);
  memory.synchronise();
  EXPECT_TRUE(holds_pattern(memory, 0, 0, 1000));
  EXPECT_TRUE(mapped_files().empty());
}

TEST(NodeMemory, FilesHaveNoNameAndGoWithTheMemory) {
  std::optional<NodeMemory> memory;
  memory.emplace(node(), 5000);
  EXPECT_EQ(files_left(), 0);
  const std::vector<std::string> files = mapped_files();
  EXPECT_EQ(files.empty(), node().size() == 1);
  for (const std::string& file : files) EXPECT_NE(file.find("(deleted)"), std::string::npos) << file;
  memory.reset();
  EXPECT_TRUE(mapped_files().empty());
}

// As a garbage collector would: in another order on every rank, and while the others still work with it.
TEST(NodeMemory, EveryRankFreesAlone) {
  constexpr index_t bytes = 3000;
  std::optional<NodeMemory> one, two;
  one.emplace(node(), bytes);
  two.emplace(node(), bytes);
  store_pattern(*one, node().rank(), 1, bytes);
  store_pattern(*two, node().rank(), 2, bytes);
  two->synchronise();
  const bool even = node().rank() % 2 == 0;
  (even ? one : two).reset();
  node().barrier();
  const NodeMemory& kept = even ? *two : *one;
  for (int rank = 0; rank < node().size(); rank++) EXPECT_TRUE(holds_pattern(kept, rank, even ? 2 : 1, bytes));
}

/// Whole megabytes, more than all of the memory that ranks can share; 0 where it has no limit.
index_t beyond_shared_memory() {
  struct statvfs all {};
  index_t megabytes = 0;
  if (statvfs("/dev/shm", &all) == 0 && all.f_blocks > 0)
    megabytes = (2 * static_cast<index_t>(all.f_blocks * all.f_frsize) >> 20) + 1024;
  return node().max(megabytes) << 20;
}

// On the last rank alone.
TEST(NodeMemory, TooMuchIsRefusedOnEveryRankAndLeavesNothing) {
  const bool last = node().rank() == node().size() - 1;
  // The first is too much for any address space; the second only for the memory of the rank that wants it, when the
  // others have theirs. A rank alone has memory of its own, of which systems may promise more than there is.
  std::vector<index_t> sizes{index_t{1} << 50};
  if (const index_t bytes = beyond_shared_memory(); bytes > 0 && node().size() > 1) sizes.push_back(bytes);
  for (const index_t bytes : sizes) {
    std::string text = "no error";
    try {
      const NodeMemory memory(node(), last ? bytes : 64);
    } catch (const Error& error) {
      text = error.what();
      EXPECT_EQ(error.fault(), Fault::resource);
    }
    EXPECT_NE(text, "no error");
    EXPECT_EQ(text, node().broadcast(text, 0));
    if (node().size() > 1) {
      EXPECT_TRUE(mentions(text, "strategy", std::to_string((bytes >> 20) + 1) + " MB", "/dev/shm",
                           "could not be allocated", "'alltoallv'"))
          << text;
    }
    EXPECT_EQ(files_left(), 0);
    EXPECT_TRUE(mapped_files().empty());
  }
  expect_shared([](int) { return index_t{500}; });
}

}  // namespace
}  // namespace weft
