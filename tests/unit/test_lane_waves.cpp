// Waves of values at ends added to lines, for every instruction set that this processor runs: the quotients of their
// tables, and the same bits whichever tables differ between lanes.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"

namespace weft::lane_test {
namespace {

constexpr index_t modes = 5;

/// Tables with a number for each mode and lane; `others` and `own` say how far these are apart, as in LaneWaves.
template <class Real>
struct Tables {
  using Table = std::vector<Real>;
  Table squares, sines, of_own;
  std::array<std::array<Table, 2>, 2> given;  ///< [part][parity]

  Tables(index_t others, index_t own, index_t lanes) {
    const auto fill = [&](Table& table, index_t step, index_t seed, Real least) {
      for (index_t i = 0; i < step * (modes - 1) + lanes; i++)
        table.push_back(least + 1 + noise<Real>(1000 * seed + i));
    };
    fill(squares, others, 1, Real(0));
    fill(sines, own, 2, Real(0));
    fill(of_own, own, 3, Real(-1));
    for (std::size_t i = 0; i < 4; i++) fill(given[i / 2][i % 2], others, 4 + static_cast<index_t>(i), Real(-1));
    squares.front() = sines.front() = 0;  // nothing is added there
  }

  LaneWaves<Real> waves() const {
    LaneWaves<Real> result{};
    result.count = modes;
    result.squares = squares.data();
    result.sines = sines.data();
    result.modes = of_own.data();
    for (std::size_t part = 0; part < 2; part++)
      for (std::size_t parity = 0; parity < 2; parity++) result.given[part][parity] = given[part][parity].data();
    return result;
  }
};

template <class Real>
Buffer<Real> block_of(index_t reals) {
  Buffer<Real> block(reals);
  for (index_t i = 0; i < reals; i++) block.data()[i] = noise<Real>(i);
  return block;
}

/// One form beside the quotients and beside all tables written out.
template <class Real>
void expect_waves(const LaneKernels<Real>& kernels, bool others_differ, int width) {
  const index_t lanes = kernels.lanes;
  const index_t other_step = others_differ ? lanes : 1, own_step = others_differ ? 1 : 0;
  const Tables<Real> tables(other_step, own_step, lanes);
  LaneWaves<Real> waves = tables.waves();
  waves.others_differ = others_differ;
  waves.own_differs = !others_differ;
  waves.other_step = other_step;
  waves.own_step = own_step;
  Buffer<Real> found = block_of<Real>(modes * width * lanes), gathered = block_of<Real>(modes * width * lanes);
  kernels.add_waves(waves, width, found.data());

  Tables<Real> whole(lanes, lanes, lanes);
  const Real eps = std::numeric_limits<Real>::epsilon();
  for (index_t mode = 0; mode < modes; mode++)
    for (index_t lane = 0; lane < lanes; lane++) {
      const index_t other = mode * other_step + (others_differ ? lane : 0);
      const index_t own = mode * own_step + (others_differ ? 0 : lane), to = mode * lanes + lane;
      const auto parity = static_cast<std::size_t>((others_differ ? mode : lane) % 2);
      const auto copy = [to](auto& table, const auto& from, index_t at) {
        table[static_cast<std::size_t>(to)] = from[static_cast<std::size_t>(at)];
      };
      copy(whole.squares, tables.squares, other);
      copy(whole.sines, tables.sines, own);
      copy(whole.of_own, tables.of_own, own);
      const Real below = waves.sines[own] + waves.squares[other];
      for (int part = 0; part < width; part++) {
        const auto which = static_cast<std::size_t>(part);
        for (auto& table : whole.given[which]) copy(table, tables.given[which][parity], other);
        const index_t at = (mode * width + part) * lanes + lane;
        const Real before = noise<Real>(at);
        const Real added = below == 0 ? 0 : waves.modes[own] * waves.given[part][parity][other] / below;
        EXPECT_NEAR(found.data()[at], before + added, 8 * eps * (std::abs(added) + std::abs(before))) << kernels.isa;
      }
    }
  waves = whole.waves();
  waves.others_differ = waves.own_differs = true;
  waves.other_step = waves.own_step = lanes;
  kernels.add_waves(waves, width, gathered.data());
  for (index_t i = 0; i < found.size(); i++) EXPECT_EQ(found.data()[i], gathered.data()[i]) << kernels.isa << " " << i;
}

TEST(LaneWaves, AreQuotientsWithTheSameBitsInEveryForm) {
  for (const int width : {1, 2})
    for (const bool others_differ : {false, true}) {
      for (const auto* kernels : available_kernels<double>()) expect_waves(*kernels, others_differ, width);
      for (const auto* kernels : available_kernels<float>()) expect_waves(*kernels, others_differ, width);
    }
}

}  // namespace
}  // namespace weft::lane_test
