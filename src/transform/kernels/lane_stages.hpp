// Self-sorting complex transforms of L lines at once: decimation in frequency, in place but for the last stage, which
// stores every result where it belongs. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_meanwhile.hpp"
#include "lane_places.hpp"

template <int R, bool Served, class Action>
WEFT_INLINE void run_if(int radix, const Action& action) {
  if constexpr (Served)
    if (radix == R) action.template run<R>();
}

// Calls action.run<R>() for the radix of a stage, which is at most `Most`, and not even where `Odd`.
template <int Most = 13, bool Odd = false, class Action>
WEFT_INLINE void dispatch(int radix, Action action) {
  run_if<2, !Odd>(radix, action);
  run_if<3, true>(radix, action);
  run_if<4, !Odd>(radix, action);
  run_if<5, Most >= 5>(radix, action);
  run_if<7, Most >= 7>(radix, action);
  run_if<8, Most >= 8 && !Odd>(radix, action);
  run_if<11, Most >= 11>(radix, action);
  run_if<13, Most >= 13>(radix, action);
}

// What loads or stores declare, by `using OddLine = void;`, that serve lines of an odd number of points only: the
// stages that they are part of need no even radix.
template <class T>
concept OddLine = requires {
  typename T::OddLine;
};

// Points from `given` on are zeros that are not loaded, modes from `wanted` on need not be stored. Half of a butterfly
// is spared where half of its points or results are among them.
struct LaneRange {
  int64_t given = every_point, wanted = every_point;
};

// The same where there is no limit: stages need no code for those.
struct NoLimit {};
struct WholeLine {
  NoLimit given, wanted;
};
template <class Limit>
constexpr bool is_limit = true;
template <>
constexpr bool is_limit<NoLimit> = false;

// The butterflies 0 .. that of `count` whose second half begins before `end`.
WEFT_INLINE int64_t whole_butterflies(int64_t end, int64_t half, int64_t count) {
  return end <= half ? 0 : end - half < count ? end - half : count;
}

// The results of a butterfly, times twiddle factors, to where its points were.
template <bool Forward, int R, class Real, class Work>
WEFT_INLINE void put_turned(Work work, int64_t place, int64_t count, const Lane<Real>* x, const Real* w) {
  work.put(place, x[0]);
  WEFT_UNROLL
  for (int j = 1; j < R; j++) work.put(place + count * j, twiddle<Forward>(x[j], w + 2 * (j - 1)));
}

// Butterflies of the points p + count * j, times twiddle factors; the last stage of all has none.
template <bool Forward, class Real, class Load, class Work, class Limit, class Next>
struct FirstStage {
  static constexpr bool limited = is_limit<Limit>;

  const LanePlan<Real>& plan;
  Load load;
  Work work;
  Limit given;
  Next& next;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t count = plan.stage[0].count;
    if constexpr (limited) {
      const int64_t half = count * (R / 2), full = whole_butterflies(given, half, count);
      if (given < plan.n) {
        // Lines of which less than half is given are rare: theirs are whole butterflies.
        const int64_t whole = R % 2 != 0 || given < half ? count : full;
        run<R, R, true>(0, whole);
        if constexpr (R % 2 == 0) run<R, R / 2, false>(whole, count);
        return;
      }
    }
    run<R, R, false>(0, count);
  }

  template <bool Checked>
  WEFT_INLINE Lane<Real> point(int64_t j) const {
    if constexpr (Checked)
      if (j >= given) return Lane<Real>{Vector<Real>{}, Vector<Real>{}};
    return load(j);
  }

  // Points of the next butterfly. What was to be fetched is no nearer than the second cache by now.
  WEFT_INLINE void fetch_near(int64_t j) const {
    if constexpr (requires { load.fetch_near(j); }) load.fetch_near(j);
  }

  template <int R, int Given, bool Checked>
  WEFT_INLINE void run(int64_t begin, int64_t end) const {
    const int64_t count = plan.stage[0].count;
    for (int64_t p = begin; p < end; p++) {
      const Real* w = plan.twiddles + p * (R - 1) * 2;
      next.fetch();
      Lane<Real> x[R];
      WEFT_UNROLL
      for (int j = 0; j < Given; j++) {
        fetch_near(p + 1 + count * j);
        x[j] = point<Checked>(p + count * j);
      }
      if constexpr (Given == R) {
        butterfly<Forward, R>(x);
      } else {
        butterfly_of_half<Forward, R>(x);
      }
      put_turned<Forward, R>(work, p, count, x, w);
    }
  }
};

