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
  if (memory_of(bytes) == Memory::cache || memory_of(of_index) == Memory::main) return {};
  groups.size = std::clamp<index_t>(static_cast<index_t>(threads_ * second_cache() / of_index), 1, groups.all);
  return groups;
}

// Every group uses the beginning of the arrays between passes, which then stays in cache.
template <class Real>
void Pipeline<Real>::transform_groups(Direction direction, PassEndpoints& endpoints, Real scale) {
  const bool forward = direction == Direction::forward;
  const std::size_t last = passes_.size() - 1;
  const auto shift = [&](index_t indices) {
    if (endpoints.memory != nullptr) return;
    for (std::size_t i = 0; i <= last; i++) {
      for (PassEndpoint<Real>* endpoint : {&endpoints.before[i], &endpoints.after[i]}) {
        Segment<Real>& segment = endpoint->parts.front().view.segments.front();
        if (endpoint->parts.front().view.cached) segment.base -= indices * segment.stride[groups_.axis];
      }
    }
  };
  times_.passes.assign(passes_.size(), 0);
  for (index_t begin = 0; begin < groups_.all; begin += groups_.size) {
    const Range group{begin, std::min(begin + groups_.size, groups_.all)};
    for (std::size_t step = 0; step <= last; step++) {
      const std::size_t pass = forward ? step : last - step;
      const PassEndpoint<Real>&before = endpoints.before[pass], &after = endpoints.after[pass];
      typename LocalPass<Real>::PassData data{.from = (forward ? before : after).parts.front().view,
                                              .to = (forward ? after : before).parts.front().view};
      data.only.add(groups_.axis, group);
      if (endpoints.memory != nullptr) data.middle = endpoints.middle[pass];
      const double start = MPI_Wtime();
      passes_[pass]->run(direction, data, pass == last ? scale : Real(1), workspaces_);
      times_.passes[pass] += MPI_Wtime() - start;
    }
    shift(groups_.size);
  }
  shift(-groups_.size * ((groups_.all + groups_.size - 1) / groups_.size));
}

template Pipeline<double>::BatchGroups Pipeline<double>::batch_groups() const;
template Pipeline<float>::BatchGroups Pipeline<float>::batch_groups() const;
template void Pipeline<double>::transform_groups(Direction, PassEndpoints&, double);
template void Pipeline<float>::transform_groups(Direction, PassEndpoints&, float);

}  // namespace weft
