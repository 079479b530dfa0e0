// Arrays with padding between rows: the same bits as contiguous ones, nothing stored between rows, refusals everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "plan_fixture.hpp"
#include "weft/plan.hpp"

namespace weft {
namespace {

using Complex = std::complex<double>;

// The phase grows by squares: the sine of one that grows in steps is a wave, of one mode.
void fill_noise(Field<double>& u) {
  u.for_each([](const Place& at, double& value) {
    double phase = 1;
    for (const double x : at.position) phase = phase * 7 + 31 * x;
    value = std::sin(1e3 * phase * phase);
  });
}

TEST(Padded, GivesTheBitsOfContiguousArrays) {
  for (const Strategy strategy : {Strategy::automatic, Strategy::alltoallv}) {
    PlanOptions options;
    options.strategy = strategy;
    Plan<double> plan(MPI_COMM_WORLD, {150, 105, 66}, Kind::r2c, options);  // over 1 MB of modes on each of 7 ranks
    auto u = plan.physical(), back = u;
    fill_noise(u);
    auto modes = plan.spectral();
    plan.forward(u, modes);
    const auto padded = plan.padded_spectral();
    plan.forward(u.view(), padded.view);
    if (modes.size() > 0) {
      EXPECT_EQ(padded.view.strides()[1] * 16 % 64, 0);
      EXPECT_GT(padded.view.strides()[1], 34);
    }
    std::size_t i = 0, different = 0;
    padded.view.for_each([&](const Place&, Complex& mode) { different += mode == modes[i++] ? 0 : 1; });
    EXPECT_EQ(i, modes.size());
    EXPECT_EQ(different, 0U);
    auto expected = plan.physical();
    plan.backward(modes, expected);
    plan.backward(padded.view, back.view());
    EXPECT_TRUE(std::equal(back.begin(), back.end(), expected.begin(), expected.end()));
  }
}

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// An array that begins `shift` reals after a cache line, with others around it that nobody may touch.
class ShiftedArray {
 public:
  ShiftedArray(index_t reals, index_t shift) : memory_(reals + margin + shift), shift_(shift) {
    std::fill_n(memory_.data(), memory_.size(), untouched);
  }
  double* data() const { return memory_.data() + shift_; }
  bool margins_are_untouched() const {
    const auto kept = [](double value) { return value == untouched; };
    return std::all_of(memory_.data(), data(), kept) &&
           std::all_of(memory_.data() + memory_.size() - margin, memory_.data() + memory_.size(), kept);
  }

