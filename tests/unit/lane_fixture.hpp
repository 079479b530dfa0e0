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

template <class Real>
const LaneKernels<Real>& pick(const LaneKernels<double>& for_double, const LaneKernels<float>& for_float) {
  if constexpr (std::is_same_v<Real, double>) return for_double;
  if constexpr (std::is_same_v<Real, float>) return for_float;
}

/// Kernels of every instruction set that this binary holds and this processor runs, for copies at least.
template <class Real>
std::vector<const LaneKernels<Real>*> tables_here() {
  std::vector<const LaneKernels<Real>*> all{&pick<Real>(baseline::kernels_double, baseline::kernels_float)};
#if defined(__x86_64__)
  all.push_back(&pick<Real>(avx2::kernels_double, avx2::kernels_float));
  all.push_back(&pick<Real>(avx512::kernels_double, avx512::kernels_float));
#endif
  const std::vector<std::string> names = available_simd();
  std::erase_if(all, [&](const auto* table) { return std::count(names.begin(), names.end(), table->isa) == 0; });
  EXPECT_EQ(all.size(), names.size());
  return all;
}

/// Those that transform lines.
template <class Real>
std::vector<const LaneKernels<Real>*> kernels_here() {
  std::vector<const LaneKernels<Real>*> all = tables_here<Real>();
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
