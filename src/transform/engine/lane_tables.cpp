// Computes the twiddle factors and the order of the results of lane transforms.
#include "transform/engine/lane_tables.hpp"

#include "transform/engine/roots.hpp"

namespace weft {

template <class Real>
LaneTables<Real>::LaneTables(index_t n, const std::vector<int>& radices) {
  index_t length = n;
  for (const int radix : radices) {
    add_stage(radix, length);
    length /= radix;
  }
  set_order();
  index_t butterflies = 0;
  for (const LaneStage& stage : stages_) butterflies += n / stage.radix;
  plan_ = {n,
           static_cast<int>(stages_.size()),
           butterflies,
           static_cast<index_t>(order_.size()),
           stages_.data(),
           twiddles_.data(),
           order_.data(),
           block_of_.data()};
}

template <class Real>
void LaneTables<Real>::add_stage(int radix, index_t length) {
  const index_t count = length / radix;
  twiddles_.reserve(twiddles_.size() + static_cast<std::size_t>(2 * (length - count)));
  stages_.push_back({radix, length, count, static_cast<index_t>(twiddles_.size())});
  for (index_t p = 0; p < count; p++)
    for (int r = 1; r < radix; r++) push_root(twiddles_, p * r, length);
}

// In each stage the place of a result in memory determines the remainder of its mode.
template <class Real>
void LaneTables<Real>::set_order() {
  const LaneStage& first = stages_.front();
  const int last_radix = stages_.back().radix;
  order_.reserve(static_cast<std::size_t>(first.length / last_radix));
  for (index_t place = 0; place < first.length; place += last_radix) {
    index_t mode = 0, weight = 1, rest = place;
    for (const LaneStage& stage : stages_) {
      mode += weight * (rest / stage.count);
      rest %= stage.count;
      weight *= stage.radix;
    }
    order_.push_back(mode);
  }
  block_of_.resize(order_.size());
  for (std::size_t block = 0; block < order_.size(); block++)
    block_of_[static_cast<std::size_t>(order_[block])] = static_cast<index_t>(block);
}

template class LaneTables<double>;
template class LaneTables<float>;

}  // namespace weft