 private:
  static constexpr double untouched = -7;
  static constexpr index_t margin = 9;
  Buffer<double> memory_;
  index_t shift_;
};

// Large enough to be stored past the cache on 1 and on 2 ranks, where rows that begin anywhere are put together first,
// and with rows of more than is put together at once. The plane is transformed in two passes, each from memory to
// memory; lines of 156 points need no lane block.
TEST(Padded, LargeArraysMayBeginAnywhere) {
  using Kinds = std::vector<Kind>;
  for (const auto& [extents, kinds] : {std::pair{Extents{288, 60, 156}, Kinds{Kind::c2c, Kind::c2c, Kind::r2c}},
                                       {Extents{300, 60, 150}, Kinds{Kind::dct2, Kind::dst2, Kind::r2c}},
                                       {Extents{17600, 156}, Kinds{Kind::c2c, Kind::r2c}},
                                       {Extents{150, 18001}, Kinds{Kind::r2c, Kind::none}}}) {
    Plan<double> plan(MPI_COMM_WORLD, extents, kinds);
    auto u = plan.physical(), back = u;
    fill_noise(u);
    const auto padded = plan.padded_spectral();
    plan.forward(u.view(), padded.view);
    plan.backward(padded.view, back.view());
    auto applied = plan.physical();
    const double one = 1;
    plan.apply(u.data(), applied.data(), {&one, Extents(extents.dims(), 0)});
    const std::vector<double> given(u.begin(), u.end()), returned(back.begin(), back.end()),
        there_and_back(applied.begin(), applied.end());
    const double most = std::sqrt(static_cast<double>(extents.product()));  // no number is larger than 1
    const double bound = plan_test::round_trip_bound({extents, kinds}, epsilon) * most;
    EXPECT_LE(plan_test::distance(given, returned), bound);
    EXPECT_LE(plan_test::distance(given, there_and_back), bound);
    for (const index_t shift : {0, 2, 5}) {
      const auto points = static_cast<index_t>(u.size());
      const ShiftedArray in(points, shift), modes(2 * plan.spectral_box().size(), shift), out(points, shift);
      std::copy(u.begin(), u.end(), in.data());
      plan.forward(in.data(), modes.data());
      plan.backward(modes.data(), out.data());
      std::size_t different = 0;
      const double* mode = modes.data();
      padded.view.for_each([&](const Place&, Complex& expected) {
        different += expected == Complex(mode[0], mode[1]) ? 0 : 1;
        mode += 2;
      });
      SCOPED_TRACE(to_string(extents) + ", shift " + std::to_string(shift));
      EXPECT_EQ(different, 0U);
      EXPECT_TRUE(std::equal(back.begin(), back.end(), out.data()));
      EXPECT_TRUE(modes.margins_are_untouched() && out.margins_are_untouched());
    }
  }
}

// One pass that stores past the cache is all of this plan, in apply(), too.
TEST(Padded, LargeConvolutionsOfOnePass) {
  const plan_test::Case c{{150, 9001}, {Kind::c2c, Kind::none}};
  Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds);
  const auto noise = [](double factor) {
    return [factor](const Place& at, Complex& value) {
      const double phase = 7 + 31 * at.position[0] + 217 * at.position[1];
      value = {std::sin(factor * phase * phase), std::cos(1.1 * factor * phase * phase)};
    };
  };
  auto u = plan.physical<Complex>(), out = u, expected = u;
  auto symbol = plan.spectral(), modes = symbol;
  u.for_each(noise(1e3));
  symbol.for_each(noise(7e2));
  plan.forward(u, modes);
  for (std::size_t i = 0; i < modes.size(); i++) modes.data()[i] *= symbol.data()[i];
  plan.backward(modes, expected);
  plan.apply(u, out, symbol);
  double wrong = 0;
  for (std::size_t i = 0; i < out.size(); i++) wrong += std::norm(out.data()[i] - expected.data()[i]);
  // Factors and numbers are sqrt(2) long at most; products of complex numbers round by some epsilon.
  const double bound = 4 * (plan_test::round_trip_bound(c, epsilon) + 8 * epsilon);
  EXPECT_LE(std::sqrt(wrong), bound * std::sqrt(2 * static_cast<double>(c.shape.product())));
}

TEST(Padded, NothingIsStoredBetweenRows) {
  Plan<double> plan(MPI_COMM_WORLD, {8, 10, 12}, Kind::dct2);
  const Extents mine = plan.spectral_box().extents();
  const Extents strides{mine[1] * 15 + 4, 15, 1};
  auto u = plan.physical();
  fill_noise(u);
  constexpr double untouched = -7;
  std::vector<double> out(static_cast<std::size_t>(mine[0] * strides[0]), untouched);
  plan.forward(u.data(), c_strides(plan.physical_box().extents()), out.data(), strides);
  std::size_t kept = 0;
  for (const double value : out) kept += value == untouched ? 1 : 0;
  EXPECT_EQ(kept, out.size() - static_cast<std::size_t>(mine.product()));
}

TEST(Padded, SmallArraysHaveNoPadding) {
  const Plan<double> plan(MPI_COMM_WORLD, {9, 7, 66}, Kind::r2c);
  const auto padded = plan.padded_spectral();
  EXPECT_EQ(padded.view.strides(), c_strides(padded.view.box().extents()));
}

TEST(Padded, ViewsOfTheWrongSideAreRefused) {
  Plan<double> plan(MPI_COMM_WORLD, {8, 10, 12}, Kind::r2c);
  auto u = plan.physical();
  const auto padded = plan.padded_spectral();
  EXPECT_THROW(plan.forward(padded.view, u.view()), Error);
  EXPECT_THROW(plan.backward(u.view(), padded.view), Error);
  EXPECT_THROW(plan.padded_spectral<double>(), Error);
}

TEST(Padded, StridesOfOneRankAreRefusedOnAll) {
  Plan<double> plan(MPI_COMM_WORLD, {8, 10, 12}, Kind::dct2);
  auto u = plan.physical(), uh = u;
  const Extents right = c_strides(plan.physical_box().extents());
  const bool wrong = Comm(MPI_COMM_WORLD).rank() == 0;
  EXPECT_THROW(plan.forward(u.data(), right, uh.data(), wrong ? Extents{12, 1} : right), Error);
  EXPECT_THROW(plan.backward(u.data(), wrong ? Extents{1} : right, uh.data(), right), Error);
}

}  // namespace
}  // namespace weft
