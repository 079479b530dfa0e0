// The passes of a transform over slabs that lie in one array of each rank, where all ranks see all of these arrays.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "plan/pass/local_pass.hpp"
#include "plan/schedule/schedule.hpp"
#include "weft/comm.hpp"
#include "weft/options.hpp"

namespace weft::fftw_mpi {

/// Transforms between arrays that are cut along axis 0 on both sides: within the slabs of a rank, and along axis 0,
/// where a rank has the lines of some indices of another axis through the arrays of all ranks. Between the two, nothing
/// moves; the ranks have to wait for each other.
template <class Real>
class SlabPasses {
 public:
  /// Collective. `strides`, in reals, are those of the points and of the modes of a rank; elements with the same
  /// indices begin at the same place, except along the last axis.
  SlabPasses(const Comm& comm, Schedule schedule, const std::array<Extents, 2>& strides, const PlanOptions& options);

  /// Whether a schedule has the two parts.
  static bool fits(const Schedule& schedule);

  /// Transforms all axes but 0, between arrays of this rank, which may be the same. Forward it works in `to`, backward
  /// in `from`.
  void run_within(Direction direction, Real* from, Real* to);
  /// Transforms axis 0, between the arrays of all ranks, which may be the same.
  void run_across(Direction direction, const std::vector<Real*>& from, const std::vector<Real*>& to);

 private:
  const Extents& strides(int width) const;
  SegmentedView<Real> own_view(Real* array, const Layout& layout, int width, int axis, bool stream) const;
  SegmentedView<Real> view_of_all(const std::vector<Real*>& arrays, const Layout& layout, int width, bool stream) const;

  int rank_;
  Schedule schedule_;
  std::array<Extents, 2> strides_;
  std::vector<std::unique_ptr<LocalPass<Real>>> passes_;
  typename LocalPass<Real>::Workspaces workspaces_;
};

}  // namespace weft::fftw_mpi
