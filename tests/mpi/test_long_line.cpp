// Plans of a single long axis, whose points lie on all ranks: against the same line in one piece, which plans in place
// transform, and with the same bits on any number of ranks.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "plan_fixture.hpp"
#include "weft/plan.hpp"
#include "weft/tuning.hpp"

namespace weft::plan_test {
namespace {

/// Powers of two, many small factors, large primes, odd numbers.
std::vector<Case> lines() {
  std::vector<Case> result;
  for (const index_t n : {1 << 15, 60060, 40009}) result.push_back({{n}, {Kind::c2c}});
  for (const index_t n : {1 << 15, 2 * 20011, 32769}) result.push_back({{n}, {Kind::r2c}});
  return result;
}

template <class Real>
std::vector<Real> mine(const Case& c, const std::vector<Real>& points, const Plan<Real>& plan) {
  return part(points, c.shape, plan.physical_box(), c.physical_width());
}

/// The modes of the whole line, by an engine that takes it in one piece.
template <class Real>
std::vector<Real> modes_in_one_piece(const Case& c, const std::vector<Real>& points) {
  PlanOptions options;
  options.in_place = true;
  Plan<Real> plan(MPI_COMM_SELF, c.shape, c.kinds, options);
  std::vector<Real> modes;
  with_field<Real>(plan, [&](const auto& field) {
    store(field.physical, points);
    plan.forward(field);
    modes = values_in<Real>(field.spectral);
  });
  return modes;
}

template <class Real>
void expect_near(const std::vector<Real>& found, const std::vector<Real>& wanted, double tolerance,
                 const std::string& name) {
  ASSERT_EQ(found.size(), wanted.size()) << name;
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < found.size(); i++) {
    difference += std::pow(static_cast<double>(found[i]) - static_cast<double>(wanted[i]), 2);
    norm += std::pow(static_cast<double>(wanted[i]), 2);
  }
  EXPECT_LE(std::sqrt(difference), tolerance * std::sqrt(norm)) << name;
}

template <class Real>
class LongLine : public ::testing::Test {
 public:
  /// The error of either transform grows with the root of the number of stages, 16; a line of large primes takes three.
  static constexpr double tolerance = 3 * 4 * std::numeric_limits<Real>::epsilon();
};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LongLine, Reals);

TYPED_TEST(LongLine, IsTheTransformOfTheLine) {
  using Real = TypeParam;
  for (const Case& c : lines()) {
    Plan<Real> plan(MPI_COMM_SELF, c.shape, c.kinds);
    const std::vector<Real> points = physical_numbers<Real>(c);
    std::vector<Real> modes = plan.spectral_field(), back = plan.physical_field();
    plan.forward(points, modes);
    expect_near(modes, modes_in_one_piece<Real>(c, points), TestFixture::tolerance, to_string(c));
    plan.backward(modes, back);
    expect_near(back, points, 2 * TestFixture::tolerance, to_string(c));
  }
}

TYPED_TEST(LongLine, HasTheBitsOfOneRank) {
  using Real = TypeParam;
  for (const Case& c : lines()) {
    Plan<Real> alone(MPI_COMM_SELF, c.shape, c.kinds), plan(MPI_COMM_WORLD, c.shape, c.kinds);
    const Extents modes = c.spectral_shape();
    EXPECT_EQ(plan.physical_box(), Layout(c.shape, ProcessGrid({world().size()}), {0}).box(world().rank()));
    const std::vector<Real> points = physical_numbers<Real>(c), factors = numbers<Real>(2 * modes.product(), 5);
    std::vector<Real> spectrum = alone.spectral_field(), back = alone.physical_field(), applied = back;
    alone.forward(points, spectrum);
    alone.backward(spectrum, back);
    alone.apply(points.data(), applied.data(), {factors.data(), c_strides(modes), true});

    std::vector<Real> in = mine(c, points, plan), out = plan.spectral_field(), again = plan.physical_field();
    const std::vector<Real> kept = in, symbol = part(factors, modes, plan.spectral_box(), 2);
    plan.forward(in, out);
    EXPECT_TRUE(same_bits(out, part(spectrum, modes, plan.spectral_box(), 2))) << to_string(c);
    EXPECT_TRUE(same_bits(in, kept)) << to_string(c);
    plan.backward(out, again);
    EXPECT_TRUE(same_bits(again, mine(c, back, plan))) << to_string(c);
    plan.apply(in.data(), in.data(), {symbol.data(), {1}, true});
    EXPECT_TRUE(same_bits(in, mine(c, applied, plan))) << to_string(c);
  }
}

