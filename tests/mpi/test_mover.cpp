// Movers: every strategy brings every block to the right place and touches nothing else, in both directions, again and
// again, whatever the sizes of blocks, the limit of messages and the number of chunks under way.
#include "exchange/mover.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "exchange/message_schedule.hpp"
#include "exchange/strategy.hpp"

namespace weft {
namespace {

constexpr index_t no_limit = (index_t{1} << 31) - 1;
const std::vector<Strategy> all_movers = [] {
  std::vector<Strategy> found = all_strategies();
  std::erase_if(found, [](Strategy strategy) { return row_of(strategy).make == nullptr; });
  return found;
}();

// Elements from `source` to `destination`: 0 to 10, not symmetric; some ranks send nothing at all in chunk 3.
index_t uneven(int source, int destination, std::size_t chunk) {
  if (source == destination || (chunk == 3 && source % 2 == 0)) return 0;
  return (3 * source + 5 * destination + 7 * static_cast<int>(chunk)) % 11;
}

using SizeOf = index_t (*)(int source, int destination, std::size_t chunk);

template <class Real>
MPI_Datatype mpi_type();
template <>
MPI_Datatype mpi_type<double>() {
  return MPI_DOUBLE;
}
template <>
MPI_Datatype mpi_type<float>() {
  return MPI_FLOAT;
}

// One side of a chunk: blocks to and from all ranks, `stride` reals from one real to the next, gaps between blocks.
template <class Real>
struct ChunkBlocks {
  std::vector<Real> memory;
  std::vector<std::size_t> offsets;
  std::vector<index_t> sizes;
  std::size_t stride = 1;

  ChunkBlocks(const std::vector<index_t>& block_sizes, std::size_t reals_apart)
      : sizes(block_sizes), stride(reals_apart) {
    std::size_t end = 1;
    for (const index_t size : sizes) {
      offsets.push_back(end);
      end += static_cast<std::size_t>(size) * stride + 1;
    }
    memory.assign(end, untouched);
  }
  Real& at(std::size_t peer, index_t i) { return memory[offsets[peer] + static_cast<std::size_t>(i) * stride]; }

  static constexpr Real untouched = -1;
};

// The chunks of a rank, filled and checked. Numbers are small integers, exact in float.
template <class Real>
class Blocks {
 public:
  Blocks(const Comm& comm, std::size_t chunks, SizeOf size_of = uneven, std::size_t near_stride = 1)
      : rank_(comm.rank()), ranks_(comm.size()) {
    for (std::size_t chunk = 0; chunk < chunks; chunk++) {
      std::vector<index_t> sent, received;
      for (int peer = 0; peer < ranks_; peer++) {
        sent.push_back(size_of(rank_, peer, chunk));
        received.push_back(size_of(peer, rank_, chunk));
      }
      near_.emplace_back(sent, near_stride);
      far_.emplace_back(received, 1);
    }
  }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;
  ~Blocks() {
    for (MPI_Datatype& type : types_) MPI_Type_free(&type);
  }

  /// Basic types; blocks of which one side is strided get datatypes of whole blocks, on the far side too if asked for.
  std::vector<ChunkMessages> traffic(bool whole_blocks = false) {
    std::vector<ChunkMessages> result;
    for (std::size_t chunk = 0; chunk < near_.size(); chunk++)
      result.push_back({messages(near_[chunk], whole_blocks), messages(far_[chunk], whole_blocks)});
    return result;
  }

  void fill(Direction direction, int repeat) {
    for_each_real(direction, [&](Real& real, int source, int destination, std::size_t chunk, index_t i) {
      real = number(source, destination, chunk, i, repeat);
    });
  }
  /// Everything has arrived, and nothing but the blocks was written to.
  void expect(Direction direction, int repeat) {
    const Direction other = direction == Direction::forward ? Direction::backward : Direction::forward;
    int wrong = 0;
    for_each_real(other, [&](Real& real, int destination, int source, std::size_t chunk, index_t i) {
      wrong += real == number(source, destination, chunk, i, repeat) ? 0 : 1;
      real = ChunkBlocks<Real>::untouched;
    });
    EXPECT_EQ(wrong, 0) << "reals did not arrive";
    for (const ChunkBlocks<Real>& blocks : direction == Direction::forward ? far_ : near_)
      EXPECT_EQ(std::count(blocks.memory.begin(), blocks.memory.end(), ChunkBlocks<Real>::untouched),
                static_cast<std::ptrdiff_t>(blocks.memory.size()))
          << "memory between the blocks was written to";
  }

