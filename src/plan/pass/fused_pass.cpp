// Set-up of one or two line passes over a local box, and their description.
#include "plan/pass/fused_pass.hpp"

#include <algorithm>

#include "plan/run/step_text.hpp"

namespace weft {

template <class Real>
FusedPass<Real>::FusedPass(const Comm& comm, const Schedule& schedule, const PassPlan& plan, int rank,
                           const PlanOptions& options)
    : plan_(plan),
      before_(plan.before.box(rank).extents()),
      after_(plan.after.box(rank).extents()),
      middle_(before_.dims(), 1),
      middle_strides_(before_.dims()) {
  if (schedule.components.empty()) components_.push_back(make_passes(comm, schedule.axes, options));
  for (const auto& transforms : schedule.components) components_.push_back(make_passes(comm, transforms, options));
  if (!is_fused()) return;
  middle_[first_axis()] = after_[first_axis()];
  middle_[last_axis()] = before_[last_axis()];
  middle_strides_ = plane_strides();
  set_group();
}

// Small planes are processed in groups of up to 64 KB: preparing a sweep over lines takes as long as a plane of 16^2.
template <class Real>
void FusedPass<Real>::set_group() {
  constexpr index_t most_bytes = 1 << 16;
  for (int axis = 0; axis < before_.dims(); axis++)
    if (axis != first_axis() && axis != last_axis()) group_axis_ = axis;
  if (group_axis_ < 0) return;
  const index_t plane = plane_reals();
  const index_t fit = most_bytes / (std::max<index_t>(plane, 1) * static_cast<index_t>(sizeof(Real)));
  group_ = std::clamp<index_t>(fit, 1, std::max<index_t>(before_[group_axis_], 1));
  middle_strides_[group_axis_] = plane;
}

// Strides of a padded array of the two axes in C order; 0 along the other axes.
template <class Real>
Extents FusedPass<Real>::plane_strides() const {
  const int slow = std::min(first_axis(), last_axis()), fast = std::max(first_axis(), last_axis());
  const Extents plane = padded_strides<Real>({middle_[slow], middle_[fast]}, middle_width());
  Extents strides(middle_.dims());
  strides[slow] = plane[0];
  strides[fast] = plane[1];
  return strides;
}

template <class Real>
typename FusedPass<Real>::Passes FusedPass<Real>::make_passes(const Comm& comm,
                                                              const std::vector<AxisTransform>& transforms,
                                                              const PlanOptions& options) const {
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

template <class Real>
int FusedPass<Real>::middle_width() const {
  return is_fourier(any().front().transform().kind) ? 2 : plan_.width_before;
}

template <class Real>
index_t FusedPass<Real>::block_reals() const {
  index_t reals = 0;
  for (const Passes& passes : components_)
    for (const Pass& pass : passes) reals = std::max(reals, pass.block_reals());
  return reals;
}

template <class Real>
index_t FusedPass<Real>::most_points() const {
  index_t points = 0;
  for (const Passes& passes : components_)
    for (const Pass& pass : passes) points = std::max(points, pass.most_points());
  return points;
}

template <class Real>
index_t FusedPass<Real>::plane_reals() const {
  if (!is_fused()) return 0;
  index_t reals = 0;
  for (const int axis : plan_.axes) reals = std::max(reals, middle_[axis] * middle_strides_[axis]);
  return group_ * reals;
}

template <class Real>
Segment<Real> FusedPass<Real>::plane_of(const Workspace& workspace, const LocalArray<Real>& middle, int axis,
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

// Source and target are the same array if they begin at the same address.
template <class Real>
Memory FusedPass<Real>::memory(const PassData& data) const {
  const auto begin = [](const SegmentedView<Real>& view) {
    return view.segments.empty() ? nullptr : view.segments.front().base;
  };
  return memory_of(bytes(), begin(data.from) == begin(data.to) ? PassArrays::same : PassArrays::distinct);
}

// The memory that the results of a plane are stored to. In place it is the plane itself, which stays in cache.
template <class Real>
Memory FusedPass<Real>::behind_plane(const PassData& data) const {
  return data.middle.data != nullptr ? Memory::cache : memory(data);
}

template <class Real>
std::string FusedPass<Real>::describe() const {
  std::string text;
  for (const Pass& pass : any())
    text += (text.empty() ? "" : " + ") + lines_text(pass.axis(), pass.transform(), pass.all_lines().count()) + ", " +
            pass.engine_name();
  return text;
}

template <class Real>
index_t FusedPass<Real>::batches() const {
  index_t batches = 0;
  for (const Pass& pass : any()) batches += pass.batches();
  return batches;
}

template <class Real>
double FusedPass<Real>::flops() const {
  double flops = 0;
  for (const Pass& pass : any()) flops += lines_flops(pass.transform(), pass.all_lines().count());
  return flops;
}

template <class Real>
double FusedPass<Real>::bytes() const {
  return static_cast<double>(sizeof(Real)) * (static_cast<double>(before_.product()) * plan_.width_before +
                                              static_cast<double>(after_.product()) * plan_.width_after);
}

template class FusedPass<double>;
template class FusedPass<float>;

}  // namespace weft
