// Complex lines that are contiguous in memory each, a few at a time. After a first stage of radix R, with neighbouring
// points in the lanes, a line of n points is R lines of n/R points whose modes k lie side by side. A transposition in
// registers puts these into the lanes, and their transforms store whole vectors where they belong. That is one
// transposition where lane blocks of contiguous lines take two, two sweeps over the block less, and fewer lines in the
// nearest cache. The steps of a line are those of a lane block, to the bit. Included by lane_table.hpp only, inside
// the namespace of one instruction set.
#pragma once

#include "lane_stages.hpp"

// Lines that fill a vector together, vectors that one line fills.
template <int R, class Real>
constexpr int lines_at_once = R < lanes_of<Real> ? lanes_of<Real> / R : 1;
template <int R, class Real>
constexpr int vectors_of_line = R > lanes_of<Real> ? R / lanes_of<Real> : 1;

// Points and modes do not lie in the lanes in their order, but so that shuffles within pairs of lanes take complex
// numbers apart and put them together.
template <class Real>
constexpr int in_lane(int lane) {
  return line_point_in_lane(lane, lanes_of<Real>);
}

// Modes R j .. of each of the lines; `first` is the place of the vector's modes among them.
template <int R, bool Stream, class Real, class Scale>
struct LineStore {
  Real *to, *other;
  Scale scale;
  int64_t first;

  LineStore of_vector(int v) const { return {to, other, scale, 2 * lanes_of<Real> * v}; }
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const { operator()(j, 0, a); }
  WEFT_INLINE void operator()(int64_t j, int64_t far, Lane<Real> a) const {
    constexpr int lanes = lanes_of<Real>;
    const Vector<Real> re = scaled(scale, a.re), im = scaled(scale, a.im);
    const Vector<Real> low = swapped_upper<1>(re, im, LaneIndices<Real>{});
    const Vector<Real> high = swapped_lower<1>(re, im, LaneIndices<Real>{});
    const int64_t row = 2 * R * far + first, place = 2 * R * j;
    put<Stream>(to + row + place, low);
    if constexpr (lines_at_once<R, Real> == 1) put<Stream>(to + row + lanes + place, high);
    if constexpr (lines_at_once<R, Real> == 2) put<Stream>(other + row + place, high);
  }
};

template <bool Forward, int R, class Real>
struct LineStages {
  static constexpr int lanes = lanes_of<Real>, lines = lines_at_once<R, Real>, vectors = vectors_of_line<R, Real>;
  static constexpr int rows = lines * R;

  const LaneLinePlan<Real>& plan;
  std::ptrdiff_t ahead;

  // Points first .. of the lines, lanes of them, through the first stage: row r is mode r, behind those of lines
  // before. `w` are its twiddle factors, `step` the reals from one point of a butterfly to the next.
  WEFT_INLINE void first_stage_at(const Real* const* from, int64_t first, const Vector<Real>* w, int64_t step,
                                  std::ptrdiff_t next, Vector<Real>* re, Vector<Real>* im) const {
    if (next != 0) {
      for (int line = 0; line < lines; line++)
        for (int r = 0; r < R; r++) fetch<2, false>(from[line] + 2 * first + next + r * step);
    }
    WEFT_UNROLL
    for (int line = 0; line < lines; line++) {
      Lane<Real> x[R];
      WEFT_UNROLL
      for (int r = 0; r < R; r++) {
        const Real* p = from[line] + 2 * first + r * step;
        const Vector<Real> low = load_unaligned(p), high = load_unaligned(p + lanes);
        x[r] = {swapped_upper<1>(low, high, LaneIndices<Real>{}), swapped_lower<1>(low, high, LaneIndices<Real>{})};
      }
      butterfly<Forward, R>(x);
      WEFT_UNROLL
      for (int r = 1; r < R; r++) x[r] = turned<Forward>(x[r], w[2 * r - 2], w[2 * r - 1]);
      WEFT_UNROLL
      for (int r = 0; r < R; r++) {
        re[line * R + r] = x[r].re;
        im[line * R + r] = x[r].im;
      }
    }
  }

