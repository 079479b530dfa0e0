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
  Table decay, gap, sines;
  std::array<Table, 2> ends, parts_left, parts_right;

  Tables(index_t others, index_t own, index_t lanes) {
    const auto fill = [&](Table& table, index_t step, index_t seed, Real least) {
      for (index_t i = 0; i < step * (modes - 1) + lanes; i++)
        table.push_back(least + 1 + noise<Real>(1000 * seed + i));
    };
    fill(decay, others, 1, Real(0));
    fill(gap, others, 2, Real(0.0625));
    fill(sines, own, 3, Real(0));
    for (std::size_t i = 0; i < 2; i++) {
      const auto seed = static_cast<index_t>(i);
      fill(ends[i], own, 4 + seed, Real(-1));
      fill(parts_left[i], others, 6 + seed, Real(-1));
      fill(parts_right[i], others, 8 + seed, Real(-1));
    }
    gap.front() = sines.front() = 0;  // nothing is added there
  }

  LaneWaves<Real> waves() const {
    LaneWaves<Real> result{};
    result.count = modes;
    result.decay = decay.data();
    result.gap = gap.data();
    result.sines = sines.data();
    for (std::size_t i = 0; i < 2; i++) {
      result.modes[i] = ends[i].data();
      result.given[0][i] = parts_left[i].data();
      result.given[1][i] = parts_right[i].data();
    }
    return result;
  }
};

template <class Real>
Buffer<Real> block_of(index_t reals) {
  Buffer<Real> block(reals);
  for (index_t i = 0; i < reals; i++) block.data()[i] = noise<Real>(i);
  return block;
}

/// One form beside the sums of its quotients and beside all tables written out.
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
      const auto copy = [to](auto& table, const auto& from, index_t at) {
        table[static_cast<std::size_t>(to)] = from[static_cast<std::size_t>(at)];
      };
      copy(whole.decay, tables.decay, other);
      copy(whole.gap, tables.gap, other);
      copy(whole.sines, tables.sines, own);
      for (std::size_t i = 0; i < 2; i++) {
        copy(whole.ends[i], tables.ends[i], own);
        copy(whole.parts_left[i], tables.parts_left[i], other);
        copy(whole.parts_right[i], tables.parts_right[i], other);
      }
      const Real below = waves.sines[own] * waves.decay[other] + waves.gap[other];
      for (int part = 0; part < width; part++) {
        const index_t at = (mode * width + part) * lanes + lane;
        const Real before = noise<Real>(at), left = waves.modes[0][own] * waves.given[0][part][other],
                   right = waves.modes[1][own] * waves.given[1][part][other];
        const Real added = below == 0 ? 0 : (left + right) / below;
        const Real size = below == 0 ? 0 : (std::abs(left) + std::abs(right)) / below;
        EXPECT_NEAR(found.data()[at], before + added, 8 * eps * (size + std::abs(before))) << kernels.isa;
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
