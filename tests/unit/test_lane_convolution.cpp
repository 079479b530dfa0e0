// Transforms of lines that are padded with zeros, and transforms forward and back with factors in between, by every
// instruction set that this processor runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/buffer.hpp"
#include "engine_bounds.hpp"
#include "lane_fixture.hpp"
#include "transform/engine/lane_dft_tables.hpp"

namespace weft::lane_test {
namespace {

// Numbers of no pattern between -1 and 1.
template <class Real>
Real number(index_t i) {
  return static_cast<Real>(7919 * (i + 3) % 1009) / Real(504.5) - 1;
}

template <class Real>
double norm(const Real* values, index_t count) {
  double sum = 0;
  for (index_t i = 0; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return std::sqrt(sum);
}

// The 2-norm of a - b.
template <class Real>
double distance(const Real* a, const Real* b, index_t count) {
  double sum = 0;
  for (index_t i = 0; i < count; ++i) sum += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
  return std::sqrt(sum);
}

/// Random points before `count`, something else after it, and the same points with zeros after them.
template <class Real>
struct Padded {
  Padded(const LaneKernels<Real>& of, index_t points, index_t data)
      : kernels(of),
        n(points),
        count(data),
        element(2 * of.lanes),
        tables(points),
        convolving(points, convolving_radices(points)),
        rubbish(points * element),
        zeros(points * element) {
    for (index_t i = 0; i < n * element; ++i) {
      rubbish.data()[i] = i < count * element ? number<Real>(i) : untouched<Real>;
      zeros.data()[i] = i < count * element ? number<Real>(i) : Real(0);
    }
  }
  std::string name() const {
    return std::string(kernels.isa) + ", " + std::to_string(count) + " of " + std::to_string(n) + " points, " +
           std::to_string(sizeof(Real)) + " bytes";
  }
  index_t reals() const { return n * element; }
  double unit() const { return std::numeric_limits<Real>::epsilon() / 2; }
  double roundings() const { return engine_test::smooth_roundings(n); }
  /// A transform from block to block.
  std::vector<Real> transform(bool backward, const Real* given, const LanePoints<Real>& points) const {
    const Buffer<Real> in(reals()), out(reals());
    std::copy_n(given, reals(), in.data());
    const Real* result = c2c(kernels, backward, tables.plan(), points, in.data(), out.data(), {nullptr, nullptr});
    return {result, result + reals()};
  }

  const LaneKernels<Real>& kernels;
  index_t n, count, element;
  LaneDftTables<Real> tables;
  LaneTables<Real> convolving;
  Buffer<Real> rubbish, zeros;
};

template <class Real>
void expect_zeros_to_be_known(const Padded<Real>& line) {
  LanePoints<Real> points;
  points.from.count = line.count;
  EXPECT_EQ(line.transform(false, line.rubbish.data(), points), line.transform(false, line.zeros.data(), {}))
      << line.name();
}

// Each result has the error of one transform.
template <class Real>
void expect_wanted_points(const Padded<Real>& line) {
  LanePoints<Real> points;
  points.to.count = line.count;
  std::vector<Real> modes(static_cast<std::size_t>(line.reals()));
  for (index_t i = 0; i < line.reals(); ++i) modes[static_cast<std::size_t>(i)] = number<Real>(5 * i + 1);
  const auto some = line.transform(true, modes.data(), points), all = line.transform(true, modes.data(), {});
  EXPECT_LE(distance(some.data(), all.data(), line.count * line.element),
            2 * line.roundings() * line.unit() * norm(all.data(), line.reals()))
      << line.name();
}

/// Factors of every mode and lane, in one of the forms that kernels take.
template <class Real>
struct Factors {
  Factors(const Padded<Real>& line, int width, bool interleaved, bool by_number) : width(width) {
    const index_t lanes = line.kernels.lanes, step = lanes * width + 8;
    values.assign(static_cast<std::size_t>(line.n * step), untouched<Real>);
    const auto place = [&](index_t mode) { return by_number ? mode : (7 * mode + 3) % line.n; };
    for (index_t mode = 0; mode < line.n; ++mode) order.push_back(place(mode));
    const bool one_place_each = std::is_permutation(order.begin(), order.end(), sequence(line.n).begin());
    if (!one_place_each) order = sequence(line.n);
    for (index_t mode = 0; mode < line.n; ++mode)
      for (index_t lane = 0; lane < lanes; ++lane)
        for (int part = 0; part < width; ++part) {
          const Real value = number<Real>((mode * lanes + lane) * 2 + part);
          const index_t at = interleaved ? lane * width + part : part * lanes + lane;
          values[static_cast<std::size_t>(order[static_cast<std::size_t>(mode)] * step + at)] = value;
          by_mode.push_back(value);
        }
    factors = {values.data(), by_number && one_place_each ? nullptr : order.data(), step, width, interleaved, 0};
  }
  static std::vector<index_t> sequence(index_t n) {
    std::vector<index_t> result;
    for (index_t i = 0; i < n; ++i) result.push_back(i);
    return result;
  }
  /// The same with numbers that are added to the products.
  Factors&& and_sums(const Padded<Real>& line) && {
    for (index_t i = 0; i < line.n * line.element; ++i) sums.push_back(number<Real>(5 * i + 1));
    factors.added = sums.data();
    return std::move(*this);
  }
  /// A block times them.
  void multiply(const Padded<Real>& line, Real* block) const {
    const index_t lanes = line.kernels.lanes;
    for (index_t mode = 0; mode < line.n; ++mode)
      for (index_t lane = 0; lane < lanes; ++lane) {
        const Real* by = by_mode.data() + (mode * lanes + lane) * width;
        Real &re = block[mode * line.element + lane], &im = block[mode * line.element + lanes + lane];
        const Real a = re, b = im;
        re = width == 1 ? a * by[0] : a * by[0] - b * by[1];
        im = width == 1 ? b * by[0] : a * by[1] + b * by[0];
        if (sums.empty()) continue;
        re += sums[static_cast<std::size_t>(mode * line.element + lane)];
        im += sums[static_cast<std::size_t>(mode * line.element + lanes + lane)];
      }
  }

  int width;
  AlignedVector<Real> values, sums;
  std::vector<Real> by_mode;
  std::vector<index_t> order;
  LineFactors<Real> factors;
};

// Two transforms and a product each way, of factors below sqrt(2): the errors of both ways in units of the roundoff,
// relative to n sqrt(2) times the points.
template <class Real>
void expect_convolution(const Padded<Real>& line, const Factors<Real>& by) {
  std::vector<Real> modes = line.transform(false, line.zeros.data(), {});
  by.multiply(line, modes.data());
  const std::vector<Real> wanted = line.transform(true, modes.data(), {});
  const Buffer<Real> block(line.reals());
  std::copy_n(line.rubbish.data(), line.reals(), block.data());
  LanePoints<Real> points;
  points.from.count = points.to.count = line.count;
  line.kernels.convolve(line.convolving.plan(), points, by.factors, block.data());
  const double size = static_cast<double>(line.n) * std::sqrt(2.0) * norm(line.zeros.data(), line.reals());
  EXPECT_LE(distance(block.data(), wanted.data(), line.count * line.element),
            2 * (2 * line.roundings() + engine_test::rotation) * line.unit() * size)
      << line.name() << ", factors of " << by.width;

  // From and to neighbouring lines in memory: the same bits.
  const index_t lanes = line.kernels.lanes;
  AlignedVector<Real> memory(static_cast<std::size_t>(line.reals()), untouched<Real>);
  std::vector<Real*> addresses;
  for (index_t j = 0; j < line.n; ++j) addresses.push_back(memory.data() + j * line.element);
  addresses.push_back(addresses.front());
  const auto at = [&](index_t j, index_t lane, int part) -> Real& {
    return memory[static_cast<std::size_t>(j * line.element + 2 * lane + part)];
  };
  for (const bool stream : {false, true}) {
    for (index_t j = 0; j < line.count; ++j)
      for (index_t lane = 0; lane < lanes; ++lane)
        for (const int part : {0, 1}) at(j, lane, part) = line.rubbish.data()[j * line.element + part * lanes + lane];
    points.from.at = points.to.at = addresses.data();
    points.scale = 2;
    points.stream = stream;
    const Buffer<Real> work(line.reals());
    line.kernels.convolve(line.convolving.plan(), points, by.factors, work.data());
    line.kernels.fence();
    bool same = true;
    for (index_t j = 0; j < line.count; ++j)
      for (index_t lane = 0; lane < lanes; ++lane)
        for (const int part : {0, 1})
          same = same && at(j, lane, part) == 2 * block.data()[j * line.element + part * lanes + lane];
    EXPECT_TRUE(same) << line.name() << ", from and to points" << (stream ? ", streamed" : "");
  }
}

std::vector<index_t> lengths() {
  std::vector<index_t> result;
  for (index_t n = 1; n <= 130; ++n)
    if (smooth_part(n) == n) result.push_back(n);
  for (const index_t n : {192, 256, 384, 512, 640, 1024}) result.push_back(n);
  return result;
}

// Calls body(line) for all lengths and some numbers of points.
template <class Real, class Body>
void for_lines(const Body& body) {
  for (const auto* kernels : kernels_here<Real>())
    for (const index_t n : lengths())
      for (const index_t count : {n, (n + 1) / 2, n / 2 + 1, (n + 2) / 3})
        body(Padded<Real>(*kernels, n, std::min(count, n)));
}

template <class Real>
void expect_convolutions() {
  for_lines<Real>([](const Padded<Real>& line) {
    expect_convolution(line, Factors<Real>(line, 1, false, true));
    expect_convolution(line, Factors<Real>(line, 1, false, false));
    expect_convolution(line, Factors<Real>(line, 1, false, false).and_sums(line));
    expect_convolution(line, Factors<Real>(line, 2, false, true));
    expect_convolution(line, Factors<Real>(line, 2, true, true));
  });
}

TEST(LaneConvolution, PointsBehindTheLastAreTakenAsZeros) {
  for_lines<double>([](const Padded<double>& line) { expect_zeros_to_be_known(line); });
  for_lines<float>([](const Padded<float>& line) { expect_zeros_to_be_known(line); });
}

TEST(LaneConvolution, WantedPointsAreThoseOfTheWholeTransform) {
  for_lines<double>([](const Padded<double>& line) { expect_wanted_points(line); });
  for_lines<float>([](const Padded<float>& line) { expect_wanted_points(line); });
}

TEST(LaneConvolution, IsTransformFactorsAndTransformBack) {
  expect_convolutions<double>();
  expect_convolutions<float>();
}

}  // namespace
}  // namespace weft::lane_test
