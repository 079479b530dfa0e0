// Complex transforms of L adjacent lines from points in memory to points in memory. Included by lane_table.hpp
// only, inside the namespace of one instruction set.
#pragma once

#include "lane_short.hpp"
#include "lane_stages.hpp"

// --- the order of stores -------------------------------------------------------------------------------------------
// Rows whole pages apart fall into the same set of the nearest cache, where pending stores evict each other before they
// are written. Results are then stored in the order of their modes, several batches together, so that successive stores
// fall into different sets.

constexpr int64_t page_bytes = 4096;
// The memory whose sets successive stores should cover.
constexpr int64_t row_bytes = 1024;

// Whether all points and modes are in memory that is in a cache.
template <class Real>
bool all_cached(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  const bool in_memory = points.stream || points.prefetch.lines > 0 || points.from.prefetch_distance != 0 ||
                         points.to.prefetch_distance != 0;
  return !in_memory && points.from.count >= plan.n && points.to.count >= plan.n;
}

template <class Real>
bool stores_by_mode(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  if (plan.stages < 2 || !all_cached(plan, points)) return false;
  return (points.to.at[1] - points.to.at[0]) * int64_t(sizeof(Real)) % page_bytes == 0;
}

// As many batches as fill row_bytes, if the work space has room for them.
template <class Real>
int64_t batches_at_once(const LanePlan<Real>& plan) {
  constexpr int64_t bytes = sizeof(Lane<Real>), wanted = row_bytes / bytes;
  const int64_t capacity = least_block_bytes / (plan.n * bytes);
  return capacity < 1 ? 1 : capacity < wanted ? capacity : wanted;
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

// In move_batch() and move_batches() `first` is the number of their first batch.
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

// Short lines need no block.
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
  if (stores_by_mode(plan, points)) {
    const int64_t most = batches_at_once(plan);
    for (int64_t first = 0; first < points.batches; first += most)
      move_batches(plan, points, first, most < points.batches - first ? most : points.batches - first, block);
  } else if (is_short(plan) && all_cached(plan, points)) {
    with_numbers(points, [&]<Numbers Which>() {
      with_short_length<Real, most_short_points>(plan.n, [&]<int R>() { move_short<R, Which>(plan, points); });
    });
  } else {
    for (int64_t batch = 0; batch < points.batches; batch++) move_batch(plan, points, batch, block);
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
