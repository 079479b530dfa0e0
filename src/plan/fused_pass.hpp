// One or two line passes over a local box.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/threads.hpp"
#include "plan/in_place.hpp"
#include "plan/line_sweep.hpp"
#include "plan/schedule.hpp"

namespace weft {

/// Lines with these indices along some axes: those of a part of either side, and a component.
struct Stretches {
  struct Stretch {
    int axis;
    Range range;
  };
  std::array<Stretch, 3> of{};
  std::size_t count = 0;

  void add(int axis, const Range& range) { of[count++] = {axis, range}; }
  void add_component(std::size_t c) { add(0, {static_cast<index_t>(c), static_cast<index_t>(c) + 1}); }
  /// The lines of `all` that lie in every stretch.
  LineRanges within(LineRanges all) const {
    for (std::size_t i = 0; i < count; i++) {
      index_t &begin = all.begin[of[i].axis], &end = all.end[of[i].axis];
      begin = std::max(begin, of[i].range.lo);
      end = std::max(begin, std::min(end, of[i].range.hi));
    }
    return all;
  }
};

/// One or two line passes; with two, plane by plane through a small array of the thread.
template <class Real>
class FusedPass {
 public:
  FusedPass(const Comm& comm, const Schedule& schedule, const PassPlan& plan, int rank, const PlanOptions& options);

  const PassPlan& plan() const { return plan_; }
  int first_axis() const { return plan_.axes.front(); }
  int last_axis() const { return plan_.axes.back(); }
  index_t block_reals() const;
  index_t most_points() const;
  index_t plane_reals() const;

  struct Workspace {
    PassWorkspace<Real> blocks;
    Buffer<Real> plane;
    LineSweep<Real> sweep{};
  };
  using Workspaces = std::vector<Workspace>;

  /// Where a run finds and leaves its data, and which part of it. Two passes meet in a plane of the thread, or in
  /// `middle`, an array of the box in which they work plane by plane.
  struct Places {
    const SegmentedView<Real>&from, &to;
    LocalArray<Real> middle{};
    Stretches only{};                             ///< the lines whose index lies in every stretch
    const std::function<void()>* now_and_then{};  ///< called by the first thread between batches; may be null
    bool watch = false;                           ///< see LineSweep::Options
  };
  void run(Direction direction, const Places& places, Real scale, Workspaces& workspaces) const;
  /// From the physical side through the symbol of the last axis and back to the physical side, times `scale`.
  void convolve(const LineSymbol<Real>& symbol, const Places& places, Real scale, Workspaces& workspaces) const;

  /// Room for the components of a field on both sides of combine(), for each thread.
  struct FieldWorkspace {
    /// Empty, for `before` and `behind` components.
    FieldWorkspace(Workspaces before, Workspaces behind)
        : from(std::move(before)), to(std::move(behind)), from_sweeps(from.size()), to_sweeps(to.size()) {}
    Workspaces from, to;
    std::vector<LineSweep<Real>> from_sweeps, to_sweeps;
  };
  /// The last passes of two pipelines, axis 0 of which counts the components of fields: forward through this one, an
  /// operation that mixes the modes of all components, backward through `back`. Places lie on the physical sides.
  void combine(const FusedPass& back, const ModeOperation<Real>& operation, const Places& places, Real scale,
               std::vector<FieldWorkspace>& workspaces) const;

  /// Where a run finds its arrays and leaves them.
  Memory memory(const Places& places) const;

  std::string describe() const;
  index_t batches() const;
  double flops() const;
  /// Bytes loaded and stored by this rank in one run.
  double bytes() const;

 private:
  using Pass = LinePass<Real>;
  using Passes = std::vector<Pass>;
  Passes make_passes(const Comm& comm, const std::vector<AxisTransform>& transforms, const PlanOptions& options) const;
  const Passes& any() const { return components_.front(); }
  const Passes& passes_of(std::size_t c) const { return components_[components_.size() == 1 ? 0 : c]; }
  bool is_fused() const { return plan_.axes.size() > 1; }
  int middle_width() const;
  // The plane of a thread, or of `middle`, for a pass along an axis.
  Segment<Real> plane_of(const Workspace& workspace, const LocalArray<Real>& middle, int axis,
                         const LineRanges& lines) const;
  Extents plane_strides() const;
  void set_group();
  std::size_t team(std::size_t threads) const;
  // The lines of both passes in a group of planes.
  struct Planes {
    LineRanges first, second;
  };
  index_t select_planes(const LineRanges& outer, index_t plane, index_t most, Planes& planes) const;
  template <class Body>
  void for_each_plane(Direction direction, const Places& places, std::size_t threads, index_t group,
                      const Body& body) const;
  template <class Prepare, class Body>
  void for_batches(Direction direction, const Places& places, std::size_t threads, const Prepare& prepare,
                   const Body& body) const;
  template <class Body>
  void for_each_component(const Places& places, const Body& body) const;
  Memory behind_plane(const Places& places) const;
  void run(const Passes& passes, Direction direction, const Places& places, Real scale, Workspaces& workspaces) const;
  void convolve(const Passes& passes, const LineSymbol<Real>& symbol, const Places& places, Real scale,
                Workspaces& workspaces) const;
  void combine_lines(const FusedPass& back, const ModeOperation<Real>& operation, const Places& places, Real scale,
                     std::vector<FieldWorkspace>& workspaces) const;
  void run_outer(Direction direction, const SegmentedView<Real>& view, Workspaces& workspaces, Memory memory,
                 const LineRanges& lines) const;

  PassPlan plan_;
  Extents before_, after_;  // local boxes
  // The planes between two passes; 1 and 0 along the axes outside them, but for that along which a group of them is
  // worked on together.
  Extents middle_, middle_strides_;
  int group_axis_ = -1;  // none: there is one plane
  index_t group_ = 1;
  std::vector<Passes> components_;  // one list where all indices of axis 0 are alike
};

}  // namespace weft
