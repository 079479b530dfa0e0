// Transforms of many small problems, such as those of a batch axis: all passes of some of them before those of the next
// ones, so that a pass finds in cache what the one before has stored.
#include <algorithm>

#include "plan/pass/line_prefetch.hpp"
#include "plan/run/pipeline.hpp"

namespace weft {

// Groups whose passes load and store as much as the second-level caches hold, if nothing is exchanged, one index fits
// into a cache and all of them do not. Of several batch axes outside the transformed ones, the longest is cut.
template <class Real>
typename Pipeline<Real>::BatchGroups Pipeline<Real>::batch_groups() const {
  const bool exchanged = std::any_of(schedule_.exchanges.begin(), schedule_.exchanges.end(),
                                     [](const auto& plan) { return plan.moves() || !plan.memory_order.empty(); });
  if (exchanged || passes_.size() < 2 || !schedule_.components.empty()) return {};
  int first = physical_box().dims();  // transformed axis
  double bytes = 0;
  for (const auto& pass : passes_) {
    for (const int axis : pass->plan().axes) first = std::min(first, axis);
    bytes = std::max(bytes, pass->bytes());
  }
  BatchGroups groups;
  for (int axis = 0; axis < first; axis++)
    if (const index_t size = physical_box().extents()[axis]; size > groups.all) groups = {axis, 1, size};
  const double of_index = bytes / static_cast<double>(groups.all);
  if (bytes <= all_caches() || of_index > all_caches()) return {};
  groups.size = std::clamp<index_t>(static_cast<index_t>(threads_ * second_cache() / of_index), 1, groups.all);
  return groups;
}

// Whether groups leave the input of those after them alone: in two arrays, or in one whose rows are in the same places
// on both sides.
template <class Real>
bool Pipeline<Real>::takes_groups(const LocalArray<Real>& in, const LocalArray<Real>& out) const {
  if (groups_.axis < 0 || in.data != out.data) return groups_.axis >= 0;
  for (int axis = 0; axis + 1 < in.strides.dims(); axis++)
    if (in.strides[axis] != out.strides[axis]) return false;
  return true;
}

// Calls work(range of indices) for all groups. Every group uses the beginning of the arrays between passes, which then
// stays in cache.
template <class Real>
template <class Work>
void Pipeline<Real>::for_each_group(std::initializer_list<PassEndpoints*> ends, const Work& work) {
  const auto shift = [&](index_t indices) {
    for (PassEndpoints* endpoints : ends) {
      if (endpoints->memory != nullptr) continue;
      for (std::vector<PassEndpoint<Real>>* side : {&endpoints->before, &endpoints->after}) {
        for (PassEndpoint<Real>& endpoint : *side) {
          SegmentedView<Real>& view = endpoint.parts.front().view;
          Segment<Real>& segment = view.segments.front();
          if (view.cached) segment.base -= indices * segment.stride[groups_.axis];
        }
      }
    }
  };
  times_.passes.assign(passes_.size(), 0);
  index_t begin = 0;
  for (; begin < groups_.all; begin += groups_.size) {
    work(Range{begin, std::min(begin + groups_.size, groups_.all)});
    shift(groups_.size);
  }
  shift(-begin);
}

// Calls run(data) for the indices of a group in a pass, and takes the time.
template <class Real>
template <class Run>
void Pipeline<Real>::run_group(std::size_t pass, const Range& group, const PassEndpoint<Real>& from,
                               const PassEndpoint<Real>& to, const PassEndpoints& endpoints, const Run& run) {
  const double begin = MPI_Wtime();
  typename LocalPass<Real>::PassData data{.from = from.parts.front().view, .to = to.parts.front().view};
  data.only.add(groups_.axis, group);
  if (endpoints.memory != nullptr) data.middle = endpoints.middle[pass];
  run(data);
  times_.passes[pass] += MPI_Wtime() - begin;
}

template <class Real>
void Pipeline<Real>::transform_group(Direction direction, std::size_t pass, const Range& group,
                                     const PassEndpoints& endpoints, Real scale,
                                     const PointOperation<Real>* operation) {
  const bool forward = direction == Direction::forward;
  const PassEndpoint<Real>&before = endpoints.before[pass], &after = endpoints.after[pass];
  run_group(pass, group, forward ? before : after, forward ? after : before, endpoints, [&](auto& data) {
    data.loaded = operation;
    passes_[pass]->run(direction, data, scale, workspaces_);
  });
}

template <class Real>
void Pipeline<Real>::transform_groups(Direction direction, PassEndpoints& endpoints, Real scale) {
  const std::size_t last = passes_.size() - 1;
  for_each_group({&endpoints}, [&](const Range& group) {
    for (std::size_t step = 0; step <= last; step++) {
      const std::size_t pass = direction == Direction::forward ? step : last - step;
      transform_group(direction, pass, group, endpoints, pass == last ? scale : Real(1));
    }
  });
}

template <class Real>
void Pipeline<Real>::convolve_groups(PassEndpoints& in, PassEndpoints& out, const LineSymbol<Real>& symbol, Real scale,
                                     const PointOperation<Real>* operation) {
  const std::size_t last = passes_.size() - 1;
  for_each_group({&in, &out}, [&](const Range& group) {
    for (std::size_t i = 0; i < last; i++)
      transform_group(Direction::forward, i, group, in, Real(1), i == 0 ? operation : nullptr);
    run_group(last, group, in.before[last], out.before[last], in,
              [&](auto& data) { passes_[last]->convolve(symbol, data, scale, workspaces_); });
    for (std::size_t i = last; i > 0; i--) transform_group(Direction::backward, i - 1, group, out, Real(1));
  });
}

#define WEFT_BATCH_GROUPS(Real)                                                                                \
  template Pipeline<Real>::BatchGroups Pipeline<Real>::batch_groups() const;                                   \
  template bool Pipeline<Real>::takes_groups(const LocalArray<Real>&, const LocalArray<Real>&) const;          \
  template void Pipeline<Real>::transform_groups(Direction, PassEndpoints&, Real);                             \
  template void Pipeline<Real>::convolve_groups(PassEndpoints&, PassEndpoints&, const LineSymbol<Real>&, Real, \
                                                const PointOperation<Real>*);
WEFT_BATCH_GROUPS(double)
WEFT_BATCH_GROUPS(float)

}  // namespace weft
