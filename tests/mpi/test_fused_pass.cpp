// Where passes say that their arrays are: plans and the measurement of engines take the same way for arrays of one
// size.
#include "plan/pass/fused_pass.hpp"

#include <gtest/gtest.h>

#include "unit/schedule_fixture.hpp"

namespace weft {
namespace {

/// Where the passes of a c2c plan of n^3 points on one rank say that their arrays are.
std::vector<Memory> memory_of_passes(index_t n, bool in_place) {
  const Schedule schedule =
      make_schedule(schedule_test::input_of(Extents(3, n), std::vector<Kind>(3, Kind::c2c), {2, 1, 0}));
  double from = 0, to = 0;
  const SegmentedView<double> source = whole_view(&from, Extents(3, n), Extents(3, 0), 2, 0),
                              target = whole_view(in_place ? &from : &to, Extents(3, n), Extents(3, 0), 2, 0);
  std::vector<Memory> result;
  for (const PassPlan& plan : schedule.passes)
    result.push_back(FusedPass<double>(Comm(MPI_COMM_SELF), schedule, plan, 0, {}).memory({source, target}));
  return result;
}

// 16^3 complex points are 128 KB for both arrays, 256^3 half a gigabyte, 32^3 in place one megabyte.
TEST(FusedPass, PassesOfAPlanDecideByTheirBytes) {
  for (const Memory where : memory_of_passes(16, false)) EXPECT_EQ(where, Memory::cache);
  for (const Memory where : memory_of_passes(256, false)) EXPECT_EQ(where, Memory::main);
  for (const Memory where : memory_of_passes(32, true)) EXPECT_EQ(where, Memory::cache);
  for (const Memory where : memory_of_passes(256, true)) EXPECT_EQ(where, Memory::main);
}

}  // namespace
}  // namespace weft
