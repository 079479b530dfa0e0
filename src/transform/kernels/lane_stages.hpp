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

// Interleaved points are worked on with radices of 2 and 3, divisors of 144 all; 5 and 7 have measured 1.1 to 1.25
// times as long as on blocks.
constexpr bool may_interleave(int radix) { return 144 % radix == 0; }
template <class Action>
constexpr bool interleaving = requires {
  requires is_interleaved<decltype(Action::work)>;
};

template <int Most, bool Odd, class Action, int... R>
WEFT_INLINE void run_one_of(int radix, const Action& action, Indices<R...>) {
  (run_if<R, (R <= Most && (R % 2 != 0 || !Odd) && (may_interleave(R) || !interleaving<Action>))>(radix, action), ...);
}

// Of stages that are not the last.
constexpr int largest_radix = 13;
constexpr int largest_last_radix = 16;

// Calls action.run<R>() for the radix of a stage, which is at most `Most`, and not even where `Odd`. The stage has to
// be the compiler's to see through: a lambda in between has cost 5 % of the time.
template <int Most = largest_radix, bool Odd = false, class Action>
WEFT_INLINE void dispatch(int radix, Action action) {
  run_one_of<Most, Odd>(radix, action, Indices<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16>{});
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
template <bool Forward, int R, class Real, class Point, class Work>
WEFT_INLINE void put_turned(Work work, int64_t place, int64_t count, const Point* x, const Real* w) {
  work.put(place, x[0]);
  WEFT_UNROLL
  for (int j = 1; j < R; j++) work.put(place + count * j, twiddle<Forward>(x[j], w + 2 * (j - 1)));
}

// Butterflies of the points p + count * j, times twiddle factors; the last stage of all has none.
template <bool Forward, class Real, class Load, class Work, class Limit, class Next>
struct FirstStage {
  static constexpr bool limited = is_limit<Limit>;
  using Point = PointOf<Work>;

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
  WEFT_INLINE Point point(int64_t j) const {
    if constexpr (Checked)
      if (j >= given) return Point{};
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
      Point x[R];
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
        PointOf<Work> x[R];
        WEFT_UNROLL
        for (int j = 0; j < R; j++) x[j] = work.get(place + count * j);
        butterfly<Forward, R>(x);
        put_turned<Forward, R>(work, place, count, x, w);
      }
    }
  }
};

// Stores every result where it belongs, which is not where it was worked on.
template <bool Forward, class Real, class Work, class Store, class Limit, class Next>
struct LastStage {
  const LanePlan<Real>& plan;
  Work work;
  Store store;
  int64_t begin, end;
  Limit wanted;
  Next& next;

  template <int R>
  WEFT_INLINE void run() const {
    if constexpr (R % 2 == 0 && is_limit<Limit>) {
      if (wanted < plan.n) return run<R, true>();
    }
    run<R, false>();
  }

  template <int R, bool Checked>
  WEFT_INLINE void run() const {
    if constexpr (R == 16) {
      run_halves<Checked>();
    } else {
      run_whole<R, Checked>();
    }
  }

  template <bool Checked>
  WEFT_INLINE void run_halves() const {
    for (int64_t block = begin / 16; block < end / 16; block++) {
      next.fetch();
      half<false, Checked>(block, plan.order[block]);
      half<true, Checked>(block, plan.order[block]);
    }
  }

  // The even or the odd results of 16 points.
  template <bool Odd, bool Checked>
  WEFT_INLINE void half(int64_t block, int64_t mode) const {
    PointOf<Work> x[8];
    half_butterfly16<Forward, Odd>([&](int j) { return work.get(block * 16 + j); }, x);
    put_half<Checked>(mode, plan.n / 16, Odd, x);
  }

  // Results first, first + 2, ..
  template <bool Checked>
  WEFT_INLINE void put_half(int64_t mode, int64_t blocks, int first, const PointOf<Work>* x) const {
    WEFT_UNROLL
    for (int j = 0; j < 4; j++) put_result(store, mode, blocks * (2 * j + first), x[j]);
    if constexpr (Checked)
      if (mode + blocks * 8 >= wanted) return;
    WEFT_UNROLL
    for (int j = 4; j < 8; j++) put_result(store, mode, blocks * (2 * j + first), x[j]);
  }

  template <int R, bool Checked>
  WEFT_INLINE void run_whole() const {
    for (int64_t block = begin / R; block < end / R; block++) {
      next.fetch();
      whole<R, Checked>(block, plan.order[block]);
    }
  }

