// What the batches of a sweep have in common, worked out once: the way that they go from memory to memory.
#include <algorithm>

#include "plan/line_pass.hpp"

namespace weft {

namespace {

template <class Move>
bool same_place(const Move& a, const Move& b) {
  return a.base == b.base && a.first == b.first && a.count == b.count && a.stride == b.stride;
}

}  // namespace

template <class Real>
bool LinePass<Real>::neighbours_touch(const Moves& moves, int width) const {
  return inner_ >= 0 && std::all_of(moves.begin(), moves.end(),
                                    [&](const Move& move) { return !move.zero && move.stride[inner_] == width; });
}

// Whether neighbours are points for the engine to load and to store.
template <class Real>
bool LinePass<Real>::takes_points(Direction direction, const Moves& load, const Moves& store) const {
  return engine_for(direction).can_use_points() && transform_.ends.empty() &&
         neighbours_touch(load, width_before(direction)) && neighbours_touch(store, width_behind(direction));
}

// Measured from 32 to 2048 points with AVX-512 (AMD Zen 5): bit by bit is best in place, past the cache, and into a
// cache for blocks of middle size. It is not where the memory that is stored to has to come to the cache first, nor,
// out of place, on an Intel Xeon or a Zen 3 with AVX2.
template <class Real>
bool LinePass<Real>::fetches(bool in_place, const Moves& store, const Sweep& sweep) const {
  if (sweep.from == Memory::cache || store.empty()) return false;
  if (in_place) return true;
  if (has_few_buffers() || kernels_.lanes < cache_line_reals<Real>) return false;
  const index_t block = block_reals() * static_cast<index_t>(sizeof(Real));
  return store.front().stream || (sweep.to == Memory::cache && block >= 16384 && block <= 65536);
}

template <class Real>
typename LinePass<Real>::Job LinePass<Real>::job(Direction direction, const Moves* load, const Moves* store,
                                                 const Sweep& sweep, Real* in, Real* out) const {
  const bool whole = load != nullptr && store != nullptr && is_whole();
  const bool in_place = whole && transform_.ends.empty() &&
                        std::equal(load->begin(), load->end(), store->begin(), store->end(), same_place<Move>);
  const bool forward = direction == Direction::forward;
  const bool contiguous = whole && is_contiguous(*load, forward) && is_contiguous(*store, !forward);
  const bool bit_by_bit = whole && fetches(in_place, *store, sweep);  // something else with each set
  const bool points = whole && !bit_by_bit && !sweep.watch && takes_points(direction, *load, *store);
  return {direction, load, store, sweep, in_place, bit_by_bit, contiguous, points, in, out};
}

// How many sets of a row go the same way as its first one, and so are worth one call. What is fetched behind the last
// one of a row is not where it is behind the others.
template <class Real>
index_t LinePass<Real>::together(const Job& job, const Batch& batch) const {
  if (!batch.set->neighbours) return 1;
  const bool far = job.sweep.from == Memory::main || job.sweep.to == Memory::main;
  const index_t alike = far ? std::max<index_t>(batch.behind, 1) : batch.behind + 1;
  if (job.contiguous && engine_for(job.direction).can_transform_lines())
    return job.store->front().stream ? 1 : std::min(alike, most_lines / kernels_.lanes);
  return job.points ? alike : 1;
}

template bool LinePass<double>::neighbours_touch(const Moves&, int) const;
template bool LinePass<float>::neighbours_touch(const Moves&, int) const;
template bool LinePass<double>::fetches(bool, const Moves&, const Sweep&) const;
template bool LinePass<float>::fetches(bool, const Moves&, const Sweep&) const;
template LinePass<double>::Job LinePass<double>::job(Direction, const Moves*, const Moves*, const Sweep&, double*,
                                                     double*) const;
template LinePass<float>::Job LinePass<float>::job(Direction, const Moves*, const Moves*, const Sweep&, float*,
                                                   float*) const;
template index_t LinePass<double>::together(const Job&, const Batch&) const;
template index_t LinePass<float>::together(const Job&, const Batch&) const;

}  // namespace weft