  // Lanes rows become the elements of a block.
  template <int Part>
  WEFT_INLINE void put_transposed(const Vector<Real>* from, Lane<Real>* work) const {
    Vector<Real> square[lanes];
    Real* to[lanes];
    WEFT_UNROLL
    for (int row = 0; row < lanes; row++) {
      square[row] = from[in_lane<Real>(row)];
      to[row] = reinterpret_cast<Real*>(work + in_lane<Real>(row)) + Part * lanes;
    }
    // Whole vectors, which are soon to be loaded: halves of them would have to reach the cache first.
    if constexpr (has_cheap_halves) {
      transpose_elements<1, Real>(square);
      WEFT_UNROLL
      for (int row = 0; row < lanes; row++) put<false>(to[row], square[row]);
    } else {
      store_rows<false>(to, lanes, 0, square);
    }
  }

  // Lines of the square of as many points as there are lanes never leave the registers.
  template <class Store>
  WEFT_INLINE void run_square(const Real* const* from, Store store) const {
    Vector<Real> re[rows], im[rows], square[2][lanes];
    first_stage_at(from, 0, rows_of(plan.twiddles), 2 * plan.rest.n, ahead, re, im);
    WEFT_UNROLL
    for (int row = 0; row < lanes; row++) {
      square[0][row] = re[in_lane<Real>(row)];
      square[1][row] = im[in_lane<Real>(row)];
    }
    transpose_elements<1, Real>(square[0]);
    transpose_elements<1, Real>(square[1]);
    Lane<Real> x[lanes];
    WEFT_UNROLL
    for (int row = 0; row < lanes; row++) x[in_lane<Real>(row)] = {square[0][row], square[1][row]};
    butterfly<Forward, lanes, true>(x);
    WEFT_UNROLL
    for (int j = 0; j < lanes; j++) store(j, x[j]);
  }

  // The last stage of the `vectors` blocks that the first stage leaves.
  template <class Store>
  struct AllLastStages {
    const LanePlan<Real>& rest;
    Lane<Real>* work;
    Store store;

    template <int Last>
    WEFT_INLINE void run() const {
      Nothing next;
      for (int v = 0; v < vectors; v++)
        LastStage<Forward, Real, BlockWork<Real>, Store, NoLimit, Nothing>{
            rest, {work + v * rest.n}, store.of_vector(v), 0, rest.n, NoLimit{}, next}
            .template run<Last, false>();
    }
  };

  // These blocks together where they fit into the nearest cache.
  template <bool Stream, class Scale>
  void run_rest(Real* const* to, Scale scale, Lane<Real>* work) const {
    const LanePlan<Real>& rest = plan.rest;
    using Store = LineStore<R, Stream, Real, Scale>;
    const Store store{to[0], to[lines - 1], scale, 0};
    if (part_points(rest) == rest.n) {
      const BlockWork<Real> block{work};
      Nothing next;
      for (int v = 0; v < vectors && rest.stages > 1; v++) {
        Lane<Real>* part = work + v * rest.n;
        first_stage<Forward>(rest, BlockLoad<Real>{part}, BlockWork<Real>{part}, every_point, next);
      }
      if (rest.stages > 2) middle_stages<Forward>(rest, block, 0, vectors * rest.n, next);
      return dispatch(rest.stage[rest.stages - 1].radix, AllLastStages<Store>{rest, work, store});
    }
    for (int v = 0; v < vectors; v++, work += rest.n)
      run_stages<Forward>(rest, BlockLoad<Real>{work}, BlockWork<Real>{work}, store.of_vector(v), LaneRange{});
  }

