// Tables of real lane transforms.
#pragma once

#include <memory>

#include "transform/engine/lane_dft_tables.hpp"

namespace weft {

struct KindRow;

/// Owns the tables of a LaneRealPlan of any length for which the kind is defined, as its row says (kind_table.hpp).
template <class Real>
class LaneRealTables {
 public:
  /// Backward: of the inverse kind. For vectors of `lanes` lanes.
  LaneRealTables(Kind kind, Direction direction, index_t n, int width, index_t count = every_point,
                 int lanes = lane_kernels<Real>().lanes);
  LaneRealTables(const LaneRealTables&) = delete;
  LaneRealTables& operator=(const LaneRealTables&) = delete;

  const LaneRealPlan<Real>& plan() const { return plan_; }
  /// Complex points that each of the two parts of a LaneScratch must hold.
  index_t scratch_points() const { return scratch_points_; }

 private:
  LaneRealTables(const KindRow& row, Direction direction, index_t n, int width, index_t count, int lanes);
  void set_order(int odd_modes, index_t n);

  LaneDftTables<Real> complex_;
  std::unique_ptr<LaneRealTables> type1_, type2_;
  std::vector<Real> split_, roots_;
  std::vector<std::int64_t> order_;
  Real any_block_ = 0;  // the addresses of block_ are counted from here
  std::vector<Real*> block_;
  index_t scratch_points_ = 0;
  LaneRealPlan<Real> plan_{};
};

}  // namespace weft
