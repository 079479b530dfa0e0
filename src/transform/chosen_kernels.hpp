// Which instruction set runs: its kernels, and the names of those that could.
#pragma once

#include <string>
#include <vector>

#include "transform/kernels/lane_kernels.hpp"

namespace weft {

/// Kernels of the best instruction set that this processor has and the build holds. The environment variable WEFT_SIMD
/// (avx512, avx2 or baseline; neon on AArch64) asks for a smaller one; an unknown or unsupported name throws Error.
template <class Real>
const LaneKernels<Real>& lane_kernels();

/// The instruction sets that this binary holds and this processor runs, best first.
std::vector<std::string> available_simd();

}  // namespace weft