// The points begin .. end of it.
template <bool Forward, class Real, class Work, class Next>
struct MiddleStage {
  const LanePlan<Real>& plan;
  const LaneStage& stage;
  Work work;
  int64_t begin, end;
  Next& next;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t count = stage.count;
    for (int64_t p = 0; p < count; p++) {
      const Real* w = plan.twiddles + stage.twiddles + p * (R - 1) * 2;
      for (int64_t place = begin + p; place < end; place += stage.length) {
        next.fetch();
        Lane<Real> x[R];
        WEFT_UNROLL
        for (int j = 0; j < R; j++) x[j] = work.get(place + count * j);
        butterfly<Forward, R>(x);
        put_turned<Forward, R>(work, place, count, x, w);
      }
    }
  }
};

// Stores every result where it belongs, which is not where it was worked on.
template <bool Forward, class Real, class Work, class Store, class Limit>
struct LastStage {
  const LanePlan<Real>& plan;
  Work work;
  Store store;
  int64_t begin, end;
  Limit wanted;

  template <int R>
  WEFT_INLINE void run() const {
    if constexpr (R % 2 == 0 && is_limit<Limit>) {
      if (wanted < plan.n) return run<R, true>();
    }
    run<R, false>();
  }

  template <int R, bool Checked>
  WEFT_INLINE void run() const {
    const int64_t blocks = plan.n / R;
    for (int64_t block = begin / R; block < end / R; block++) {
      Lane<Real> x[R];
      WEFT_UNROLL
      for (int j = 0; j < R; j++) x[j] = work.get(block * R + j);
      const int64_t mode = plan.order[block];
      if constexpr (Checked) {
        if (mode + blocks * (R / 2) >= wanted) {
          butterfly_to_half<Forward, R>(x);
          put_results<R / 2>(mode, blocks, x);
          continue;
        }
      }
      butterfly<Forward, R, true>(x);
      put_results<R>(mode, blocks, x);
    }
  }

  template <int Count>
  WEFT_INLINE void put_results(int64_t mode, int64_t blocks, const Lane<Real>* x) const {
    WEFT_UNROLL
    for (int j = 0; j < Count; j++) put_result(store, mode, blocks * j, x[j]);
  }
};

// The same where results belong to places of other points: with radices that read the same in both directions, the
// places (a, m, c) and (c, m', a) exchange their contents, m' being m with its digits reversed. R blocks and R results
// of each make a square of places that is transposed through a small buffer.
template <bool Forward, class Real, class Work, class Store, class Next>
struct SortingStage {
  const LanePlan<Real>& plan;
  Work work;
  Store store;
  Next& next;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t far = plan.n / R;
    Lane<Real> square[R * R];
    for (int64_t m = 0; m < far / R; m++) {
      const int64_t reversed = plan.order[m] / R;
      if (reversed < m) continue;
      transform<R>(m, [&](int a, int c, Lane<Real> x) { square[c * R + a] = x; });
      if (reversed != m) transform<R>(reversed, [&](int a, int c, Lane<Real> x) { store(c * far + m * R + a, x); });
      for (int c = 0; c < R; c++) {
        WEFT_UNROLL
        for (int a = 0; a < R; a++) store(c * far + reversed * R + a, square[c * R + a]);
      }
    }
  }

  template <int R, class Keep>
  WEFT_INLINE void transform(int64_t m, const Keep& keep) const {
    for (int a = 0; a < R; a++) {
      next.fetch();
      Lane<Real> x[R];
      WEFT_UNROLL
      for (int c = 0; c < R; c++) x[c] = work.get(a * (plan.n / R) + m * R + c);
      butterfly<Forward, R, true>(x);
      WEFT_UNROLL
      for (int c = 0; c < R; c++) keep(a, c, x[c]);
    }
  }
};

template <bool Forward, class Real, class Load, class Work, class Limit, class Next>
void first_stage(const LanePlan<Real>& plan, Load load, Work work, Limit given, Next& next) {
  const FirstStage<Forward, Real, Load, Work, Limit, Next> stage{plan, load, work, given, next};
  if (plan.stages > 1) return dispatch<13, OddLine<Load>>(plan.stage[0].radix, stage);
  for (int64_t j = 0; j < plan.n; j++) work.put(j, stage.template point<stage.limited>(j));
}