  template <int R, bool Checked>
  WEFT_INLINE void whole(int64_t block, int64_t mode) const {
    const int64_t blocks = plan.n / R;
    PointOf<Work> x[R];
    WEFT_UNROLL
    for (int j = 0; j < R; j++) x[j] = work.get(block * R + j);
    if constexpr (Checked) {
      if (mode + blocks * (R / 2) >= wanted) {
        butterfly_to_half<Forward, R>(x);
        return put_results<R / 2>(mode, blocks, x);
      }
    }
    butterfly<Forward, R, true>(x);
    put_results<R>(mode, blocks, x);
  }

  template <int Count>
  WEFT_INLINE void put_results(int64_t mode, int64_t blocks, const PointOf<Work>* x) const {
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
    using Point = PointOf<Work>;
    Point square[R * R];
    for (int64_t m = 0; m < far / R; m++) {
      const int64_t reversed = plan.order[m] / R;
      if (reversed < m) continue;
      transform<R>(m, [&](int a, int c, Point x) { square[c * R + a] = x; });
      if (reversed != m) transform<R>(reversed, [&](int a, int c, Point x) { store(c * far + m * R + a, x); });
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
      PointOf<Work> x[R];
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
  if (plan.stages > 1) return dispatch<largest_radix, OddLine<Load>>(plan.stage[0].radix, stage);
  for (int64_t j = 0; j < plan.n; j++) work.put(j, stage.template point<stage.limited>(j));
}

template <bool Forward, class Real, class Work, class Next>
void middle_stages(const LanePlan<Real>& plan, Work work, int64_t begin, int64_t end, Next& next) {
  for (int i = 1; i < plan.stages - 1; i++)
    dispatch(plan.stage[i].radix, MiddleStage<Forward, Real, Work, Next>{plan, plan.stage[i], work, begin, end, next});
}

template <bool Forward, class Real, class Work, class Store, class Limit, class Next>
void last_stage(const LanePlan<Real>& plan, Work work, Store store, int64_t begin, int64_t end, Limit wanted,
                Next& next) {
  if (plan.stages == 0) return store(0, work.get(0));
  dispatch<largest_last_radix, OddLine<Store>>(
      plan.stage[plan.stages - 1].radix,
      LastStage<Forward, Real, Work, Store, Limit, Next>{plan, work, store, begin, end, wanted, next});
}

// Blocks larger than this are transformed part by part after the first stage, each in the nearest cache.
constexpr int64_t near_bytes = 16384;

// Points that are transformed together after the first stage.
template <class Real>
int64_t part_points(const LanePlan<Real>& plan, int64_t point_bytes = sizeof(Lane<Real>)) {
  const bool whole = plan.stages < 3 || plan.n * point_bytes <= near_bytes;
  return whole ? plan.n : plan.stage[0].count;
}

// All stages. `work` may be where `load` reads from, not where `store` stores to.
template <bool Forward, class Real, class Load, class Work, class Store, class Range, class Next>
void run_stages(const LanePlan<Real>& plan, Load load, Work work, Store store, Range range, Next& next) {
  first_stage<Forward>(plan, load, work, range.given, next);
  const int64_t part = part_points(plan, sizeof(PointOf<Work>));
  for (int64_t begin = 0; begin < plan.n; begin += part) {
    middle_stages<Forward>(plan, work, begin, begin + part, next);
    last_stage<Forward>(plan, work, store, begin, begin + part, range.wanted, next);
  }
}

template <bool Forward, class Real, class Load, class Work, class Store, class Range>
void run_stages(const LanePlan<Real>& plan, Load load, Work work, Store store, Range range) {
  Nothing next;
  run_stages<Forward>(plan, load, work, store, range, next);
}

// The same for plans that sort in place; `store` stores to where `work` is.
template <bool Forward, class Real, class Load, class Work, class Store, class Next = Nothing>
void run_sorting_stages(const LanePlan<Real>& plan, Load load, Work work, Store store, LaneRange range,
                        Next next = {}) {
  first_stage<Forward>(plan, load, work, range.given, next);
  if (plan.stages < 2) return last_stage<Forward>(plan, work, store, 0, plan.n, range.wanted, next);
  middle_stages<Forward>(plan, work, 0, plan.n, next);
  dispatch<largest_sorting_radix>(plan.stage[0].radix,
                                  SortingStage<Forward, Real, Work, Store, Next>{plan, work, store, next});
}
