// Tables of lane transforms, and transforms from and to points in memory by every instruction set that this processor
// runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"
#include "transform/lane_dft_tables.hpp"

namespace weft::lane_test {
namespace {

// --- tables ------------------------------------------------------------------------------------------------------

TEST(LaneTables, SmoothPartHasThePrimesUpTo13) {
  EXPECT_EQ(smooth_part(1), 1);
  EXPECT_EQ(smooth_part(17), 1);
  EXPECT_EQ(smooth_part(2 * 3 * 5 * 7 * 11 * 13), 30030);
  EXPECT_EQ(smooth_part(64 * 17 * 27 * 19), 64 * 27);
}

TEST(LaneTables, RadicesMultiplyToTheLength) {
  for (index_t n = 1; n <= 1000; ++n) {
    index_t product = 1;
    for (const int radix : lane_radices(smooth_part(n))) product *= radix;
    EXPECT_EQ(product, smooth_part(n));
  }
}

// Small primes by their sums, others as convolutions: of p - 1 points where that has small factors, else with a chirp.
TEST(LaneTables, PrimesAreDoneInThreeWays) {
  EXPECT_EQ(lane_prime_method(17), LanePrimeMethod::direct);
  EXPECT_EQ(lane_prime_method(47), LanePrimeMethod::direct);
  EXPECT_EQ(lane_prime_method(257), LanePrimeMethod::rader);
  EXPECT_EQ(lane_prime_method(65537), LanePrimeMethod::rader);
  EXPECT_EQ(lane_prime_method(1019), LanePrimeMethod::chirp);  // 1018 = 2 * 509
  EXPECT_FALSE(takes_chirp(64 * 17 * 257));
  EXPECT_TRUE(takes_chirp(8 * 1019));
}

TEST(LaneTables, ConvolutionsAreLongEnoughAndSmooth) {
  for (const index_t prime : {347, 1019, 100003}) {
    const index_t n = lane_convolution_length(LanePrimeMethod::chirp, prime);
    EXPECT_GE(n, 2 * prime - 1);
    EXPECT_LE(n, 4 * prime);
    EXPECT_EQ(smooth_part(n), n);
    EXPECT_EQ(lane_convolution_length(LanePrimeMethod::rader, prime), prime - 1);
  }
}

TEST(LaneTables, SmoothLengthsNeedNoRoom) {
  EXPECT_EQ(LaneDftTables<double>(1).room(), 0);
  EXPECT_EQ(LaneDftTables<double>(30030).room(), 0);
  EXPECT_EQ(LaneDftTables<double>(17).room(), 2 * 17);
  EXPECT_EQ(LaneDftTables<double>(64 * 17).room(), 64);
}

// --- from and to points in memory --------------------------------------------------------------------------------

// L neighbouring lines of complex points, each point at a place of its own.
template <class Real>
class Points {
 public:
  Points(index_t n, int lanes, index_t start, index_t step)
      : lanes_(lanes), memory_(static_cast<std::size_t>(start + n * step), untouched<Real>) {
    // Any order will do; exchanges leave every place taken once.
    std::vector<index_t> places;
    for (index_t j = 0; j < n; ++j) places.push_back(j);
    for (index_t j = 0; j < n; ++j)
      std::swap(places[static_cast<std::size_t>(j)], places[static_cast<std::size_t>(7 * j % n)]);
    for (const index_t place : places) addresses_.push_back(memory_.data() + start + place * step);
  }

  Real* const* addresses() const { return addresses_.data(); }
  /// Copies a block to the points, lanes side by side.
  void fill(const Real* block) {
    for_each([&](Real& value, index_t at) { value = block[at]; });
  }
  /// Whether the points hold the block times a scale and all other memory what it held.
  bool hold(const Real* block, Real scale) {
    bool same = true;
    for_each([&](Real& value, index_t at) {
      same = same && value == scale * block[at];
      value = untouched<Real>;
    });
    return same && std::all_of(memory_.begin(), memory_.end(), [](Real x) { return x == untouched<Real>; });
  }

 private:
  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t j = 0; j < addresses_.size(); ++j)
      for (int part = 0; part < 2; ++part)
        for (int lane = 0; lane < lanes_; ++lane)
          visit(addresses_[j][2 * lane + part], (static_cast<index_t>(j) * 2 + part) * lanes_ + lane);
  }

  int lanes_;
  AlignedVector<Real> memory_;
  std::vector<Real*> addresses_;
};

// Whatever the points come from and go to, the bits are those of the transform from block to block.
template <class Real>
void expect_same_from_points(const LaneKernels<Real>& kernels, LanePointTransform<Real> transform, index_t n) {
  const int lanes = kernels.lanes;
  const LaneDftTables<Real> tables(n);
  const index_t reals = 2 * n * lanes, room = 2 * tables.room() * lanes;
  const Buffer<Real> given(reals), in(reals), out(reals), expected(reals), a(room), b(room);
  for (index_t i = 0; i < reals; ++i) given.data()[i] = static_cast<Real>(7919 * i % 1000) / 500 - 1;
  const auto run = [&](const LanePoints<Real>& points) {
    if (points.from == nullptr) std::copy_n(given.data(), reals, in.data());
    transform(tables.plan(), points, in.data(), out.data(), {a.data(), b.data()});
    kernels.fence();
  };
  run({});
  std::copy_n(out.data(), reals, expected.data());
  Points<Real> from(n, lanes, 1, 2 * lanes + 3), to(n, lanes, 1, 2 * lanes + 5), vectors(n, lanes, 0, 3 * lanes);
  from.fill(given.data());
  const std::string name = std::string(kernels.isa) + ", " + std::to_string(n) + " points";
  run({from.addresses(), nullptr, 1, false});
  EXPECT_TRUE(std::equal(out.data(), out.data() + reals, expected.data())) << name << ", from points";
  for (const Real scale : {Real(1), Real(0.3)}) {
    run({nullptr, to.addresses(), scale, false});
    EXPECT_TRUE(to.hold(expected.data(), scale)) << name << ", to points";
    run({from.addresses(), to.addresses(), scale, false});
    EXPECT_TRUE(to.hold(expected.data(), scale)) << name << ", from and to points";
    run({from.addresses(), vectors.addresses(), scale, true});
    EXPECT_TRUE(vectors.hold(expected.data(), scale)) << name << ", streamed";
  }
}

template <class Real>
void expect_same_from_points(index_t n) {
  for (const auto* kernels : kernels_here<Real>()) {
    expect_same_from_points(*kernels, kernels->c2c_forward, n);
    expect_same_from_points(*kernels, kernels->c2c_backward, n);
  }
}

TEST(LaneTransforms, PointsInMemoryGiveTheSameBits) {
  for (index_t n = 1; n <= 200; ++n) {
    expect_same_from_points<double>(n);
    expect_same_from_points<float>(n);
  }
}

}  // namespace
}  // namespace weft::lane_test
