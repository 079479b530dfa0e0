// Sweeps over lines that are contiguous at both ends. Engines that support it transform a few such lines at a time from
// memory to memory, to the bits of their lane blocks, and faster.
#include <algorithm>
#include <cstdint>

#include "plan/pass/line_sweep.hpp"

namespace weft {

// Whether lines can be streamed vector by vector as computed: all begin at a vector, and are not half spectra.
template <class Real>
bool LineSweep<Real>::may_stream(Direction direction, Real* const* lines, int count) const {
  const index_t vector_bytes = kernels_.lanes * static_cast<index_t>(sizeof(Real));
  return pass_->engine(direction).routes().streams_lines &&
         !(direction == Direction::forward && pass_->transform().kind == Kind::r2c) &&
         std::all_of(lines, lines + count,
                     [&](const Real* line) { return reinterpret_cast<std::intptr_t>(line) % vector_bytes == 0; });
}

// Streams contiguous lines of `reals` reals each; lines that touch in memory are streamed as one.
template <class Real>
void LineSweep<Real>::stream_lines(const Real* from, Real* const* to, int count, index_t reals) const {
  for (int first = 0, next = 1; first < count; first = next++) {
    while (next < count && to[next] == to[next - 1] + reals) next++;
    kernels_.stream(from + first * reals, to[first], (next - first) * reals, 0);
  }
}

// Lines that begin inside a vector go through a staging buffer in cache before they are streamed.
template <class Real>
void LineSweep<Real>::transform_lines(const Way& way, const LineBatch& batch, Real* in, Real* out) {
  const bool forward = way.direction == Direction::forward, stream = way.store->front().stream;
  const int used = batch.set->neighbours ? static_cast<int>(batch.count) * kernels_.lanes : batch.set->used,
            lanes = std::max(used, kernels_.lanes), modes_width = pass_->width_behind(Direction::forward);
  const index_t reals = way.store->front().count * pass_->width_behind(way.direction);
  const index_t points = pass_->transform().length;
  Real *from[most_lines], *to[most_lines], *last[most_lines];
  Real* stage[LineSet::most];  // streamed lines come set by set
  const auto find = [&](const LineMove<Real>& move, Real** lines) {
    addresses(move, *batch.set, pass_->inner(), 1, lanes, lines);
  };
  find(way.load->front(), from);
  find(way.store->front(), to);
  const bool staged = stream && !may_stream(way.direction, to, used);
  for (int l = 0; staged && l < used; l++) stage[l] = out + l * reals;
  Real* const* results = staged ? stage : to;
  const Moves& spectral = forward ? *way.store : *way.load;
  if (spectral.size() > 1) {
    find(spectral.back(), last);
  } else {
    std::transform(forward ? results : from, (forward ? results : from) + used, last,
                   [&](Real* modes) { return modes + points / 2 * modes_width; });
  }
  for (int l = 0; check_finite_ && l < used; l++)
    kernels_.mark_non_finite(from[l], points * pass_->width_before(way.direction), workspace_->non_finite.data());
  pass_->engine(way.direction)
      .transform(LaneLines<Real>{.from = from,
                                 .to = results,
                                 .count = used,
                                 .scale = scale_,
                                 .stream = stream && !staged,
                                 .prefetch_distance = prefetch_distance(*way.load, batch, from_)},
                 last, in);
  if (staged) stream_lines(out, to, used, reals);
}

template void LineSweep<double>::transform_lines(const Way&, const LineBatch&, double*, double*);
template void LineSweep<float>::transform_lines(const Way&, const LineBatch&, float*, float*);

}  // namespace weft