 private:
  // Not two alike on up to 8 ranks, with up to 4 chunks and 8 repeats.
  static Real number(int source, int destination, std::size_t chunk, index_t i, int repeat) {
    return static_cast<Real>(i * 2048 + ((source * 8 + destination) * 4 + static_cast<int>(chunk)) * 8 + repeat);
  }
  // The side that is sent in a direction, with the rank that sends first.
  template <class Body>
  void for_each_real(Direction direction, const Body& body) {
    auto& chunks = direction == Direction::forward ? near_ : far_;
    for (std::size_t chunk = 0; chunk < chunks.size(); chunk++)
      for (int peer = 0; peer < ranks_; peer++)
        for (index_t i = 0; i < chunks[chunk].sizes[static_cast<std::size_t>(peer)]; i++)
          body(chunks[chunk].at(static_cast<std::size_t>(peer), i), rank_, peer, chunk, i);
  }
  std::vector<Message> messages(ChunkBlocks<Real>& blocks, bool whole_blocks) {
    std::vector<Message> result;
    for (int peer = 0; peer < ranks_; peer++) {
      const auto p = static_cast<std::size_t>(peer);
      result.push_back({peer, blocks.memory.data() + blocks.offsets[p], blocks.sizes[p], mpi_type<Real>()});
      if (blocks.sizes[p] > 0 && (whole_blocks || blocks.stride > 1)) {
        MPI_Type_vector(static_cast<int>(blocks.sizes[p]), 1, static_cast<int>(blocks.stride), mpi_type<Real>(),
                        &types_.emplace_back(MPI_DATATYPE_NULL));
        MPI_Type_commit(&types_.back());
        result.back().count = 1;
        result.back().type = types_.back();
      }
    }
    return result;
  }

