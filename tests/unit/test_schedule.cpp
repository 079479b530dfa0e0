// Schedules: what is cut when, what is fused, and that the blocks of every exchange fit together, for slabs, pencils
// and grids of any dimension.
#include "plan/schedule/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../error_text.hpp"
#include "schedule_fixture.hpp"

namespace weft {
namespace {

using schedule_test::input_of;
using schedule_test::rfftn;
using testing::error_text;
using testing::mentions;

/// All ways to write `ranks` as a product of `dims` factors, in order.
std::vector<std::vector<int>> factorizations(int ranks, int dims) {
  if (dims == 1) return {{ranks}};
  std::vector<std::vector<int>> result;
  for (int first = 1; first <= ranks; first++) {
    if (ranks % first != 0) continue;
    for (std::vector<int> rest : factorizations(ranks / first, dims - 1)) {
      rest.insert(rest.begin(), first);
      result.push_back(rest);
    }
  }
  return result;
}

// --- what every schedule must fulfil -------------------------------------------------------------------------------

bool disjoint(const std::vector<Box>& boxes) {
  for (std::size_t a = 0; a < boxes.size(); a++)
    for (std::size_t b = 0; b < a; b++)
      if (!intersect(boxes[a], boxes[b]).empty()) return false;
  return true;
}

/// The boxes cover `whole` once: they lie in it, do not overlap, and have its size together.
void expect_tiling(const Box& whole, const std::vector<Box>& boxes) {
  index_t size = 0;
  for (const Box& box : boxes) {
    size += box.size();
    if (!box.empty()) {
      EXPECT_EQ(intersect(whole, box), box) << to_string(box) << " is not inside " << to_string(whole);
    }
  }
  EXPECT_EQ(size, whole.size());
  EXPECT_TRUE(disjoint(boxes));
}

// In every chunk a rank sends what its peers expect, and the chunks together are all that it has.
void expect_matching_blocks(const ExchangePlan& plan) {
  const ProcessGrid& grid = plan.near.grid();
  std::vector<std::vector<Box>> sent(static_cast<std::size_t>(grid.size())), received = sent;
  for (int chunk = 0; chunk < plan.chunks; chunk++) {
    std::vector<std::vector<Block>> blocks;
    for (int rank = 0; rank < grid.size(); rank++) blocks.push_back(exchange_blocks(plan, rank, chunk));
    for (int rank = 0; rank < grid.size(); rank++) {
      const std::vector<Block>& mine = blocks[static_cast<std::size_t>(rank)];
      ASSERT_EQ(static_cast<int>(mine.size()), grid[plan.process_axis]);
      for (int peer = 0; peer < grid[plan.process_axis]; peer++) {
        const Block& block = mine[static_cast<std::size_t>(peer)];
        EXPECT_EQ(block.peer, peer);
        const auto other = static_cast<std::size_t>(grid.neighbour(rank, plan.process_axis, peer));
        const auto position = static_cast<std::size_t>(grid.coordinate(rank, plan.process_axis));
        const Box& expected = blocks[other][position].receive;
        EXPECT_EQ(block.send.size(), expected.size());
        if (!expected.empty()) {
          EXPECT_EQ(block.send, expected);
        }
        sent[static_cast<std::size_t>(rank)].push_back(block.send);
        received[static_cast<std::size_t>(rank)].push_back(block.receive);
      }
    }
  }
  for (int rank = 0; rank < grid.size(); rank++) {
    expect_tiling(plan.near.box(rank), sent[static_cast<std::size_t>(rank)]);
    expect_tiling(plan.far.box(rank), received[static_cast<std::size_t>(rank)]);
  }
}

void expect_local(const Layout& layout, const std::vector<int>& axes) {
  for (int rank = 0; rank < layout.ranks(); rank++) {
    const Box box = layout.box(rank);
    for (const int axis : axes) {
      if (!box.empty()) {
        EXPECT_EQ(box[axis], (Range{0, layout.extents()[axis]})) << "axis " << axis << " of " << to_string(layout);
      }
    }
  }
}

void expect_all_owned(const Layout& layout) {
  std::vector<Box> boxes;
  for (int rank = 0; rank < layout.ranks(); rank++) boxes.push_back(layout.box(rank));
  expect_tiling(Box(layout.extents()), boxes);
}

/// Passes and exchanges form a chain, and every pass finds its axes local.
void expect_sound(const ScheduleInput& input) {
  const Schedule schedule = make_schedule(input);
  ASSERT_EQ(schedule.exchanges.size() + 1, schedule.passes.size());
  std::vector<int> order;
  Extents extents(static_cast<int>(input.axes.size()));
  for (int axis = 0; axis < extents.dims(); axis++) extents[axis] = input.axes[static_cast<std::size_t>(axis)].points;
  int width = input.width;
  EXPECT_EQ(schedule.physical.extents(), extents);
  for (const PassPlan& pass : schedule.passes) {
    EXPECT_EQ(pass.before.extents(), extents);
    EXPECT_EQ(pass.width_before, width);
    for (const int axis : pass.axes) {
      const AxisTransform& transform = input.axes[static_cast<std::size_t>(axis)];
      extents[axis] = transform.modes;
      if (is_fourier(transform.kind)) width = 2;
      order.push_back(axis);
    }
    EXPECT_EQ(pass.after, pass.before.with_extents(extents));
    EXPECT_EQ(pass.width_after, width);
    expect_local(pass.before, pass.axes);
    expect_local(pass.after, pass.axes);
  }
  EXPECT_EQ(order, input.order);
  EXPECT_EQ(schedule.physical, schedule.passes.front().before);
  EXPECT_EQ(schedule.spectral, schedule.passes.back().after);
  EXPECT_EQ(schedule.width_physical, input.width);
  EXPECT_EQ(schedule.width_spectral, width);
  expect_all_owned(schedule.physical);
  expect_all_owned(schedule.spectral);
  for (std::size_t i = 0; i < schedule.exchanges.size(); i++) {
    const ExchangePlan& exchange = schedule.exchanges[i];
    EXPECT_EQ(exchange.near, schedule.passes[i].after);
    EXPECT_EQ(exchange.far, schedule.passes[i + 1].before);
    EXPECT_EQ(exchange.near_axis, schedule.passes[i].axes.back());
    EXPECT_EQ(exchange.far_axis, schedule.passes[i + 1].axes.front());
    EXPECT_EQ(exchange.width, schedule.passes[i].width_after);
    if (exchange.process_axis >= 0) {
      expect_matching_blocks(exchange);
    } else {
      EXPECT_EQ(exchange.near, exchange.far) << "without an exchange nothing moves";
    }
  }
}

void expect_sound_on_all_grids(ScheduleInput input, int most_ranks) {
  const int axes = static_cast<int>(input.axes.size());
  const int free_axes = std::max(1, axes - 1);
  for (int ranks = 1; ranks <= most_ranks; ranks++) {
    for (int dims = 1; dims <= free_axes; dims++) {
      for (const std::vector<int>& grid : factorizations(ranks, dims)) {
        input.grid = ProcessGrid(grid);
        for (const index_t plane : {index_t{0}, index_t{1} << 40})
          for (const int chunks : {1, 3}) {
            input.plane_reals = plane;
            input.chunks = chunks;
            SCOPED_TRACE(to_string(input.grid) + " ranks, " + std::to_string(chunks) + " chunks");
            expect_sound(input);
          }
      }
    }
  }
}

TEST(Schedule, SlabsAndPencilsOfUnevenArraysFitTogether) {
  expect_sound_on_all_grids(rfftn({5}), 7);
  expect_sound_on_all_grids(rfftn({7, 6}), 9);
  expect_sound_on_all_grids(rfftn({7, 5, 8}), 12);
  expect_sound_on_all_grids(rfftn({11, 1, 3}), 8);
}

// Both neighbours of an exchange overlap with it where they leave an axis alone; a pass that is fused needs all of that
// axis, and then its planes are what is cut.
TEST(Schedule, ChunksAreCutWherePassesCanOverlap) {
  ScheduleInput input = rfftn({8, 12, 16});
  input.chunks = 4;
  input.grid = ProcessGrid({2, 3});
  Schedule schedule = make_schedule(input);
  ASSERT_EQ(schedule.exchanges.size(), 2U);
  EXPECT_EQ(schedule.exchanges[0].chunk_axis, 0);  // axis 2 to axis 1
  EXPECT_EQ(schedule.exchanges[1].chunk_axis, 2);  // axis 1 to axis 0
  input.grid = ProcessGrid({2});
  schedule = make_schedule(input);
  EXPECT_EQ(schedule.exchanges[0].chunks, 1) << "nothing is sent between axes 2 and 1";
  EXPECT_EQ(schedule.exchanges[1].chunk_axis, 2);
  input.plane_reals = index_t{1} << 40;
  schedule = make_schedule(input);
  ASSERT_EQ(schedule.exchanges.size(), 1U);
  EXPECT_EQ(schedule.exchanges[0].chunk_axis, 0);
  EXPECT_EQ(schedule.exchanges[0].chunks, 4);
}

TEST(Schedule, GridsOfManyDimensionsFitTogether) {
  expect_sound_on_all_grids(rfftn({3, 5, 4, 6}), 8);
  expect_sound_on_all_grids(rfftn({3, 2, 4, 3, 5}), 8);
  expect_sound_on_all_grids(rfftn({2, 3, 2, 3, 2, 4}), 6);
}

TEST(Schedule, RanksWithoutDataFitToo) {
  expect_sound_on_all_grids(rfftn({2, 3}), 9);
  expect_sound_on_all_grids(rfftn({1, 1, 1}), 5);
  expect_sound_on_all_grids(rfftn({2, 2, 3}), 12);
}

TEST(Schedule, EverySchemeOfCuttingFits) {
  for (const Scheme scheme : {Scheme::even, Scheme::first, Scheme::grouped}) {
    ScheduleInput input = rfftn({7, 5, 9});
    input.scheme = scheme;
    expect_sound_on_all_grids(input, 7);
  }
}

TEST(Schedule, AnyOrderAndBatchAxesFit) {
  expect_sound_on_all_grids(input_of({4, 5, 6}, {Kind::dct2, Kind::c2c, Kind::r2c}, {0, 2, 1}), 6);
  expect_sound_on_all_grids(input_of({4, 5, 6}, {Kind::r2c, Kind::dst1, Kind::dct3}, {2, 1, 0}), 6);
  expect_sound_on_all_grids(input_of({4, 5, 6}, {Kind::none, Kind::c2c, Kind::none}, {1}), 6);
  expect_sound_on_all_grids(input_of({4, 5, 6, 3}, {Kind::dct1, Kind::none, Kind::r2c, Kind::none}, {0, 2}), 6);
}

TEST(Schedule, PaddedAxesHaveAsManyModesAsTheTransformStores) {
  ScheduleInput input = rfftn({6, 5, 4});
  input.axes[2] = {Kind::r2c, 4, 8, 0, 4, 0, 5, {}};
  input.axes[0] = {Kind::c2c, 6, 12, 0, 6, 0, 12, {}};
  expect_sound_on_all_grids(input, 6);
  input.grid = ProcessGrid({3});
  EXPECT_EQ(make_schedule(input).spectral.extents(), (Extents{12, 5, 5}));
}

// --- which axes are cut ------------------------------------------------------------------------------------------

TEST(Schedule, BatchAxesBecomeLocalLast) {
  EXPECT_EQ(cutting_sequence(rfftn({4, 4, 4})), (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(cutting_sequence(input_of({4, 4, 4}, {Kind::none, Kind::c2c, Kind::none}, {1})),
            (std::vector<int>{1, 2, 0}));
}

TEST(Schedule, SlabIsCutAlongTheLastTransformedAxisAndThenItsPredecessor) {
  const Schedule schedule = make_schedule(rfftn({8, 9, 10}, ProcessGrid({4})));
  EXPECT_EQ(schedule.physical.cut(), (std::vector<int>{0}));
  EXPECT_EQ(schedule.spectral.cut(), (std::vector<int>{1}));
  EXPECT_EQ(schedule.spectral.extents(), (Extents{8, 9, 6}));
  int moving = 0;
  for (const ExchangePlan& exchange : schedule.exchanges) moving += exchange.process_axis >= 0 ? 1 : 0;
  EXPECT_EQ(moving, 1);
}

TEST(Schedule, PencilNeedsTwoExchanges) {
  const Schedule schedule = make_schedule(rfftn({8, 9, 10}, ProcessGrid({2, 3})));
  EXPECT_EQ(schedule.physical.cut(), (std::vector<int>{0, 1}));
  ASSERT_EQ(schedule.exchanges.size(), 2U);
  EXPECT_EQ(schedule.exchanges[0].process_axis, 1);
  EXPECT_EQ(schedule.exchanges[1].process_axis, 0);
  EXPECT_EQ(schedule.spectral.cut(), (std::vector<int>{1, 2}));
}

TEST(Schedule, BatchAxesAreCutFirstAndCostNoExchange) {
  const Schedule schedule =
      make_schedule(input_of({8, 9, 10}, {Kind::none, Kind::c2c, Kind::r2c}, {2, 1}, ProcessGrid({4})));
  EXPECT_EQ(schedule.physical.cut(), (std::vector<int>{0}));
  EXPECT_EQ(schedule.spectral.cut(), (std::vector<int>{0}));
  for (const ExchangePlan& exchange : schedule.exchanges) EXPECT_EQ(exchange.process_axis, -1);
}

TEST(Schedule, OneAxisLiesOnOneRank) {
  const Schedule schedule = make_schedule(rfftn({12}, ProcessGrid({3})));
  EXPECT_EQ(schedule.physical.box(0).size(), 12);
  EXPECT_EQ(schedule.physical.box(1).size(), 0);
  EXPECT_EQ(schedule.spectral.box(0).size(), 7);
  EXPECT_EQ(schedule.spectral.box(2).size(), 0);
}

// --- fusion ------------------------------------------------------------------------------------------------------

std::vector<std::vector<int>> fused(ScheduleInput input, index_t plane_reals) {
  input.plane_reals = plane_reals;
  std::vector<std::vector<int>> axes;
  for (const PassPlan& pass : make_schedule(input).passes) axes.push_back(pass.axes);
  return axes;
}
using Axes = std::vector<std::vector<int>>;

TEST(Fusion, PlaneMustFitTheCache) {
  // The plane between: 6 modes along axis 2, 9 points along axis 1, two reals each.
  const ScheduleInput input = rfftn({8, 9, 10}, ProcessGrid({4}));
  EXPECT_EQ(fused(input, 6 * 9 * 2), (Axes{{2, 1}, {0}}));
  EXPECT_EQ(fused(input, 6 * 9 * 2 - 1), (Axes{{2}, {1}, {0}}));
  // A real plane has one real per point.
  const ScheduleInput cosines = input_of({8, 9, 10}, {Kind::dct2, Kind::dct2, Kind::dct2}, {2, 1, 0});
  EXPECT_EQ(fused(cosines, 9 * 10), (Axes{{2, 1}, {0}}));
  EXPECT_EQ(fused(cosines, 9 * 10 - 1), (Axes{{2}, {1}, {0}}));
}

TEST(Fusion, AtMostTwoAxesAndOneOfThemContiguous) {
  constexpr index_t any = index_t{1} << 40;
  EXPECT_EQ(fused(rfftn({4, 4, 4, 4}), any), (Axes{{3, 2}, {1}, {0}}));
  EXPECT_EQ(fused(input_of({4, 4, 4}, {Kind::dct2, Kind::dct2, Kind::dct2}, {1, 2, 0}), any), (Axes{{1, 2}, {0}}));
  EXPECT_EQ(fused(input_of({4, 4, 4}, {Kind::dct2, Kind::dct2, Kind::none}, {1, 0}), any), (Axes{{1}, {0}}));
}

TEST(Fusion, NeverAcrossAnExchange) {
  constexpr index_t any = index_t{1} << 40;
  EXPECT_EQ(fused(rfftn({4, 4, 4}, ProcessGrid({2, 2})), any), (Axes{{2}, {1}, {0}}));
  EXPECT_EQ(fused(rfftn({4, 4}, ProcessGrid({2})), any), (Axes{{1}, {0}}));
}

// --- grids -------------------------------------------------------------------------------------------------------

TEST(Grid, MoreDimensionsThanAxesToCutAreRefused) {
  const auto refusal = [](const Extents& shape, const std::vector<int>& grid) {
    return error_text([&] { make_schedule(rfftn(shape, ProcessGrid(grid))); });
  };
  const std::string text = refusal({4, 4}, {2, 2});
  EXPECT_TRUE(mentions(text, "grid", "2 x 2", "(1)", "at most")) << text;
  EXPECT_TRUE(mentions(refusal({4, 4, 4}, {2, 2, 2}), "grid", "(2)"));
  EXPECT_TRUE(mentions(refusal({4, 4, 4}, {2, 1, 2}), "grid", "2 x 1 x 2"));
  // A dimension of one rank cuts nothing.
  EXPECT_EQ(refusal({4, 4}, {4, 1}), "no error");
  EXPECT_EQ(refusal({4, 4, 4}, {2, 2, 1}), "no error");
}

TEST(Grid, ChosenSlabGivesEveryRankDataBeforeAndAfter) {
  for (int ranks = 1; ranks <= 5; ranks++)
    EXPECT_EQ(choose_grid(rfftn({6, 5, 9}), ranks), ProcessGrid({ranks})) << ranks;
  // Axis 0 has 6 points, but the slab of the spectrum cuts the 5 modes of axis 1.
  EXPECT_EQ(choose_grid(rfftn({6, 5, 9}), 6).dims(), 2);
  // A batch axis is cut on both sides.
  EXPECT_EQ(choose_grid(input_of({6, 2, 2}, {Kind::none, Kind::c2c, Kind::r2c}, {2, 1}), 6), ProcessGrid({6}));
}

index_t largest_box(const Layout& layout) {
  index_t largest = 0;
  for (int rank = 0; rank < layout.ranks(); rank++) largest = std::max(largest, layout.box(rank).size());
  return largest;
}

TEST(Grid, ChosenPencilHasTheSmallestLargestBox) {
  for (const Extents& shape : {Extents{4, 4, 4}, Extents{7, 3, 5}, Extents{2, 9, 4}, Extents{5, 3, 2, 4}}) {
    for (int ranks = 10; ranks <= 36; ranks++) {
      ScheduleInput input = rfftn(shape);
      index_t smallest = shape.product();
      for (const std::vector<int>& grid : factorizations(ranks, 2)) {
        input.grid = ProcessGrid(grid);
        smallest = std::min(smallest, largest_box(make_schedule(input).physical));
      }
      input.grid = choose_grid(input, ranks);
      EXPECT_EQ(input.grid.size(), ranks);
      EXPECT_EQ(largest_box(make_schedule(input).physical), smallest) << to_string(shape) << ", " << ranks << " ranks";
    }
  }
}

TEST(Grid, ChosenGridAlwaysMakesASchedule) {
  for (const Extents& shape : {Extents{1}, Extents{3}, Extents{2, 2}, Extents{1, 1, 1}, Extents{1, 2, 1, 2, 1, 2}}) {
    for (int ranks = 1; ranks <= 16; ranks++) {
      ScheduleInput input = rfftn(shape);
      input.grid = choose_grid(input, ranks);
      EXPECT_EQ(input.grid.size(), ranks);
      expect_sound(input);
    }
  }
}

TEST(Schedule, ChunksAreNoMoreThanAnAxisHasIndices) {
  for (const Extents& shape : {Extents{8, 6, 10}, Extents{8, 10}})  // along an axis that is whole, and one that is cut
    for (const int chunks : {1, 2, 5, 1 << 30}) {
      ScheduleInput input = rfftn(shape, ProcessGrid({3}));
      input.chunks = chunks;
      const ExchangePlan plan = make_schedule(input).exchanges.back();
      ASSERT_TRUE(plan.moves());
      index_t most = 1;
      if (chunks > 1)
        for (int rank = 0; rank < 3; rank++) most = std::max(most, plan.near.box(rank).extents()[plan.chunk_axis]);
      EXPECT_EQ(plan.chunks, std::min<index_t>(chunks, most)) << to_string(shape);
      expect_matching_blocks(plan);
    }
}

}  // namespace
}  // namespace weft
