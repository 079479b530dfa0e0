// Bytes that schedules send: counted against the blocks of their exchanges, and by what the solver chooses against all
// that it could choose.
#include "plan/schedule/traffic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "exchange/message_schedule.hpp"
#include "poisson/choices.hpp"
#include "poisson/problem.hpp"

namespace weft {
namespace {

const std::array<Boundary, 4> one_of_each{{{End::even}, {End::periodic}, {End::odd, End::unbounded}, {End::unbounded}}};

std::vector<DomainAxis> domain_of(int number, const Extents& cells = {16, 16, 16}) {
  std::vector<DomainAxis> domain;
  for (int axis = 0; axis < cells.dims(); axis++, number /= 4)
    domain.push_back({cells[axis], 1, one_of_each[static_cast<std::size_t>(number % 4)], Centring::cell});
  return domain;
}

// Reals of all blocks that go to another rank, and to another node.
Traffic counted(const Schedule& schedule, int node_ranks) {
  Traffic sum;
  for (const ExchangePlan& plan : schedule.exchanges) {
    if (plan.process_axis < 0) continue;
    const ProcessGrid& grid = plan.near.grid();
    for (int rank = 0; rank < grid.size(); rank++)
      for (const Block& block : exchange_blocks(plan, rank, 0)) {
        const int peer = grid.neighbour(rank, plan.process_axis, block.peer);
        const index_t reals = block.send.size() * plan.width;
        sum += {peer == rank ? 0 : reals, peer / node_ranks == rank / node_ranks ? 0 : reals};
      }
  }
  return sum;
}

TEST(Traffic, IsThatOfAllBlocks) {
  for (int number = 0; number < 64; number++) {
    ScheduleInput input = schedule_input(domain_of(number, {9, 10, 7}), sizeof(double));
    for (const std::vector<int>& grid : {std::vector<int>{4}, {3, 4}, {4, 2}, {1, 6}, {5, 1}}) {
      input.grid = ProcessGrid(grid);
      const Schedule schedule = make_schedule(input);
      for (const int node_ranks : {1, 2, 4}) {
        // Where nodes are cut by lines of the grid the count is exact.
        if (grid.size() == 2 && grid[1] % node_ranks != 0 && node_ranks % grid[1] != 0) continue;
        const Traffic found = traffic_of(schedule, node_ranks), expected = counted(schedule, node_ranks);
        EXPECT_EQ(found.all, expected.all) << number << " on " << to_string(input.grid);
        EXPECT_EQ(found.between, expected.between)
            << number << " on " << to_string(input.grid) << ", " << node_ranks << " a node";
      }
      EXPECT_EQ(traffic_of(schedule, 0).between, 0);
    }
  }
}

// What one rank sends to each of its peers, by the blocks themselves.
void expect_peers(const ExchangePlan& plan, int rank, int node_ranks) {
  const ProcessGrid& grid = plan.near.grid();
  const auto node = [node_ranks](int other) { return other / node_ranks; };
  const PeerTraffic found = peer_traffic(plan, rank, sizeof(float), [&](int peer) { return node(peer) == node(rank); });
  std::vector<index_t> sent, far;
  for (const Block& block : exchange_blocks(plan, rank, 0)) {
    const int peer = grid.neighbour(rank, plan.process_axis, block.peer);
    if (peer == rank) continue;
    const index_t bytes = block.send.size() * plan.width * static_cast<index_t>(sizeof(float));
    sent.push_back(bytes);
    if (node(peer) != node(rank)) far.push_back(bytes);
  }
  const auto sum = [](const std::vector<index_t>& bytes) {
    return std::accumulate(bytes.begin(), bytes.end(), index_t{0});
  };
  EXPECT_EQ(found.peers, static_cast<int>(sent.size()));
  EXPECT_EQ(found.far_peers, static_cast<int>(far.size()));
  EXPECT_EQ(found.all, sum(sent));
  EXPECT_EQ(found.between, sum(far));
  EXPECT_EQ(found.least, sent.empty() ? 0 : *std::min_element(sent.begin(), sent.end()));
  EXPECT_EQ(found.most, sent.empty() ? 0 : *std::max_element(sent.begin(), sent.end()));
}

TEST(Traffic, OfOneRankIsThatOfItsBlocks) {
  for (const int number : {0, 27, 63}) {
    ScheduleInput input = schedule_input(domain_of(number, {9, 10, 7}), sizeof(double));
    for (const Scheme scheme : {Scheme::even, Scheme::first, Scheme::grouped})
      for (const std::vector<int>& grid : {std::vector<int>{4}, {12}, {3, 4}, {1, 6}, {5, 1}}) {
        input.grid = ProcessGrid(grid);
        input.scheme = scheme;
        for (const ExchangePlan& plan : make_schedule(input).exchanges) {
          if (plan.process_axis < 0) continue;
          for (int rank = 0; rank < input.grid.size(); rank++) expect_peers(plan, rank, 3);
        }
      }
  }
}

// Blocks that are passed on from rank to rank, stage by stage.
index_t passed_on(const ExchangePlan& plan, int rank) {
  const int peers = plan.near.grid()[plan.process_axis];
  const auto line_rank = [&](int coordinate) {
    return plan.near.grid().neighbour(rank, plan.process_axis, coordinate);
  };
  index_t bytes = 0;
  for (int from = 0; from < peers; from++)
    for (int distance = 1; distance < peers; distance++) {
      int at = from;
      for (int stage = next_stage(distance, 0); stage != nobody; stage = next_stage(distance, stage + 1)) {
        const Box block = exchange_block(plan, line_rank(from), line_rank(ring_rank(from, distance, peers)), 0);
        if (line_rank(at) == rank) bytes += block.size() * plan.width * static_cast<index_t>(sizeof(double));
        at = ring_rank(at, 1 << stage, peers);
      }
    }
  return bytes;
}

TEST(Traffic, OfStagesHasWhatIsPassedOn) {
  ScheduleInput input = schedule_input(domain_of(27, {9, 10, 7}), sizeof(double));
  for (const std::vector<int>& grid : {std::vector<int>{2}, {4}, {7}, {3, 5}}) {
    input.grid = ProcessGrid(grid);
    for (const ExchangePlan& plan : make_schedule(input).exchanges) {
      if (plan.process_axis < 0) continue;
      for (int rank = 0; rank < input.grid.size(); rank++)
        EXPECT_EQ(multistage_bytes(plan, rank, sizeof(double)), passed_on(plan, rank)) << to_string(input.grid);
    }
  }
}

TEST(Traffic, LinesShareNodesWhereAllOfTheirRanksDo) {
  ScheduleInput input = schedule_input(domain_of(63), sizeof(double));
  for (const std::vector<int>& grid : {std::vector<int>{6}, {2, 3}, {3, 2}, {4, 3}}) {
    input.grid = ProcessGrid(grid);
    for (const ExchangePlan& plan : make_schedule(input).exchanges) {
      if (plan.process_axis < 0) continue;
      for (int node_ranks = 1; node_ranks <= input.grid.size() + 1; node_ranks++) {
        bool expected = true;
        for (int rank = 0; rank < input.grid.size(); rank++)
          expected = expected && rank / node_ranks == input.grid.line(rank, plan.process_axis) / node_ranks;
        EXPECT_EQ(lines_share_nodes(plan, node_ranks), expected) << to_string(input.grid) << ", " << node_ranks;
      }
    }
  }
}

// All orders and places of the exchange, on slabs and on pencils. 16 points have 9 complex modes, 18 reals: so much
// more is sent where a periodic axis is transformed before the exchange.
TEST(Traffic, NoOrderOfAxesSendsLess) {
  for (int number = 0; number < 64; number++) {
    const std::vector<DomainAxis> domain = domain_of(number);
    ScheduleInput input = schedule_input(domain, sizeof(double));
    for (const std::vector<int>& grid : {std::vector<int>{4}, {16}, {4, 4}, {8, 2}, {16, 2}}) {
      input.grid = ProcessGrid(grid);
      const index_t sent = traffic_of(make_schedule(input), 0).all;
      std::vector<int> order{0, 1, 2};
      do {
        for (const bool padded : {false, true}) {
          ScheduleInput other = schedule_input(domain, sizeof(double), order, padded);
          other.grid = input.grid;
          EXPECT_LE(16 * sent, 18 * traffic_of(make_schedule(other), 0).all)
              << number << " on " << to_string(input.grid) << ": " << order[0] << order[1] << order[2];
        }
      } while (std::next_permutation(order.begin(), order.end()));
    }
  }
}

TEST(Traffic, AxesThatDoNotGrowGoFirstAndHalveWhatIsSent) {
  // odd-unbounded, periodic, unbounded: N^3 reals as N/2+1 modes of the periodic axis, not 2 N^3.
  const Boundary ou{End::odd, End::unbounded};
  ScheduleInput input = schedule_input({{16, 1, ou, Centring::cell},
                                        {16, 1, {End::periodic}, Centring::cell},
                                        {16, 1, {End::unbounded}, Centring::cell}},
                                       sizeof(double));
  input.grid = ProcessGrid({4});
  EXPECT_EQ(input.order.front(), 1);
  EXPECT_EQ(traffic_of(make_schedule(input), 0).all, 16 * 18 * 16 * 3 / 4);
}

// With 17 modes a rank of 16 would have twice the work of the others; 4 x 8 and 2 x 16 are balanced, and of these
// 2 (1 - 1/2) + 4 (1 - 1/16) is less than 2 (1 - 1/4) + 4 (1 - 1/8).
TEST(Traffic, PencilsAreBalancedAndThenSendLeast) {
  ScheduleInput input = schedule_input(domain_of(63), sizeof(double));
  EXPECT_EQ(choose_grid(input, 16), ProcessGrid({16}));
  EXPECT_EQ(choose_grid(input, 32), ProcessGrid({2, 16}));
  // Of nodes of 8 ranks the second exchange leaves none in 4 x 8.
  input.node_ranks = 8;
  EXPECT_EQ(choose_grid(input, 32), ProcessGrid({4, 8}));
  input.grid = ProcessGrid({4, 8});
  const Schedule schedule = make_schedule(input);
  EXPECT_EQ(traffic_of(schedule.exchanges[1], 8).between, 0);
  EXPECT_GT(traffic_of(schedule.exchanges[1], 8).all, traffic_of(schedule.exchanges[0], 8).all);
}

TEST(Choices, TellTheBytesOfTheAlternatives) {
  const std::vector<DomainAxis> domain = domain_of(63);
  ScheduleInput input = schedule_input(domain, sizeof(double));
  input.grid = ProcessGrid({4});
  const std::vector<Choice> choices = choices_of(domain, input, sizeof(double));
  // 17 complex modes of one axis there and back, three quarters of them to others.
  EXPECT_EQ(choices.front().bytes, 2 * 16 * 16 * 17 * 2 * 8 * 3 / 4);
  for (const Choice& choice : choices) EXPECT_GE(choice.bytes, choices.front().bytes) << choice.name;
  const auto found =
      std::find_if(choices.begin(), choices.end(), [](const Choice& c) { return c.name == "grid 2 x 2"; });
  ASSERT_NE(found, choices.end());
  // Half of the same, and half of as many with 32 modes of the second axis.
  EXPECT_EQ(found->bytes, (2 * 16 * 16 * 17 * 2 * 8 + 2 * 16 * 32 * 17 * 2 * 8) / 2);
  const std::string text = to_text(choices);
  EXPECT_NE(text.find("grid 4; instead: "), std::string::npos) << text;
  EXPECT_NE(text.find("grid 2 x 2"), std::string::npos) << text;
}

}  // namespace
}  // namespace weft
