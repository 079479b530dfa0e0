// Tables of the lane transforms: radices, twiddle factors and the order of the modes.
#pragma once

#include <vector>

#include "transform/chosen_kernels.hpp"
#include "weft/types.hpp"

namespace weft {

/// The part of n whose prime factors have butterflies of their own: 2, 3, 5, 7, 11 and 13.
index_t smooth_part(index_t n);

/// The radices of the stages of a transform of n points, n = smooth_part(n): 1 to 12 of the first one, 2 to 13 of those
/// in the middle, 1 to 12 or 16 of the last one.
std::vector<int> lane_radices(index_t n);
/// The same for contiguous lines in vectors of so many lanes, reals of so many bytes each: where possible, the first
/// one is a power of two, whose modes fill vectors.
std::vector<int> line_radices(index_t n, int lanes, index_t real_bytes);
/// The same for convolutions, whose last stage is done there and back in one step: there is no room in the registers
/// for one of 16.
std::vector<int> convolving_radices(index_t n);
/// The same where the last stage separates the modes of real lines, too.
std::vector<int> separating_radices(index_t n);
/// What the stages cost a point, as lane_cost() counts.
double lane_stage_cost(index_t n);

/// Owns what a LanePlan points to, for lengths whose prime factors are at most 13.
template <class Real>
class LaneTables {
 public:
  explicit LaneTables(index_t n) : LaneTables(n, lane_radices(n)) {}
  /// n is the product of the radices.
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
