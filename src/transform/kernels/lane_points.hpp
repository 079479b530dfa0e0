// Complex transforms of L lines from memory or a lane block to memory or a lane block: where each is best worked on.
// Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_stages.hpp"

template <bool Forward, bool Paired, class Real, class Load, class Work, class Next>
void store_points(const LanePlan<Real>& plan, const LanePoints<Real>& points, Load load, Work work, Next next) {
  const LaneRange range{points.from.count, points.to.count};
  points.stream
      ? run_stages<Forward>(plan, load, work, PointStore<true, Real, Paired>{points.to, points.scale}, range, next)
      : run_stages<Forward>(plan, load, work, PointStore<false, Real, Paired>{points.to, points.scale}, range, next);
}

// Fetches what is to come with each butterfly where it is known, else with the first ones.
template <bool Forward, class Real, class Work>
void load_and_store(const LanePlan<Real>& plan, const LanePoints<Real>& points, Work work) {
  if (points.fetch.lines > 0) {
    const PointLoad<Real, true, false> load{points.from};
    return store_points<Forward, true>(plan, points, load, work, meanwhile(plan, points));
  }
  store_points<Forward, true>(plan, points, PointLoad<Real, true>{points.from}, work, Nothing{});
}

// Blocks up to this are worked on rather than points in memory: half of the nearest cache. Where vectors are cache
// lines (AVX-512), no address is looked up more often than once a line, and work in memory has measured as good or
// better, unless all of it is in a cache.
constexpr int64_t preferred_bytes = WEFT_VECTOR_BYTES == cache_line_bytes ? 0 : near_bytes;
constexpr int64_t preferred_near_bytes = 24576;

template <class Real>
bool is_whole(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  return points.from.count >= plan.n && points.to.count >= plan.n;
}

// Where vectors are cache lines, points of half of the lines fill one as they lie in memory, and may be worked on like
// that: half of a block stays in the nearest cache where a whole one does not, and nothing is shuffled on the way. In
// place this is best for all blocks, since results need not be sorted where they are. Out of place it is for what is in
// a cache or comes there bit by bit: main memory gives and takes the two lines of a point sooner together.
template <class Real>
bool interleaves(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  for (int i = 0; i < plan.stages; i++)
    if (!may_interleave(plan.stage[i].radix)) return false;
  if (points.from.at == points.to.at) return true;
  if (points.fetch.lines > 0) return !points.stream;
  const int64_t half = plan.n * int64_t(sizeof(Interleaved<Real>));
  const bool far = points.stream || points.from.ahead != 0 || points.to.ahead != 0;
  return !far && half <= near_bytes && 2 * half > preferred_near_bytes;
}

template <bool Forward, bool Fetching, class Real, class Scale, class Next>
void move_halves(const LanePlan<Real>& plan, LanePoints<Real> points, Lane<Real>* block, Scale scale, Next next) {
  const InterleavedWork<Real> work{reinterpret_cast<Interleaved<Real>*>(block)};
  const LaneRange range{points.from.count, points.to.count};
  for (int half = 0; half < 2; half++) {
    run_stages<Forward>(plan, InterleavedLoad<Real, Fetching>{points.from}, work,
                        InterleavedStore<Real, Scale>{points.to, scale}, range, next);
    points.from.shift += lanes_of<Real>;
    points.to.shift += lanes_of<Real>;
  }
}

// What waits for memory has the time to multiply by one.
template <bool Forward, class Real>
void move_interleaved(const LanePlan<Real>& plan, const LanePoints<Real>& points, Lane<Real>* block) {
  if (points.fetch.lines > 0)
    return move_halves<Forward, false>(plan, points, block, points.scale, meanwhile(plan, points, 2));
  is_near(points) ? move_halves<Forward, false>(plan, points, block, Unscaled{}, Nothing{})
                  : move_halves<Forward, true>(plan, points, block, points.scale, Nothing{});
}

// From memory to memory.
template <bool Forward, class Real>
void move_points(const LanePlan<Real>& plan, const LanePoints<Real>& points, Lane<Real>* block) {
  const bool same = points.from.at == points.to.at;
  if constexpr (WEFT_VECTOR_BYTES == cache_line_bytes) {
    if (interleaves(plan, points)) return move_interleaved<Forward>(plan, points, block);
  }
  const PointWork<Real> place{points.from};
  const BlockWork<Real> work{block};
  const int64_t bytes = plan.n * int64_t(sizeof(Lane<Real>));
  if (!same && is_near(points) && is_whole(plan, points) && (!points.spare || bytes <= preferred_near_bytes))
    return run_stages<Forward>(plan, PointLoad<Real, true, false>{points.from}, work,
                               PointStore<false, Real, true, Unscaled>{points.to, {}}, WholeLine{});
  if (!points.spare || bytes <= preferred_bytes || (same && !plan.sorts))
    return load_and_store<Forward>(plan, points, work);
  if (!same) return load_and_store<Forward>(plan, points, place);
  run_sorting_stages<Forward>(plan, PointLoad<Real, true, false>{points.from}, place,
                              PointStore<false, Real, true>{points.to, points.scale},
                              LaneRange{points.from.count, points.to.count}, meanwhile(plan, points));
}

// Smaller blocks fit into the nearest cache twice, and need not be sorted where they are. Transforms of more stages are
// sooner done part by part, up to twice as soon from 1024 points on.
constexpr int64_t small_bytes = 8192;
constexpr int most_sorting_stages = 3;

template <class Real>
bool sorts_in_block(const LanePlan<Real>& plan) {
  return plan.sorts && plan.stages <= most_sorting_stages && plan.n * int64_t(sizeof(Lane<Real>)) > small_bytes;
}

// Returns the block that holds the result, `in` or `out`, where points.to does not.
template <bool Forward, class Real>
Real* c2c(const LanePlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out) {
  auto* block = reinterpret_cast<Lane<Real>*>(in);
  const BlockWork<Real> work{block};
  const BlockLoad<Real> load{block};
  const PointLoad<Real> point_load{points.from};
  const LaneRange range{points.from.count, points.to.count};
  const bool from_points = points.from.at != nullptr, to_points = points.to.at != nullptr;
  if (from_points && to_points) {
    move_points<Forward>(plan, points, block);
  } else if (to_points) {
    store_points<Forward, false>(plan, points, load, work, Nothing{});
  } else if (sorts_in_block(plan)) {
    const BlockStore<Real> store{block};
    from_points ? run_sorting_stages<Forward>(plan, point_load, work, store, range)
                : run_sorting_stages<Forward>(plan, load, work, store, range);
    return in;
  } else {
    const BlockStore<Real> store{reinterpret_cast<Lane<Real>*>(out)};
    from_points ? run_stages<Forward>(plan, point_load, work, store, range)
                : run_stages<Forward>(plan, load, work, store, range);
  }
  return out;
}
