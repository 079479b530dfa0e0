// Redistributions give every rank just the elements that it wants, whatever the boxes, strides, element sizes and
// strategies; what lies between elements is left alone; wrong boxes are refused on every rank alike.
#include "weft/redistribution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "nodes.hpp"
#include "plan_fixture.hpp"

namespace weft {
namespace {

using plan_test::expect_refused;

/// Cuts a box at places that look random, the same on every rank, until there is a part for each of `ranks`.
std::vector<Box> bricks(const Box& whole, int ranks, std::uint32_t seed) {
  if (ranks == 1) return {whole};
  const std::uint32_t number = seed * 2654435761U + 12345U;
  const int axis = static_cast<int>(number >> 20) % whole.dims(), low = ranks / 2;
  const index_t size = whole[axis].size(), at = whole[axis].lo + (size > 0 ? (number >> 8) % (size + 1) : 0);
  Box left = whole, right = whole;
  left[axis].hi = right[axis].lo = at;
  std::vector<Box> result = bricks(left, low, number + 1), rest = bricks(right, ranks - low, number + 2);
  result.insert(result.end(), rest.begin(), rest.end());
  return result;
}

/// A box with `layers` more on every side, as far as the whole array goes.
Box grown(Box box, const Box& whole, index_t layers) {
  if (box.empty()) return box;
  for (int axis = 0; axis < box.dims(); ++axis)
    box[axis] = intersect({box[axis].lo - layers, box[axis].hi + layers}, whole[axis]);
  return box;
}

/// The array of a box with `gap` elements between rows, planes, ..., its axes in the order given (slowest first).
class Array {
 public:
  Array(const Box& box, std::size_t element_bytes, std::vector<int> order, index_t gap)
      : box_(box), bytes_(element_bytes), strides_(box.dims()) {
    index_t stride = 1;
    for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
      strides_[*axis] = stride;
      stride = stride * box[*axis].size() + gap;
    }
    memory_.assign(static_cast<std::size_t>(stride) * bytes_, untouched);
  }

  void* data() { return memory_.data(); }
  const Extents& strides() const { return strides_; }

  /// Fills each element with bytes that follow from its global index.
  void fill(int step) {
    for_each([&](const Extents& index, unsigned char* element) {
      for (std::size_t i = 0; i < bytes_; ++i) element[i] = value(index, i, step);
    });
  }
  /// How many bytes are not those that fill(step) writes, inside `part`, or not untouched anywhere else.
  index_t wrong(int step, const Box& part) {
    std::vector<unsigned char> expected(memory_.size(), untouched);
    std::swap(expected, memory_);
    const Box box = intersect(box_, part);
    for_each([&](const Extents& index, unsigned char* element) {
      bool inside = true;
      for (int axis = 0; axis < box.dims(); ++axis) inside = inside && box[axis].contains(index[axis]);
      for (std::size_t i = 0; i < bytes_ && inside; ++i) element[i] = value(index, i, step);
    });
    std::swap(expected, memory_);
    index_t count = 0;
    for (std::size_t i = 0; i < memory_.size(); ++i) count += memory_[i] != expected[i];
    return count;
  }

 private:
  static constexpr unsigned char untouched = 0xEE;

  static unsigned char value(const Extents& index, std::size_t byte, int step) {
    index_t number = static_cast<index_t>(byte) + 7 * step;
    for (const index_t i : index) number = 31 * number + i;
    return static_cast<unsigned char>(number % 200);
  }

  template <class Visit>
  void for_each(const Visit& visit) {
    const Extents extents = box_.extents();
    for (index_t i = 0; i < box_.size(); ++i) {
      Extents index(box_.dims());
      index_t rest = i, offset = 0;
      for (int axis = box_.dims() - 1; axis >= 0; --axis) {
        const index_t local = rest % extents[axis];
        rest /= extents[axis];
        index[axis] = box_[axis].lo + local;
        offset += local * strides_[axis];
      }
      visit(index, memory_.data() + static_cast<std::size_t>(offset) * bytes_);
    }
  }

