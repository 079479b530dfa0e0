// Convolutions, correlations and products of modes have the bits of one rank, of every kind of plan that has them; what
// they are is shown against numpy and scipy.
#include <functional>

#include "environment.hpp"
#include "nodes.hpp"
#include "plan/space.hpp"
#include "plan_fixture.hpp"

namespace weft::plan_test {
namespace {

/// What a plan makes of three arrays, on one rank and on all of them, is the same to the last bit.
template <class Real>
void expect_bits_of_one_rank(const Case& c, Space space,
                             const std::function<void(Plan<Real>&, const Real*, const Real*, Real*)>& multiply,
                             const PlanOptions& options = {}) {
  Plan<Real> alone(MPI_COMM_SELF, c.shape, c.kinds), plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
  const bool points = space == Space::physical;
  const auto boxed = [&](const Plan<Real>& of) { return points ? of.physical_box() : of.spectral_box(); };
  const int width = (points ? alone.physical_complex() : alone.spectral_complex()) ? 2 : 1;
  const Extents all = boxed(alone).extents();
  const auto a = numbers<Real>(all.product() * width, 1), b = numbers<Real>(all.product() * width, 2);
  const auto mine = [&](const std::vector<Real>& global) { return part(global, all, boxed(plan), width); };
  std::vector<Real> whole(a.size()), out(mine(a).size());
  multiply(alone, a.data(), b.data(), whole.data());
  multiply(plan, mine(a).data(), mine(b).data(), out.data());
  EXPECT_TRUE(same_bits(out, mine(whole))) << to_string(c);
  out = mine(b);
  multiply(plan, mine(a).data(), out.data(), out.data());
  EXPECT_TRUE(same_bits(out, mine(whole))) << to_string(c) << " in place of a factor";
}

template <class Real>
void expect_linear_bits(const Case& c, const Extents& origin) {
  using Fields = Plan<Real>&;
  expect_bits_of_one_rank<Real>(c, Space::physical, [&](Fields plan, const Real* a, const Real* b, Real* out) {
    plan.convolve(a, b, out, origin);
  });
  expect_bits_of_one_rank<Real>(c, Space::physical, [&](Fields plan, const Real* a, const Real* b, Real* out) {
    plan.correlate(a, b, out, origin);
  });
}

TEST(Products, CyclicOnesHaveTheBitsOfOneRank) {
  for (const Case& c : {Case{{6, 5, 8}, {Kind::c2c, Kind::c2c, Kind::r2c}}, Case{{7, 6}, {Kind::c2c, Kind::c2c}},
                        Case{{4, 9, 6}, {Kind::none, Kind::c2c, Kind::r2c}}, Case{{1 << 15}, {Kind::c2c}}}) {
    using Fields = Plan<double>&;
    expect_bits_of_one_rank<double>(c, Space::physical, [](Fields plan, const double* a, const double* b, double* out) {
      plan.convolve(a, b, out);
    });
    expect_bits_of_one_rank<double>(c, Space::physical, [](Fields plan, const double* a, const double* b, double* out) {
      plan.correlate(a, b, out);
    });
  }
}

TEST(Products, LinearOnesHaveTheBitsOfOneRank) {
  const Case cube{{6, 5, 8}, {Kind::c2c, Kind::c2c, Kind::r2c}}, plane{{7, 6}, {Kind::c2c, Kind::c2c}};
  expect_linear_bits<double>(cube, {2, 4, 3});
  expect_linear_bits<float>(cube, {5, 2, 7});
  expect_linear_bits<double>(plane, {3, 0});
  expect_linear_bits<double>({{4, 9, 6}, {Kind::none, Kind::c2c, Kind::r2c}}, {0, 4, 2});
  expect_linear_bits<double>({{16}, {Kind::r2c}}, {7});
  expect_linear_bits<double>({{5, 6, 4}, {Kind::r2c, Kind::c2c, Kind::c2c}}, {1, 2, 3});
}

TEST(Products, OfModesHaveTheBitsOfOneRank) {
  const auto expect = []<class Real>(const Case& c, Real) {
    expect_bits_of_one_rank<Real>(
        c, Space::spectral, [](Plan<Real>& plan, const Real* a, const Real* b, Real* out) { plan.product(a, b, out); });
  };
  expect({{6, 5, 8}, {Kind::c2c, Kind::c2c, Kind::r2c}}, 0.0);
  expect({{6, 5, 8}, {Kind::c2c, Kind::c2c, Kind::r2c}}, 0.0F);
  expect({{4, 7, 6}, {Kind::none, Kind::dct2, Kind::dct1}}, 0.0);
}

// The exchanges of both factors are under way at once, each in many messages that start one after the other.
TEST(Products, OfModesDoNotMixTheirMessages) {
  for (const Strategy strategy : testing::possible(all_strategies())) {
    PlanOptions options = quick(strategy);
    options.node_ranks = strategy == Strategy::hierarchical ? 2 : 0;
    options.message_limit = 16;
    options.send_batch = 1;
    SCOPED_TRACE(text_of(options));
    for (const Case& c : {Case{{6, 5, 8}, {Kind::c2c, Kind::c2c, Kind::r2c}}, Case{{1, 42}, {Kind::c2c, Kind::c2c}}})
      expect_bits_of_one_rank<double>(
          c, Space::spectral,
          [](Plan<double>& plan, const double* a, const double* b, double* out) { plan.product(a, b, out); }, options);
  }
}

TEST(Products, OriginsThatAreNotAllowedAreRefused) {
  Plan<double> plan(MPI_COMM_WORLD, {8, 6, 10}, Kind::r2c, quick());
  auto u = plan.physical(), w = plan.physical();
  expect_refused([&] { plan.convolve(u, u, w, {0, 6, 0}); }, {"origin: 6 on axis 1", "give 0 to 5"});
  expect_refused([&] { plan.convolve(u, u, w, {0, 0}); }, {"origin: 2 entries for 3 axes"});
  const index_t own = world().rank() == world().size() - 1 ? 1 : 0;
  if (world().size() > 1) expect_refused([&] { plan.correlate(u, u, w, {own, 0, 0}); }, {"origin"});
  EXPECT_NO_THROW(plan.convolve(u, u, w, {7, 5, 9}));
}

}  // namespace
}  // namespace weft::plan_test
