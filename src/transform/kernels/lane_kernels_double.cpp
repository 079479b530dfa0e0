// The lane kernels of doubles, compiled once for each instruction set.
#include "lane_table.hpp"

namespace weft::WEFT_ISA {

constexpr LaneKernels<double> kernels_double = table<double>(dense_double);

}  // namespace weft::WEFT_ISA
