// Line passes along an axis that is contiguous on both sides: engines that can take such lines from memory to memory a
// few at a time do so, to the bits of their lane blocks, and sooner.
#include <algorithm>
#include <cstring>

#include "plan/line_pass.hpp"
#include "plan/line_places.hpp"

namespace weft {

// Of half a spectrum the last mode may lie by itself.
template <class Real>
bool LinePass<Real>::is_contiguous(const Moves& moves, bool physical) const {
  if (moves.empty() || moves.front().zero || moves.front().first != 0) return false;
  const bool half = !physical && transform_.kind == Kind::r2c;
  const index_t points = half ? transform_.length / 2 : transform_.length, all = half ? points + 1 : points;
  const Move &front = moves.front(), &back = moves.back();
  const bool apart = half && moves.size() == 2 && front.count == points && back.first == points && !back.zero;
  return front.stride[axis_] == (physical ? width_ : spectral_width_) &&
         (apart || (moves.size() == 1 && front.count == all));
}

// Whether lines are streamed as they are made, vector by vector. Half spectra begin anywhere in one.
template <class Real>
bool LinePass<Real>::may_stream(Direction direction, Real* const* lines, int count) const {
  const index_t vector_bytes = kernels_.lanes * static_cast<index_t>(sizeof(Real));
  return engine_for(direction).can_stream_lines() &&
         !(direction == Direction::forward && transform_.kind == Kind::r2c) &&
         std::all_of(lines, lines + count,
                     [&](const Real* line) { return reinterpret_cast<std::intptr_t>(line) % vector_bytes == 0; });
}

// Lines of `reals` each, one behind the other, past the cache; those that touch in memory are streamed as one.
template <class Real>
void LinePass<Real>::stream_lines(const Real* from, Real* const* to, int count, index_t reals) const {
  for (int first = 0, next = 1; first < count; first = next++) {
    while (next < count && to[next] == to[next - 1] + reals) next++;
    kernels_.stream(from + first * reals, to[first], (next - first) * reals, 0);
  }
}

// Returns false where that is for a lane block to do. Lines that begin anywhere in a vector are put down in the cache
// before they are streamed.
template <class Real>
bool LinePass<Real>::transform_lines(const Job& job, const Batch& batch, const PassWorkspace<Real>& workspace) const {
  const LineEngine<Real>& engine = engine_for(job.direction);
  if (!job.contiguous || !engine.can_transform_lines()) return false;
  const bool forward = job.direction == Direction::forward, stream = job.store->front().stream;
  const int used = batch.lines(kernels_.lanes), lanes = std::max(used, kernels_.lanes);
  const index_t reals = job.store->front().count * width_behind(job.direction);
  Real *from[most_lines], *to[most_lines], *last[most_lines];
  Real* stage[LineSet::most];  // what is streamed comes set by set
  const auto find = [&](const Move& move, Real** lines) { addresses(move, *batch.set, inner_, width_, lanes, lines); };
  find(job.load->front(), from);
  find(job.store->front(), to);
  const bool staged = stream && !may_stream(job.direction, to, used);
  for (int l = 0; staged && l < used; l++) stage[l] = job.out + l * reals;
  Real* const* made = staged ? stage : to;
  const Moves& spectral = forward ? *job.store : *job.load;
  if (spectral.size() > 1) {
    find(spectral.back(), last);
  } else {
    std::transform(forward ? made : from, (forward ? made : from) + used, last,
                   [&](Real* modes) { return modes + transform_.length / 2 * spectral_width_; });
  }
  for (int l = 0; job.sweep.watch && l < used; l++)
    kernels_.watch(from[l], transform_.length * width_, workspace.watched.data());
  const index_t next = ahead(*job.load, batch, job.sweep.from);
  engine.transform_lines(
      {.from = from, .to = made, .count = used, .scale = job.sweep.scale, .stream = stream && !staged, .ahead = next},
      last, job.in);
  if (staged) stream_lines(job.out, to, used, reals);
  return true;
}

// Lines that are no neighbours, one by one: complex ones are gathered, transformed from memory to memory and scattered.
// A lane block of them is filled and emptied number by number, too, and mostly empty where a row leaves few lines over.
template <class Real>
bool LinePass<Real>::transform_gathered(const Job& job, const Batch& batch) const {
  const LineEngine<Real>& engine = engine_for(job.direction);
  if (batch.set->neighbours || job.load == nullptr || job.store == nullptr || job.sweep.watch) return false;
  if (transform_.kind != Kind::c2c || !is_whole() || !transform_.ends.empty() || !engine.can_transform_lines())
    return false;
  const int used = batch.set->used;
  const index_t n = transform_.length;
  Real *lines[LineSet::most], *stage[LineSet::most];
  for (int l = 0; l < used; l++) stage[l] = job.out + l * 2 * n;
  const auto for_each_point = [&](const Moves& moves, const auto& copy) {
    for (const Move& move : moves) {
      addresses(move, *batch.set, inner_, width_, kernels_.lanes, lines);
      for (int l = 0; l < used; l++) {
        Real *point = lines[l], *staged = stage[l] + 2 * move.first;
        for (index_t j = 0; j < move.count; j++, point += move.stride[axis_], staged += 2) copy(point, staged);
      }
    }
  };
  const index_t next = ahead(*job.load, batch, job.sweep.from);
  for_each_point(*job.load, [next](const Real* point, Real* staged) {
    __builtin_prefetch(point + next);
    std::memcpy(staged, point, 2 * sizeof(Real));
  });
  engine.transform_lines({.from = stage, .to = stage, .count = used, .scale = job.sweep.scale}, nullptr, job.in);
  for_each_point(*job.store, [](Real* point, const Real* staged) { std::memcpy(point, staged, 2 * sizeof(Real)); });
  return true;
}

#define WEFT_CONTIGUOUS(Real)                                                                                \
  template bool LinePass<Real>::is_contiguous(const Moves&, bool) const;                                     \
  template bool LinePass<Real>::transform_lines(const Job&, const Batch&, const PassWorkspace<Real>&) const; \
  template bool LinePass<Real>::transform_gathered(const Job&, const Batch&) const;
WEFT_CONTIGUOUS(double)
WEFT_CONTIGUOUS(float)
#undef WEFT_CONTIGUOUS

}  // namespace weft
