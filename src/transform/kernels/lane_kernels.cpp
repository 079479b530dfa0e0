// The lane kernels, compiled once for each instruction set (WEFT_ISA = avx512, avx2, baseline): loads and stores of
// lane blocks, and self-sorting transforms of L lines at once (decimation in frequency, in place but for the last
// stage, which stores every result where it belongs). Nothing here may instantiate a template or an inline function
// that other files share: the linker could pick the copy that only newer processors can run.
#include "lane_kernels.hpp"

#if defined(__AVX512F__)
#define WEFT_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define WEFT_VECTOR_BYTES 32
#else
#define WEFT_VECTOR_BYTES 16
#endif

namespace weft::WEFT_ISA {

namespace {

#include "lane_butterfly.hpp"

using std::int64_t;

// --- loads and stores --------------------------------------------------------------------------------------------

template <class Real>
Vector<Real>* rows_of(Real* block) {
  return reinterpret_cast<Vector<Real>*>(block);
}
template <class Real>
const Vector<Real>* rows_of(const Real* block) {
  return reinterpret_cast<const Vector<Real>*>(block);
}

// One point of L neighbouring lines, or L points of one line, in memory: parts[0] the real parts, parts[1] the
// imaginary.
template <int Width, class Real>
WEFT_INLINE void split_parts(const Real* from, Vector<Real>* parts, int stride) {
  parts[0] = load_unaligned(from);
  if constexpr (Width == 2) {
    const Vector<Real> a = parts[0], b = load_unaligned(from + lanes_of<Real>);
    parts[0] = pick_even(a, b, LaneIndices<Real>{});
    parts[stride] = pick_odd(a, b, LaneIndices<Real>{});
  }
}

template <int Width, bool Stream, class Real>
WEFT_INLINE void join_parts(Real* to, const Vector<Real>* parts, int stride) {
  if constexpr (Width == 1) {
    put<Stream>(to, parts[0]);
  } else {
    put<Stream>(to, interleave_low(parts[0], parts[stride], LaneIndices<Real>{}));
    put<Stream>(to + lanes_of<Real>, interleave_high(parts[0], parts[stride], LaneIndices<Real>{}));
  }
}

// The neighbours of these lines come next, and no hardware prefetcher follows such strides. Reading past the end is
// harmless: a prefetch never faults.
template <int Width, bool Write, class Real>
WEFT_INLINE void prefetch_next(const Real* p) {
  constexpr int cache_line = 64 / int(sizeof(Real));
  for (int i = 0; i < Width * lanes_of<Real>; i += cache_line)
    __builtin_prefetch(p + Width * lanes_of<Real> + i, Write ? 1 : 0, 2);
}

// Neighbouring lines: a point of all lines is one stretch of memory.
template <int Width, class Real>
int64_t load_adjacent(const LineCopy<Real>& copy, Real* block) {
  const Real* from = copy.lines[0];
  Vector<Real>* to = rows_of(block) + copy.first * Width;
  for (int64_t j = 0; j < copy.count; j++) {
    prefetch_next<Width, false>(from + j * copy.step);
    split_parts<Width>(from + j * copy.step, to + j * Width, 1);
  }
  return copy.count;
}

template <int Width, bool Stream, class Real>
int64_t store_adjacent(const LineCopy<Real>& copy, const Real* block, Real scale) {
  Real* to = copy.lines[0];
  const Vector<Real>* from = rows_of(block) + copy.first * Width;
  for (int64_t j = 0; j < copy.count; j++) {
    Vector<Real> parts[Width];
    WEFT_UNROLL
    for (int part = 0; part < Width; part++) parts[part] = scale * from[j * Width + part];
    if constexpr (!Stream) prefetch_next<Width, true>(to + j * copy.step);
    join_parts<Width, Stream>(to + j * copy.step, parts, 1);
  }
  return copy.count;
}

// Lines that are contiguous each: L points of L lines are transposed in registers. Returns the number of points done.
template <int Width, class Real>
int64_t load_transposed(const LineCopy<Real>& copy, Real* block) {
  constexpr int lanes = lanes_of<Real>;
  Vector<Real>* to = rows_of(block) + copy.first * Width;
  int64_t j = 0;
  for (; j + lanes <= copy.count; j += lanes) {
    Vector<Real> parts[Width * lanes];
    WEFT_UNROLL
    for (int l = 0; l < lanes; l++) split_parts<Width>(copy.lines[l] + j * Width, parts + l, lanes);
    WEFT_UNROLL
    for (int part = 0; part < Width; part++) transpose<Real>(parts + part * lanes);
    WEFT_UNROLL
    for (int l = 0; l < lanes; l++) WEFT_UNROLL
    for (int part = 0; part < Width; part++) to[(j + l) * Width + part] = parts[part * lanes + l];
  }
  return j;
}

template <int Width, bool Stream, class Real>
int64_t store_transposed(const LineCopy<Real>& copy, const Real* block, Real scale) {
  constexpr int lanes = lanes_of<Real>;
  const Vector<Real>* from = rows_of(block) + copy.first * Width;
  int64_t j = 0;
  for (; j + lanes <= copy.count; j += lanes) {
    Vector<Real> parts[Width * lanes];
    WEFT_UNROLL
    for (int l = 0; l < lanes; l++) WEFT_UNROLL
    for (int part = 0; part < Width; part++) parts[part * lanes + l] = scale * from[(j + l) * Width + part];
    WEFT_UNROLL
    for (int part = 0; part < Width; part++) transpose<Real>(parts + part * lanes);
    WEFT_UNROLL
    for (int l = 0; l < lanes; l++)
      if (l < copy.used) join_parts<Width, Stream>(copy.lines[l] + j * Width, parts + l, lanes);
  }
  return j;
}

template <int Width, class Real>
void load_lines(const LineCopy<Real>& copy, Real* block) {
  constexpr int lanes = lanes_of<Real>;
  const int64_t done = copy.adjacent        ? load_adjacent<Width>(copy, block)
                       : copy.step == Width ? load_transposed<Width>(copy, block)
                                            : 0;
  for (int64_t j = done; j < copy.count; j++) {
    Real* to = block + (copy.first + j) * Width * lanes;
    for (int l = 0; l < copy.used; l++)
      for (int part = 0; part < Width; part++) to[part * lanes + l] = copy.lines[l][j * copy.step + part];
  }
}

// The fast part of a store; returns the number of points done.
template <int Width, bool Stream, class Real>
int64_t store_whole(const LineCopy<Real>& copy, const Real* block, Real scale) {
  if (copy.adjacent) return store_adjacent<Width, Stream>(copy, block, scale);
  return copy.step == Width ? store_transposed<Width, Stream>(copy, block, scale) : 0;
}

template <class Real>
bool can_stream(const LineCopy<Real>& copy) {
  if (!copy.stream) return false;
  if (copy.adjacent) return is_aligned(copy.lines[0], copy.step);
  bool aligned = true;
  for (int l = 0; l < copy.used; l++) aligned = aligned && is_aligned(copy.lines[l], 0);
  return aligned;
}

template <int Width, class Real>
void store_lines(const LineCopy<Real>& copy, const Real* block, Real scale) {
  constexpr int lanes = lanes_of<Real>;
  const int64_t done =
      can_stream(copy) ? store_whole<Width, true>(copy, block, scale) : store_whole<Width, false>(copy, block, scale);
  for (int64_t j = done; j < copy.count; j++) {
    const Real* from = block + (copy.first + j) * Width * lanes;
    for (int l = 0; l < copy.used; l++)
      for (int part = 0; part < Width; part++) copy.lines[l][j * copy.step + part] = scale * from[part * lanes + l];
  }
}

void fence() {
#if defined(__SSE2__)
  __builtin_ia32_sfence();
#endif
}

template <class Real>
void load(const LineCopy<Real>& copy, Real* block) {
  copy.width == 1 ? load_lines<1>(copy, block) : load_lines<2>(copy, block);
}

template <class Real>
void store(const LineCopy<Real>& copy, const Real* block, Real scale) {
  copy.width == 1 ? store_lines<1>(copy, block, scale) : store_lines<2>(copy, block, scale);
}

template <class Real>
void multiply(Real* block, const Real* factor, int64_t n, int width) {
  Vector<Real>* to = rows_of(block);
  const Vector<Real>* by = rows_of(factor);
  for (int64_t j = 0; j < n; j++)
    for (int part = 0; part < width; part++) to[j * width + part] *= by[j];
}

// --- transforms --------------------------------------------------------------------------------------------------

// Calls action.run<R>() for the radix of a stage.
template <class Action>
WEFT_INLINE void dispatch(int radix, Action action) {
  switch (radix) {
    case 2:
      return action.template run<2>();
    case 3:
      return action.template run<3>();
    case 4:
      return action.template run<4>();
    case 5:
      return action.template run<5>();
    case 7:
      return action.template run<7>();
    case 8:
      return action.template run<8>();
    case 11:
      return action.template run<11>();
    case 13:
      return action.template run<13>();
    default:
      return;
  }
}

template <class Real>
struct BlockLoad {
  const Lane<Real>* block;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const { return block[j]; }
};

template <class Real>
struct PointLoad {
  const Real* const* from;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const {
    prefetch_next<2, false>(from[j]);
    Vector<Real> parts[2];
    split_parts<2>(from[j], parts, 1);
    return {parts[0], parts[1]};
  }
};

template <class Real>
struct BlockStore {
  Lane<Real>* block;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const { block[j] = a; }
};

template <bool Stream, class Real>
struct PointStore {
  Real* const* to;
  Real scale;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const {
    if constexpr (!Stream) prefetch_next<2, true>(to[j]);
    const Vector<Real> parts[2] = {scale * a.re, scale * a.im};
    join_parts<2, Stream>(to[j], parts, 1);
  }
};

template <bool Forward, class Real, class Load>
struct FirstStage {
  const LanePlan<Real>& plan;
  Load load;
  Lane<Real>* work;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t count = plan.stage[0].count;
    for (int64_t p = 0; p < count; p++) {
      const Real* w = plan.twiddles + p * (R - 1) * 2;
      Lane<Real> x[R];
      WEFT_UNROLL
      for (int j = 0; j < R; j++) x[j] = load(p + count * j);
      butterfly<Forward, R>(x);
      work[p] = x[0];
      WEFT_UNROLL
      for (int j = 1; j < R; j++) work[p + count * j] = twiddle<Forward>(x[j], w + 2 * (j - 1));
    }
  }
};

template <bool Forward, class Real>
struct MiddleStage {
  const LanePlan<Real>& plan;
  const LaneStage& stage;
  Lane<Real>* work;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t count = stage.count;
    for (int64_t p = 0; p < count; p++) {
      const Real* w = plan.twiddles + stage.twiddles + p * (R - 1) * 2;
      for (Lane<Real>* place = work + p; place < work + plan.n; place += stage.length) {
        Lane<Real> x[R];
        WEFT_UNROLL
        for (int j = 0; j < R; j++) x[j] = place[count * j];
        butterfly<Forward, R>(x);
        place[0] = x[0];
        WEFT_UNROLL
        for (int j = 1; j < R; j++) place[count * j] = twiddle<Forward>(x[j], w + 2 * (j - 1));
      }
    }
  }
};

