// Transforms from and to neighbouring lines in memory, by every instruction set that this processor runs: the bits of
// lane blocks, whatever the points come from and go to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"
#include "transform/engine/lane_dft_tables.hpp"
#include "transform/engine/lane_real_tables.hpp"
#include "weft/kind.hpp"

namespace weft::lane_test {
namespace {

// L neighbouring lines of `width` reals a point, each point at a place of its own.
template <class Real>
class Points {
 public:
  Points(index_t n, int width, int lanes, index_t start, index_t step)
      : width_(width), lanes_(lanes), memory_(static_cast<std::size_t>(start + n * step + shift), untouched<Real>) {
    // Any order will do; exchanges leave every place taken once.
    std::vector<index_t> point_addresses;
    for (index_t j = 0; j < n; ++j) point_addresses.push_back(j);
    for (index_t j = 0; j < n; ++j)
      std::swap(point_addresses[static_cast<std::size_t>(j)], point_addresses[static_cast<std::size_t>(7 * j % n)]);
    for (const index_t place : point_addresses) addresses_.push_back(memory_.data() + start + place * step + shift);
  }

  /// Given for a line some way off, as a pass gives those of another batch.
  PointAddresses<Real> point_addresses() const { return {addresses_.data(), -shift}; }
  /// The same in main memory, with something to fetch.
  PointAddresses<Real> far() const { return {addresses_.data(), -shift, lanes_}; }
  PrefetchRange prefetch() const { return {0, static_cast<index_t>(addresses_.size()), lanes_, 2}; }
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
      for (int part = 0; part < width_; ++part)
        for (int lane = 0; lane < lanes_; ++lane)
          visit(*(addresses_[j] - shift + width_ * lane + part),
                (static_cast<index_t>(j) * width_ + part) * lanes_ + lane);
  }

  static constexpr index_t shift = 6;

  int width_, lanes_;
  AlignedVector<Real> memory_;
  std::vector<Real*> addresses_;
};

// What `run` transforms, from a block or from points, arrives at points; `vectors` are whole vectors each.
template <class Real, class Run>
void expect_stored(const Run& run, const Points<Real>& from, Points<Real>& to, Points<Real>& vectors,
                   const Real* expected, Real scale, const std::string& name) {
  run({.to = to.point_addresses(), .scale = scale});
  EXPECT_TRUE(to.hold(expected, scale)) << name << ", to points";
  run({.from = from.point_addresses(), .to = to.point_addresses(), .scale = scale});
  EXPECT_TRUE(to.hold(expected, scale)) << name << ", from and to points in a cache";
  run({.from = from.far(), .to = to.far(), .scale = scale});
  EXPECT_TRUE(to.hold(expected, scale)) << name << ", from and to points";
  run({.from = from.point_addresses(), .to = to.far(), .scale = scale, .prefetch = from.prefetch()});
  EXPECT_TRUE(to.hold(expected, scale)) << name << ", from and to points, fetched bit by bit";
  run({.from = from.far(), .to = vectors.far(), .scale = scale, .stream = true});
  EXPECT_TRUE(vectors.hold(expected, scale)) << name << ", streamed";
}

// Complex lines in blocks, and all that their transform needs.
template <class Real>
struct ComplexBlocks {
  ComplexBlocks(const LaneKernels<Real>& kernels_in, index_t n_in, Direction direction_in)
      : kernels(kernels_in),
        n(n_in),
        direction(direction_in),
        tables(n),
        reals(2 * n * kernels.lanes),
        given(reals),
        in(reals),
        out(reals),
        expected(reals),
        scratch_a(2 * tables.scratch_points() * kernels.lanes),
        scratch_b(2 * tables.scratch_points() * kernels.lanes) {}

  const Real* transform(const LanePoints<Real>& points) const {
    const Real* result = c2c(kernels, direction == Direction::backward, tables.plan(), points, in.data(), out.data(),
                             {scratch_a.data(), scratch_b.data()});
    kernels.fence();
    return result;
  }
  // Points with gaps between those of one line and the next.
  Points<Real> far_points(index_t gap) const { return {n, 2, kernels.lanes, 1, 2 * kernels.lanes + gap}; }

