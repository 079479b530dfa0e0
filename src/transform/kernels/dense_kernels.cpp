// Kernels of dense products, compiled once for each instruction set like the lane kernels (lane_table.hpp).
#include "dense_kernels.hpp"

#include "lane_kernels.hpp"

namespace weft::WEFT_ISA {

namespace {

using std::int64_t;

#include "dense_product.hpp"

}  // namespace

constexpr DenseKernels<double> dense_double{panel_rows, strip_reals<double>, multiply_slice<double>};
constexpr DenseKernels<float> dense_float{panel_rows, strip_reals<float>, multiply_slice<float>};

}  // namespace weft::WEFT_ISA
