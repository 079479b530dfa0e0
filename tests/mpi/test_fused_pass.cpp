// Where passes say that their arrays are: plans and the measurement of engines take the same way for arrays of one
// size.
#include "plan/pass/fused_pass.hpp"

#include <gtest/gtest.h>

#include "unit/schedule_fixture.hpp"

namespace weft {
namespace {

/// Where the passes of a c2c plan of n^3 points on one rank say that their arrays are.
std::vector<Memory> memory_of_passes(index_t n) {
  const Schedule schedule =
      make_schedule(schedule_test::input_of(Extents(3, n), std::vector<Kind>(3, Kind::c2c), {2, 1, 0}));
  std::vector<Memory> result;
  for (const PassPlan& plan : schedule.passes)
    result.push_back(FusedPass<double>(Comm(MPI_COMM_SELF), schedule, plan, 0, {}).memory());
  return result;
}

// 16^3 complex points are 128 KB for both arrays, 256^3 half a gigabyte.
TEST(FusedPass, PassesOfAPlanDecideByTheirBytes) {
  for (const Memory where : memory_of_passes(16)) EXPECT_EQ(where, Memory::cache);
  for (const Memory where : memory_of_passes(256)) EXPECT_EQ(where, Memory::main);
}

}  // namespace
}  // namespace weft
