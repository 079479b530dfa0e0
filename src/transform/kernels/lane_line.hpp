// Complex lines that are each contiguous in memory, a few at a time. After a first stage of radix R with adjacent
// points in the lanes, a line of n points is R lines of n/R points whose modes k are adjacent. A transposition in
// registers puts these into the lanes, and their transforms store whole vectors in natural order. Lane blocks of
// contiguous lines take one transposition and two sweeps over the block more, and more lines in the nearest cache.
// Results are those of a lane block, to the bit. `Form` is a form of lane_numbers.hpp. Included by lane_table.hpp only,
// inside the namespace of one instruction set.
#pragma once

#include "lane_numbers.hpp"
#include "lane_short_line.hpp"
#include "lane_stages.hpp"

// Transforms lines forward, or backward.
template <int R, class Form>
struct LineStages {
  using Real = typename Form::Real;
  using Point = typename Form::Point;
  // The butterflies whose modes fill one point, and the points that the modes of a butterfly fill.
  static constexpr int numbers = Form::numbers;
  static constexpr int butterflies = R < numbers ? numbers / R : 1, points = R > numbers ? R / numbers : 1;
  static constexpr int lines = Form::lines * butterflies, rows = butterflies * R;
  // Only interleaved lines fill a point by two butterflies.
  static constexpr bool serves = butterflies <= (Form::interleaved ? 2 : 1);

  const LaneLinePlan<Real>& plan;
  const LaneLines<Real>& all;

  WEFT_INLINE static void twiddled_butterfly(Point* x, const Vector<Real>* w) {
    butterfly<R>(x);
    WEFT_UNROLL
    for (int r = 1; r < R; r++) x[r] = rotate(x[r], w[2 * r - 2], w[2 * r - 1]);
  }

  // A line of R * R numbers stays in registers if it fits into half of them.
  static constexpr int square_points = R * points;
  static constexpr bool fits_registers =
      lines == 1 && square_points * int(sizeof(Point)) <= vector_registers / 2 * int(sizeof(Vector<Real>));

  // Transforms z in registers: points, then modes, in the order of the line.
  WEFT_INLINE void run_square(Point* z) const {
    Point x[points][R];
    WEFT_UNROLL
    for (int group = 0; group < points; group++) {
      Point y[R];
      WEFT_UNROLL
      for (int r = 0; r < R; r++) y[r] = z[r * points + group];
      twiddled_butterfly(y, rows_of(plan.twiddles) + group * 2 * (R - 1));
      WEFT_UNROLL
      for (int v = 0; v < points; v++) {
        Form::transpose(y + v * numbers);
        WEFT_UNROLL
        for (int i = 0; i < numbers; i++) x[v][group * numbers + i] = y[v * numbers + i];
      }
    }
    WEFT_UNROLL
    for (int v = 0; v < points; v++) {
      butterfly<R, true>(x[v]);
      WEFT_UNROLL
      for (int j = 0; j < R; j++) z[j * points + v] = x[v][j];
    }
  }

  // The first stage, as many adjacent points of the lines at a time as fill vectors: row r is mode r, after the rows of
  // previous lines. The last group overlaps the previous one if the lanes do not divide the number of points.
  template <Numbers Which>
  WEFT_INLINE void run_first(const Real* const* from, Point* work) const {
    // Local copies: stores may alias the plan, so the compiler would reload its members in every iteration.
    const int64_t n = plan.rest.n;
    const std::ptrdiff_t prefetch_distance = all.prefetch_distance;
    const Vector<Real>* w = rows_of(plan.twiddles);
    for (int64_t first = 0; first < n; first += numbers, w += 2 * (R - 1)) {
      const int64_t begin = first + numbers <= n ? first : n - numbers;
      if (prefetch_distance != 0) {
        for (int i = 0; i < butterflies; i++)
          for (int r = 0; r < R; r++) Form::prefetch_next(from + i, 2 * (begin + r * n) + prefetch_distance);
      }
      Point x[rows];
      WEFT_UNROLL
      for (int i = 0; i < butterflies; i++) {
        WEFT_UNROLL
        for (int r = 0; r < R; r++) {
          Point a;
          Form::load(from + i, 2 * (begin + r * n), a);
          x[i * R + r] = taken<Which>(a);
        }
        twiddled_butterfly(x + i * R, w);
      }
      WEFT_UNROLL
      for (int v = 0; v < points; v++) {
        Form::transpose(x + v * numbers);
        put_points<numbers>(work + v * n + begin, 1, x + v * numbers);
      }
    }
  }

