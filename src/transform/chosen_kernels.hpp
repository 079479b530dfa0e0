// The kernels of the instruction set in use, and the instruction sets available.
#pragma once

#include <string>
#include <vector>

#include "transform/kernels/lane_kernels.hpp"

namespace weft {

/// Kernels of the best instruction set that both this processor and this build have. The environment variable WEFT_SIMD
/// (avx512, avx2 or baseline; neon on AArch64) selects a smaller one; an unknown or unsupported name throws Error.
template <class Real>
const LaneKernels<Real>& lane_kernels();

/// The kernels of every instruction set that this binary has and this processor runs, best first.
template <class Real>
std::vector<const LaneKernels<Real>*> available_kernels();

/// The names of the instruction sets of available_kernels().
std::vector<std::string> available_simd();

}  // namespace weft
