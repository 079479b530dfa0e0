// The lane kernels of floats, compiled once for each instruction set.
#include "lane_table.hpp"

namespace weft::WEFT_ISA {

constexpr LaneKernels<float> kernels_float = table<float>(dense_float);

}  // namespace weft::WEFT_ISA