TYPED_TEST(LongLine, OverwritesItsInput) {
  using Real = TypeParam;
  for (const Case& c : lines()) {
    Plan<Real> plan(MPI_COMM_WORLD, c.shape, c.kinds);
    const std::vector<Real> in = mine(c, physical_numbers<Real>(c), plan);
    std::vector<Real> out = plan.spectral_field(), back = plan.physical_field();
    plan.forward(in, out);
    plan.backward(out, back);
    std::vector<Real> memory(std::max(in.size(), out.size()));
    std::copy(in.begin(), in.end(), memory.begin());
    plan.forward(memory.data(), memory.data());
    EXPECT_TRUE(std::equal(out.begin(), out.end(), memory.begin())) << to_string(c);
    plan.backward(memory.data(), memory.data());
    EXPECT_TRUE(std::equal(back.begin(), back.end(), memory.begin())) << to_string(c);
  }
}

// Every mode once, wherever it is.
TYPED_TEST(LongLine, TellsWhereScrambledModesAre) {
  using Real = TypeParam;
  for (const Case& c : lines()) {
    if (c.has(Kind::r2c)) continue;
    PlanOptions options;
    options.output = Output::scrambled;
    options.norm = Norm::ortho;
    Plan<Real> plan(MPI_COMM_WORLD, c.shape, c.kinds, options);
    const std::vector<Real> points = physical_numbers<Real>(c), in = mine(c, points, plan);
    std::vector<Real> out = plan.spectral_field(), back = plan.physical_field();
    plan.forward(in, out);
    plan.backward(out, back);
    expect_near(back, in, 2 * TestFixture::tolerance, to_string(c));
    const std::vector<Real> whole = modes_in_one_piece<Real>(c, points);
    const std::vector<double> wavenumbers = plan.wavenumbers(0);
    std::vector<Real> wanted;
    double sum = 0;
    for (const double k : wavenumbers) {
      const auto mode = static_cast<index_t>(k < 0 ? k + static_cast<double>(c.shape[0]) : k);
      sum += static_cast<double>(mode);
      for (index_t i = 2 * mode; i < 2 * mode + 2; i++) wanted.push_back(whole[static_cast<std::size_t>(i)]);
    }
    const auto n = static_cast<double>(c.shape[0]);
    EXPECT_EQ(world().sum(sum), n * (n - 1) / 2) << to_string(c);
    expect_near(times(out, static_cast<Real>(std::sqrt(n))), wanted, TestFixture::tolerance, to_string(c));
  }
}

TEST(LongLineOf, UsersBoxesAndFewerRanks) {
  const Case c{{3 * (1 << 14)}, {Kind::r2c}};
  Plan<double> alone(MPI_COMM_SELF, c.shape, c.kinds);
  const std::vector<double> points = physical_numbers<double>(c);
  std::vector<double> spectrum = alone.spectral_field();
  alone.forward(points, spectrum);
  // The last rank has the first half of the points and the first rank all modes.
  const int size = world().size(), rank = world().rank();
  Box box(c.shape), modes(c.spectral_shape());
  if (size > 1) {
    const index_t half = c.shape[0] / 2;
    box[0] = rank == size - 1 ? Range{0, half} : rank == 0 ? Range{half, 2 * half} : Range{};
    if (rank > 0) modes[0] = {};
  }
  for (const int ranks : {0, (size + 1) / 2}) {
    for (const Scheme scheme : {Scheme::even, Scheme::block}) {
      PlanOptions options;
      options.ranks = ranks;
      options.scheme = scheme;
      Plan<double> plan(MPI_COMM_WORLD, c.shape, c.kinds, {box, modes}, options);
      const std::vector<double> in = mine(c, points, plan);
      std::vector<double> out = plan.spectral_field(), back = plan.physical_field();
      plan.forward(in, out);
      EXPECT_TRUE(same_bits(out, part(spectrum, c.spectral_shape(), modes, 2)));
      plan.backward(out, back);
      expect_near(back, in, 1e-14, "back");
    }
  }
}

TEST(LongLineOf, ScrambledModesOfOtherPlansAreRefused) {
  PlanOptions options;
  options.output = Output::scrambled;
  const auto refused = [&](const Extents& shape, const std::vector<Kind>& kinds, const char* reason) {
    const std::string text = testing::error_text([&] { Plan<double>(MPI_COMM_WORLD, shape, kinds, options); });
    EXPECT_TRUE(testing::mentions(text, "output:", "'scrambled'", reason)) << text;
  };
  refused({1 << 15}, {Kind::r2c}, "r2c");
  refused({256, 256}, {Kind::c2c, Kind::c2c}, "c2c, c2c");
  options.in_place = true;
  refused({1 << 15}, {Kind::c2c}, "in place");
}

TEST(LongLineOf, IsNotTunedAsAWhole) {
  const std::string text =
      testing::error_text([] { tune<double>(MPI_COMM_WORLD, {1 << 15}, {Kind::c2c}, PlanOptions{}); });
  EXPECT_TRUE(testing::mentions(text, "shape:", "32768", "matrix")) << text;
}

}  // namespace
}  // namespace weft::plan_test
