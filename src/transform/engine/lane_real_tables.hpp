// Tables of real lane transforms.
#pragma once

#include <memory>

#include "transform/engine/lane_dft_tables.hpp"

namespace weft {

/// Owns the tables of a LaneRealPlan of any length for which the kind is defined.
///
/// roots, as pairs cos, sin:
///  types II and III  of pi k / 2n, 0 <= k <= n/2; doubled for type II
///  type IV, n even   of pi (4j+1) / 4n, 0 <= j < n/2, then of pi k / n, 0 <= k < n/2, doubled
///  type IV, n odd    n pairs sign, 0: the factor that turns point order[t] into point t of the real DFT; then n
///                    pairs: the factors of real and imaginary part of mode m, whose sum is mode order[n + m]
template <class Real>
class LaneRealTables {
 public:
  /// For vectors of `lanes` lanes.
  LaneRealTables(LaneRealKind kind, index_t n, int width, index_t count = every_point,
                 int lanes = lane_kernels<Real>().lanes);
  LaneRealTables(const LaneRealTables&) = delete;
  LaneRealTables& operator=(const LaneRealTables&) = delete;

  const LaneRealPlan<Real>& plan() const { return plan_; }
  /// Complex points that each of the two parts of a LaneScratch must hold.
  index_t scratch_points() const { return scratch_points_; }

 private:
  void set_halves(LaneRealKind kind, index_t n, int width);
  void set_split(LaneRealKind kind, index_t n);
  void set_roots(LaneRealKind kind, index_t n);
  void set_order(LaneRealKind kind, index_t n);

  LaneDftTables<Real> complex_;
  std::unique_ptr<LaneRealTables> type1_, type2_;
  std::vector<Real> split_, roots_;
  std::vector<std::int64_t> order_;
  index_t scratch_points_ = 0;
  LaneRealPlan<Real> plan_{};
};

}  // namespace weft
