// The kernels of the instruction set in use, and the names of all that could be used.
#pragma once

#include <string>
#include <vector>

#include "transform/kernels/lane_kernels.hpp"

namespace weft {

/// Kernels of the best instruction set that both this processor and this build have. The environment variable WEFT_SIMD
/// (avx512, avx2 or baseline; neon on AArch64) selects a smaller one; an unknown or unsupported name throws Error.
template <class Real>
const LaneKernels<Real>& lane_kernels();

/// Those of the instruction sets in this binary that this processor runs, best first.
template <class Real>
std::vector<const LaneKernels<Real>*> available_kernels();

/// The names of these instruction sets.
std::vector<std::string> available_simd();

}  // namespace weft
