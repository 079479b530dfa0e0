// Plans that work in one workspace, one after the other.
#include <algorithm>
#include <vector>

#include "in_place_fixture.hpp"
#include "weft/workspace.hpp"

namespace weft::plan_test {
namespace {

PlanOptions in_workspace(const std::shared_ptr<Workspace>& workspace, Strategy strategy = Strategy::alltoallv) {
  PlanOptions options = quick(strategy);
  options.threads = 2;
  options.workspace = workspace;
  return options;
}

TEST(SharedWorkspace, PlansInTurnGiveTheirBits) {
  const auto workspace = std::make_shared<Workspace>();
  const Case small = rfftn({12, 10, 14}), large{{20, 16, 18}, {Kind::dct2, Kind::c2c, Kind::r2c}};
  for (const Strategy strategy : {Strategy::automatic, Strategy::alltoallv, Strategy::persistent, Strategy::datatype,
                                  Strategy::multistage, Strategy::hierarchical}) {
    PlanOptions options = in_workspace(workspace, strategy);
    options.chunks = strategy == Strategy::persistent ? 3 : 1;
    options.node_ranks = strategy == Strategy::hierarchical ? 2 : 0;
    options.wire = strategy == Strategy::multistage ? Wire::single : Wire::same;
    PlanOptions own = options;
    own.workspace = nullptr;
    const OutOfPlace<double> first(small, own);
    const OutOfPlace<float> second(large, own);
    Plan<double> a = plan_of<double>(small, options);
    Plan<float> b = plan_of<float>(large, options);
    std::vector<double> modes_a = a.spectral_field(), back_a = a.physical_field();
    std::vector<float> modes_b = b.spectral_field(), back_b = b.physical_field();
    for (int turn = 0; turn < 2; turn++) {
      a.forward(first.points, modes_a);
      b.forward(second.points, modes_b);
      a.backward(modes_a, back_a);
      b.backward(modes_b, back_b);
      EXPECT_TRUE(same_bits(modes_a, first.modes) && same_bits(back_a, first.back));
      EXPECT_TRUE(same_bits(modes_b, second.modes) && same_bits(back_b, second.back));
    }
  }
}

// Buffers begin on cache lines; a dozen of them waste less than a page, and workspaces grow by whole pages.
TEST(SharedWorkspace, TakesAsMuchAsTheLargestPlan) {
  constexpr index_t page = 4096;
  const auto workspace = std::make_shared<Workspace>();
  index_t largest = 0, all = 0;
  for (const index_t n : {16, 32, 24}) {
    const Plan<double> plan(MPI_COMM_WORLD, {n, n, n}, Kind::c2c, in_workspace(workspace, Strategy::multistage));
    largest = std::max(largest, plan.workspace_bytes());
    all += plan.workspace_bytes();
  }
  EXPECT_GE(workspace->bytes(), largest) << "every buffer lies in it";
  EXPECT_LE(workspace->bytes(), largest + 3 * page);
  EXPECT_LT(workspace->bytes(), all);
}

TEST(SharedWorkspace, MemoryOfTheUserIsEnoughOrRefusedOnAllRanks) {
  const Case c = rfftn({12, 10, 14});
  index_t bytes = 0;
  {
    const auto grown = std::make_shared<Workspace>();
    const Plan<double> plan = plan_of<double>(c, in_workspace(grown));
    bytes = grown->bytes();
  }
  EXPECT_GT(bytes, 0);
  AlignedVector<char> memory(static_cast<std::size_t>(bytes));
  const OutOfPlace<double> expected(c, in_workspace(std::make_shared<Workspace>(memory.data(), bytes)));
  const OutOfPlace<double> own(c, in_workspace(nullptr));
  EXPECT_TRUE(same_bits(expected.modes, own.modes) && same_bits(expected.back, own.back));
  const index_t given = world().rank() == 0 ? 640 : bytes;
  expect_refused([&] { plan_of<double>(c, in_workspace(std::make_shared<Workspace>(memory.data(), given))); },
                 {"workspace", "640 bytes", "needs"});
}

}  // namespace
}  // namespace weft::plan_test