  Box box_;
  std::size_t bytes_;
  Extents strides_;
  std::vector<unsigned char> memory_;
};

/// What is redistributed, and how it lies in memory.
struct Job {
  std::vector<Box> from, to;
  std::size_t element_bytes = 8;
  std::vector<int> in_order, out_order;
  index_t in_gap = 0, out_gap = 0;
};

std::vector<int> c_order(int dims) {
  std::vector<int> order;
  for (int axis = 0; axis < dims; ++axis) order.push_back(axis);
  return order;
}

std::vector<int> reversed(int dims) {
  std::vector<int> order = c_order(dims);
  std::reverse(order.begin(), order.end());
  return order;
}

Job random_job(const Extents& shape, std::uint32_t seed, index_t ghosts = 0) {
  const Box whole(shape);
  const int ranks = world().size();
  Job job{bricks(whole, ranks, seed), bricks(whole, ranks, seed + 100), 8, c_order(shape.dims()),
          c_order(shape.dims())};
  for (Box& box : job.to) box = grown(box, whole, ghosts);
  return job;
}

RedistributionOptions with(Strategy strategy) {
  RedistributionOptions options;
  options.strategy = strategy;
  options.threads = 1;
  return options;
}

/// Forward, twice and with a rank that is late each time, then backward where it is allowed.
void expect_moves(const Job& job, const RedistributionOptions& options, bool backward) {
  const auto rank = static_cast<std::size_t>(world().rank());
  const Box &from = job.from[rank], &to = job.to[rank];
  Redistribution moves(MPI_COMM_WORLD, from, to, job.element_bytes, options);
  const std::string name = to_string(from) + " to " + to_string(to) + ", " + moves.explain();
  for (int step = 0; step < 3; ++step) {
    Array in(from, job.element_bytes, job.in_order, job.in_gap), out(to, job.element_bytes, job.out_order, job.out_gap);
    in.fill(step);
    if (step % world().size() == world().rank()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    moves.forward(in.data(), in.strides(), out.data(), out.strides());
    EXPECT_EQ(out.wrong(step, to), 0) << name;
    EXPECT_EQ(in.wrong(step, from), 0) << "input changed: " << name;
    if (!backward) continue;
    Array again(from, job.element_bytes, job.in_order, job.in_gap);
    moves.backward(out.data(), out.strides(), again.data(), again.strides());
    EXPECT_EQ(again.wrong(step, from), 0) << "backward: " << name;
  }
}

TEST(Redistribution, EveryStrategyMovesBricks) {
  for (const Strategy strategy : testing::possible(all_strategies())) {
    RedistributionOptions options = with(strategy);
    options.node_ranks = strategy == Strategy::hierarchical ? 2 : 0;
    expect_moves(random_job({7, 9, 8}, 1), options, true);
    Job job = random_job({6, 5, 7}, 2, 1);
    job.out_order = reversed(3);
    job.in_gap = 2;
    job.out_gap = 1;
    expect_moves(job, options, false);
  }
}

TEST(Redistribution, AutomaticSharesTheMemoryOfTheNode) {
  const Job job = random_job({6, 7}, 3);
  expect_moves(job, with(Strategy::automatic), true);
  const auto rank = static_cast<std::size_t>(world().rank());
  RedistributionOptions options = with(Strategy::automatic);
  const Redistribution free(MPI_COMM_WORLD, job.from[rank], job.to[rank], 8, options);
  EXPECT_EQ(free.strategy(), testing::automatic_name());
  options.shared_memory_limit = 0;
  const Redistribution none(MPI_COMM_WORLD, job.from[rank], job.to[rank], 8, options);
  EXPECT_EQ(none.strategy(), world().size() > 1 ? "alltoallv" : "none");
}

TEST(Redistribution, AnyElementSize) {
  for (const std::size_t bytes : {1, 2, 3, 4, 8, 12, 16, 24})
    for (const Strategy strategy : testing::possible({Strategy::shared, Strategy::alltoallv, Strategy::alltoallw})) {
      Job job = random_job({9, 5, 10}, 4);
      job.element_bytes = bytes;
      job.out_order = reversed(3);
      expect_moves(job, with(strategy), true);
    }
}

TEST(Redistribution, OneToSixAxes) {
  for (const Extents& shape :
       {Extents{40}, Extents{9, 11}, Extents{4, 5, 3, 6}, Extents{3, 4, 2, 3, 4}, Extents{2, 3, 2, 3, 2, 4}}) {
    Job job = random_job(shape, 5);
    expect_moves(job, with(testing::possible(Strategy::shared)), true);
    job.in_order = reversed(shape.dims());
    job.in_gap = 1;
    expect_moves(job, with(Strategy::cyclic), true);
    expect_moves(job, with(Strategy::alltoallw), true);
  }
}

// Rows and squares of elements that are long enough for vectors and cache lines; threads.
TEST(Redistribution, LargeBlocksWithThreads) {
  for (const std::size_t bytes : {4, 8, 16})
    for (const bool transposed : {false, true}) {
      Job job = random_job({70, 12, 70}, 6);
      job.element_bytes = bytes;
      if (transposed) job.out_order = {2, 1, 0};
      RedistributionOptions options = with(testing::possible(Strategy::shared));
      options.threads = 3;
      expect_moves(job, options, true);
    }
}

TEST(Redistribution, SplitMessages) {
  for (const index_t limit : {1, 7, 100})
    for (const Strategy strategy : {Strategy::alltoallv, Strategy::alltoallw, Strategy::persistent}) {
      RedistributionOptions options = with(strategy);
      options.message_limit = limit;
      options.send_batch = 1;
      options.max_pending = 2;
      expect_moves(random_job({6, 7, 8}, 7), options, true);
    }
}

TEST(Redistribution, PartsThatNobodyWantsStay) {
  const int ranks = world().size();
  const Box whole(Extents{8, 6});
  Job job = random_job({8, 6}, 8);
  Box wanted(2);
  wanted[0] = {2, 5};
  wanted[1] = {1, 6};
  job.to = bricks(wanted, ranks, 9);
  const auto rank = static_cast<std::size_t>(world().rank());
  for (const Strategy strategy : testing::possible({Strategy::shared, Strategy::alltoallw, Strategy::pairwise})) {
    Redistribution moves(MPI_COMM_WORLD, job.from[rank], job.to[rank], 8, with(strategy));
    Array in(job.from[rank], 8, {0, 1}, 0), out(job.to[rank], 8, {0, 1}, 0), back(job.from[rank], 8, {0, 1}, 0);
    in.fill(1);
    moves.forward(in.data(), out.data());
    EXPECT_EQ(out.wrong(1, job.to[rank]), 0);
    moves.backward(out.data(), back.data());
    EXPECT_EQ(back.wrong(1, wanted), 0);
  }
}

TEST(Redistribution, LayoutsGiveTheBoxes) {
  const int ranks = world().size();
  const Layout x({8, 9, 10}, ProcessGrid({ranks}), {0}), z({8, 9, 10}, ProcessGrid({ranks}), {2});
  Redistribution moves(MPI_COMM_WORLD, x, z, 16, with(Strategy::automatic));
  EXPECT_EQ(moves.from(), x.box(world().rank()));
  EXPECT_EQ(moves.to(), z.box(world().rank()));
  EXPECT_EQ(moves.bytes_sent(), 16 * (moves.from().size() - intersect(moves.from(), moves.to()).size()));
}

TEST(Redistribution, LayoutsAreOfOneArrayAndOfTheRanksThatThereAre) {
  const int ranks = world().size();
  const Layout mine({8, 9}, ProcessGrid({ranks}), {0}), more({8, 9}, ProcessGrid({ranks + 1}), {1});
  const Layout other({8, 10}, ProcessGrid({ranks}), {1});
  const auto make = [](const Layout& from, const Layout& to) { Redistribution(MPI_COMM_WORLD, from, to, 8); };
  const std::string has = "the communicator has " + std::to_string(ranks);
  expect_refused([&] { make(mine, more); }, {"to: ", std::to_string(ranks + 1) + " ranks", has});
  expect_refused([&] { make(more, mine); }, {"from: ", std::to_string(ranks + 1) + " ranks", has});
  expect_refused([&] { make(mine, other); }, {"to: ", "8 x 9", "8 x 10", "one array"});
}

// Ranks whose arrays are contiguous need not say so, others have to give strides.
TEST(Redistribution, RanksMayDifferInWhetherTheyGiveStrides) {
  const Job job = random_job({6, 7}, 21);
  const auto rank = static_cast<std::size_t>(world().rank());
  for (const Strategy strategy : testing::possible({Strategy::shared, Strategy::alltoallv})) {
    Redistribution moves(MPI_COMM_WORLD, job.from[rank], job.to[rank], 8, with(strategy));
    Array in(job.from[rank], 8, {0, 1}, 0), out(job.to[rank], 8, {0, 1}, 0), back(job.from[rank], 8, {0, 1}, 0);
    in.fill(1);
    if (rank == 0) {
      moves.forward(in.data(), out.data());
      moves.backward(out.data(), back.data());
    } else {
      moves.forward(in.data(), in.strides(), out.data(), out.strides());
      moves.backward(out.data(), out.strides(), back.data(), back.strides());
    }
    EXPECT_EQ(out.wrong(1, job.to[rank]), 0);
    EXPECT_EQ(back.wrong(1, job.from[rank]), 0);
  }
}

// More than any address space holds, on the first rank alone.
TEST(Redistribution, SourcesThatAreTooLargeAreRefusedOnEveryRank) {
  const Box all(Extents{index_t{1} << 60}), nothing(1);
  Box few(1);
  few[0] = {0, 4};
  const int rank = world().rank(), last = world().size() - 1;
  Redistribution messages(MPI_COMM_WORLD, rank == 0 ? all : nothing, rank == last ? few : nothing, 1,
                          with(Strategy::alltoallv));
  for (int time = 0; time < 2; ++time) expect_refused([&] { messages.source(); }, {"memory"});
  if (world().size() == 1 || !testing::one_node()) return;
  Redistribution shares(MPI_COMM_WORLD, rank == 0 ? all : nothing, rank == last ? few : nothing, 1,
                        with(testing::possible(Strategy::shared)));
  expect_refused([&] { shares.source(); }, {"source: ", "/dev/shm", "may be used", "forward()"});
}

TEST(Redistribution, PeersReadSourcesWhereTheyAre) {
  for (const Strategy strategy :
       testing::possible({Strategy::shared, Strategy::hierarchical, Strategy::alltoallv, Strategy::alltoallw}))
    for (const std::size_t bytes : {8, 16, 24}) {
      RedistributionOptions options = with(strategy);
      options.node_ranks = strategy == Strategy::hierarchical ? 2 : 0;
      const Job job = random_job({10, 6, 9}, 10, 1);
      const auto rank = static_cast<std::size_t>(world().rank());
      const Box &from = job.from[rank], &to = job.to[rank];
      Redistribution moves(MPI_COMM_WORLD, from, to, bytes, options);
      const Redistribution::Source source = moves.source();
      EXPECT_EQ(moves.source().data, source.data);
      for (int step = 0; step < 3; ++step) {
        Array in(from, bytes, {0, 1, 2}, 0), out(to, bytes, {2, 1, 0}, 1);
        in.fill(step);
        Redistribution local(MPI_COMM_SELF, from, from, bytes);
        local.forward(in.data(), in.strides(), source.data, source.strides);
        moves.forward_source(out.data(), out.strides());
        EXPECT_EQ(out.wrong(step, to), 0) << moves.explain() << ", " << bytes << " bytes";
      }
    }
}

TEST(Redistribution, WrongBoxesAreRefusedOnEveryRank) {
  const int ranks = world().size(), rank = world().rank();
  const Box whole(Extents{4, 6}), nothing(2);
  const Box mine = rank == 0 ? whole : nothing;
  Box beyond = whole;
  beyond[1].hi = 8;
  const auto make = [](const Box& from, const Box& to, std::size_t bytes = 8) {
    const Redistribution moves(MPI_COMM_WORLD, from, to, bytes);
  };
  expect_refused([&] { make(mine, rank == ranks - 1 ? beyond : nothing); },
                 {"to:", "rank " + std::to_string(ranks - 1), "[0, 4) x [6, 8)"});
  if (ranks > 1) expect_refused([&] { make(whole, nothing); }, {"from:", "overlaps", "of rank 1"});
  Box turned = mine;
  turned[0] = {3, 1};
  expect_refused([&] { make(turned, nothing); }, {"from:", "[3, 1)", "lo <= hi"});
  expect_refused([&] { make(mine, Box(3)); }, {"to:", "3 axes"});
  expect_refused([&] { make(Box(), Box()); }, {"from:", "1 to 6 axes"});
  expect_refused([&] { make(mine, mine, 0); }, {"element_bytes: 0"});
  if (ranks > 1)
    expect_refused([&] { make(mine, mine, static_cast<std::size_t>(rank + 1)); }, {"element_bytes", "rank 1"});
}

TEST(Redistribution, BackwardNeedsTargetsThatDoNotOverlap) {
  if (world().size() == 1) return;
  const Box whole(Extents{4, 6}), mine = world().rank() == 0 ? whole : Box(2);
  Redistribution moves(MPI_COMM_WORLD, mine, whole, 8);
  std::vector<double> in(24), out(24);
  expect_refused([&] { moves.backward(in.data(), out.data()); }, {"backward:", "overlap"});
  expect_refused([&] { moves.forward(in.data(), {6}, out.data(), {6, 1}); }, {"in_strides: 1", "2 axes"});
}

TEST(Redistribution, OptionsAreChecked) {
  const Box mine = world().rank() == 0 ? Box(Extents{4, 6}) : Box(2);
  const auto make = [&mine](const RedistributionOptions& options) {
    const Redistribution moves(MPI_COMM_WORLD, mine, mine, 8, options);
  };
  RedistributionOptions options;
  options.message_limit = 0;
  expect_refused([&] { make(options); }, {"message_limit: 0"});
  options = {};
  options.between_nodes = Strategy::shared;
  expect_refused([&] { make(options); }, {"between_nodes: 'shared'"});
  options = {};
  options.send_batch = -1;
  expect_refused([&] { make(options); }, {"send_batch: -1"});
  options = {};
  options.strategy = Strategy::shared;
  options.shared_memory_limit = 0;
  if (world().size() == 1) return;
  const auto move_all = [&options] {
    const int rank = world().rank(), last = world().size() - 1;
    const Box whole(Extents{4, 6});
    const Redistribution moves(MPI_COMM_WORLD, rank == 0 ? whole : Box(2), rank == last ? whole : Box(2), 8, options);
  };
  expect_refused(move_all, {"strategy: 'shared'", testing::one_node() ? "shared memory" : "do not share a node"});
}

}  // namespace
}  // namespace weft
