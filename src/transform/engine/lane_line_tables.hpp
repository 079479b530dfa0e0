// Tables of lane transforms of contiguous lines.
#pragma once

#include <optional>

#include "base/buffer.hpp"
#include "transform/engine/lane_tables.hpp"

namespace weft {

/// Owns what a LaneLinePlan points to, for transforms of n points by this processor's lanes.
template <class Real>
class LaneLineTables {
 public:
  /// For lengths that serves() and vectors of so many lanes.
  LaneLineTables(index_t n, int lanes) : LaneLineTables(n, lanes, form(n, lanes).value()) {}
  /// In that form or, where form() is interleaved and split_form() has one, in that one.
  LaneLineTables(index_t n, int lanes, LaneLineForm form);
  LaneLineTables(const LaneLineTables&) = delete;
  LaneLineTables& operator=(const LaneLineTables&) = delete;

  /// Whether the first radix of n is one whose modes fill vectors, and leaves numbers for them.
  static bool serves(index_t n, int lanes) { return form(n, lanes).has_value(); }
  /// How lines fill vectors, if they can. As they lie in memory: where vectors are cache lines, radices of 2 and 3,
  /// and that has measured faster, which is lines of floats and those of doubles that never leave the registers.
  static std::optional<LaneLineForm> form(index_t n, int lanes);
  /// The same with real and imaginary parts in vectors of their own: two lines at a time where that has measured
  /// faster, which is where vectors are cache lines and both stay in the nearest cache, or where one alone does not
  /// fill vectors.
  static std::optional<LaneLineForm> split_form(index_t n, int lanes);

  const LaneLinePlan<Real>& plan() const { return plan_; }

 private:
  static bool interleaves(index_t n, int lanes);

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

  /// Whether that is faster than by a lane block: not where a line has few vectors, nor where these are short.
  static bool serves(index_t n, int lanes);

  const LaneRealLinePlan<Real>& plan() const { return plan_; }

 private:
  static std::optional<LaneLineForm> form(index_t n, int lanes);

  LaneLineTables<Real> complex_;
  Buffer<Real> split_;
  LaneRealLinePlan<Real> plan_{};
};

}  // namespace weft
