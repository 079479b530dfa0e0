// A plan of small arrays repeats the calls of its passes when it is given the same arrays again. Results have the bits
// of the first time, whatever was transformed in between.
#include <gtest/gtest.h>

#include <limits>

#include "plan_fixture.hpp"
#include "poisson_support.hpp"

namespace weft::plan_test {
namespace {

template <class Real>
using Array = std::vector<Real>;

/// Small cases that take every route: short and long lines, rows with rests, lines without neighbours, end points.
std::vector<Case> repeated_cases() {
  return {rfftn({8, 8, 8}),
          rfftn({16, 12, 10}),
          rfftn({5, 7, 9}),
          {{12, 9, 11}, {Kind::c2c, Kind::c2c, Kind::c2c}},
          {{40, 6}, {Kind::dct2, Kind::dst4}},
          {{9, 17, 4}, {Kind::dct1, Kind::c2c, Kind::r2c}},
          {{3, 14, 6}, {Kind::none, Kind::r2c, Kind::c2c}},
          {{97, 3}, {Kind::c2c, Kind::none}}};
}

/// What a new plan makes of the array.
template <class Real>
Array<Real> once(const Case& c, const PlanOptions& options, Direction direction, const Array<Real>& in) {
  Plan<Real> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
  Array<Real> out = direction == Direction::forward ? plan.spectral_field() : plan.physical_field();
  direction == Direction::forward ? plan.forward(in, out) : plan.backward(in, out);
  return out;
}

template <class Real>
void expect_bits_of_the_first_time(const Case& c, const PlanOptions& options) {
  const std::string text = to_string(c) + ", " + text_of(options);
  Plan<Real> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
  std::vector<Array<Real>> points(3, plan.physical_field());
  Array<Real> modes = plan.spectral_field();
  for (int time = 0; time < 8; ++time) {
    Array<Real>& u = points[static_cast<std::size_t>(time % 5 == 4 ? 1 : 0)];
    u = numbers<Real>(static_cast<index_t>(u.size()), static_cast<std::uint32_t>(time));
    plan.forward(u, modes);
    ASSERT_TRUE(same_bits(modes, once(c, options, Direction::forward, u))) << text << ", forward, time " << time;
    Array<Real>& v = time % 4 == 3 ? points[2] : u;
    plan.backward(modes, v);
    ASSERT_TRUE(same_bits(v, once(c, options, Direction::backward, modes))) << text << ", backward, time " << time;
  }
}

TEST(RepeatedTransforms, HaveTheBitsOfTheFirst) {
  for (const Case& c : repeated_cases()) {
    expect_bits_of_the_first_time<double>(c, quick(Strategy::shared));
    expect_bits_of_the_first_time<float>(c, quick(Strategy::alltoallv));
  }
}

TEST(RepeatedTransforms, OfArraysWithOtherStridesHaveTheirOwnCalls) {
  const Case c = rfftn({6, 8, 10});
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, quick());
  const Box box = plan.physical_box();
  const Extents sides = box.extents(), dense = c_strides(sides);
  const Extents padded{(sides[2] + 3) * sides[1], sides[2] + 3, 1}, modes = c_strides(plan.spectral_box().extents());
  std::vector<double> u = numbers<double>(sides[0] * sides[1] * (sides[2] + 3) + 1, 7), out = plan.spectral_field();
  for (int time = 0; time < 8; ++time) {
    const Extents& strides = time % 3 == 2 ? padded : dense;
    std::vector<double> packed = plan.physical_field();
    for (index_t i = 0, to = 0; i < sides[0]; ++i)
      for (index_t j = 0; j < sides[1]; ++j)
        for (index_t k = 0; k < sides[2]; ++k)
          packed[static_cast<std::size_t>(to++)] = u[static_cast<std::size_t>(i * strides[0] + j * strides[1] + k)];
    plan.forward(u.data(), strides, out.data(), modes);
    EXPECT_TRUE(same_bits(out, once(c, quick(), Direction::forward, packed))) << "time " << time;
  }
}

TEST(RepeatedTransforms, InPlaceHaveTheBitsOfTheFirst) {
  PlanOptions options = quick(Strategy::shared);
  options.in_place = true;
  for (const Case& c : repeated_cases()) {
    if (c.shape.dims() < 3 || c.kind(1) == Kind::r2c) continue;  // r2c in place has to be last
    Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
    with_field(plan, [&](const auto& field) {
      const auto global = physical_numbers<double>(c);
      const std::vector<double> u = part(global, c.shape, plan.physical_box(), c.physical_width());
      std::vector<double> first, back;
      for (int time = 0; time < 4; ++time) {
        store(field.physical, u);
        plan.forward(field);
        const auto modes = values_in<double>(field.spectral);
        plan.backward(field);
        const auto points = values_in<double>(field.physical);
        if (time == 0) {
          first = modes;
          back = points;
        }
        EXPECT_TRUE(same_bits(modes, first)) << to_string(c) << ", forward, time " << time;
        EXPECT_TRUE(same_bits(points, back)) << to_string(c) << ", backward, time " << time;
      }
    });
  }
}

// The first pass of a solve checks that the right-hand side is finite.
TEST(RepeatedTransforms, OfSolvesFindValuesThatAreNotFinite) {
  for (const End end : {End::periodic, End::odd}) {
    PoissonProblem problem;
    problem.cells = {4, 6, 8};
    problem.length = {4, 6, 8};
    problem.boundary = {end, end, end};
    Poisson<double> solver(MPI_COMM_SELF, problem, testing::one_thread());
    const std::vector<double> good = numbers<double>(4 * 6 * 8);
    std::vector<double> rhs = good, solution(rhs.size()), first(rhs.size());
    solver.solve(good, first);
    for (std::size_t time = 0; time < 8; ++time) {
      const bool bad = time % 2 == 1;
      rhs = good;
      if (bad) rhs[time * 24] = std::numeric_limits<double>::quiet_NaN();
      const std::string text = testing::error_text([&] { solver.solve(rhs, solution); });
      EXPECT_EQ(testing::mentions(text, "rhs: nan"), bad) << text;
      EXPECT_TRUE(same_bits(solution, first)) << "time " << time;
    }
  }
}

}  // namespace
}  // namespace weft::plan_test
