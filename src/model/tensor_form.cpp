// The time of a 3-D DFT by block tensor-matrix products.
#include "model/tensor_form.hpp"

#include <cmath>

namespace weft {

TensorStage tensor_stage(double n, int p, const TensorRates& rates) {
  const double b = n / p, words = 2 * b * b * b + 2 * b * b;
  const double event = p == 1 ? 0 : words * rates.t_w + 2 * rates.t_s;
  return {event, event, 8 * std::pow(b, 4) * rates.flop, p - 1};
}

double hiding_block(const TensorRates& rates) {
  // 8 b^2 flop = (2 b + 2) t_w
  const double ratio = rates.t_w / rates.flop / 8;
  return ratio + std::sqrt(ratio * ratio + 2 * ratio);
}

}  // namespace weft