  const LaneKernels<Real>& kernels;
  index_t n;
  Direction direction;
  LaneDftTables<Real> tables;
  index_t reals;
  Buffer<Real> given, in, out, expected, scratch_a, scratch_b;
};

// Whatever the points come from and go to, the bits are those of the transform from block to block.
template <class Real>
void expect_same_from_points(const LaneKernels<Real>& kernels, Direction direction, index_t n) {
  const ComplexBlocks<Real> blocks(kernels, n, direction);
  const Buffer<Real>&given = blocks.given, &expected = blocks.expected;
  const index_t reals = blocks.reals;
  for (index_t i = 0; i < reals; ++i) given.data()[i] = noise<Real>(i);
  const auto run = [&](const LanePoints<Real>& points) {
    if (points.from.at == nullptr) std::copy_n(given.data(), reals, blocks.in.data());
    return blocks.transform(points);
  };
  std::copy_n(run({}), reals, expected.data());
  Points<Real> from = blocks.far_points(3), to = blocks.far_points(5),
               vectors(n, 2, kernels.lanes, 0, 3 * kernels.lanes);
  from.fill(given.data());
  const std::string name = std::string(kernels.isa) + ", " + std::to_string(n) + " points" +
                           (direction == Direction::backward ? " backward" : "");
  const Real* block = run({.from = from.point_addresses()});
  EXPECT_TRUE(std::equal(block, block + reals, expected.data())) << name << ", from points";
  for (const Real scale : {Real(1), Real(0.3)}) {
    expect_stored(run, from, to, vectors, expected.data(), scale, name);
    for (const PrefetchRange& prefetch : {PrefetchRange{}, to.prefetch()}) {
      to.fill(given.data());
      run({.from = to.point_addresses(), .to = to.point_addresses(), .scale = scale, .prefetch = prefetch});
      EXPECT_TRUE(to.hold(expected.data(), scale)) << name << ", in place, lines fetched: " << prefetch.lines;
    }
  }
}

// Padding: points from `count` on are zeros, which a transform with large prime factors loads, too.
template <class Real>
void expect_same_from_padded_points(const LaneKernels<Real>& kernels, index_t n, index_t count) {
  const ComplexBlocks<Real> blocks(kernels, n, Direction::forward);
  const Buffer<Real>&given = blocks.given, &in = blocks.in, &expected = blocks.expected;
  const index_t reals = blocks.reals;
  for (index_t i = 0; i < reals; ++i) given.data()[i] = i < 2 * count * kernels.lanes ? noise<Real>(i) : 0;
  std::copy_n(given.data(), reals, in.data());
  std::copy_n(blocks.transform({.from = {.count = count}}), reals, expected.data());
  Points<Real> from = blocks.far_points(3), to = blocks.far_points(5);
  from.fill(given.data());
  PointAddresses<Real> padded = from.point_addresses();
  padded.count = count;
  const std::string name = std::string(kernels.isa) + ", " + std::to_string(count) + " of " + std::to_string(n);
  std::fill_n(in.data(), reals, untouched<Real>);
  const Real* block = blocks.transform({.from = padded});
  EXPECT_TRUE(std::equal(block, block + reals, expected.data())) << name << ", from points";
  std::fill_n(in.data(), reals, untouched<Real>);
  blocks.transform({.from = padded, .to = to.point_addresses()});
  EXPECT_TRUE(to.hold(expected.data(), 1)) << name << ", from and to points";
}

template <class Real>
void expect_same_from_points(index_t n) {
  for (const auto* kernels : kernels_here<Real>()) {
    for (const Direction direction : {Direction::forward, Direction::backward})
      expect_same_from_points(*kernels, direction, n);
    expect_same_from_padded_points(*kernels, n, (n + 1) / 2);
  }
}

// Lengths of all kinds of stages.
TEST(LanePoints, OfComplexLinesGiveTheBitsOfBlocks) {
  std::vector<index_t> lengths{256, 264, 375, 512, 576, 768, 1000, 1024, 2048};
  for (index_t n = 1; n <= 200; ++n) lengths.push_back(n);
  for (const index_t n : lengths) {
    expect_same_from_points<double>(n);
    expect_same_from_points<float>(n);
  }
}

// Signs of zeros are bits, too. Conjugates of 0 would be -0, which users would see and which angles tell from 0.
template <class Real>
void expect_signs_of_blocks(const LaneKernels<Real>& kernels, Direction direction, index_t n, Real zero) {
  const ComplexBlocks<Real> blocks(kernels, n, direction);
  std::vector<Real*> points;
  for (index_t j = 0; j < std::max<index_t>(n, 2); ++j)
    points.push_back(blocks.given.data() + j % n * 2 * kernels.lanes);
  std::fill_n(blocks.in.data(), blocks.reals, zero);
  const Real* block = blocks.transform({});
  std::copy_n(block, blocks.reals, blocks.expected.data());
  std::fill_n(blocks.given.data(), blocks.reals, zero);
  blocks.transform({.from = {points.data()}, .to = {points.data()}, .scale = Real(0.5)});
  const auto negatives = [&](const Real* x) {
    return std::count_if(x, x + blocks.reals, [](Real a) { return std::signbit(a); });
  };
  const std::string name = std::string(kernels.isa) + ", " + std::to_string(n) + " points";
  EXPECT_EQ(
      std::memcmp(blocks.given.data(), blocks.expected.data(), static_cast<std::size_t>(blocks.reals) * sizeof(Real)),
      0)
      << name;
  if (direction == Direction::backward) {
    EXPECT_EQ(negatives(blocks.given.data()), 0) << name;
  } else if (std::signbit(zero)) {
    EXPECT_GT(negatives(blocks.given.data()), 0) << name;  // sums of -0
  }
}

TEST(LanePoints, ZerosHaveTheSignsOfBlocksAndBackwardNone) {
  const auto expect_signs = [](const auto& kernels, index_t n, auto zero) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      expect_signs_of_blocks(kernels, direction, n, zero);
      expect_signs_of_blocks(kernels, direction, n, -zero);
    }
  };
  for (const index_t n : {1, 3, 4, 10, 16, 17, 60, 64, 384}) {
    for (const auto* kernels : kernels_here<double>()) expect_signs(*kernels, n, 0.0);
    for (const auto* kernels : kernels_here<float>()) expect_signs(*kernels, n, 0.0F);
  }
}

