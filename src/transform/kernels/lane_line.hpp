// Complex lines that are contiguous in memory each, a few at a time. After a first stage of radix R, with neighbouring
// points in the lanes, a line of n points is R lines of n/R points whose modes k lie side by side. A transposition in
// registers puts these into the lanes, and their transforms store whole vectors where they belong. That is one
// transposition where lane blocks of contiguous lines take two, two sweeps over the block less, and fewer lines in the
// nearest cache. The steps of a line are those of a lane block, to the bit. `Form` is one of lane_numbers.hpp. Included
// by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_numbers.hpp"
#include "lane_stages.hpp"

// Butterflies whose modes fill a point together, points that the modes of one fill.
template <int R, class Form>
constexpr int butterflies_at_once = R < Form::numbers ? Form::numbers / R : 1;
template <int R, class Form>
constexpr int points_of_butterfly = R > Form::numbers ? R / Form::numbers : 1;
template <int R, class Form>
constexpr int lines_at_once = Form::lines* butterflies_at_once<R, Form>;
// Those that there is code for: only interleaved lines fill a point by two butterflies.
template <int R, class Form>
constexpr bool fills_points = butterflies_at_once<R, Form> <= (Form::interleaved ? 2 : 1);

// Modes R j .. of each of the lines; `first` is the place of the point's modes among them.
template <int R, bool Stream, class Form, class Scale>
struct LineStore {
  using Real = typename Form::Real;
  using Point = typename Form::Point;

  Real* to[2];
  Scale scale;
  int64_t first;

  LineStore of_point(int v) const { return {{to[0], to[1]}, scale, 2 * Form::numbers * v}; }
  WEFT_INLINE void operator()(int64_t j, Point a) const { operator()(j, 0, a); }
  WEFT_INLINE void operator()(int64_t j, int64_t far, Point a) const {
    const int64_t at = 2 * R * far + first + 2 * R * j;
    if constexpr (butterflies_at_once<R, Form> == 1) {
      Form::template store<Stream>(to, at, scaled(scale, a));
    } else {
      Form::store_two(to, at, scaled(scale, a));
    }
  }
};

template <bool Forward, int R, class Form, class Ahead>
struct LineStages {
  using Real = typename Form::Real;
  using Point = typename Form::Point;
  static constexpr int numbers = Form::numbers, butterflies = butterflies_at_once<R, Form>, rows = butterflies * R;
  static constexpr int lines = lines_at_once<R, Form>, points = points_of_butterfly<R, Form>;

  const LaneLinePlan<Real>& plan;
  Ahead ahead;

  WEFT_INLINE static void turned_butterfly(Point* x, const Vector<Real>* w) {
    butterfly<Forward, R>(x);
    WEFT_UNROLL
    for (int r = 1; r < R; r++) x[r] = turned<Forward>(x[r], w[2 * r - 2], w[2 * r - 1]);
  }

  // Points first .. of the lines through the first stage: row r is mode r, behind those of lines before. `w` are its
  // twiddle factors, `step` the reals from one point of a butterfly to the next.
  WEFT_INLINE static void first_stage_at(const Real* const* from, int64_t first, const Vector<Real>* w, int64_t step,
                                         Ahead next, Point* x) {
    if (next != 0) {
      for (int i = 0; i < butterflies; i++)
        for (int r = 0; r < R; r++) Form::fetch_ahead(from + i, 2 * first + next + r * step);
    }
    WEFT_UNROLL
    for (int i = 0; i < butterflies; i++) {
      WEFT_UNROLL
      for (int r = 0; r < R; r++) Form::load(from + i, 2 * first + r * step, x[i * R + r]);
      turned_butterfly(x + i * R, w);
    }
  }

  // A line of R * R numbers. Where it fits into half of the registers, it never leaves them.
  static constexpr int square_points = R * points, registers = WEFT_VECTOR_BYTES == 64 ? 32 : 16;
  static constexpr bool fits_registers =
      lines == 1 && square_points * int(sizeof(Point)) <= registers / 2 * WEFT_VECTOR_BYTES;