template <bool Forward, class Real, class Store>
struct LastStage {
  const LanePlan<Real>& plan;
  const Lane<Real>* work;
  Store store;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t blocks = plan.n / R;
    for (int64_t block = 0; block < blocks; block++) {
      Lane<Real> x[R];
      WEFT_UNROLL
      for (int j = 0; j < R; j++) x[j] = work[block * R + j];
      butterfly<Forward, R>(x);
      const int64_t mode = plan.order[block];
      WEFT_UNROLL
      for (int j = 0; j < R; j++) store(mode + blocks * j, x[j]);
    }
  }
};

template <bool Forward, class Real, class Load>
void first_stage(const LanePlan<Real>& plan, Load load, Lane<Real>* work) {
  dispatch(plan.stage[0].radix, FirstStage<Forward, Real, Load>{plan, load, work});
}

// A single point has no stage; its store is that of a transform of length 1.
template <bool Forward, class Real, class Store>
void last_stage(const LanePlan<Real>& plan, const Lane<Real>* work, Store store) {
  if (plan.n == 1) return store(0, work[0]);
  dispatch(plan.stage[plan.stages - 1].radix, LastStage<Forward, Real, Store>{plan, work, store});
}

template <bool Forward, class Real>
void c2c(const LanePlan<Real>& plan, const LanePoints<Real>& points, Real* in, Real* out) {
  auto* work = reinterpret_cast<Lane<Real>*>(in);
  const int last = plan.stages - 1;
  if (points.from != nullptr && last < 1) {
    for (int64_t j = 0; j < plan.n; j++) work[j] = PointLoad<Real>{points.from}(j);
  } else if (points.from != nullptr) {
    first_stage<Forward>(plan, PointLoad<Real>{points.from}, work);
  } else if (last >= 1) {
    first_stage<Forward>(plan, BlockLoad<Real>{work}, work);
  }
  for (int i = 1; i < last; i++) dispatch(plan.stage[i].radix, MiddleStage<Forward, Real>{plan, plan.stage[i], work});
  if (points.to == nullptr) {
    last_stage<Forward>(plan, work, BlockStore<Real>{reinterpret_cast<Lane<Real>*>(out)});
  } else if (points.stream) {
    last_stage<Forward>(plan, work, PointStore<true, Real>{points.to, points.scale});
  } else {
    last_stage<Forward>(plan, work, PointStore<false, Real>{points.to, points.scale});
  }
}

