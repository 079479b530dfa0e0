// Self-sorting complex transforms of L lines at once by decimation in frequency. All stages work in place except the
// last, which stores every result in natural order. All are forward: a backward transform is a forward one of conjugate
// numbers, which loads and stores take care of. Included by lane_table.hpp only, inside the namespace of one
// instruction set.
#pragma once

#include "lane_ends.hpp"

// Largest radices of first stages, of single and of last ones. Since each load and store is compiled into first and
// last stages, radices that gain little there are left to others. Radices 11 and 13 are middle stages only, compiled
// once: where no other radix precedes or follows them, the first or last stage has radix 1, which moves points.
constexpr int largest_first_radix = 9;
constexpr int largest_radix = 12;
constexpr int largest_last_radix = 16;

// Interleaved points take radices with prime factors 2 and 3 only, all divisors of 144. Radices 5 and 7 have measured
// 1.1 to 1.25 times as long as on lane blocks.
constexpr bool may_interleave(int radix) { return 144 % radix == 0; }
template <class Stage>
concept InterleavedStage = requires(const Stage& stage) {
  stage.work->v;
};

// Loads and stores declare `using OddLine = void;` if they serve only lines of an odd number of points: the stages
// compiled for them need no even radix.
template <class T>
concept OddLine = requires {
  typename T::OddLine;
};

// One function for each radix and stage. It copies the stage: stores may alias the original, so the compiler would
// reload its members again and again. Stages refer to loads and stores, and copy them only here: a vector copy of data
// just written number by number would wait for these stores.
template <int R, class Stage>
[[gnu::noinline]] void run_radix(const Stage& stage) {
  const Stage own = stage;
  own.template run<R>();
}

// Runs a stage with its radix, one of R that is at most `Most`, and odd if `Odd`.
template <int Most, bool Odd, class Stage, int... R>
WEFT_INLINE void run_one_of(int radix, const Stage& stage, Indices<R...>) {
  const auto run_if = [&]<int One>() WEFT_ALWAYS {
    constexpr bool interleaves = may_interleave(One) || !InterleavedStage<Stage>;
    if constexpr (One <= Most && (One % 2 != 0 || !Odd) && interleaves)
      if (radix == One) run_radix<One>(stage);
  };
  (run_if.template operator()<R>(), ...);
}
// First and last stages.
template <int Most, bool Odd = false, class Stage>
WEFT_INLINE void dispatch(int radix, const Stage& stage) {
  run_one_of<Most, Odd>(radix, stage, Indices<1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16>{});
}
template <class Stage>
WEFT_INLINE void dispatch_middle(int radix, const Stage& stage) {
  run_one_of<13, false>(radix, stage, Indices<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13>{});
}
template <class Stage>
WEFT_INLINE void dispatch_even(int radix, const Stage& stage) {
  run_one_of<largest_first_radix, false>(radix, stage, Indices<2, 4, 6, 8>{});
}

// The number of butterflies p = 0 .. count - 1 whose point p + half lies before `end`.
WEFT_INLINE int64_t full_butterflies(int64_t end, int64_t half, int64_t count) {
  return end <= half ? 0 : end - half < count ? end - half : count;
}

// Prefetches the data that follow the points of a butterfly, if the load asks for it.
template <int Count, class Load>
WEFT_INLINE void prefetch_points(const Load& load, int64_t p, int64_t count) {
  if constexpr (requires { load.prefetches(); }) {
    if (!load.prefetches()) return;
    WEFT_UNROLL
    for (int j = 0; j < Count; j++) load.prefetch_next(p + count * j);
  }
}

// Butterflies begin .. end - 1 of the points p + count * j, times twiddle factors, which only a last stage lacks.
// `Half`: the second half of the points are zeros and not loaded.
template <class Real, class Load, class Point, bool Half = false>
struct FirstStage {
  const LanePlan<Real>& plan;
  const Load& load_of;
  Point* work;
  int64_t begin, end;
  Prefetch<Real>& prefetch;

  template <int R>
  WEFT_INLINE void run() const {
    constexpr int given = Half ? R / 2 : R;
    const Load load = load_of;
    const int64_t count = plan.stage[0].count;
    const Real* w = plan.twiddles + begin * (R - 1) * 2;
    for (int64_t p = begin; p < end; p++, w += (R - 1) * 2) {
      prefetch.step();
      prefetch_points<given>(load, p, count);
      Point x[R];
      WEFT_UNROLL
      for (int j = 0; j < given; j++) x[j] = load(p + count * j);
      if constexpr (Half) {
        butterfly_of_half<R>(x);
      } else {
        butterfly<R>(x);
      }
      put_twiddled<R>(work + p, count, x, w);
    }
  }
};