  // Remaining stages of the blocks that the first stage leaves, one per target. Stores modes R j .. of a line together.
  template <Stores How>
  void run_rest(const LineTarget<Real>* targets, int64_t blocks, Point* work) const {
    using Store = LineStore<Point, How, (butterflies > 1)>;
    const LanePlan<Real>& rest = plan.rest;
    Prefetch<Real> nothing;
    const Store store{nullptr, 0, 2 * R, scale_of(all)};
    const int64_t part = part_points<Point>(rest);
    if (part != rest.n) {
      for (int64_t block = 0; block < blocks; block++, work += rest.n) {
        block_stage(rest, 0, rest.n, work, nothing);
        for (int64_t begin = 0; begin < rest.n; begin += part) {
          for (int i = 1; i < rest.stages - 1; i++) block_stage(rest, i, part, work + begin, nothing);
          last_stage(rest, work, store, begin, begin + part, every_point, nothing,
                     LinesInOrder<Real>{targets + block, 1});
        }
      }
      return;
    }
    for (int i = 0; i < rest.stages - 1; i++) block_stage(rest, i, blocks * rest.n, work, nothing);
    last_stage(rest, work, store, 0, rest.n, every_point, nothing, LinesInOrder<Real>{targets, blocks});
  }
  // Inside a block even the first stage works in place, like a middle stage.
  WEFT_INLINE static void block_stage(const LanePlan<Real>& rest, int i, int64_t count, Point* work,
                                      Prefetch<Real>& nothing) {
    dispatch_middle(rest.stage[i].radix, MiddleStage<Real, Point>{rest, rest.stage[i], work, 0, count, nothing});
  }
  WEFT_INLINE void run_rest(const LineTarget<Real>* targets, int64_t blocks, Point* work) const {
    // Halves of cache lines are not streamed.
    if constexpr (butterflies == 1 && fills_cache_line)
      if (all.stream) return run_rest<Stores::streamed>(targets, blocks, work);
    run_rest<Stores::cached>(targets, blocks, work);
  }

  // Short lines are transformed together, so that one call of a stage serves many: as many as fit into a quarter of the
  // nearest cache.
  static constexpr int most_sets = 8;
  template <class Ends>
  int sets_at_once() const {
    const int64_t bytes = points * plan.rest.n * int64_t(sizeof(Point)), fit = near_bytes / 2 / bytes;
    constexpr int capacity = Ends::most_lines / lines, most = capacity < most_sets ? capacity : most_sets;
    return fit < 1 || most < 1 ? 1 : fit < most ? int(fit) : most;
  }

  // `Ends` gives source and destination of complex lines, and work to be done before and after each.
  template <class Ends>
  void run(const Ends& ends, Point* work) const {
    if constexpr (fits_registers) {
      if (plan.rest.n == R) {
        for (int l = 0; l < all.count; l++) {
          Point z[square_points];
          ends.template get<square_points>(l, z);
          run_square(z);
          ends.template put<square_points>(l, z);
        }
        return;
      }
    }
    ends.with_direction([&]<Numbers Which>() { run_sets<Which>(ends, work); });
  }
  template <Numbers Which, class Ends>
  void run_sets(const Ends& ends, Point* work) const {
    const int sets = sets_at_once<Ends>();
    LineTarget<Real> targets[most_sets * points];
    for (int l = 0; l < all.count; l += sets * lines) {
      int64_t blocks = 0;
      for (int set = l; set < l + sets * lines && set < all.count; set += lines) {
        const int which[] = {set, set + lines <= all.count ? set + lines - 1 : set};
        const Real* from[] = {ends.from(which[0], set - l), ends.from(which[1], set - l + lines - 1)};
        Real* to[] = {ends.to(which[0], set - l), ends.to(which[1], set - l + lines - 1)};
        for (int i = 0; i < lines; i++) ends.before(which[i], set - l + i);
        run_first<Which>(from, work + blocks * plan.rest.n);
        for (int v = 0; v < points; v++) targets[blocks++] = {to[0] + 2 * numbers * v, Form::second(to)};
      }
      run_rest(targets, blocks, work);
      for (int line = l; line < l + sets * lines && line < all.count; line++) ends.after(line, line - l);
    }
  }
};

