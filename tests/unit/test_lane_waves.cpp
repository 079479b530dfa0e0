// Waves of values at ends added to lines, for every instruction set that this processor runs: the quotients of their
// tables, and the same bits whichever tables differ between lanes, or whether modes are multiplied by factors before.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"

namespace weft::lane_test {
namespace {

constexpr index_t modes = 5;

/// The tables of an axis in one form, and the number of each mode and lane.
template <class Real>
struct Tables {
  using Table = std::vector<Real>;
  LinesAt at;
  index_t lanes;
  Table squares, sines, scales;
  std::array<std::array<Table, 2>, 2> given;  ///< [part][parity]

  Tables(LinesAt lines, index_t width, index_t seed) : at(lines), lanes(width) {
    const auto fill = [&](Table& table, Real least) {
      seed++;
      for (index_t i = 0; i < modes * lanes; i++) table.push_back(least + 1 + noise<Real>(1000 * seed + i));
    };
    fill(squares, Real(0));
    fill(sines, Real(0));
    fill(scales, Real(0));
    for (auto& of_part : given) {
      for (Table& table : of_part) fill(table, Real(-1));
      if (at == LinesAt::beside) of_part[1] = of_part[0];
    }
    squares.front() = sines.front() = 0;  // nothing is added there
  }

  std::size_t other(index_t mode, index_t lane) const {
    return static_cast<std::size_t>(at == LinesAt::along ? lane : at == LinesAt::across ? mode : mode * lanes + lane);
  }
  std::size_t own(index_t mode, index_t lane) const {
    return static_cast<std::size_t>(at == LinesAt::along ? mode : at == LinesAt::across ? lane : 0);
  }

  LaneWaveAxis<Real> axis() const {
    LaneWaveAxis<Real> result{at, squares.data(), sines.data(), scales.data(), lanes};
    for (std::size_t part = 0; part < 2; part++)
      for (std::size_t parity = 0; parity < 2; parity++) result.given[part][parity] = given[part][parity].data();
    return result;
  }

  /// The same numbers with one for each mode and lane in every table.
  Tables written_out() const {
    Tables whole = *this;
    whole.at = LinesAt::any;
    for (index_t mode = 0; mode < modes; mode++)
      for (index_t lane = 0; lane < lanes; lane++) {
        const auto to = static_cast<std::size_t>(mode * lanes + lane);
        const auto parity = static_cast<std::size_t>((at == LinesAt::across ? lane : mode) % 2);
        whole.squares[to] = squares[other(mode, lane)];
        whole.sines[to] = sines[own(mode, lane)];
        whole.scales[to] = scales[own(mode, lane)];
        for (std::size_t part = 0; part < 2; part++)
          for (auto& table : whole.given[part]) table[to] = given[part][parity][other(mode, lane)];
      }
    return whole;
  }
};

template <class Real>
Buffer<Real> block_of(index_t reals) {
  Buffer<Real> block(reals);
  for (index_t i = 0; i < reals; i++) block.data()[i] = noise<Real>(i);
  return block;
}

/// What all axes add to one number of a block whose tables are written out, and the sum of the magnitudes.
template <class Real>
std::array<long double, 2> sum_of(const std::vector<Tables<Real>>& whole, std::size_t part, std::size_t at) {
  std::array<long double, 2> sum{};
  for (const Tables<Real>& axis : whole) {
    const long double below = static_cast<long double>(axis.squares[at]) * axis.scales[at] + axis.sines[at];
    const long double above = axis.given[part][0][at];
    if (below == 0) continue;
    sum[0] += above / below;
    sum[1] += std::abs(above / below);
  }
  return sum;
}

/// Products and waves in one sweep have the bits of one after the other.
template <class Real>
void expect_products(const LaneKernels<Real>& kernels, const LaneWaves<Real>& waves, int width) {
  const index_t lanes = kernels.lanes;
  for (const int factor_width : {1, width}) {
    const Buffer<Real> by = block_of<Real>(modes * factor_width * lanes);
    const LineFactors<Real> factors{.data = by.data(), .step = factor_width * lanes, .width = factor_width};
    Buffer<Real> found = block_of<Real>(modes * width * lanes), expected = block_of<Real>(modes * width * lanes);
    kernels.add_waves(waves, &factors, width, found.data());
    kernels.multiply(factors, modes, width, expected.data());
    kernels.add_waves(waves, nullptr, width, expected.data());
    for (index_t i = 0; i < found.size(); i++)
      EXPECT_EQ(found.data()[i], expected.data()[i]) << kernels.isa << " " << i;
  }
}

/// The waves of some axes beside their quotients, and beside the bits of all tables written out.
template <class Real>
void expect_waves(const LaneKernels<Real>& kernels, const std::vector<LinesAt>& axes, int width) {
  const index_t lanes = kernels.lanes;
  std::vector<Tables<Real>> tables, whole;
  LaneWaves<Real> waves{.modes = modes}, written{.modes = modes};
  tables.reserve(3);
  whole.reserve(3);  // the waves point to them
  for (const LinesAt at : axes) {
    tables.emplace_back(at, lanes, static_cast<index_t>(100 * tables.size()));
    whole.push_back(tables.back().written_out());
    waves.axes[waves.count++] = tables.back().axis();
    written.axes[written.count++] = whole.back().axis();
  }
  Buffer<Real> found = block_of<Real>(modes * width * lanes), gathered = block_of<Real>(modes * width * lanes);
  kernels.add_waves(waves, nullptr, width, found.data());
  kernels.add_waves(written, nullptr, width, gathered.data());
  const long double eps = std::numeric_limits<Real>::epsilon();
  for (index_t i = 0; i < found.size(); i++) {
    const auto part = static_cast<std::size_t>(i / lanes % width);
    const auto [added, size] = sum_of(whole, part, static_cast<std::size_t>(i / (width * lanes) * lanes + i % lanes));
    const long double before = noise<Real>(i);
    // The divisors, their products and the inverse round up to 14 times, each sum once more.
    EXPECT_NEAR(static_cast<double>(found.data()[i]), static_cast<double>(before + added),
                static_cast<double>(20 * eps * (size + std::abs(before))))
        << kernels.isa;
    EXPECT_EQ(found.data()[i], gathered.data()[i]) << kernels.isa << " " << i;
  }
  expect_products(kernels, waves, width);
}

TEST(LaneWaves, AreQuotientsWithTheSameBitsInEveryForm) {
  using enum LinesAt;
  for (const int width : {1, 2})
    for (std::vector<LinesAt> axes : {std::vector{along},
                                      {across},
                                      {beside},
                                      {along, across},
                                      {along, beside},
                                      {across, beside},
                                      {along, across, beside}}) {
      do {
        for (const auto* kernels : available_kernels<double>()) expect_waves(*kernels, axes, width);
        for (const auto* kernels : available_kernels<float>()) expect_waves(*kernels, axes, width);
      } while (std::next_permutation(axes.begin(), axes.end()));
    }
}

}  // namespace
}  // namespace weft::lane_test
