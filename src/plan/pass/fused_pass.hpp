// One or two line passes over a local box.
#pragma once

#include <string>
#include <vector>

#include "base/threads.hpp"
#include "plan/pass/local_pass.hpp"

namespace weft {

/// One or two line passes. Two are fused plane by plane through a small array per thread.
template <class Real>
class FusedPass final : public LocalPass<Real> {
 public:
  using typename LocalPass<Real>::Workspace;
  using typename LocalPass<Real>::Workspaces;
  using typename LocalPass<Real>::PassData;
  using typename LocalPass<Real>::FieldWorkspace;

  FusedPass(const Comm& comm, const Schedule& schedule, const PassPlan& plan, int rank, const PlanOptions& options);

  const PassPlan& plan() const override { return plan_; }
  index_t block_reals() const override;
  index_t most_points() const override;
  index_t plane_reals() const override;

  void run(Direction direction, const PassData& data, Real scale, Workspaces& workspaces) const override;
  void convolve(const LineSymbol<Real>& symbol, const PassData& data, Real scale,
                Workspaces& workspaces) const override;
  /// `back` must be a FusedPass, too.
  void combine(const LocalPass<Real>& back, const ModeOperation<Real>& operation, const PassData& data, Real scale,
               std::vector<FieldWorkspace>& workspaces) const override;

  /// The memory (in cache or not) of the arrays that a run loads from and stores to.
  Memory memory(const PassData& data) const;

  std::string describe() const override;
  index_t batches() const override;
  double flops() const override;
  double bytes() const override;

 private:
  using Pass = LinePass<Real>;
  using Passes = std::vector<Pass>;
  Passes make_passes(const Comm& comm, const std::vector<AxisTransform>& transforms, const PlanOptions& options) const;
  const Passes& any() const { return components_.front(); }
  const Passes& passes_of(std::size_t c) const { return components_[c % components_.size()]; }
  bool is_fused() const { return plan_.axes.size() > 1; }
  int first_axis() const { return plan_.axes.front(); }
  int last_axis() const { return plan_.axes.back(); }
  int middle_width() const;
  // The plane of a thread, or of `middle`, for a pass along `axis`.
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
  void for_each_plane(Direction direction, const PassData& data, std::size_t threads, index_t group,
                      const Body& body) const;
  template <class Prepare, class Body>
  void for_batches(Direction direction, const PassData& data, std::size_t threads, const Prepare& prepare,
                   const Body& body) const;
  template <class Body>
  void for_each_component(const PassData& data, const Body& body) const;
  Memory behind_plane(const PassData& data) const;
  void run(const Passes& passes, Direction direction, const PassData& data, Real scale, Workspaces& workspaces) const;
  void convolve(const Passes& passes, const LineSymbol<Real>& symbol, const PassData& data, Real scale,
                Workspaces& workspaces) const;
  template <class From, class To>
  void prepare_fields(const FusedPass& back, Memory memory, const From& from, const To& to, const LineRanges& lines,
                      Real scale, FieldWorkspace& workspace) const;
  static void sweep(const Pass& pass, Direction direction, const LineEnd<Real>& from, const LineEnd<Real>& to,
                    const LineRanges& lines, Workspace& workspace, typename LineSweep<Real>::Options options);
  void run_outer(Direction direction, const SegmentedView<Real>& view, Workspaces& workspaces, Memory memory,
                 const LineRanges& lines) const;

  PassPlan plan_;
  Extents before_, after_;  // local boxes
  // Extents and strides of the planes between two passes: 1 and 0 along the axes outside them, except for the axis
  // along which planes are grouped.
  Extents middle_, middle_strides_;
  int group_axis_ = -1;  // -1: a single plane
  index_t group_ = 1;
  std::vector<Passes> components_;  // repeated along axis 0; a single entry if all indices have the same passes
};

}  // namespace weft
