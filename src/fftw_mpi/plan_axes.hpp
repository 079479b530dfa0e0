// What plans of Weft for transforms of FFTW's interface have in common: the order of their axes, and their options.
#pragma once

#include <utility>

#include "fftw_mpi/step.hpp"
#include "weft/options.hpp"

namespace weft::fftw_mpi {

/// The axes of the plan: those of the problem, or with the first two exchanged, since a plan cuts its points along its
/// first axis, and its modes along the second one (transposed) or along the first (natural).
struct PlanAxes {
  bool exchanged;

  explicit PlanAxes(const Side& points) : exchanged(points.cut.axis == 1) {}
  /// A list with an entry for each axis of the problem, in the plan's order of axes.
  template <class List>
  List of(List list) const {
    if (exchanged) std::swap(list[0], list[1]);
    return list;
  }
};

/// Whether every rank's part of an array equals that of a plan with blocks of the default size.
inline bool has_default_blocks(const Side& side, int ranks) {
  return side.cut.block == default_block(side.extents[side.cut.axis], ranks);
}

/// Whether each element of the output lies at the place of an input element with the same indices, except for the last
/// index.
inline bool rows_coincide(const Sides& sides) {
  for (int axis = 0; axis + 1 < sides.in.strides.dims(); axis++)
    if (sides.in.strides[axis] * sides.in.width() != sides.out.strides[axis] * sides.out.width()) return false;
  return true;
}

inline const Side& points_of(const Sides& sides, Direction direction) {
  return direction == Direction::forward ? sides.in : sides.out;
}
inline const Side& modes_of(const Sides& sides, Direction direction) {
  return direction == Direction::forward ? sides.out : sides.in;
}

/// The options of a plan on so many ranks for transforms between these points and modes in the distribution of FFTW.
inline PlanOptions options_of(const Problem& problem, const Side& points, int ranks, const Planning& planning) {
  PlanOptions options;
  options.grid = {ranks};
  options.scheme = Scheme::block;
  // Neither direction of FFTW divides, and neither does the direction of the plan that is used.
  options.norm = direction_of(problem) == Direction::forward ? Norm::backward : Norm::forward;
  options.effort = planning.effort;
  options.threads = planning.threads;
  options.strategy = planning.strategy;
  const int rank = problem.n.dims(), dims = points.extents.dims();
  if (rank > 1 && dims > rank) options.batch_axes = {dims - 1};
  return options;
}

}  // namespace weft::fftw_mpi