// A middle stage on points begin .. end - 1, or its inverse, by decimation in time.
template <class Real, class Point, bool Back = false>
struct MiddleStage {
  const LanePlan<Real>& plan;
  const LaneStage& stage;
  Point* work;
  int64_t begin, end;
  Prefetch<Real>& prefetch;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t count = stage.count, length = stage.length;
    const Real* w = plan.twiddles + stage.twiddles;
    for (int64_t p = 0; p < count; p++, w += (R - 1) * 2) {
      for (int64_t at = begin + p; at < end; at += length) {
        Point* place = work + at;
        prefetch.step();
        Point x[R];
        Back ? get_twiddled<R>(place, count, w, x) : get_points<R>(place, count, x);
        butterfly<R>(x);
        Back ? put_points<R>(place, count, x) : put_twiddled<R>(place, count, x, w);
      }
    }
  }
};

// Store order of the last stage: the butterflies of one transform in the order of its block.
struct InOrder {};
// Store order by mode: mode k of several transforms, then mode k + 1.
struct ByMode {
  int64_t transforms;
  int64_t distance;  // in points, between the blocks of two transforms
  int64_t shift;     // in reals, between their places in memory
};
// Store order of several transforms whose blocks are contiguous: the butterflies in the order of the blocks, with a
// target for each transform (LineStore).
template <class Real>
struct LineTarget {
  Real* first;
  std::ptrdiff_t second;
};
template <class Real>
struct LinesInOrder {
  const LineTarget<Real>* targets;
  int64_t transforms;
};

// Stores every result in natural order, outside the block. Modes from `wanted` on need not be stored.
template <class Real, class Store, class Point, class Order>
struct LastStage {
  const LanePlan<Real>& plan;
  const Point* work;
  const Store& store;
  int64_t begin, end, wanted;
  Prefetch<Real>& prefetch;
  const Order& order_of;

  template <int R>
  WEFT_INLINE void run() const {
    const Store to = store;
    run<R>(to, order_of);
  }

  template <int R>
  WEFT_INLINE void run(const Store& to, InOrder) const {
    const int64_t far = plan.n / R, last = end / R;
    const int64_t* order = plan.order;
    const Point* from = work + begin;
    for (int64_t block = begin / R; block < last; block++, from += R) {
      prefetch.step();
      results<R>(from, order[block], far, to);
    }
  }

  // A single loop: in a loop over transforms inside another, the compiler would prepare all addresses before each.
  template <int R>
  WEFT_INLINE void run(const Store& first, const ByMode& order_in) const {
    const ByMode order = order_in;
    const int64_t far = plan.n / R, last = end / R;
    const int64_t* block_of = plan.block_of;
    const Point* from = work;
    Store to = first;
    int64_t transform = 0;
    for (int64_t mode = begin / R; mode < last;) {
      results<R>(from + block_of[mode] * R, mode, far, to);
      if (++transform < order.transforms) {
        from += order.distance;
        to.move(order.shift);
        continue;
      }
      to.move(-(transform - 1) * order.shift);
      from = work;
      transform = 0;
      mode++;
    }
  }

  template <int R>
  WEFT_INLINE void run(const Store& first, const LinesInOrder<Real>& order_in) const {
    const LinesInOrder<Real> lines = order_in;
    const int64_t far = plan.n / R, blocks = (end - begin) / R;
    const int64_t* order = plan.order + begin / R;
    const Point* from = work + begin;
    Store to = first;
    int64_t block = blocks - 1;
    const LineTarget<Real>* target = lines.targets - 1;
    for (int64_t left = lines.transforms * blocks; left > 0; left--, from += R) {
      if (++block == blocks) {
        block = 0;
        target++;
        to.first = target->first;
        to.second = target->second;
      }
      results<R>(from, order[block], far, to);
    }
  }

  template <int R>
  WEFT_INLINE void results(const Point* from, int64_t mode, int64_t far, const Store& to) const {
    if constexpr (R == 16) {
      half<false>(from, mode, far, to);
      half<true>(from, mode, far, to);
    } else {
      Point x[R];
      get_points<R>(from, 1, x);
      if constexpr (R == 2 || R == 4 || R == 8) {
        if (mode + far * (R / 2) >= wanted) {
          butterfly_to_half<R>(x);
          return put_results<R / 2>(to, mode, far, x);
        }
      }
      butterfly<R, true>(x);
      put_results<R>(to, mode, far, x);
    }
  }

  // Computes and stores the even or the odd results of 16 points.
  template <bool Odd>
  WEFT_INLINE void half(const Point* from, int64_t mode, int64_t far, const Store& to) const {
    Point x[8];
    half_butterfly16<Odd>([&](int j) { return from[j]; }, x);
    const int64_t first = mode + (Odd ? far : 0);
    put_results<8>(to, first, 2 * far, x);
  }
};