// Loads lines of `Count` points into registers, and stores them.
template <int Count, class Form, class Real>
WEFT_INLINE void get_line(const LaneLines<Real>& lines, const Real* from, typename Form::Point* z) {
  WEFT_UNROLL
  for (int i = 0; i < Count; i++) {
    if (lines.prefetch_distance != 0) Form::prefetch_next(&from, 2 * Form::numbers * i + lines.prefetch_distance);
    Form::load(&from, 2 * Form::numbers * i, z[i]);
  }
}
template <int Count, class Form, Stores How, class Real>
WEFT_INLINE void put_line(Real* to, const typename Form::Point* z, Scale<Real> scale) {
  const LineStore<typename Form::Point, How, false> store{to, lanes_of<Real>, 2 * Form::numbers, scale};
  WEFT_UNROLL
  for (int i = 0; i < Count; i++) store.put(i, 0, z[i]);
}

// Ends of complex lines. `line` counts all lines; a second argument counts those transformed together.
template <class Form>
struct ComplexEnds {
  using Real = typename Form::Real;
  using Point = typename Form::Point;

  static constexpr int most_lines = lanes_of<Real>;  // capacity of the work space

  const LaneLines<Real>& lines;

  template <class Run>
  WEFT_INLINE void with_direction(const Run& run) const {
    with_numbers(lines, run);
  }
  WEFT_INLINE const Real* from(int line, int) const { return lines.from[line]; }
  WEFT_INLINE Real* to(int line, int) const { return lines.to[line]; }
  WEFT_INLINE void before(int, int) const {}
  WEFT_INLINE void after(int, int) const {}
  template <int Count>
  WEFT_INLINE void get(int line, Point* z) const {
    get_line<Count, Form>(lines, lines.from[line], z);
    if (lines.backward) take_conjugates<Count>(z);
  }
  template <int Count>
  WEFT_INLINE void put(int line, Point* z) const {
    const Scale<Real> scale = scale_of(lines);
    if (lines.stream) return put_line<Count, Form, Stores::streamed>(lines.to[line], z, scale);
    put_line<Count, Form, Stores::cached>(lines.to[line], z, scale);
  }
};

// Transforms lines from and to `ends`, with the first radix of the plan.
template <class Form, class Ends, class Real>
void run_lines(const LaneLinePlan<Real>& plan, const LaneLines<Real>& lines, const Ends& ends, Real* work) {
  const auto run = [&]<int R>() {
    if constexpr (LineStages<R, Form>::serves)
      LineStages<R, Form>{plan, lines}.run(ends, reinterpret_cast<typename Form::Point*>(work));
  };
  if (plan.radix == 2) return run.template operator()<2>();
  if (plan.radix == 4) return run.template operator()<4>();
  run.template operator()<8>();
}

// Calls run<Form>() with the form of the plan.
template <class Real, class Run>
WEFT_INLINE void with_form(const LaneLinePlan<Real>& plan, const Run& run) {
  if constexpr (may_interleave_lines) {
    if (plan.form == LaneLineForm::interleaved) return run.template operator()<InterleavedLines<Real>>();
  }
  if (plan.form == LaneLineForm::split_two_lines) return run.template operator()<SplitTwoLines<Real>>();
  run.template operator()<SplitLines<Real>>();
}

template <class Real>
void c2c_lines(const LaneLinePlan<Real>& plan, const LaneLines<Real>& lines, Real* work) {
  if (plan.form == LaneLineForm::across) return short_lines(plan, lines);
  with_form(plan, [&]<class Form>() { run_lines<Form>(plan, lines, ComplexEnds<Form>{lines}, work); });
}
