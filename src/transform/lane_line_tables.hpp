// Tables of lane transforms of contiguous lines.
#pragma once

#include "base/buffer.hpp"
#include "lane_tables.hpp"

namespace weft {

/// Owns what a LaneLinePlan points to, for transforms of n points by this processor's lanes.
template <class Real>
class LaneLineTables {
 public:
  /// For lengths that serves() and vectors of so many lanes.
  LaneLineTables(index_t n, int lanes) : LaneLineTables(n, lanes, interleaves(n, lanes)) {}
  /// Interleaved only where interleaves().
  LaneLineTables(index_t n, int lanes, bool interleaved);
  LaneLineTables(const LaneLineTables&) = delete;
  LaneLineTables& operator=(const LaneLineTables&) = delete;

  /// Whether the first radix of n is one that fills vectors with one line or two, and leaves points for all lanes.
  static bool serves(index_t n, int lanes);
  /// Whether lines are worked on as they lie in memory: with vectors of a cache line, radices up to 4 and 8, and where
  /// that has measured sooner, which is lines of floats and those of doubles that never leave the registers.
  static bool interleaves(index_t n, int lanes);

  const LaneLinePlan<Real>& plan() const { return plan_; }

 private:
  LaneTables<Real> rest_;
  Buffer<Real> twiddles_;
  LaneLinePlan<Real> plan_{};
};

/// Likewise of a LaneRealLinePlan: of 2 n real points.
template <class Real>
class LaneRealLineTables {
 public:
  /// For complex lengths n that serves().
  LaneRealLineTables(bool forward, index_t n, int lanes);

  /// Whether that is sooner done than by a lane block: not where a line has few vectors, nor where these are short.
  static bool serves(index_t n, int lanes);

  const LaneRealLinePlan<Real>& plan() const { return plan_; }

 private:
  static bool interleaves(index_t n, int lanes);

  LaneLineTables<Real> complex_;
  Buffer<Real> split_;
  LaneRealLinePlan<Real> plan_{};
};

}  // namespace weft