// The even points are the real parts and the odd points the imaginary parts of a complex line of n points; its modes
// k and n-k give the modes k and n-k of the real line.
template <class Real>
void r2c(const LanePlan<Real>& plan, Real* in, Real* out) {
  c2c<true>(plan, LanePoints<Real>{}, in, out);
  auto* z = reinterpret_cast<Lane<Real>*>(out);
  const int64_t n = plan.n;
  const Real half = Real(0.5);
  const Lane<Real> first = z[0];
  z[0] = {first.re + first.im, Vector<Real>{}};
  z[n] = {first.re - first.im, Vector<Real>{}};
  for (int64_t k = 1; k <= n / 2; k++) {
    const Lane<Real> a = z[k], b = z[n - k];
    const Real w[2] = {half * plan.split[2 * k], half * plan.split[2 * k + 1]};
    const Lane<Real> even = {half * (a.re + b.re), half * (a.im - b.im)};
    const Lane<Real> turned = twiddle<true>(Lane<Real>{a.im + b.im, b.re - a.re}, w);
    z[k] = {even.re + turned.re, even.im + turned.im};
    z[n - k] = {even.re - turned.re, turned.im - even.im};
  }
}

template <class Real>
void c2r(const LanePlan<Real>& plan, Real* in, Real* out) {
  auto* z = reinterpret_cast<Lane<Real>*>(in);
  const int64_t n = plan.n;
  const Vector<Real> first = z[0].re, last = z[n].re;
  z[0] = {first + last, first - last};
  for (int64_t k = 1; k <= n / 2; k++) {
    const Lane<Real> a = z[k], b = z[n - k];
    const Lane<Real> even = {a.re + b.re, a.im - b.im};
    const Lane<Real> turned = twiddle<false>(Lane<Real>{a.re - b.re, a.im + b.im}, plan.split + 2 * k);
    z[k] = {even.re - turned.im, even.im + turned.re};
    z[n - k] = {even.re + turned.im, turned.re - even.im};
  }
  c2c<false>(plan, LanePoints<Real>{}, in, out);
}

#define WEFT_TEXT_OF(name) #name
#define WEFT_TEXT(name) WEFT_TEXT_OF(name)

}  // namespace

template <class Real>
constexpr LaneKernels<Real> table() {
  return {WEFT_TEXT(WEFT_ISA), lanes_of<Real>,  load<Real>,       store<Real>, fence,
          multiply<Real>,      c2c<true, Real>, c2c<false, Real>, r2c<Real>,   c2r<Real>};
}

constexpr LaneKernels<double> kernels_double = table<double>();
constexpr LaneKernels<float> kernels_float = table<float>();

}  // namespace weft::WEFT_ISA
