// Plans give the same bits as one rank does, whatever the strategy, the process grid, the threads and the number of
// ranks; inputs are preserved and backward undoes forward.
#include "weft/plan.hpp"

#include "environment.hpp"
#include "nodes.hpp"
#include "plan_fixture.hpp"

namespace weft::plan_test {
namespace {

/// What one rank computes of the whole array.
template <class Real>
struct Serial {
  Serial(const Case& c, const PlanOptions& options) : physical(physical_numbers<Real>(c)) {
    Plan<Real> plan(MPI_COMM_SELF, c.shape, c.kinds, options);
    spectral = plan.spectral_field();
    back = plan.physical_field();
    plan.forward(physical, spectral);
    plan.backward(spectral, back);
  }
  std::vector<Real> physical, spectral, back;
};

/// Both directions, again and again with the field and its double (which doubles every result and no rounding), so that
/// an exchange that is not over when it returns shows.
template <class Real>
void expect_same_bits(const Case& c, const Serial<Real>& serial, const PlanOptions& options) {
  const std::string name = to_string(c) + ", " + text_of(options);
  Plan<Real> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
  const auto points = part(serial.physical, c.shape, plan.physical_box(), c.physical_width());
  const auto modes = part(serial.spectral, c.spectral_shape(), plan.spectral_box(), c.spectral_width());
  const auto back = part(serial.back, c.shape, plan.physical_box(), c.physical_width());
  for (const Real factor : {Real(1), Real(2), Real(1)}) {
    const auto in = times(points, factor);
    std::vector<Real> given = in, out = plan.spectral_field();
    plan.forward(given, out);
    EXPECT_TRUE(same_bits(out, times(modes, factor))) << "forward " << name;
    EXPECT_TRUE(same_bits(given, in)) << "forward changed its input: " << name;
  }
  for (const Real factor : {Real(2), Real(1), Real(2)}) {
    const auto in = times(modes, factor);
    std::vector<Real> given = in, out = plan.physical_field();
    plan.backward(given, out);
    EXPECT_TRUE(same_bits(out, times(back, factor))) << "backward " << name;
    EXPECT_TRUE(same_bits(given, in)) << "backward changed its input: " << name;
  }
}

template <class Real>
void expect_serial_results(const Case& c, int most_grid_dims, EngineChoice engine = EngineChoice::automatic) {
  PlanOptions options = quick();
  options.engine = engine;
  const Serial<Real> serial(c, options);
  EXPECT_LE(distance(serial.back, serial.physical),
            round_trip_bound(c, std::numeric_limits<Real>::epsilon()) * norm(serial.physical))
      << to_string(c);
  const std::vector<std::vector<int>> grids = all_grids(world().size(), most_grid_dims);
  for (std::size_t i = 0; i < grids.size(); ++i) {
    options.grid = grids[i];
    options.threads = i % 2 == 0 ? 1 : 2;
    options.strategy = Strategy::alltoallv;
    expect_same_bits(c, serial, options);
    options.strategy = testing::possible(Strategy::shared);
    expect_same_bits(c, serial, options);
  }
}

TEST(Plan, SlabsAndPencilsOfRealData) {
  expect_serial_results<double>(rfftn({12, 10, 14}), 2);
  expect_serial_results<float>(rfftn({9, 8, 20}), 2);
}

TEST(Plan, SlabsAndPencilsOfComplexData) {
  expect_serial_results<double>({{8, 9, 10}, {Kind::c2c, Kind::c2c, Kind::c2c}}, 2);
}

TEST(Plan, PrimeSizesLeaveUnevenParts) {
  expect_serial_results<double>(rfftn({11, 13, 7}), 2);
  expect_serial_results<float>({{17, 5, 3}, {Kind::c2c, Kind::c2c, Kind::c2c}}, 2);
}

TEST(Plan, RanksWithoutData) {
  expect_serial_results<double>(rfftn({2, 3, 4}), 2);
  expect_serial_results<double>(rfftn({1, 1, 6}), 2);
  expect_serial_results<float>({{1, 2, 1}, {Kind::c2c, Kind::dct2, Kind::dst3}}, 2);
}

TEST(Plan, MixturesOfKinds) {
  expect_serial_results<double>({{6, 7, 8}, {Kind::c2c, Kind::r2c, Kind::dct2}}, 2);
  expect_serial_results<float>({{6, 7, 8}, {Kind::dst1, Kind::c2c, Kind::dct4}}, 2);
  expect_serial_results<double>({{7, 6, 5}, {Kind::r2c, Kind::none, Kind::c2c}}, 2);
}

TEST(Plan, OneAndTwoAxes) {
  expect_serial_results<double>(rfftn({24}), 1);
  expect_serial_results<float>({{15}, {Kind::dct3}}, 1);
  expect_serial_results<double>(rfftn({16, 9}), 1);
  expect_serial_results<double>({{5, 16}, {Kind::dst2, Kind::dct2}}, 1);
}

TEST(Plan, FourToSixAxes) {
  expect_serial_results<double>(rfftn({4, 5, 3, 6}), 3);
  expect_serial_results<float>({{3, 4, 2, 3, 4}, {Kind::c2c, Kind::dct2, Kind::c2c, Kind::none, Kind::dst2}}, 4);
  expect_serial_results<double>(rfftn({2, 3, 2, 3, 2, 4}), 3);
}

TEST(Plan, BothEngines) {
  expect_serial_results<double>(rfftn({12, 10, 8}), 2, EngineChoice::fftw);
  expect_serial_results<float>(rfftn({12, 10, 8}), 2, testing::lanes_here());
}

// Large enough for two threads on each of seven ranks: a thread gets a quarter of a megabyte. Planes that are fused,
// batches of lines, and lengths for either engine.
TEST(Plan, ThreadsShareTheLinesAndChangeNothing) {
  for (const Case& c : {rfftn({64, 60, 66}), Case{{60, 70, 67}, {Kind::none, Kind::dst2, Kind::dct2}}}) {
    PlanOptions options = quick();
    options.threads = 1;
    const Serial<double> serial(c, options);
    for (const int threads : {1, 2, 3}) {
      options.threads = threads;
      EXPECT_EQ(Plan<double>(MPI_COMM_WORLD, c.shape, c.kinds, options).threads(), threads);
      expect_same_bits(c, serial, options);
    }
  }
}

TEST(Plan, EverySchemeOfCutting) {
  const Case c = rfftn({11, 10, 9});
  const Serial<double> serial(c, quick());
  for (const Scheme scheme : {Scheme::first, Scheme::grouped}) {
    PlanOptions options = quick();
    options.scheme = scheme;
    expect_same_bits(c, serial, options);
    EXPECT_EQ(Plan<double>(MPI_COMM_WORLD, c.shape, c.kinds, options).physical_layout().scheme(), scheme);
  }
}

// The planner measures on rank 0 and all ranks use what it found, so a line is transformed alike wherever it lies.
TEST(Plan, MeasuredPlansAreTheSameOnEveryRank) {
  const Case c{{19, 23}, {Kind::dct2, Kind::dct2}};
  PlanOptions options;
  options.effort = Effort::measure;
  Plan<double> all(MPI_COMM_WORLD, c.shape, c.kinds, options);
  options.strategy = Strategy::alltoallv;
  Plan<double> other(MPI_COMM_WORLD, c.shape, c.kinds, options);
  const auto in = part(physical_numbers<double>(c), c.shape, all.physical_box(), 1);
  std::vector<double> modes = all.spectral_field(), other_modes = other.spectral_field();
  all.forward(in, modes);
  other.forward(in, other_modes);
  EXPECT_TRUE(same_bits(modes, other_modes));
}

// What a rank measured for itself must not become its part of a plan of all ranks. The array is the same line again and
// again, so that every rank has to find the same modes.
TEST(Plan, PlansOfOneRankLeaveThoseOfAllAlone) {
  for (const index_t n : {119, 204, 255}) {
    PlanOptions options;
    options.engine = EngineChoice::fftw;
    options.effort = Effort::measure;
    const Plan<double> alone(MPI_COMM_SELF, {n, 4}, {Kind::c2c, Kind::none}, options);
    options.strategy = Strategy::alltoallv;
    for (const Effort effort : {Effort::measure, Effort::estimate}) {
      options.effort = effort;
      Plan<double> all(MPI_COMM_WORLD, {16 * world().size(), n}, {Kind::none, Kind::c2c}, options);
      const std::vector<double> line = numbers<double>(2 * n);
      std::vector<double> in, out = all.spectral_field();
      for (index_t i = 0; i < all.physical_box()[0].size(); ++i) in.insert(in.end(), line.begin(), line.end());
      all.forward(in, out);
      const std::string modes(reinterpret_cast<const char*>(out.data()), out.size() * sizeof(double));
      EXPECT_TRUE(modes == world().broadcast(modes, 0)) << n << " points, " << to_string(effort);
    }
  }
}

TEST(Plan, MovesAndSharesTheCommunicator) {
  const Case c = rfftn({8, 6, 10});
  const Serial<double> serial(c, quick());
  Plan<double> plan(MPI_COMM_WORLD, {4, 4}, Kind::c2c, quick());
  plan = Plan<double>(MPI_COMM_WORLD, c.shape, Kind::r2c, quick());
  Plan<double> moved(std::move(plan));
  std::vector<double> modes = moved.spectral_field();
  moved.forward(part(serial.physical, c.shape, moved.physical_box(), 1), modes);
  EXPECT_TRUE(same_bits(modes, part(serial.spectral, c.spectral_shape(), moved.spectral_box(), 2)));
}

// Two plans whose exchanges alternate, as in a time step that transforms two fields.
TEST(Plan, PlansDoNotDisturbEachOther) {
  const Case a = rfftn({8, 6, 10}), b{{6, 9, 4}, {Kind::dct2, Kind::dst2, Kind::c2c}};
  const Serial<double> serial_a(a, quick()), serial_b(b, quick());
  Plan<double> plan_a(MPI_COMM_WORLD, a.shape, a.kinds, quick()), plan_b(MPI_COMM_WORLD, b.shape, b.kinds, quick());
  const auto in_a = part(serial_a.physical, a.shape, plan_a.physical_box(), 1);
  const auto in_b = part(serial_b.physical, b.shape, plan_b.physical_box(), 2);
  auto out_a = plan_a.spectral_field(), out_b = plan_b.spectral_field();
  auto back_a = plan_a.physical_field(), back_b = plan_b.physical_field();
  for (int step = 0; step < 3; ++step) {
    plan_a.forward(in_a, out_a);
    plan_b.forward(in_b, out_b);
    plan_b.backward(out_b, back_b);
    plan_a.backward(out_a, back_a);
  }
  EXPECT_TRUE(same_bits(out_a, part(serial_a.spectral, a.spectral_shape(), plan_a.spectral_box(), 2)));
  EXPECT_TRUE(same_bits(out_b, part(serial_b.spectral, b.spectral_shape(), plan_b.spectral_box(), 2)));
  EXPECT_TRUE(same_bits(back_a, part(serial_a.back, a.shape, plan_a.physical_box(), 1)));
  EXPECT_TRUE(same_bits(back_b, part(serial_b.back, b.shape, plan_b.physical_box(), 2)));
}

}  // namespace
}  // namespace weft::plan_test
