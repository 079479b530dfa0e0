// Complex transforms of L adjacent lines from points in memory to points in memory. Included by lane_table.hpp
// only, inside the namespace of one instruction set.
#pragma once

#include "lane_short.hpp"
#include "lane_stages.hpp"

// --- the order of stores -------------------------------------------------------------------------------------------
// Rows a large power of two apart fall into the same few sets of the nearest cache. Pending stores need their cache
// lines there at the same time, and evict each other before they are written if a set has too little room. Results are
// then stored in the order of their modes, so that successive rows fall into different sets. If there are still too few
// sets, the results of several batches are stored together.

// Rows multiples of page_bytes apart share sets; row_bytes is the memory whose sets successive stores should cover.
constexpr int64_t page_bytes = 4096, row_bytes = 1024;
// 768 points in vectors of AVX-512.
constexpr int64_t large_block_bytes = 98304;

template <class Real>
int64_t row_pitch(const LanePoints<Real>& points) {
  return (points.to.at[1] - points.to.at[0]) * int64_t(sizeof(Real));
}

// Whether the results of one butterfly, or of successive ones, fall into the same set. Rows an odd number of cache
// lines apart, or twice that, as in the library's own memory, use enough sets.
template <class Real>
bool collides(const LanePlan<Real>& plan, int64_t pitch) {
  if (pitch % (page_bytes / 16) != 0) return false;
  return pitch * plan.blocks % page_bytes == 0 || pitch % (page_bytes / 4) == 0;
}

// Whether all points and modes are in memory that is in a cache.
template <class Real>
bool all_cached(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  const bool in_memory = points.stream || points.prefetch.lines > 0 || points.from.prefetch_distance != 0 ||
                         points.to.prefetch_distance != 0;
  return !in_memory && points.from.count >= plan.n && points.to.count >= plan.n;
}

// The order of modes has measured best, whatever the pitch, for large blocks, and in place for blocks of which two fit
// the nearest cache. Data in main memory are prefetched instead.
template <class Real>
bool stores_by_mode(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  if (plan.stages < 2 || !all_cached(plan, points)) return false;
  const int64_t block = plan.n * int64_t(sizeof(Lane<Real>));
  if (block > large_block_bytes || (block <= near_bytes && points.from.at == points.to.at)) return true;
  return collides(plan, row_pitch(points));
}

// As many batches as fill row_bytes, if the work space has room for them.
template <class Real>
int64_t batches_at_once(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  const int64_t capacity = least_block_bytes / (plan.n * int64_t(sizeof(Lane<Real>))),
                most = capacity > 1 ? capacity : 1;
  int64_t batches = 1, bytes = int64_t(sizeof(Lane<Real>));
  for (int64_t distance = page_bytes; (row_pitch(points) & (distance - 1)) != 0; distance /= 2) bytes *= 2;
  for (; bytes < row_bytes && 2 * batches <= most; bytes *= 2) batches *= 2;
  return batches;
}

// --- from points to points -----------------------------------------------------------------------------------------

// Calls run<How>() with the way to store points.to.
template <class Real, class Run>
WEFT_INLINE void with_stores(const LanePoints<Real>& points, const Run& run) {
  points.stream ? run.template operator()<Stores::streamed>() : run.template operator()<Stores::cached>();
}

// Calls run(load) with the load of complex points from memory or from the block.
template <class Real, class Run>
WEFT_INLINE void with_load(const LanePoints<Real>& points, const Lane<Real>* block, const Run& run) {
  if (points.from.at == nullptr) return run(BlockLoad<Real>{block});
  run(PointLoad<Real, LaneOrder::in_order>{moved(points.from)});
}
// Calls run(store) with the store of complex results to memory or to the block, in which conjugate_block() remains to
// be done.
template <class Real, class Run>
WEFT_INLINE void with_store(const LanePoints<Real>& points, Numbers results, Lane<Real>* block, const Run& run) {
  if (points.to.at == nullptr) return run(BlockStore<Real>{block});
  with_stores(points, [&]<Stores How>() {
    run(PointStore<Real, LaneOrder::in_order, How>{moved(points.to), scale_of(points.scale, results)});
  });
}

// The addresses for batch number `batch` and following, and `reals` reals further on.
template <class Real>
WEFT_INLINE PointAddresses<Real> of_batch(const PointAddresses<Real>& points, int64_t batch, int64_t reals = 0) {
  return moved(points, batch * points.batch_step + reals);
}

// In move_batch(), move_batches() and move_halves() `first` is the number of their first batch.
template <class Real>
void move_batch(const LanePlan<Real>& plan, const LanePoints<Real>& points, int64_t first, Lane<Real>* block) {
  Prefetch<Real> prefetch(points, plan.butterflies);
  const LaneRange range{points.from.count, points.to.count};
  with_stores(points, [&]<Stores How>() {
    const PointStore<Real, LaneOrder::shuffled, How> store{of_batch(points.to, first), scale_of(points)};
    with_numbers(points, [&]<Numbers Which>() {
      const PointLoad<Real, LaneOrder::shuffled, Which> load{of_batch(points.from, first)};
      run_stages(plan, load, block, store, range, prefetch);
    });
  });
}

