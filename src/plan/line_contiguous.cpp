// Line passes along an axis that is contiguous on both sides: engines that can take such lines from memory to memory a
// few at a time do so, to the bits of their lane blocks, and sooner.
#include <algorithm>

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

// Real lines are not streamed to half spectra: these begin anywhere in a vector.
template <class Real>
bool LinePass<Real>::may_stream(Direction direction, Real* const* lines, int count) const {
  const index_t vector_bytes = kernels_.lanes * static_cast<index_t>(sizeof(Real));
  return !(direction == Direction::forward && transform_.kind == Kind::r2c) &&
         std::all_of(lines, lines + count,
                     [&](const Real* line) { return reinterpret_cast<std::intptr_t>(line) % vector_bytes == 0; });
}

// Returns false where that is for a lane block to do.
template <class Real>
bool LinePass<Real>::transform_lines(const Job& job, const Batch& batch, const LineEngine<Real>& engine,
                                     const PassWorkspace<Real>& workspace) const {
  if (!job.contiguous || !engine.can_transform_lines()) return false;
  const bool forward = job.direction == Direction::forward, stream = job.store->front().stream;
  const int used = batch.set->used;
  Real *from[LineSet::most], *to[LineSet::most], *last[LineSet::most];
  const auto find = [&](const Move& move, Real** lines) {
    addresses(move, *batch.set, inner_, width_, kernels_.lanes, lines);
  };
  find(job.load->front(), from);
  find(job.store->front(), to);
  if (stream && !may_stream(job.direction, to, used)) return false;
  const Moves& spectral = forward ? *job.store : *job.load;
  if (spectral.size() > 1) {
    find(spectral.back(), last);
  } else {
    std::transform(forward ? to : from, (forward ? to : from) + used, last,
                   [&](Real* modes) { return modes + transform_.length / 2 * spectral_width_; });
  }
  for (int l = 0; job.sweep.watch && l < used; l++)
    kernels_.watch(from[l], transform_.length * width_, workspace.watched.data());
  const index_t next = ahead(*job.load, batch, job.sweep.load_far);
  engine.transform_lines({from, to, used, job.sweep.scale, stream, next}, last, job.in);
  return true;
}

#define WEFT_CONTIGUOUS(Real)                                                                      \
  template bool LinePass<Real>::is_contiguous(const Moves&, bool) const;                           \
  template bool LinePass<Real>::transform_lines(const Job&, const Batch&, const LineEngine<Real>&, \
                                                const PassWorkspace<Real>&) const;
WEFT_CONTIGUOUS(double)
WEFT_CONTIGUOUS(float)
#undef WEFT_CONTIGUOUS

}  // namespace weft
