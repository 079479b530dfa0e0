// The lane kernels, compiled once for each instruction set (WEFT_ISA = avx512, avx2, baseline): loads and stores of
// lane blocks, and self-sorting transforms of L lines at once. Included by lane_kernels_double.cpp and
// lane_kernels_float.cpp, two files so that they compile side by side. Nothing here may instantiate a template or an
// inline function that other files share: the linker could pick the copy that only newer processors can run.
#pragma once

#include "lane_kernels.hpp"

#include "dense_kernels.hpp"

namespace weft::WEFT_ISA {

namespace {

using std::int64_t;

#include "lane_chebyshev.hpp"
#include "lane_convolution.hpp"
#include "lane_differences.hpp"
#include "lane_long.hpp"
#include "lane_move.hpp"
#include "lane_real.hpp"
#include "lane_real_line.hpp"
#include "lane_waves.hpp"

}  // namespace

template <class Real>
constexpr LaneKernels<Real> table(const DenseKernels<Real>& dense) {
  LaneKernels<Real> result{.isa = vector_isa,
                           .lanes = lanes_of<Real>,
                           .load = load<Real>,
                           .store = store<Real>,
                           .fence = fence,
                           .transpose = transpose_copy<Real>,
                           .stream = stream_copy<Real>,
                           .multiply = multiply<Real>,
                           .multiply_by_roots = multiply_by_roots<Real>,
                           .combine_mirrored = combine_mirrored<Real>,
                           .mark_non_finite = mark_non_finite<Real>,
                           .solve_differences = solve_differences<Real>,
                           .add_waves = add_waves<Real>,
                           .solve_chebyshev = solve_chebyshev<Real>,
                           .dense = &dense};
  if constexpr (has_line_transforms) {
    result.c2c = dft_points<Real>;
    result.lines = c2c_lines<Real>;
    result.real_lines = real_lines<Real>;
    result.convolve = convolve_line<Real>;
    result.real = real_transform<Real>;
  }
  return result;
}

}  // namespace weft::WEFT_ISA