// Rows of an array whose pitch is a multiple of the page or of a quarter of it, batches of lines and some more
// reals in each.
template <class Real>
class PointRows {
 public:
  PointRows(index_t n, index_t pitch_bytes)
      : memory_(static_cast<std::size_t>(n * pitch_bytes) / sizeof(Real), untouched<Real>) {
    const index_t pitch = pitch_bytes / static_cast<index_t>(sizeof(Real));
    for (index_t j = 0; j < std::max<index_t>(n, 2); ++j) rows_.push_back(memory_.data() + j % n * pitch + first);
  }
  PointAddresses<Real> point_addresses(int lanes) const { return {.at = rows_.data(), .batch_step = 2 * lanes}; }
  void fill() {
    for (std::size_t i = 0; i < memory_.size(); ++i) memory_[i] = noise<Real>(static_cast<index_t>(i));
  }
  bool operator==(const PointRows& other) const { return memory_ == other.memory_; }

 private:
  static constexpr index_t first = 5;

  AlignedVector<Real> memory_;
  std::vector<Real*> rows_;
};

template <class Real>
void expect_same_side_by_side(const LaneKernels<Real>& kernels, bool backward, index_t n, index_t pitch_bytes) {
  const LaneDftTables<Real> tables(n);
  const index_t least = least_block_bytes / static_cast<index_t>(sizeof(Real));
  const index_t block = 2 * n * kernels.lanes, scratch = 2 * tables.scratch_points() * kernels.lanes;
  const Buffer<Real> in(std::max(block, least)), out(block), a(scratch), b(scratch);
  constexpr std::int64_t batches = 23;  // as many as sixteen together, and four, two and one that are left
  PointRows<Real> from(n, pitch_bytes), together(n, pitch_bytes), apart(n, pitch_bytes);
  const auto run = [&](const LanePoints<Real>& points) {
    c2c(kernels, backward, tables.plan(), points, in.data(), out.data(), {a.data(), b.data()});
  };
  from.fill();
  LanePoints<Real> points{from.point_addresses(kernels.lanes), together.point_addresses(kernels.lanes)};
  points.batches = batches;
  run(points);
  for (points = {from.point_addresses(kernels.lanes), apart.point_addresses(kernels.lanes)};
       points.from.shift < batches * 2 * kernels.lanes;) {
    run(points);
    points.from.shift = points.to.shift += 2 * kernels.lanes;
  }
  const std::string name =
      std::string(kernels.isa) + ", " + std::to_string(n) + " points, rows of " + std::to_string(pitch_bytes);
  EXPECT_TRUE(together == apart) << name;
  EXPECT_FALSE(together == PointRows<Real>(n, pitch_bytes)) << name;
  // What lies beside the lines is not the business of the transform.
  together.fill();
  apart.fill();
  points = {from.point_addresses(kernels.lanes), together.point_addresses(kernels.lanes)};
  points.batches = batches;
  run(points);
  points = {apart.point_addresses(kernels.lanes), apart.point_addresses(kernels.lanes)};
  points.batches = batches;
  run(points);
  EXPECT_TRUE(together == apart) << name << ", in place";
}

