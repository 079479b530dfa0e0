// Values that are given at both ends of an axis, transformed along the other axes.
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

/// Two planes of points, those at the ends of an axis, and their modes at the rank that holds the modes of the solver's
/// lines along this axis. They have a small pipeline of their own, whose array has two points along the axis. Where
/// other axes have a shift, their waves are displaced by it.
template <class Real>
class EndModes {
 public:
  /// `schedule` and `input` are those of the solver for `domain`, whose transforms along the other axes are taken.
  /// Collective.
  EndModes(const Comm& comm, const Schedule& schedule, const ScheduleInput& input,
           const std::vector<DomainAxis>& domain, int axis, const PlanOptions& options);

  /// Left and right values at the points of this rank's box without the axis; null: 0. Collective.
  void take(const std::array<const Real*, 2>& values);
  /// What was taken, left and right, at displaced points, of an end whose points this rank has. Collective.
  std::array<const Real*, 2> displaced();

  index_t bytes() const;
  /// Reals of a mode.
  int width() const { return width_; }

  /// The number of such a mode among those of both ends.
  index_t place(int right, const Extents& index) const;
  /// The mode at one of the ends, for indices from the first mode of this rank's box on.
  const Real* at(int right, const Extents& index) const;

 private:
  void displace();
  /// work(values of an end from one of this rank's rows on, numbers in a row) for the rows of given_.
  template <class Value, class Work>
  void for_each_row(const std::array<Value*, 2>& values, const Work& work);

  int axis_, width_;
  Box points_, owned_;  ///< of the solver, and of the two planes
  Extents strides_;     ///< of modes
  std::optional<Pipeline<Real>> pipeline_;
  std::optional<Redistribution> to_pipeline_, to_lines_;
  std::vector<Real> given_, planes_, spectrum_, modes_;
  std::array<std::vector<Real>, 2> displaced_;
  double normalisation_ = 1;               ///< of the transforms of the other axes, there and back
  std::vector<std::complex<Real>> turns_;  ///< what displaces each mode of one end; empty: nothing does
};

}  // namespace weft