  // The last of the points are done twice where the lanes do not divide them.
  template <bool Stream, class Scale>
  WEFT_INLINE void run_block(const Real* const* from, Real* const* to, Scale scale, Lane<Real>* work) const {
    // What is stored may be anything to the compiler, so that it would load all of the plan again and again.
    const int64_t n = plan.rest.n;
    const std::ptrdiff_t next = ahead;
    const Vector<Real>* w = rows_of(plan.twiddles);
    for (int64_t first = 0; first < n; first += lanes, w += 2 * (R - 1)) {
      const int64_t begin = first + lanes <= n ? first : n - lanes;
      Vector<Real> re[rows], im[rows];
      first_stage_at(from, begin, w, 2 * n, next, re, im);
      WEFT_UNROLL
      for (int v = 0; v < vectors; v++) {
        put_transposed<0>(re + v * lanes, work + v * n + begin);
        put_transposed<1>(im + v * lanes, work + v * n + begin);
      }
    }
    run_rest<Stream>(to, scale, work);
  }

  // One loop for all lines: a call for each would cost as much as a third of a short one. `Ends` says where complex
  // lines come from and go to, and what else is done before and after.
  template <bool Stream, class Ends, class Scale>
  void run(const Ends& ends, int count, Scale scale, Lane<Real>* work) const {
    const bool square = R == lanes && plan.rest.n == lanes;
    for (int l = 0; l < count; l += lines) {
      const int which[] = {l, l + lines <= count ? l + lines - 1 : l};
      const Real* from[] = {ends.from(which[0], 0), ends.from(which[1], lines - 1)};
      Real* to[] = {ends.to(which[0], 0), ends.to(which[1], lines - 1)};
      for (int i = 0; i < lines; i++) ends.before(which[i], i);
      if constexpr (R == lanes) {
        if (square) run_square(from, LineStore<R, Stream, Real, Scale>{to[0], to[0], scale, 0});
      }
      if (!square) run_block<Stream>(from, to, scale, work);
      for (int i = 0; i < lines; i++) ends.after(which[i], i);
    }
  }
};

// A few of `count` lines at once: `line` is one of all, `i` its place among the few.
template <class Real>
struct ComplexEnds {
  const LaneLines<Real>& lines;
  WEFT_INLINE const Real* from(int line, int) const { return lines.from[line]; }
  WEFT_INLINE Real* to(int line, int) const { return lines.to[line]; }
  WEFT_INLINE void before(int, int) const {}
  WEFT_INLINE void after(int, int) const {}
};

template <bool Forward, bool Stream, class Real, class Ends, class Scale>
struct AllLines {
  const LaneLinePlan<Real>& plan;
  const Ends& ends;
  int count;
  Scale scale;
  std::ptrdiff_t ahead;
  Real* work;

  template <int R>
  WEFT_INLINE void run() const {
    if constexpr (lines_at_once<R, Real> <= 2)
      LineStages<Forward, R, Real>{plan, ahead}.template run<Stream>(ends, count, scale,
                                                                     reinterpret_cast<Lane<Real>*>(work));
  }
  void run_radix() const {
    if (plan.radix == 2) return run<2>();
    if (plan.radix == 4) return run<4>();
    run<8>();
  }
};

template <bool Forward, bool Stream, class Real, class Ends, class Scale>
void all_lines(const LaneLinePlan<Real>& plan, const Ends& ends, int count, Scale scale, std::ptrdiff_t ahead,
               Real* work) {
  AllLines<Forward, Stream, Real, Ends, Scale>{plan, ends, count, scale, ahead, work}.run_radix();
}

template <bool Forward, class Real>
void c2c_lines(const LaneLinePlan<Real>& plan, const LaneLines<Real>& lines, Real* work) {
  const ComplexEnds<Real> ends{lines};
  if (lines.stream) return all_lines<Forward, true>(plan, ends, lines.count, lines.scale, lines.ahead, work);
  lines.scale == 1 ? all_lines<Forward, false>(plan, ends, lines.count, Unscaled{}, lines.ahead, work)
                   : all_lines<Forward, false>(plan, ends, lines.count, lines.scale, lines.ahead, work);
}
