// Tables of lane transforms: radices, twiddle factors and the order of the modes.
#pragma once

#include <vector>

#include "transform/chosen_kernels.hpp"
#include "weft/types.hpp"

namespace weft {

/// The largest divisor of n with prime factors 2, 3, 5, 7, 11 and 13 only, which have butterflies.
index_t smooth_part(index_t n);

/// The radices of the stages of a transform of n = smooth_part(n) points: 1 to 12 for the first stage, 2 to 13 for
/// middle stages, 1 to 12 or 16 for the last.
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
  LaneTables(index_t n, const std::vector<int>& radices);
  LaneTables(const LaneTables&) = delete;
  LaneTables& operator=(const LaneTables&) = delete;

  const LanePlan<Real>& plan() const { return plan_; }

 private:
  void add_stage(int radix, index_t length);
  void set_order();

  std::vector<LaneStage> stages_;
  std::vector<Real> twiddles_;
  std::vector<std::int64_t> order_, block_of_;
  LanePlan<Real> plan_{};
};

}  // namespace weft