template <class Real>
void move_batches(const LanePlan<Real>& plan, const LanePoints<Real>& points, int64_t first, int64_t batches,
                  Lane<Real>* block) {
  Prefetch<Real> nothing;
  const PointStore<Real, LaneOrder::shuffled, Stores::cached> store{of_batch(points.to, first), scale_of(points)};
  with_numbers(points, [&]<Numbers Which>() {
    PointLoad<Real, LaneOrder::shuffled, Which> load{of_batch(points.from, first)};
    for (int64_t batch = 0; batch < batches; batch++, load.addresses.shift += points.from.batch_step)
      stages_before_last(plan, load, block + batch * plan.n, every_point, nothing);
  });
  last_stage(plan, block, store, 0, plan.n, every_point, nothing, ByMode{batches, plan.n, points.to.batch_step});
}

// Where vectors are cache lines, interleaved points of half the lines fill a vector, and may be transformed in this
// form: half a block stays in the nearest cache where a whole one does not, and loads and stores need no shuffles.
// Results must not need streaming stores.
template <class Real>
bool interleaves(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  constexpr int64_t preferred_bytes = 24576;
  const int64_t half = plan.n * int64_t(sizeof(Interleaved<Real>));
  const bool far = points.from.prefetch_distance != 0 || points.to.prefetch_distance != 0;
  const bool preferred = points.from.at == points.to.at || points.prefetch.lines > 0 ||
                         (!far && half <= near_bytes && 2 * half > preferred_bytes);
  if (!fills_cache_line || points.stream || !preferred) return false;
  if (points.from.count < plan.n || points.to.count < plan.n) return false;
  for (int i = 0; i < plan.stages; i++)
    if (!may_interleave(plan.stage[i].radix)) return false;
  return true;
}

template <class Real>
void move_halves(const LanePlan<Real>& plan, const LanePoints<Real>& points, int64_t first, Lane<Real>* block) {
  auto* work = reinterpret_cast<Interleaved<Real>*>(block);
  Prefetch<Real> prefetch(points, 2 * plan.butterflies);
  for (int half = 0; half < 2; half++) {
    const int64_t at = half * lanes_of<Real>;
    const InterleavedStore<Real> store{of_batch(points.to, first, at), scale_of(points)};
    with_numbers(points, [&]<Numbers Which>() {
      run_stages(plan, InterleavedLoad<Real, Which>{of_batch(points.from, first, at)}, work, store, {}, prefetch);
    });
  }
}

// Short lines need no block: all points are loaded before the first result is stored.
template <int R, Numbers Which, class Real>
[[gnu::noinline]] void move_short(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  PointLoad<Real, LaneOrder::shuffled, Which> load{moved(points.from)};
  PointStore<Real, LaneOrder::shuffled, Stores::cached> store{moved(points.to), scale_of(points)};
  for (int64_t batch = points.batches; batch > 0; batch--) {
    short_transform<R>(plan.twiddles, load, store);
    load.addresses.shift += points.from.batch_step;
    store.move(points.to.batch_step);
  }
}

template <class Real>
void move_points(const LanePlan<Real>& plan, const LanePoints<Real>& points, Lane<Real>* block) {
  const bool by_mode = stores_by_mode(plan, points), halves = !by_mode && interleaves(plan, points);
  const int64_t most = by_mode ? batches_at_once(plan, points) : 1;
  if (most == 1 && is_short(plan) && all_cached(plan, points)) {
    return with_numbers(points, [&]<Numbers Which>() {
      with_short_length<Real>(plan.n, [&]<int R>() { move_short<R, Which>(plan, points); });
    });
  }
  for (int64_t first = 0, batches = 0; first < points.batches; first += batches) {
    batches = most < points.batches - first ? most : points.batches - first;
    if (by_mode) {
      move_batches(plan, points, first, batches, block);
    } else if (halves) {
      if constexpr (fills_cache_line) move_halves(plan, points, first, block);
    } else {
      move_batch(plan, points, first, block);
    }
  }
}

// --- between points and a block -------------------------------------------------------------------------------------

template <class Real>
void load_points(int64_t n, const LanePoints<Real>& points, Lane<Real>* block) {
  const PointLoad<Real, LaneOrder::in_order> load{moved(points.from)};
  for (int64_t j = 0; j < n; j++) {
    prefetch_points<1>(load, j, 0);
    block[j] = load(j);
  }
}

template <class Real>
void store_points(int64_t n, const LanePoints<Real>& points, const Lane<Real>* block) {
  with_stores(points, [&]<Stores How>() {
    const PointStore<Real, LaneOrder::in_order, How> store{moved(points.to), scale_of(points)};
    for (int64_t k = 0; k < n; k++) put_results<1>(store, k, 0, block + k);
  });
}