  int rank_, ranks_;
  std::vector<ChunkBlocks<Real>> near_, far_;
  std::vector<MPI_Datatype> types_;
};

// Odd ranks finish the last chunk first.
void finish_all(const Comm& comm, Mover& mover, Direction direction, std::size_t chunks) {
  for (std::size_t i = 0; i < chunks; i++) mover.finish(direction, comm.rank() % 2 == 0 ? i : chunks - 1 - i);
}

// Forward and backward and again, all chunks under way together.
template <class Real>
void there_and_back(const Comm& comm, Blocks<Real>& blocks, Mover& mover, std::size_t chunks) {
  for (int repeat = 0; repeat < 4; repeat++) {
    const Direction direction = repeat == 1 || repeat == 2 ? Direction::backward : Direction::forward;
    blocks.fill(direction, repeat);
    for (std::size_t chunk = 0; chunk < chunks; chunk++) {
      mover.start(direction, chunk);
      mover.progress();
    }
    finish_all(comm, mover, direction, chunks);
    blocks.expect(direction, repeat);
  }
}

std::string text_of(const MoverOptions& options, std::size_t chunks) {
  return to_string(options.strategy) + ", chunks " + std::to_string(chunks) + ", limit " +
         std::to_string(options.message_limit) + ", batch " + std::to_string(options.send_batch) + ", pending " +
         std::to_string(options.max_pending);
}

template <class Real>
void move_blocks(const Comm& comm, const MoverOptions& options, std::size_t chunks, SizeOf size_of = uneven) {
  SCOPED_TRACE(text_of(options, chunks));
  Blocks<Real> blocks(comm, chunks, size_of);
  const auto mover = make_mover(comm, blocks.traffic(), options);
  there_and_back(comm, blocks, *mover, chunks);
}

class EveryMover : public ::testing::TestWithParam<Strategy> {};

TEST_P(EveryMover, MovesUnevenBlocksBothWaysAgainAndAgain) {
  const Comm comm(MPI_COMM_WORLD);
  for (std::size_t chunks = 1; chunks <= 4; chunks++)
    for (const index_t limit : {index_t{1}, index_t{7}, no_limit})
      move_blocks<double>(comm, {GetParam(), 0, 0, limit}, chunks);
}

TEST_P(EveryMover, MovesFloats) {
  const Comm comm(MPI_COMM_WORLD);
  move_blocks<float>(comm, {GetParam(), 0, 0, no_limit}, 2);
  move_blocks<float>(comm, {GetParam(), 0, 0, 3}, 2);
}

// 160 KB: MPI libraries send so much only when the receiver is ready for it.
TEST_P(EveryMover, MovesBlocksThatWaitForTheirReceiver) {
  const Comm comm(MPI_COMM_WORLD);
  const auto large = [](int source, int destination, std::size_t chunk) {
    return source == destination ? 0 : 20000 + uneven(source, destination, chunk);
  };
  move_blocks<double>(comm, {GetParam(), 0, 0, no_limit}, 2, large);
  move_blocks<double>(comm, {GetParam(), 1, 1, 15000}, 2, large);
}

TEST_P(EveryMover, HasNothingToDoWithoutMessages) {
  const Comm comm(MPI_COMM_WORLD);
  Blocks<double> blocks(comm, 2, [](int, int, std::size_t) { return index_t{0}; });
  const auto mover = make_mover(comm, blocks.traffic(), {GetParam(), 0, 0, no_limit});
  there_and_back(comm, blocks, *mover, 2);
  EXPECT_EQ(mover->workspace_bytes(), 0);
}

// Rank 0 works and looks at its messages now and then; the others need all of them.
TEST_P(EveryMover, AdvancesWithoutWaiting) {
  const Comm comm(MPI_COMM_WORLD);
  Blocks<double> blocks(comm, 2);
  const auto mover = make_mover(comm, blocks.traffic(), {GetParam(), 1, 1, 4});
  blocks.fill(Direction::forward, 0);
  for (const std::size_t chunk : {0, 1}) mover->start(Direction::forward, chunk);
  if (comm.rank() != 0) finish_all(comm, *mover, Direction::forward, 2);
  MPI_Request all_but_one = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm.handle(), &all_but_one);
  comm.wait_until([&] {
    int done = 0;
    MPI_Test(&all_but_one, &done, MPI_STATUS_IGNORE);
    mover->progress();
    return done != 0;
  });
  if (comm.rank() == 0) finish_all(comm, *mover, Direction::forward, 2);
  blocks.expect(Direction::forward, 0);
}

INSTANTIATE_TEST_SUITE_P(Movers, EveryMover, ::testing::ValuesIn(all_movers),
                         [](const auto& info) { return to_string(info.param); });

class ThrottledMover : public ::testing::TestWithParam<Strategy> {};

TEST_P(ThrottledMover, AnyBatchAndAnyBoundOfPendingSends) {
  const Comm comm(MPI_COMM_WORLD);
  for (const int batch : {0, 1, 2})
    for (const int pending : {0, 1, 2})
      for (const index_t limit : {index_t{3}, no_limit})
        move_blocks<double>(comm, {GetParam(), batch, pending, limit}, 3);
}

INSTANTIATE_TEST_SUITE_P(Movers, ThrottledMover, ::testing::Values(Strategy::persistent, Strategy::datatype),
                         [](const auto& info) { return to_string(info.param); });

TEST(Mover, MovesBlocksWithoutACopyWhereTheyAreStrided) {
  const Comm comm(MPI_COMM_WORLD);
  for (const Strategy strategy : {Strategy::alltoallw, Strategy::datatype, Strategy::persistent, Strategy::cyclic})
    for (const bool whole_blocks : {false, true}) {
      SCOPED_TRACE(to_string(strategy));
      Blocks<double> blocks(comm, 2, uneven, 3);
      const index_t limit = whole_blocks ? 1 : no_limit;
      const auto mover = make_mover(comm, blocks.traffic(whole_blocks), {strategy, 1, 2, limit});
      there_and_back(comm, blocks, *mover, 2);
    }
}

// A message of three elements of two reals each, with a limit of two elements.
TEST(Mover, CutsMessagesOfDerivedTypesByTheirExtent) {
  const Comm comm(MPI_COMM_WORLD);
  const auto six = [](int source, int destination, std::size_t) { return index_t{source == destination ? 0 : 6}; };
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  for (const Strategy strategy : all_movers) {
    SCOPED_TRACE(to_string(strategy));
    Blocks<double> blocks(comm, 1, six);
    std::vector<ChunkMessages> traffic = blocks.traffic();
    for (auto* end : {&traffic[0].near, &traffic[0].far})
      for (Message& message : *end) {
        message.count /= 2;
        message.type = pair;
      }
    const auto mover = make_mover(comm, traffic, {strategy, 0, 0, 2});
    there_and_back(comm, blocks, *mover, 1);
  }
  MPI_Type_free(&pair);
}

// Only rank 0 and the last one have a message above the limit, but all have to call the same collective.
TEST(Mover, OneLargeMessageMakesAllRanksCountWith64Bits) {
  const Comm comm(MPI_COMM_WORLD);
  if (comm.size() < 2) GTEST_SKIP() << "needs messages";
  const auto one_large = [](int source, int destination, std::size_t) {
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return index_t{source == destination ? 0 : (source == 0 && destination == ranks - 1 ? 15 : 1)};
  };
  // Blocks of one real and gaps of one: without the large block no offset is above 2 (7 - 2) = 10 on 7 ranks.
  for (const index_t limit : {index_t{14}, no_limit}) {
    Blocks<double> blocks(comm, 1, one_large);
    const auto mover = make_mover(comm, blocks.traffic(), {Strategy::alltoallv, 0, 0, limit});
    EXPECT_EQ(mover->detail(), limit == 14 ? "64-bit counts" : "");
    there_and_back(comm, blocks, *mover, 1);
  }
}

TEST(Mover, BytesAreCountedAsNumbersAre) {
  const Comm comm(MPI_COMM_WORLD);
  const auto peers = static_cast<std::size_t>(comm.size());
  std::vector<char> in(peers, static_cast<char>('a' + comm.rank())), out(peers);
  ChunkMessages traffic;
  for (int peer = 0; peer < comm.size(); peer++) {
    const auto at = static_cast<std::size_t>(peer);
    const index_t count = peer == comm.rank() ? 0 : 1;
    traffic.near.push_back({peer, &in[at], count, MPI_BYTE});
    traffic.far.push_back({peer, &out[at], count, MPI_BYTE});
  }
  const auto mover = make_mover(comm, {traffic}, {Strategy::alltoallv, 0, 0, no_limit});
  EXPECT_EQ(mover->detail(), "") << "MPI_Ialltoallv";
  mover->start(Direction::forward, 0);
  mover->finish(Direction::forward, 0);
  for (int peer = 0; peer < comm.size(); peer++) {
    EXPECT_EQ(out[static_cast<std::size_t>(peer)], peer == comm.rank() ? '\0' : 'a' + peer);
  }
}

// One send buffer for the blocks of each stage, and the largest of these again for what arrives.
TEST(Mover, MultistageSaysHowMuchMemoryItNeeds) {
  const Comm comm(MPI_COMM_WORLD);
  const auto five = [](int source, int destination, std::size_t) { return index_t{source == destination ? 0 : 5}; };
  index_t sent = 0, most = 0;
  for (int stage = 0; stage < stage_count(comm.size()); stage++) {
    const auto blocks = static_cast<index_t>(stage_distances(stage, comm.size()).size());
    sent += blocks;
    most = std::max(most, blocks);
  }
  Blocks<double> blocks(comm, 3, five);
  for (const Strategy strategy : all_movers) {
    const index_t expected = strategy == Strategy::multistage ? 3 * (sent + most) * index_t{5 * sizeof(double)} : 0;
    EXPECT_EQ(make_mover(comm, blocks.traffic(), {strategy, 0, 0, no_limit})->workspace_bytes(), expected);
  }
}

TEST(Mover, RefusesStrategiesThatSendNoMessages) {
  const Comm comm(MPI_COMM_WORLD);
  for (const Strategy strategy : {Strategy::automatic, Strategy::shared, Strategy::hierarchical}) {
    try {
      make_mover(comm, {}, {strategy, 0, 0, no_limit});
      ADD_FAILURE() << "nothing thrown for " << to_string(strategy);
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::internal);
      EXPECT_NE(std::string(error.what()).find(to_string(strategy)), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace weft