template <bool Forward, class Real, class Work, class Next>
void middle_stages(const LanePlan<Real>& plan, Work work, int64_t begin, int64_t end, Next& next) {
  for (int i = 1; i < plan.stages - 1; i++)
    dispatch(plan.stage[i].radix, MiddleStage<Forward, Real, Work, Next>{plan, plan.stage[i], work, begin, end, next});
}

template <bool Forward, class Real, class Work, class Store, class Limit>
void last_stage(const LanePlan<Real>& plan, Work work, Store store, int64_t begin, int64_t end, Limit wanted) {
  if (plan.stages == 0) return store(0, work.get(0));
  dispatch<13, OddLine<Store>>(plan.stage[plan.stages - 1].radix,
                               LastStage<Forward, Real, Work, Store, Limit>{plan, work, store, begin, end, wanted});
}

// Blocks larger than this are transformed part by part after the first stage, each in the nearest cache.
constexpr int64_t near_bytes = 16384;

// Points that are transformed together after the first stage.
template <class Real>
int64_t part_points(const LanePlan<Real>& plan) {
  const bool whole = plan.stages < 3 || plan.n * int64_t(sizeof(Lane<Real>)) <= near_bytes;
  return whole ? plan.n : plan.stage[0].count;
}

// All stages. `work` may be where `load` reads from, not where `store` stores to.
template <bool Forward, class Real, class Load, class Work, class Store, class Range>
void run_stages(const LanePlan<Real>& plan, Load load, Work work, Store store, Range range) {
  Nothing next;
  first_stage<Forward>(plan, load, work, range.given, next);
  const int64_t part = part_points(plan);
  for (int64_t begin = 0; begin < plan.n; begin += part) {
    middle_stages<Forward>(plan, work, begin, begin + part, next);
    last_stage<Forward>(plan, work, store, begin, begin + part, range.wanted);
  }
}

// The same for plans that sort in place; `store` stores to where `work` is.
template <bool Forward, class Real, class Load, class Work, class Store, class Next = Nothing>
void run_sorting_stages(const LanePlan<Real>& plan, Load load, Work work, Store store, LaneRange range,
                        Next next = {}) {
  first_stage<Forward>(plan, load, work, range.given, next);
  if (plan.stages < 2) return last_stage<Forward>(plan, work, store, 0, plan.n, range.wanted);
  middle_stages<Forward>(plan, work, 0, plan.n, next);
  dispatch<largest_sorting_radix>(plan.stage[0].radix,
                                  SortingStage<Forward, Real, Work, Store, Next>{plan, work, store, next});
}

template <bool Forward, bool Paired, class Real, class Load, class Work>
void store_points(const LanePlan<Real>& plan, const LanePoints<Real>& points, Load load, Work work) {
  const LaneRange range{points.from.count, points.to.count};
  points.stream
      ? run_stages<Forward>(plan, load, work, PointStore<true, Real, Paired>{points.to, points.scale}, range)
      : run_stages<Forward>(plan, load, work, PointStore<false, Real, Paired>{points.to, points.scale}, range);
}

// Blocks up to this are worked on rather than points in memory: half of the nearest cache. Where vectors are cache
// lines (AVX-512), no address is looked up more often than once a line, and work in memory has measured as good or
// better.
constexpr int64_t preferred_bytes = WEFT_VECTOR_BYTES == cache_line_bytes ? 0 : near_bytes;

// From memory to memory.
template <bool Forward, class Real>
void move_points(const LanePlan<Real>& plan, const LanePoints<Real>& points, Lane<Real>* block) {
  const PointLoad<Real, true> load{points.from};
  const PointWork<Real> place{points.from};
  const bool same = points.from.at == points.to.at, small = plan.n * int64_t(sizeof(Lane<Real>)) <= preferred_bytes;
  if (!points.spare || small || (same && !plan.sorts))
    return store_points<Forward, true>(plan, points, load, BlockWork<Real>{block});
  if (!same) return store_points<Forward, true>(plan, points, load, place);
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
    store_points<Forward, false>(plan, points, load, work);
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
