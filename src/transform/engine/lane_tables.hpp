// Tables of lane transforms: radices, twiddle factors and the order of the modes.
#pragma once

#include <vector>

#include "transform/chosen_kernels.hpp"
#include "transform/engine/roots.hpp"
#include "weft/types.hpp"

namespace weft {

/// The largest divisor of n with prime factors 2, 3, 5, 7, 11 and 13 only, which have butterflies.
index_t smooth_part(index_t n);

/// The radices of the stages of a transform of n = smooth_part(n) points: 1 to 9 for the first stage, 2 to 13 for
/// middle stages, 1 to 12 or 16 for the last, and 1 to 12 for a single one.
std::vector<int> lane_radices(index_t n);
/// The radices for contiguous lines in vectors of `lanes` reals of `real_bytes` bytes: if possible, the first one is a
/// power of two, whose modes fill vectors.
std::vector<int> line_radices(index_t n, int lanes, index_t real_bytes);
/// The radices for convolutions, whose last stage goes forward and backward in one step: not 16, for which there are
/// too few registers.
std::vector<int> convolving_radices(index_t n);
/// The radices for transforms whose last stage also separates the modes of real lines.
std::vector<int> separating_radices(index_t n);
/// Cost of all stages per point, in the unit of lane_cost().
double lane_stage_cost(index_t n);

/// Owns the tables of a LanePlan, for lengths without prime factors over 13.
template <class Real>
class LaneTables {
 public:
  explicit LaneTables(index_t n) : LaneTables(n, lane_radices(n)) {}
  /// The product of the radices must be n.
  LaneTables(index_t n, const std::vector<int>& radices) {
    index_t length = n, butterflies = 0;
    for (const int radix : radices) {
      add_stage(radix, length);
      length /= radix;
      butterflies += n / radix;
    }
    set_order();
    plan_ = {n,
             static_cast<int>(stages_.size()),
             butterflies,
             stages_.data(),
             twiddles_.data(),
             order_.data(),
             block_of_.data()};
  }
  LaneTables(const LaneTables&) = delete;
  LaneTables& operator=(const LaneTables&) = delete;

  const LanePlan<Real>& plan() const { return plan_; }

 private:
  void add_stage(int radix, index_t length) {
    const index_t count = length / radix;
    twiddles_.reserve(twiddles_.size() + static_cast<std::size_t>(2 * (length - count)));
    stages_.push_back({radix, length, count, static_cast<index_t>(twiddles_.size())});
    for (index_t p = 0; p < count; p++)
      for (int r = 1; r < radix; r++) push_root(twiddles_, p * r, length);
  }

  // In each stage the place of a result in memory determines the remainder of its mode.
  void set_order() {
    const index_t length = stages_.front().length, last_radix = stages_.back().radix;
    block_of_.resize(static_cast<std::size_t>(length / last_radix));
    for (index_t place = 0; place < length; place += last_radix) {
      index_t mode = 0, weight = 1, rest = place;
      for (const LaneStage& stage : stages_) {
        mode += weight * (rest / stage.count);
        rest %= stage.count;
        weight *= stage.radix;
      }
      order_.push_back(mode);
      block_of_[static_cast<std::size_t>(mode)] = place / last_radix;
    }
  }

  std::vector<LaneStage> stages_;
  std::vector<Real> twiddles_;
  std::vector<std::int64_t> order_, block_of_;
  LanePlan<Real> plan_{};
};

extern template class LaneTables<double>;
extern template class LaneTables<float>;

}  // namespace weft
