// Makes the passes over slabs and runs them in the arrays of one rank, or of all.
#include "fftw_mpi/slab_passes.hpp"

#include <utility>

#include "base/threads.hpp"
#include "plan/pass/fused_pass.hpp"
#include "plan/run/workspaces.hpp"

namespace weft::fftw_mpi {

template <class Real>
SlabPasses<Real>::SlabPasses(const Comm& comm, Schedule schedule, const std::array<Extents, 2>& strides,
                             const PlanOptions& options)
    : rank_(comm.rank()), schedule_(std::move(schedule)), strides_(strides) {
  for (const PassPlan& pass : schedule_.passes)
    passes_.push_back(std::make_unique<FusedPass<Real>>(comm, schedule_, pass, rank_, options));
  const int threads = default_threads(comm, options.threads);
  comm.together([&] { workspaces_ = workspaces_of(passes_, threads, Arena(), false); });
}

template <class Real>
bool SlabPasses<Real>::fits(const Schedule& schedule) {
  const std::size_t last = schedule.passes.size() - 1;
  if (last == 0 || schedule.passes[last].axes != std::vector<int>{0}) return false;
  for (std::size_t i = 0; i < last; i++)
    if ((schedule.exchanges[i].process_axis >= 0) != (i + 1 == last)) return false;
  return schedule.exchanges.back().near_axis == 1;  // no axis of one point has been left out
}

// Points and modes of complex or of real transforms have the same strides.
template <class Real>
const Extents& SlabPasses<Real>::strides(int width) const {
  return strides_[width == schedule_.width_physical ? 0 : 1];
}

template <class Real>
SegmentedView<Real> SlabPasses<Real>::own_view(Real* array, const Layout& layout, int width, int axis,
                                               bool stream) const {
  SegmentedView<Real> view = whole_view(array, layout.box(rank_).extents(), strides(width), width, axis);
  view.stream = stream;
  return view;
}

// The lines of this rank along axis 0: a segment in the array of every rank that has slabs.
template <class Real>
SegmentedView<Real> SlabPasses<Real>::view_of_all(const std::vector<Real*>& arrays, const Layout& layout, int width,
                                                  bool stream) const {
  const Box lines = layout.box(rank_);
  const Extents& distances = strides(width);
  index_t first = 0;
  for (int axis = 1; axis < lines.dims(); axis++) first += lines[axis].lo * distances[axis];
  SegmentedView<Real> view{width, {}, stream};
  for (std::size_t r = 0; r < arrays.size(); r++) {
    const Range slabs = schedule_.physical.box(static_cast<int>(r))[0];
    if (slabs.size() > 0 && !lines.empty())
      view.segments.push_back({slabs.lo, slabs.size(), arrays[r] + first, distances});
  }
  return view;
}

template <class Real>
void SlabPasses<Real>::run_within(Direction direction, Real* from, Real* to) {
  const bool forward = direction == Direction::forward;
  const std::size_t count = passes_.size() - 1;
  Real* work = forward ? to : from;
  for (std::size_t step = 0; step < count; step++) {
    const LocalPass<Real>& pass = *passes_[forward ? step : count - 1 - step];
    const PassPlan& plan = pass.plan();
    Real *loaded = step == 0 ? from : work, *stored = step + 1 == count ? to : work;
    const bool stream = loaded != stored && pass.bytes() > stream_from_bytes();
    const auto before = own_view(forward ? loaded : stored, plan.before, plan.width_before, plan.axes.front(), stream);
    const auto after = own_view(forward ? stored : loaded, plan.after, plan.width_after, plan.axes.back(), stream);
    typename LocalPass<Real>::PassData data{.from = forward ? before : after, .to = forward ? after : before};
    if (loaded == stored) data.middle = {work, strides(plan.width_before)};
    pass.run(direction, data, Real(1), workspaces_);
  }
}

template <class Real>
void SlabPasses<Real>::run_across(Direction direction, const std::vector<Real*>& from, const std::vector<Real*>& to) {
  const LocalPass<Real>& pass = *passes_.back();
  const PassPlan& plan = pass.plan();
  const bool forward = direction == Direction::forward, stream = from != to && pass.bytes() > stream_from_bytes();
  const auto before = view_of_all(forward ? from : to, plan.before, plan.width_before, stream);
  const auto after = view_of_all(forward ? to : from, plan.after, plan.width_after, stream);
  pass.run(direction, {.from = forward ? before : after, .to = forward ? after : before}, Real(1), workspaces_);
}

template class SlabPasses<double>;
template class SlabPasses<float>;

}  // namespace weft::fftw_mpi