// First stage where points from `given` on are zeros that are not loaded. Butterflies whose second half is zeros take
// half the operations.
template <class Real, class Load, class Point>
void padded_first_stage(const LanePlan<Real>& plan, const Load& load, Point* work, int64_t given,
                        Prefetch<Real>& prefetch) {
  const LaneStage& stage = plan.stage[0];
  const int64_t half = stage.count * (stage.radix / 2);
  // Lines with less than half of their points given are rare: they take whole butterflies, with zeros in the block.
  const bool halves = stage.radix % 2 == 0 && given >= half;
  const int64_t full = halves ? full_butterflies(given, half, stage.count) : stage.count;
  for (int j = 0; j < stage.radix; j++)
    for (int64_t p = stage.count * j; p < stage.count * j + full; p++) work[p] = p < given ? load(p) : Point{};
  const BlockLoad<Real> from_block{work};
  if (full > 0)
    dispatch<largest_first_radix>(stage.radix,
                                  FirstStage<Real, BlockLoad<Real>, Point>{plan, from_block, work, 0, full, prefetch});
  if (halves)
    dispatch_even(stage.radix, FirstStage<Real, Load, Point, true>{plan, load, work, full, stage.count, prefetch});
}

template <class Real, class Load, class Point>
WEFT_INLINE void first_stage(const LanePlan<Real>& plan, const Load& load, Point* work, int64_t given,
                             Prefetch<Real>& prefetch) {
  if (plan.stages < 2) {
    if (given >= plan.n && loads_from(load, work)) return;
    for (int64_t j = 0; j < plan.n; j++) work[j] = j < given ? load(j) : Point{};
    return;
  }
  if constexpr (may_be_padded<Load>)
    if (given < plan.n) return padded_first_stage(plan, load, work, given, prefetch);
  dispatch<largest_first_radix, OddLine<Load>>(
      plan.stage[0].radix, FirstStage<Real, Load, Point>{plan, load, work, 0, plan.stage[0].count, prefetch});
}

template <class Real, class Point>
WEFT_INLINE void middle_stages(const LanePlan<Real>& plan, Point* work, int64_t begin, int64_t end,
                               Prefetch<Real>& prefetch) {
  for (int i = 1; i < plan.stages - 1; i++)
    dispatch_middle(plan.stage[i].radix, MiddleStage<Real, Point>{plan, plan.stage[i], work, begin, end, prefetch});
}

template <class Real, class Point, class Store, class Order = InOrder>
WEFT_INLINE void last_stage(const LanePlan<Real>& plan, const Point* work, const Store& store, int64_t begin,
                            int64_t end, int64_t wanted, Prefetch<Real>& prefetch, const Order& order = {}) {
  if (plan.n == 1) return put_result(store, 0, 0, work[0]);  // types I of 2^k intervals end with many of these
  dispatch<largest_last_radix, OddLine<Store>>(
      plan.stage[plan.stages - 1].radix,
      LastStage<Real, Store, Point, Order>{plan, work, store, begin, end, wanted, prefetch, order});
}

// Larger blocks are transformed part by part after the first stage, each part in the nearest cache.
constexpr int64_t near_bytes = 16384;

// The number of points that are transformed together after the first stage.
template <class Point, class Real>
int64_t part_points(const LanePlan<Real>& plan) {
  const bool undivided = plan.stages < 3 || plan.n * int64_t(sizeof(Point)) <= near_bytes;
  return undivided ? plan.n : plan.stage[0].count;
}

// All stages but the last one. Points from `given` on are zeros.
template <class Real, class Load, class Point>
[[gnu::noinline]] void stages_before_last(const LanePlan<Real>& plan, const Load& load, Point* work, int64_t given,
                                          Prefetch<Real>& prefetch) {
  first_stage(plan, load, work, given, prefetch);
  const int64_t part = part_points<Point>(plan);
  for (int64_t begin = 0; begin < plan.n; begin += part) middle_stages(plan, work, begin, begin + part, prefetch);
}

// Points from `given` on are zeros; modes from `wanted` on need not be stored.
struct LaneRange {
  int64_t given = every_point, wanted = every_point;
};

// Runs all stages. `load` may read from `work`; `store` must not store to it.
template <class Real, class Load, class Point, class Store>
[[gnu::noinline]] void run_stages(const LanePlan<Real>& plan, const Load& load, Point* work, const Store& store,
                                  const LaneRange& range, Prefetch<Real>& prefetch) {
  first_stage(plan, load, work, range.given, prefetch);
  const int64_t part = part_points<Point>(plan);
  for (int64_t begin = 0; begin < plan.n; begin += part) {
    middle_stages(plan, work, begin, begin + part, prefetch);
    last_stage(plan, work, store, begin, begin + part, range.wanted, prefetch);
  }
}

template <class Real, class Load, class Point, class Store>
void run_stages(const LanePlan<Real>& plan, const Load& load, Point* work, const Store& store,
                const LaneRange& range = {}) {
  Prefetch<Real> nothing;
  run_stages(plan, load, work, store, range, nothing);
}
