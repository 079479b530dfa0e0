// Tables of lane transforms of contiguous lines.
#pragma once

#include <optional>

#include "base/buffer.hpp"
#include "transform/engine/lane_tables.hpp"

namespace weft {

/// Owns the tables of a LaneLinePlan of n points, for this processor's lanes.
template <class Real>
class LaneLineTables {
 public:
  /// For lengths that serves() accepts and vectors of `lanes` lanes.
  LaneLineTables(index_t n, int lanes) : LaneLineTables(n, lanes, form(n, lanes).value()) {}
  /// In the given form: that of form() or, where form() is interleaved, that of split_form() if there is one.
  LaneLineTables(index_t n, int lanes, LaneLineForm form);
  LaneLineTables(const LaneLineTables&) = delete;
  LaneLineTables& operator=(const LaneLineTables&) = delete;

  /// Whether the modes of the first radix of n fill vectors, and enough points remain after the first stage.
  static bool serves(index_t n, int lanes) { return form(n, lanes).has_value(); }
  /// How lines fill vectors, if they can. Across: lines with a kernel. Interleaved: where vectors are cache lines, the
  /// radices have prime factors 2 and 3 only, and it has measured faster (floats, and lines of doubles that stay in the
  /// registers).
  static std::optional<LaneLineForm> form(index_t n, int lanes);
  /// The best form with real and imaginary parts in separate vectors. Two lines at a time where this has measured
  /// faster (vectors are cache lines and both lines stay in the nearest cache), or where one line does not fill
  /// vectors.
  static std::optional<LaneLineForm> split_form(index_t n, int lanes);

  const LaneLinePlan<Real>& plan() const { return plan_; }

 private:
  static bool interleaves(index_t n, int lanes);

  LaneTables<Real> rest_;
  Buffer<Real> twiddles_;
  LaneLinePlan<Real> plan_{};
};

/// Owns the tables of a LaneRealLinePlan of 2 n real points.
template <class Real>
class LaneRealLineTables {
 public:
  /// For complex lengths n that serves() accepts.
  LaneRealLineTables(bool forward, index_t n, int lanes);

  /// Whether this is faster than a lane block: not if a line has few vectors or the vectors are short.
  static bool serves(index_t n, int lanes);

  const LaneRealLinePlan<Real>& plan() const { return plan_; }

 private:
  static std::optional<LaneLineForm> form(index_t n, int lanes);

  LaneLineTables<Real> complex_;
  Buffer<Real> split_;
  LaneRealLinePlan<Real> plan_{};
};

}  // namespace weft
