// Values given at both ends of an axis, transformed along the other axes.
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <vector>

#include "plan/run/pipeline.hpp"
#include "plan/schedule/schedule.hpp"
#include "weft/boundary.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"
#include "weft/redistribution.hpp"

namespace weft {

/// The two planes of points at the ends of an axis, and their modes on the rank that holds the solver's lines along it.
/// A small pipeline transforms them; its array has two points along the axis. If other axes have a shift, their waves
/// are displaced by it.
template <class Real>
class EndModes {
 public:
  /// `schedule` and `input`: the solver's for `domain`; they give the transforms along the other axes. Collective.
  EndModes(const Comm& comm, const Schedule& schedule, const ScheduleInput& input,
           const std::vector<DomainAxis>& domain, int axis, const PlanOptions& options);

  /// Takes left and right values at the points of this rank's box without the axis; null: 0. Collective.
  void take(const std::array<const Real*, 2>& values);
  /// The left and right values taken, at displaced points, for each end whose points this rank owns. Collective.
  std::array<const Real*, 2> displaced();

  index_t bytes() const;
  /// Reals of a mode.
  int width() const { return width_; }

  /// The index of a mode among the modes of both ends.
  index_t place(int right, const Extents& index) const;
  /// The mode at one of the ends; `index` counts from the first mode of this rank's box.
  const Real* at(int right, const Extents& index) const;

 private:
  void displace();
  /// Calls work(end, its rows in given_, their number and length) for each end that this rank has points at.
  template <class Work>
  void for_each_side(const Work& work);

  int axis_, width_;
  Box points_, owned_;  ///< this rank's points of the solver, and of the two planes
  Extents strides_;     ///< of modes
  std::optional<Pipeline<Real>> pipeline_;
  std::optional<Redistribution> to_pipeline_, to_lines_;
  std::vector<Real> given_, planes_, spectrum_, modes_;
  std::array<std::vector<Real>, 2> displaced_;
  double normalisation_ = 1;               ///< of the transforms along the other axes, forward and backward
  std::vector<std::complex<Real>> turns_;  ///< the factor that displaces each mode of an end; empty without a shift
};

}  // namespace weft