  // Points, then modes, in the order of the line.
  WEFT_INLINE void run_square(Point* z) const {
    Point x[points][R];
    WEFT_UNROLL
    for (int group = 0; group < points; group++) {
      Point y[R];
      WEFT_UNROLL
      for (int r = 0; r < R; r++) y[r] = z[r * points + group];
      turned_butterfly(y, rows_of(plan.twiddles) + group * 2 * (R - 1));
      WEFT_UNROLL
      for (int v = 0; v < points; v++) {
        Form::transpose(y + v * numbers);
        WEFT_UNROLL
        for (int i = 0; i < numbers; i++) x[v][group * numbers + i] = y[v * numbers + i];
      }
    }
    WEFT_UNROLL
    for (int v = 0; v < points; v++) {
      butterfly<Forward, R, true>(x[v]);
      WEFT_UNROLL
      for (int j = 0; j < R; j++) z[j * points + v] = x[v][j];
    }
  }

  // The last stage of the blocks that the first stage leaves, one for each of the points.
  template <class Store>
  struct AllLastStages {
    const LanePlan<Real>& rest;
    WorkOf<Point> work;
    Store store;

    template <int Last>
    WEFT_INLINE void run() const {
      Nothing next;
      for (int v = 0; v < points; v++)
        LastStage<Forward, Real, WorkOf<Point>, Store, NoLimit, Nothing>{
            rest, {work.block + v * rest.n}, store.of_point(v), 0, rest.n, NoLimit{}, next}
            .template run<Last, false>();
    }
  };

  // These blocks together where they fit into the nearest cache.
  template <bool Stream, class Scale>
  void run_rest(Real* const* to, Scale scale, Point* work) const {
    const LanePlan<Real>& rest = plan.rest;
    using Store = LineStore<R, Stream, Form, Scale>;
    const Store store{{to[0], to[lines - 1]}, scale, 0};
    if (part_points(rest, sizeof(Point)) == rest.n) {
      Nothing next;
      for (int v = 0; v < points && rest.stages > 1; v++) {
        Point* part = work + v * rest.n;
        first_stage<Forward>(rest, LoadOf<Point>{part}, WorkOf<Point>{part}, NoLimit{}, next);
      }
      if (rest.stages > 2) middle_stages<Forward>(rest, WorkOf<Point>{work}, 0, points * rest.n, next);
      return dispatch<largest_last_radix>(rest.stage[rest.stages - 1].radix, AllLastStages<Store>{rest, {work}, store});
    }
    for (int v = 0; v < points; v++, work += rest.n)
      run_stages<Forward>(rest, LoadOf<Point>{work}, WorkOf<Point>{work}, store.of_point(v), WholeLine{});
  }

  // The last of the points are done twice where the lanes do not divide them.
  template <bool Stream, class Scale>
  WEFT_INLINE void run_block(const Real* const* from, Real* const* to, Scale scale, Point* work) const {
    // What is stored may be anything to the compiler, so that it would load all of the plan again and again.
    const int64_t n = plan.rest.n;
    const Ahead next = ahead;
    const Vector<Real>* w = rows_of(plan.twiddles);
    for (int64_t first = 0; first < n; first += numbers, w += 2 * (R - 1)) {
      const int64_t begin = first + numbers <= n ? first : n - numbers;
      Point x[rows];
      first_stage_at(from, begin, w, 2 * n, next, x);
      WEFT_UNROLL
      for (int v = 0; v < points; v++) Form::put_transposed(x + v * numbers, work + v * n + begin);
    }
    run_rest<Stream>(to, scale, work);
  }

  // One loop for all lines: a call for each would cost as much as a third of a short one. `Ends` says where complex
  // lines come from and go to, and what else is done before and after.
  template <bool Stream, class Ends, class Scale>
  void run(const Ends& ends, int count, Scale scale, Point* work) const {
    if constexpr (fits_registers) {
      if (plan.rest.n == R) {
        for (int l = 0; l < count; l++) {
          Point z[square_points];
          ends.template get<square_points>(l, z, ahead);
          run_square(z);
          ends.template put<square_points, Stream>(l, z, scale);
        }
        return;
      }
    }
    for (int l = 0; l < count; l += lines) {
      const int which[] = {l, l + lines <= count ? l + lines - 1 : l};
      const Real* from[] = {ends.from(which[0], 0), ends.from(which[1], lines - 1)};
      Real* to[] = {ends.to(which[0], 0), ends.to(which[1], lines - 1)};
      for (int i = 0; i < lines; i++) ends.before(which[i], i);
      run_block<Stream>(from, to, scale, work);
      for (int i = 0; i < lines; i++) ends.after(which[i], i);
    }
  }
};

