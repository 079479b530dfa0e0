// Several components of a field on their way through the modes of the same lines.
#include "plan/line_batches.hpp"

namespace weft {

template <class Real>
void LinePass<Real>::combine(const Components& from, const Components& to, const ModeOperation<Real>& operation,
                             Real scale, const Lines& lines, index_t first, index_t last) {
  const LinePass& any = *from.front().pass;
  for (const Components* side : {&from, &to})
    for (const Component& component : *side) component.pass->prepare(*component.workspace);
  const auto block = [](const Component& component, Real* data) {
    const AxisTransform& t = component.pass->transform_;
    return ModeBlock<Real>{data, t.first_mode, t.made_modes()};
  };
  std::vector<ModeBlock<Real>> in(from.size()), out;
  for (const Component& component : to) out.push_back(block(component, component.workspace->in.data()));
  const Moves none;
  any.for_each_batch(lines, first, last, [&](const Batch& batch) {
    for (std::size_t i = 0; i < from.size(); i++) {
      const auto& [pass, moves, memory, workspace] = from[i];
      const Sweep sweep{.load = moves, .store = none, .from = memory};
      const Job there =
          pass->job(Direction::forward, &moves, nullptr, sweep, workspace->in.data(), workspace->out.data());
      in[i] = block(from[i], pass->transform(there, batch, *workspace));
    }
    const ModeLines<Real> where{*batch.set,
                                any.axis_,
                                any.inner_,
                                any.spectral_width_,
                                from.front().workspace->factor.data(),
                                from.back().workspace->factor.data()};
    operation.apply(where, in, out);
    for (const auto& [pass, moves, memory, workspace] : to) {
      const Sweep sweep{.load = none, .store = moves, .scale = scale, .from = Memory::cache, .to = memory};
      const Job back =
          pass->job(Direction::backward, nullptr, &moves, sweep, workspace->in.data(), workspace->out.data());
      pass->transform(back, batch, *workspace);
    }
    return batch.count;
  });
  any.kernels_.fence();
}

template void LinePass<double>::combine(const Components&, const Components&, const ModeOperation<double>&, double,
                                        const Lines&, index_t, index_t);
template void LinePass<float>::combine(const Components&, const Components&, const ModeOperation<float>&, float,
                                       const Lines&, index_t, index_t);

}  // namespace weft
