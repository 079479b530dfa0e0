// The part of pipelines that mixes the components of a field in the last pass.
#include "plan/run/pipeline.hpp"

namespace weft {

template <class Real>
typename LocalPass<Real>::Workspaces Pipeline<Real>::field_workspaces(index_t components) const {
  const LocalPass<Real>& last = *passes_.back();
  typename LocalPass<Real>::Workspaces workspaces;
  for (index_t c = 0; c < components; c++)
    workspaces.push_back(
        {PassWorkspace<Real>(last.block_reals(), last.most_points()), Buffer<Real>(last.plane_reals())});
  return workspaces;
}

// Data arrive through the exchange of one pipeline and leave through that of the other. Without exchanges they come
// from the user's array and go to the user's array.
template <class Real>
void Pipeline<Real>::combine(Pipeline& back, const LocalArray<Real>& in, const LocalArray<Real>& out,
                             const ModeOperation<Real>& operation, Real scale, index_t fields) {
  const std::size_t last = passes_.size() - 1, exchange = last == 0 ? no_exchange : last - 1;
  const PassEndpoints &from = between(endpoints_[0], in, user_array(nullptr, Space::spectral)),
                      &to = back.between(back.endpoints_[1], out, back.user_array(nullptr, Space::spectral));
  const index_t taken = schedule_.physical.extents()[0] / fields, given = back.schedule_.physical.extents()[0] / fields;
  auto& workspaces = field_workspaces_[&back];
  comm_.together([&] {
    while (workspaces.size() < workspaces_.size())
      workspaces.push_back({field_workspaces(taken), back.field_workspaces(given)});
  });
  for (std::size_t i = 0; i < last; i++) run_pass(Direction::forward, i, from, Real(1));
  if (last > 0) back.open(exchange, Direction::backward, to);
  const bool same = &back == this;
  const Neighbours arriving{exchange, same ? exchange : no_exchange, Direction::forward, Direction::backward};
  run_in_parts(last, from.before[last], to.before[last], arriving, from, [&](const auto& places) {
    using PassData = typename LocalPass<Real>::PassData;
    passes_[last]->combine(*back.passes_[last], operation, places, scale, workspaces);
    for (index_t field = 1; field < fields; field++) {
      const SegmentedView<Real> source = from_index(places.from, field * taken),
                                target = from_index(places.to, field * given);
      const PassData data{source, target, {}, places.only, places.now_and_then};
      passes_[last]->combine(*back.passes_[last], operation, data, scale, workspaces);
    }
  });
  if (!same && last > 0) back.start({no_exchange, exchange, Direction::forward, Direction::backward}, nullptr, 0, 1);
  for (std::size_t i = last; i > 0; i--) back.run_pass(Direction::backward, i - 1, to, Real(1));
}

template <class Real>
index_t Pipeline<Real>::field_workspace_bytes() const {
  index_t bytes = 0;
  for (const auto& [back, threads] : field_workspaces_)
    for (const auto& thread : threads)
      for (const auto* end : {&thread.from, &thread.to})
        for (const auto& workspace : *end) bytes += workspace.blocks.bytes() + workspace.plane.bytes();
  return bytes;
}

template index_t Pipeline<double>::field_workspace_bytes() const;
template index_t Pipeline<float>::field_workspace_bytes() const;
template void Pipeline<double>::combine(Pipeline&, const LocalArray<double>&, const LocalArray<double>&,
                                        const ModeOperation<double>&, double, index_t);
template void Pipeline<float>::combine(Pipeline&, const LocalArray<float>&, const LocalArray<float>&,
                                       const ModeOperation<float>&, float, index_t);

}  // namespace weft