TEST(LanePoints, BatchesSideBySideGiveTheBitsOfBatches) {
  const auto expect_same = [](const auto& kernels, index_t n) {
    for (const index_t pitch : {4096, 4160, 5120})
      for (const bool backward : {false, true}) expect_same_side_by_side(kernels, backward, n, pitch);
  };
  for (const index_t n :
       {1, 2, 4, 6, 7, 8, 10, 12, 16, 35, 60, 64, 96, 121, 128, 192, 256, 384, 500, 512, 1024, 2048}) {
    for (const auto* kernels : kernels_here<double>()) expect_same(*kernels, n);
    for (const auto* kernels : kernels_here<float>()) expect_same(*kernels, n);
  }
}

template <class Real>
void expect_same_from_real_points(const LaneKernels<Real>& kernels, bool forward, index_t n, index_t count) {
  const int lanes = kernels.lanes, points_width = forward ? 1 : 2, modes_width = 3 - points_width;
  const LaneRealTables<Real> tables(Kind::r2c, forward ? Direction::forward : Direction::backward, n, 1, count, lanes);
  const index_t reals = (2 * n + 4) * lanes, scratch = 2 * tables.scratch_points() * lanes;
  const index_t loaded = forward ? n : n / 2 + 1, stored = forward ? n / 2 + 1 : n;
  const index_t wanted = forward ? stored : std::min(count, n);
  const Buffer<Real> given(reals), in(reals), out(reals), expected(reals), a(scratch), b(scratch);
  for (index_t i = 0; i < reals; ++i) given.data()[i] = i < loaded * points_width * lanes ? noise<Real>(i) : 0;
  // Padding is taken as zeros by pairs of points.
  for (index_t i = count * lanes; forward && i < reals; ++i) given.data()[i] = 0;
  const auto run = [&](const LanePoints<Real>& points) {
    std::copy_n(given.data(), reals, in.data());
    const Real* result = kernels.real(tables.plan(), points, in.data(), out.data(), {a.data(), b.data()});
    kernels.fence();
    return result;
  };
  std::copy_n(given.data(), reals, in.data());
  const Real* result = kernels.real(tables.plan(), {}, in.data(), out.data(), {a.data(), b.data()});
  std::copy_n(result, stored * modes_width * lanes, expected.data());
  Points<Real> from(loaded, points_width, lanes, 1, 2 * lanes + 3);
  Points<Real> to(wanted, modes_width, lanes, 1, 2 * lanes + 5), vectors(wanted, modes_width, lanes, 0, 3 * lanes);
  from.fill(given.data());
  const std::string name = std::string(kernels.isa) + ", " + std::to_string(count) + " of " + std::to_string(n) +
                           " points, " + (forward ? "forward" : "backward");
  const Real* block = run({.from = from.point_addresses()});
  EXPECT_TRUE(std::equal(block, block + wanted * modes_width * lanes, expected.data())) << name << ", from points";
  if (wanted < stored) return;
  for (const Real scale : {Real(1), Real(0.3)}) expect_stored(run, from, to, vectors, expected.data(), scale, name);
}

