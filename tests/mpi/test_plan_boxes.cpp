// Plans between arrays of users: their own boxes, ghost layers, modes cut as the points are, fewer ranks that
// transform. Whatever lies between, the bits are those of a plan on one rank.
#include "nodes.hpp"
#include "plan_fixture.hpp"
#include "weft/plan.hpp"

namespace weft::plan_test {
namespace {

/// Boxes of no regularity: rank 0 has a slab of axis 0, the others cut the rest along the last axis, in reversed order;
/// the last one but one has nothing where there are more than three.
Box odd_box(const Extents& shape) {
  const int size = world().size(), rank = world().rank();
  Box box(shape);
  if (size == 1) return box;
  const index_t slab = shape[0] / 3;
  box[0] = rank == 0 ? Range{0, slab} : Range{slab, shape[0]};
  if (rank == 0) return box;
  const int idle = size > 3 ? size - 2 : -1, parts = size > 3 ? size - 2 : size - 1;
  if (rank == idle) return Box(shape.dims());
  const int part = parts - 1 - (idle > 0 && rank > idle ? rank - 2 : rank - 1), last = shape.dims() - 1;
  box[last] = Partition(shape[last], parts).range(part);
  return box;
}

/// apply() with complex factors, which have a way of their own from the user's boxes to those of the plan.
template <class Real>
void expect_serial_bits_of_complex_factors(const Case& c, Plan<Real>& alone, Plan<Real>& plan,
                                           const std::string& name) {
  if (c.spectral_width() != 2) return;
  const Extents spectral = c.spectral_shape();
  const std::vector<Real> points = physical_numbers<Real>(c), phases = numbers<Real>(2 * spectral.product(), 11);
  std::vector<Real> applied = alone.physical_field(), out = plan.physical_field();
  alone.apply(points.data(), applied.data(), {phases.data(), c_strides(spectral), true});
  const auto mine = [&](const std::vector<Real>& all) {
    return part(all, c.shape, plan.physical_box(), c.physical_width());
  };
  const std::vector<Real> in = mine(points), symbol = part(phases, spectral, plan.spectral_box(), 2);
  plan.apply(in.data(), out.data(), {symbol.data(), c_strides(plan.spectral_box().extents()), true});
  EXPECT_TRUE(same_bits(out, mine(applied))) << "apply with complex factors: " << name;
}

/// Forward, backward and apply of a plan give what one rank computes.
template <class Real>
void expect_serial_bits(const Case& c, Plan<Real>& plan, const std::string& name) {
  Plan<Real> alone(MPI_COMM_SELF, c.shape, c.kinds, quick());
  const std::vector<Real> points = physical_numbers<Real>(c);
  std::vector<Real> modes = alone.spectral_field(), back = alone.physical_field(), applied = back;
  alone.forward(points, modes);
  alone.backward(modes, back);
  const Extents spectral = c.spectral_shape();
  const auto factors = numbers<Real>(spectral.product(), 7);
  alone.apply(points.data(), applied.data(), {factors.data(), c_strides(spectral), false});

  const auto mine = [&](const std::vector<Real>& all) {
    return part(all, c.shape, plan.physical_box(), c.physical_width());
  };
  std::vector<Real> in = mine(points), out = plan.spectral_field(), again = plan.physical_field();
  const std::vector<Real> kept = in;
  for (int round = 0; round < 2; ++round) {
    plan.forward(in, out);
    EXPECT_TRUE(same_bits(out, part(modes, spectral, plan.spectral_box(), c.spectral_width()))) << name;
    EXPECT_TRUE(same_bits(in, kept)) << name;
    plan.backward(out, again);
    EXPECT_TRUE(same_bits(again, mine(back))) << name;
  }
  const auto symbol = part(factors, spectral, plan.spectral_box(), 1);
  plan.apply(in.data(), again.data(), {symbol.data(), c_strides(plan.spectral_box().extents()), false});
  EXPECT_TRUE(same_bits(again, mine(applied))) << "apply: " << name;
  plan.apply(in.data(), in.data(), {symbol.data(), c_strides(plan.spectral_box().extents()), false});
  EXPECT_TRUE(same_bits(in, mine(applied))) << "apply to itself: " << name;
  expect_serial_bits_of_complex_factors(c, alone, plan, name);
}

std::vector<Case> cases() {
  return {rfftn({12, 9, 10}),
          {{6, 7, 8}, {Kind::dct2, Kind::none, Kind::c2c}},
          {{9, 14}, {Kind::dst2, Kind::dct3}},
          rfftn({4, 5, 3, 6})};
}

TEST(PlanBoxes, UsersOwnBoxesOnEitherSide) {
  const int rank = world().rank();
  for (const Case& c : cases())
    for (const Strategy strategy : testing::possible({Strategy::shared, Strategy::alltoallv, Strategy::alltoallw})) {
      const Box physical = odd_box(c.shape), spectral = odd_box(c.spectral_shape());
      for (const PlanBoxes& boxes : {PlanBoxes{physical, spectral}, PlanBoxes{physical, {}}, PlanBoxes{{}, spectral}}) {
        Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, boxes, quick(strategy));
        EXPECT_EQ(plan.physical_box(), boxes.physical.dims() > 0 ? physical : plan.physical_layout().box(rank));
        EXPECT_EQ(plan.spectral_box(), boxes.spectral.dims() > 0 ? spectral : plan.spectral_layout().box(rank));
        expect_serial_bits(c, plan, to_string(c) + ", " + plan.explain());
      }
    }
}

TEST(PlanBoxes, SinglePrecision) {
  const Case c = rfftn({8, 9, 7});
  Plan<float> plan(MPI_COMM_WORLD, c.shape, c.kinds, {odd_box(c.shape), odd_box(c.spectral_shape())}, quick());
  expect_serial_bits(c, plan, "float");
}

TEST(PlanBoxes, BoxesOfThePlanCostNothing) {
  const Case c = rfftn({12, 10, 8});
  Plan<double> own(MPI_COMM_WORLD, c.shape, c.kinds, quick());
  Plan<double> given(MPI_COMM_WORLD, c.shape, c.kinds, {own.physical_box(), own.spectral_box()}, quick());
  EXPECT_EQ(given.workspace_bytes(), own.workspace_bytes());
  EXPECT_EQ(given.bytes_sent(), own.bytes_sent());
  EXPECT_FALSE(testing::mentions(given.explain(), "of the user"));
  Plan<double> other(MPI_COMM_WORLD, c.shape, c.kinds, {odd_box(c.shape), {}}, quick());
  EXPECT_EQ(testing::mentions(other.explain(), "physical arrays of the user"), world().size() > 1);
}

// The box is the inside of a larger array, whose ghost layers are neither read nor written.
TEST(PlanBoxes, GhostLayersAreSteppedOver) {
  const Case c = rfftn({10, 9, 8});
  const Box box = odd_box(c.shape);
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, {box, odd_box(c.spectral_shape())}, quick());
  Extents outside = box.extents();
  for (index_t& n : outside) n += 4;
  const Extents strides = c_strides(outside);
  const index_t inside = 2 * (strides[0] + strides[1] + strides[2]);
  std::vector<double> with_ghosts(static_cast<std::size_t>(outside.product()), 1e300), result = with_ghosts;
  const std::vector<double> mine = part(physical_numbers<double>(c), c.shape, box, 1);
  Box place(box.extents());
  for (int axis = 0; axis < 3; ++axis) place[axis] = {2, 2 + box[axis].size()};
  if (!box.empty())
    for_each_element(outside, place, [&](index_t there, index_t here) {
      with_ghosts[static_cast<std::size_t>(there)] = mine[static_cast<std::size_t>(here)];
    });
  std::vector<double> modes = plan.spectral_field(), expected = modes, back = plan.physical_field();
  plan.forward(mine, expected);
  plan.backward(expected, back);
  const Extents packed = c_strides(plan.spectral_box().extents());
  plan.forward(with_ghosts.data() + inside, strides, modes.data(), packed);
  EXPECT_TRUE(same_bits(modes, expected));
  plan.backward(modes.data(), packed, result.data() + inside, strides);
  std::vector<double> wanted(result.size(), 1e300);
  if (!box.empty())
    for_each_element(outside, place, [&](index_t there, index_t here) {
      wanted[static_cast<std::size_t>(there)] = back[static_cast<std::size_t>(here)];
    });
  EXPECT_TRUE(same_bits(result, wanted));
}

