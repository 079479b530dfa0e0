// One or two line passes over a local box: their set-up and description.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/threads.hpp"
#include "plan/pass/local_pass.hpp"
#include "plan/run/step_text.hpp"

namespace weft {

/// One or two line passes. Two are fused plane by plane through a small array per thread.
template <class Real>
class FusedPass final : public LocalPass<Real> {
 public:
  using typename LocalPass<Real>::Workspace;
  using typename LocalPass<Real>::Workspaces;
  using typename LocalPass<Real>::PassData;
  using typename LocalPass<Real>::FieldWorkspace;

  FusedPass(const Comm& comm, const Schedule& schedule, const PassPlan& plan, int rank, const PlanOptions& options)
      : plan_(plan),
        before_(plan.before.box(rank).extents()),
        after_(plan.after.box(rank).extents()),
        middle_(before_.dims(), 1),
        middle_strides_(before_.dims()) {
    if (schedule.components.empty()) components_.push_back(make_passes(comm, schedule.axes, options));
    for (const auto& transforms : schedule.components) components_.push_back(make_passes(comm, transforms, options));
    for (const Passes& passes : components_)
      for (const Pass& pass : passes) full_ = full_ && pass.is_full();
    if (!is_fused()) return;
    middle_[first_axis()] = after_[first_axis()];
    middle_[last_axis()] = before_[last_axis()];
    middle_strides_ = plane_strides();
    set_group();
  }

  const PassPlan& plan() const override { return plan_; }
  index_t block_reals() const override { return most(&Pass::block_reals); }
  index_t most_points() const override { return most(&Pass::most_points); }
  index_t plane_reals() const override {
    if (!is_fused()) return 0;
    index_t reals = 0;
    for (const int axis : plan_.axes) reals = std::max(reals, middle_[axis] * middle_strides_[axis]);
    return group_ * reals;
  }

  void run(Direction direction, const PassData& data, Real scale, Workspaces& workspaces) const override;
  void convolve(const LineSymbol<Real>& symbol, const PassData& data, Real scale,
                Workspaces& workspaces) const override;
  /// `back` must be a FusedPass, too.
  void combine(const LocalPass<Real>& back, const ModeOperation<Real>& operation, const PassData& data, Real scale,
               std::vector<FieldWorkspace>& workspaces) const override;

  /// The memory, in cache or not, of the arrays that a run loads from and stores to.
  Memory memory() const { return memory_of(bytes()); }

  std::string describe() const override {
    std::string text;
    for (const Pass& pass : any())
      text += (text.empty() ? "" : " + ") + lines_text(pass.axis(), pass.transform(), pass.all_lines().count()) + ", " +
              pass.engine_name();
    return text;
  }
  index_t batches() const override {
    index_t batches = 0;
    for (const Pass& pass : any()) batches += pass.batches();
    return batches;
  }
  double flops() const override {
    double flops = 0;
    for (const Pass& pass : any()) flops += lines_flops(pass.transform(), pass.all_lines().count());
    return flops;
  }
  double bytes() const override {
    return static_cast<double>(sizeof(Real)) * (static_cast<double>(before_.product()) * plan_.width_before +
                                                static_cast<double>(after_.product()) * plan_.width_after);
  }

 private:
  using Pass = LinePass<Real>;
  using Passes = std::vector<Pass>;
  Passes make_passes(const Comm& comm, const std::vector<AxisTransform>& transforms, const PlanOptions& options) const {
    Passes passes;
    Extents batch = before_;
    int width = plan_.width_before;
    for (const int axis : plan_.axes) {
      const AxisTransform& transform = transforms[static_cast<std::size_t>(axis)];
      const auto engine = [&](Direction direction) {
        const LineSpec spec{transform.kind, direction, transform.length, width, padding_begin(transform)};
        return make_engine<Real>(comm, spec, options.engine, options.effort);
      };
      const auto forward = engine(Direction::forward), backward = engine(Direction::backward);
      passes.emplace_back(axis, neighbour_axis(plan_, axis), transform, width, batch, forward, backward);
      batch[axis] = transform.modes;
      if (is_fourier(transform.kind)) width = 2;
    }
    return passes;
  }
  const Passes& any() const { return components_.front(); }
  const Passes& passes_of(std::size_t c) const { return components_[c % components_.size()]; }
  bool is_fused() const { return plan_.axes.size() > 1; }
  int first_axis() const { return plan_.axes.front(); }
  int last_axis() const { return plan_.axes.back(); }
  int middle_width() const { return is_fourier(any().front().transform().kind) ? 2 : plan_.width_before; }
  // The largest number of a pass.
  index_t most(index_t (Pass::*number)() const) const {
    index_t most = 0;
    for (const Passes& passes : components_)
      for (const Pass& pass : passes) most = std::max(most, (pass.*number)());
    return most;
  }
  // The plane of a thread, or of `middle`, for a pass along `axis`.
  Segment<Real> plane_of(const Workspace& workspace, const LocalArray<Real>& middle, int axis,
                         const LineRanges& lines) const {
    Segment<Real> plane{0, middle_[axis], middle.data, middle_strides_};
    if (middle.data == nullptr) {
      plane.base = workspace.plane.data();
      if (group_axis_ >= 0) plane.base -= lines.begin[group_axis_] * middle_strides_[group_axis_];
    } else {
      plane.stride = middle.strides;
      plane.stride[plane.stride.dims() - 1] = middle_width();
    }
    return plane;
  }
  // Strides of a padded array of the two axes in C order; 0 along the other axes.
  Extents plane_strides() const {
    const int slow = std::min(first_axis(), last_axis()), fast = std::max(first_axis(), last_axis());
    const Extents plane = padded_strides<Real>({middle_[slow], middle_[fast]}, middle_width());
    Extents strides(middle_.dims());
    strides[slow] = plane[0];
    strides[fast] = plane[1];
    return strides;
  }
  // Small planes are processed in groups of up to 64 KB: preparing a sweep over lines takes as long as a plane of 16^2.
  void set_group() {
    constexpr index_t most_bytes = 1 << 16;
    for (int axis = 0; axis < before_.dims(); axis++)
      if (axis != first_axis() && axis != last_axis()) group_axis_ = axis;
    if (group_axis_ < 0) return;
    const index_t plane = plane_reals();
    const index_t fit = most_bytes / (std::max<index_t>(plane, 1) * static_cast<index_t>(sizeof(Real)));
    group_ = std::clamp<index_t>(fit, 1, std::max<index_t>(before_[group_axis_], 1));
    middle_strides_[group_axis_] = plane;
  }
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
  Memory memory(const SegmentedView<Real>& view) const { return view.cached ? Memory::cache : memory(); }
  // The memory that the results of a plane are stored to. In place it is the plane itself, which stays in cache.
  Memory after_plane(const PassData& data) const {
    return data.middle.data != nullptr ? Memory::cache : memory(data.to);
  }
  bool may_repeat(const PassData& data, std::size_t threads) const;
  void add_to_key(RepeatedPasses<Real>& key, Direction direction, const PassData& data, Real scale) const;
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
  bool full_ = true;                // no pass pads or truncates (LinePass::is_full)
  std::vector<Passes> components_;  // repeated along axis 0; a single entry if all indices have the same passes
};

extern template class FusedPass<double>;
extern template class FusedPass<float>;

}  // namespace weft