template <class Real>
void expect_same_from_real_points(index_t n) {
  for (const auto* kernels : kernels_here<Real>())
    for (const bool forward : {true, false})
      for (const index_t count : {n, n / 2, n / 2 + 1})
        if (count > 0) expect_same_from_real_points(*kernels, forward, n, count);
}

TEST(LanePoints, OfRealLinesGiveTheBitsOfBlocks) {
  std::vector<index_t> lengths{256, 264, 384, 512, 576, 750, 768, 1024, 2048};
  for (index_t n = 2; n <= 220; n += 2)
    if (smooth_part(n / 2) == n / 2) lengths.push_back(n);
  for (const index_t n : lengths) {
    expect_same_from_real_points<double>(n);
    expect_same_from_real_points<float>(n);
  }
}

template <class Real>
void expect_same_from_points_of(Kind kind, const LaneKernels<Real>& kernels, index_t n) {
  const int lanes = kernels.lanes;
  const LaneRealTables<Real> tables(kind, Direction::forward, n, 1, every_point, lanes);
  const index_t reals = n * lanes, scratch = 2 * tables.scratch_points() * lanes;
  const Buffer<Real> given(reals), in(reals), out(reals), expected(reals), a(scratch), b(scratch);
  for (index_t i = 0; i < reals; ++i) given.data()[i] = noise<Real>(i);
  const auto run = [&](const LanePoints<Real>& points) {
    std::copy_n(given.data(), points.from.at == nullptr ? reals : 0, in.data());
    return kernels.real(tables.plan(), points, in.data(), out.data(), {a.data(), b.data()});
  };
  std::copy_n(run({}), reals, expected.data());
  Points<Real> from(n, 1, lanes, 1, lanes + 3), to(n, 1, lanes, 1, lanes + 5);
  from.fill(given.data());
  const std::string name = std::string(kernels.isa) + ", " + weft::to_string(kind) + " of " + std::to_string(n);
  const Real* block = run({.from = from.point_addresses()});
  EXPECT_TRUE(std::equal(block, block + reals, expected.data())) << name << ", from points";
  for (const Real scale : {Real(1), Real(0.3)}) {
    run({.to = to.point_addresses(), .scale = scale});
    EXPECT_TRUE(to.hold(expected.data(), scale)) << name << ", to points";
    run({.from = from.far(), .to = to.far(), .scale = scale});
    EXPECT_TRUE(to.hold(expected.data(), scale)) << name << ", from and to points";
    to.fill(given.data());
    run({.from = to.point_addresses(), .to = to.point_addresses(), .scale = scale});
    EXPECT_TRUE(to.hold(expected.data(), scale)) << name << ", in place";
  }
}

// Every butterfly that is a transform by itself, several stages, odd numbers and large prime factors.
TEST(LanePoints, OfCosinesAndSinesGiveTheBitsOfBlocks) {
  std::vector<index_t> lengths{64, 96, 101, 120, 125, 128, 202, 256, 500, 1024};
  for (index_t n = 1; n <= 50; ++n) lengths.push_back(n);
  for (const Kind kind : {Kind::dct2, Kind::dct3, Kind::dct4, Kind::dst2, Kind::dst3, Kind::dst4})
    for (const index_t n : lengths) {
      for (const auto* kernels : kernels_here<double>()) expect_same_from_points_of(kind, *kernels, n);
      for (const auto* kernels : kernels_here<float>()) expect_same_from_points_of(kind, *kernels, n);
    }
}

}  // namespace
}  // namespace weft::lane_test