TEST(PlanBoxes, NaturalOutputIsCutAsThePointsAre) {
  for (const Case& c : cases()) {
    PlanOptions options = quick();
    options.output = Output::natural;
    Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
    EXPECT_EQ(plan.spectral_layout(), plan.physical_layout().with_extents(c.spectral_shape()));
    EXPECT_EQ(plan.spectral_box(), plan.spectral_layout().box(world().rank()));
    EXPECT_EQ(plan.wavenumbers(0).size(), static_cast<std::size_t>(plan.spectral_box()[0].size()));
    expect_serial_bits(c, plan, "natural: " + to_string(c));
  }
}

TEST(PlanBoxes, FewerRanksTransform) {
  for (const Case& c : cases())
    for (int ranks = 1; ranks <= world().size(); ranks += 2) {
      PlanOptions options = quick(ranks % 3 == 0 ? testing::possible(Strategy::shared) : Strategy::alltoallv);
      options.ranks = ranks;
      Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
      const std::string name = to_string(c) + " on " + std::to_string(ranks) + " ranks";
      EXPECT_EQ(plan.physical_layout().ranks(), ranks);
      EXPECT_EQ(plan.strategy(), Comm(MPI_COMM_WORLD).broadcast(plan.strategy(), 0));
      if (world().rank() >= ranks) {
        EXPECT_TRUE(plan.physical_box().empty() && plan.spectral_box().empty()) << name;
        EXPECT_TRUE(plan.wavenumbers(0).empty() && plan.coordinates(0).empty() && plan.weights(0).empty()) << name;
        EXPECT_TRUE(testing::mentions(plan.explain(), "not rank"));
      }
      expect_serial_bits(c, plan, name);
      Plan<double> fed(MPI_COMM_WORLD, c.shape, c.kinds, {odd_box(c.shape), odd_box(c.spectral_shape())}, options);
      expect_serial_bits(c, fed, name + " from all ranks");
      options.output = Output::natural;
      Plan<double> natural(MPI_COMM_WORLD, c.shape, c.kinds, options);
      expect_serial_bits(c, natural, name + ", natural");
    }
}

