// What the tests of lane kernels share: the tables of every instruction set that this processor runs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "transform/chosen_kernels.hpp"
#include "transform/kernels/lane_kernels.hpp"

namespace weft::lane_test {

/// Kernels of every instruction set here that transform lines.
template <class Real>
std::vector<const LaneKernels<Real>*> kernels_here() {
  std::vector<const LaneKernels<Real>*> all = available_kernels<Real>();
  std::erase_if(all, [](const auto* table) { return !table->transforms_lines(); });
  return all;
}

/// A complex transform from block to block or by points, forward or backward.
template <class Real>
Real* c2c(const LaneKernels<Real>& kernels, bool backward, const LaneDft<Real>& plan, LanePoints<Real> points, Real* in,
          Real* out, LaneScratch<Real> scratch) {
  points.backward = backward;
  return kernels.c2c(plan, points, in, out, scratch);
}

/// The i-th of numbers in [-1, 1) that float holds exactly (splitmix64). They have no period: among lines that are
/// alike one may be taken for another, and the bits are right all the same.
template <class Real>
Real noise(index_t i) {
  std::uint64_t z = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return static_cast<Real>((z ^ (z >> 31)) >> 40) / Real(1 << 23) - 1;
}

/// What memory holds before the code under test runs.
template <class Real>
constexpr Real untouched = -7;

}  // namespace weft::lane_test