// Lines of `Count` points in registers, from memory and to it.
template <int Count, class Form, class Real, class Ahead>
WEFT_INLINE void get_line(const Real* from, typename Form::Point* z, Ahead ahead) {
  WEFT_UNROLL
  for (int i = 0; i < Count; i++) {
    if (ahead != 0) Form::fetch_ahead(&from, 2 * Form::numbers * i + ahead);
    Form::load(&from, 2 * Form::numbers * i, z[i]);
  }
}
template <int Count, bool Stream, class Form, class Real, class Scale>
WEFT_INLINE void put_line(Real* to, const typename Form::Point* z, Scale scale) {
  WEFT_UNROLL
  for (int i = 0; i < Count; i++) Form::template store<Stream>(&to, 2 * Form::numbers * i, scaled(scale, z[i]));
}

// A few of `count` lines at once: `line` is one of all, `i` its place among the few.
template <class Form>
struct ComplexEnds {
  using Real = typename Form::Real;
  using Point = typename Form::Point;

  const LaneLines<Real>& lines;

  WEFT_INLINE const Real* from(int line, int) const { return lines.from[line]; }
  WEFT_INLINE Real* to(int line, int) const { return lines.to[line]; }
  WEFT_INLINE void before(int, int) const {}
  WEFT_INLINE void after(int, int) const {}
  template <int Count, class Ahead>
  WEFT_INLINE void get(int line, Point* z, Ahead ahead) const {
    get_line<Count, Form>(lines.from[line], z, ahead);
  }
  template <int Count, bool Stream, class Scale>
  WEFT_INLINE void put(int line, const Point* z, Scale scale) const {
    put_line<Count, Stream, Form>(lines.to[line], z, scale);
  }
};

template <bool Forward, bool Stream, class Form, class Ends, class Scale, class Ahead>
struct AllLines {
  using Real = typename Form::Real;

  const LaneLinePlan<Real>& plan;
  const Ends& ends;
  int count;
  Scale scale;
  Ahead ahead;
  Real* work;

  template <int R>
  WEFT_INLINE void run() const {
    if constexpr (fills_points<R, Form>)
      LineStages<Forward, R, Form, Ahead>{plan, ahead}.template run<Stream>(
          ends, count, scale, reinterpret_cast<typename Form::Point*>(work));
  }
  void run_radix() const {
    if (plan.radix == 2) return run<2>();
    if (plan.radix == 4) return run<4>();
    run<8>();
  }
};

template <bool Forward, bool Stream, class Form, class Ends, class Scale, class Ahead>
void all_lines(const LaneLinePlan<typename Form::Real>& plan, const Ends& ends, int count, Scale scale, Ahead ahead,
               typename Form::Real* work) {
  AllLines<Forward, Stream, Form, Ends, Scale, Ahead>{plan, ends, count, scale, ahead, work}.run_radix();
}

// What waits for memory has the time to multiply by one.
template <bool Forward, class Form, class Real>
void complex_lines(const LaneLinePlan<Real>& plan, const LaneLines<Real>& lines, Real* work) {
  const ComplexEnds<Form> ends{lines};
  if (lines.stream) return all_lines<Forward, true, Form>(plan, ends, lines.count, lines.scale, lines.ahead, work);
  lines.scale == 1 && lines.ahead == 0
      ? all_lines<Forward, false, Form>(plan, ends, lines.count, Unscaled{}, NoneAhead{}, work)
      : all_lines<Forward, false, Form>(plan, ends, lines.count, lines.scale, lines.ahead, work);
}

// Calls action.run<Form>() for the form of a plan.
template <class Real, class Action>
WEFT_INLINE void dispatch_form(const LaneLinePlan<Real>& plan, const Action& action) {
  if constexpr (may_interleave_lines) {
    if (plan.form == LaneLineForm::interleaved) return action.template run<InterleavedLines<Real>>();
  }
  if (plan.form == LaneLineForm::paired) return action.template run<PairedLines<Real>>();
  action.template run<ApartLines<Real>>();
}

template <bool Forward, class Real>
struct ComplexLines {
  const LaneLinePlan<Real>& plan;
  const LaneLines<Real>& lines;
  Real* work;

  template <class Form>
  void run() const {
    complex_lines<Forward, Form>(plan, lines, work);
  }
};

template <bool Forward, class Real>
void c2c_lines(const LaneLinePlan<Real>& plan, const LaneLines<Real>& lines, Real* work) {
  dispatch_form(plan, ComplexLines<Forward, Real>{plan, lines, work});
}