TEST(PlanBoxes, WrongBoxesAreRefusedOnEveryRank) {
  const int size = world().size(), rank = world().rank();
  const Case c = rfftn({6, 8});
  const auto make = [&c](const PlanBoxes& boxes, const PlanOptions& options = {}) {
    Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, boxes, options);
  };
  const Box whole(c.shape), modes(c.spectral_shape()), nothing(2);
  const Box all = rank == 0 ? whole : nothing;
  Box less = all;
  less[1].hi -= rank == 0 ? 2 : 0;
  expect_refused([&] { make({less, {}}); }, {"physical_box", "no rank has", "[0, 6) x [6, 8)"});
  expect_refused([&] { make({{}, rank == 0 ? whole : nothing}); }, {"spectral_box", "beyond the array", "[0, 5)"});
  expect_refused([&] { make({Box(3), {}}); }, {"physical_box", "3 axes"});
  PlanOptions options;
  options.output = Output::natural;
  expect_refused([&] { make({{}, rank == 0 ? modes : nothing}, options); }, {"output", "'natural'", "boxes"});
  options = {};
  options.in_place = true;
  expect_refused([&] { make({all, {}}, options); }, {"boxes", "in place"});
  if (size == 1) return;
  expect_refused([&] { make({whole, {}}); }, {"physical_box", "overlaps", "rank 1"});
  expect_refused([&] { make({rank == 0 ? whole : Box(), {}}); }, {"physical_box", "1 of " + std::to_string(size)});
}

TEST(PlanBoxes, WrongNumbersOfRanksAreRefused) {
  const Case c = rfftn({6, 8});
  const auto make = [&c](const PlanOptions& options) { Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, options); };
  PlanOptions options;
  for (const int ranks : {-1, world().size() + 1}) {
    options.ranks = ranks;
    expect_refused([&] { make(options); }, {"ranks: " + std::to_string(ranks), "give 1 to"});
  }
  options.ranks = 1;
  options.grid = {2};
  expect_refused([&] { make(options); }, {"grid", "is 2", "1 ranks"});
  options.grid = {};
  options.in_place = true;
  if (world().size() > 1) expect_refused([&] { make(options); }, {"ranks", "in place"});
  options.ranks = 0;
  options.output = Output::natural;
  expect_refused([&] { make(options); }, {"output", "in place"});
}

}  // namespace
}  // namespace weft::plan_test
