// Vectors of L lanes: arithmetic comes from the compiler's vector extension, this adds the shuffles that turn lines in
// memory into lane blocks. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#if defined(__AVX512F__)
#define WEFT_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define WEFT_VECTOR_BYTES 32
#else
#define WEFT_VECTOR_BYTES 16
#endif

#define WEFT_INLINE __attribute__((always_inline)) inline
// GCC leaves register arrays in memory unless loops over them are unrolled by hand.
#define WEFT_UNROLL _Pragma("GCC unroll 16")

#if defined(__x86_64__) && !defined(__clang__)
typedef double Double8 __attribute__((vector_size(64)));
typedef double Double4 __attribute__((vector_size(32)));
typedef double Double2 __attribute__((vector_size(16)));
#endif

template <class Real>
struct VectorOf {
  typedef Real Type __attribute__((vector_size(WEFT_VECTOR_BYTES)));
  typedef Real Unaligned __attribute__((vector_size(WEFT_VECTOR_BYTES), aligned(alignof(Real)), may_alias));
};
template <class Real>
using Vector = typename VectorOf<Real>::Type;
template <class Real>
constexpr int lanes_of = WEFT_VECTOR_BYTES / int(sizeof(Real));

constexpr std::int64_t cache_line_bytes = 64;

template <class Real>
Vector<Real>* rows_of(Real* block) {
  return reinterpret_cast<Vector<Real>*>(block);
}
template <class Real>
const Vector<Real>* rows_of(const Real* block) {
  return reinterpret_cast<const Vector<Real>*>(block);
}

template <class Real>
WEFT_INLINE Vector<Real> load_unaligned(const Real* p) {
  return Vector<Real>(*reinterpret_cast<const typename VectorOf<Real>::Unaligned*>(p));
}
template <class Real>
WEFT_INLINE void store_unaligned(Real* p, Vector<Real> a) {
  *reinterpret_cast<typename VectorOf<Real>::Unaligned*>(p) = a;
}

// Whether every address p + j * step is that of a whole vector.
template <class Real>
WEFT_INLINE bool is_aligned(const Real* p, std::int64_t step) {
  constexpr std::int64_t bytes = WEFT_VECTOR_BYTES, size = sizeof(Real);
  return reinterpret_cast<std::intptr_t>(p) % bytes == 0 && step * size % bytes == 0;
}

// Stores past the cache where `Stream` is set and the processor can; p is aligned then.
template <bool Stream, class Real>
WEFT_INLINE void put(Real* p, Vector<Real> a) {
  if constexpr (!Stream) return store_unaligned(p, a);
#if defined(__clang__)
  __builtin_nontemporal_store(a, reinterpret_cast<Vector<Real>*>(p));
#elif WEFT_VECTOR_BYTES == 64
  __builtin_ia32_movntpd512(reinterpret_cast<double*>(p), reinterpret_cast<Double8>(a));
#elif WEFT_VECTOR_BYTES == 32
  __builtin_ia32_movntpd256(reinterpret_cast<double*>(p), reinterpret_cast<Double4>(a));
#elif defined(__SSE2__)
  __builtin_ia32_movntpd(reinterpret_cast<double*>(p), reinterpret_cast<Double2>(a));
#else
  store_unaligned(p, a);
#endif
}

template <int... I>
struct Indices {};
template <int N, int... I>
struct MakeIndices : MakeIndices<N - 1, N - 1, I...> {};
template <int... I>
struct MakeIndices<0, I...> {
  using Type = Indices<I...>;
};
template <class Real>
using LaneIndices = typename MakeIndices<lanes_of<Real>>::Type;

// In vectors of two registers' halves (AVX2) shuffles within the halves are cheap, those across them are not: what
// crosses them is done by exchanging whole halves.
constexpr bool has_cheap_halves = WEFT_VECTOR_BYTES == 32;

// half `Half` of a, then of b
template <int Half, class V, int... I>
WEFT_INLINE V same_halves(V a, V b, Indices<I...>) {
  constexpr int lanes = sizeof...(I), half = lanes / 2;
  return __builtin_shufflevector(a, b, (Half * half + I % half + (I < half ? 0 : lanes))...);
}
// a0 b0 a1 b1 .. of quarter `Quarter` of either half
template <int Quarter, class V, int... I>
WEFT_INLINE V interleave_in_halves(V a, V b, Indices<I...>) {
  constexpr int lanes = sizeof...(I), half = lanes / 2, quarter = Quarter * lanes / 4;
  return __builtin_shufflevector(a, b, (I / half * half + I % half / 2 + quarter + (I % 2 ? lanes : 0))...);
}
// within each half every second element of a, then of b, from element `First` on
template <int First, class V, int... I>
WEFT_INLINE V pick_in_halves(V a, V b, Indices<I...>) {
  constexpr int lanes = sizeof...(I), half = lanes / 2, quarter = lanes / 4;
  return __builtin_shufflevector(
      a, b, (I / half * half + I % half % quarter * 2 + First + (I % half < quarter ? 0 : lanes))...);
}

// a0 b0 a1 b1 ... : the lower and the upper half of it
template <class V, int... I>
WEFT_INLINE V interleave_low(V a, V b, Indices<I...> lanes) {
  if constexpr (has_cheap_halves)
    return same_halves<0>(interleave_in_halves<0>(a, b, lanes), interleave_in_halves<1>(a, b, lanes), lanes);
  return __builtin_shufflevector(a, b, (I % 2 ? int(sizeof...(I)) + I / 2 : I / 2)...);
}
template <class V, int... I>
WEFT_INLINE V interleave_high(V a, V b, Indices<I...> lanes) {
  if constexpr (has_cheap_halves)
    return same_halves<1>(interleave_in_halves<0>(a, b, lanes), interleave_in_halves<1>(a, b, lanes), lanes);
  return __builtin_shufflevector(a, b, (int(sizeof...(I)) / 2 + (I % 2 ? int(sizeof...(I)) + I / 2 : I / 2))...);
}
// every second element of a then b, from the first or from the second on
template <int First, class V, int... I>
WEFT_INLINE V pick(V a, V b, Indices<I...> lanes) {
  if constexpr (has_cheap_halves)
    return pick_in_halves<First>(same_halves<0>(a, b, lanes), same_halves<1>(a, b, lanes), lanes);
  return __builtin_shufflevector(a, b, (2 * I + First)...);
}

// Complex numbers of b then a, last one first, with the order of pairs that swapped_upper<1> and swapped_lower<1>
// leave: their real parts (Part 0) or imaginary parts, and back.
template <int Part, class V, int... I>
WEFT_INLINE V reversed_pick(V b, V a, Indices<I...>) {
  constexpr int lanes = sizeof...(I);
  return __builtin_shufflevector(b, a, ((I % 2 ? lanes : 0) + lanes - 2 - I / 2 * 2 + Part)...);
}
template <int Half, class V, int... I>
WEFT_INLINE V reversed_pairs(V re, V im, Indices<I...>) {
  constexpr int lanes = sizeof...(I);
  return __builtin_shufflevector(re, im, (lanes - 2 - I / 2 * 2 + Half + (I % 2 ? lanes : 0))...);
}

// Some shuffles of two vectors are one of a single vector, which leaves some lanes as another vector has them. GCC has
// a permutation by a table for them, which is as much work as two such shuffles (AMD Zen 4).
#if WEFT_VECTOR_BYTES == 64 && !defined(__clang__)
#define WEFT_MASKS_SHUFFLES 1
// Quarters A, B, C and D of a; those whose bit is set in Kept are as in `kept` instead.
template <int A, int B, int C, int D, int Kept, class V>
WEFT_INLINE V quarters(V a, V kept) {
  constexpr int made = ~((Kept & 1 ? 3 : 0) | (Kept & 2 ? 12 : 0) | (Kept & 4 ? 48 : 0) | (Kept & 8 ? 192 : 0)) & 255;
  const auto from = reinterpret_cast<Double8>(a);
  return reinterpret_cast<V>(__builtin_ia32_shuf_f64x2_mask(
      from, from, A | B << 2 | C << 4 | D << 6, reinterpret_cast<Double8>(kept), static_cast<unsigned char>(made)));
}
#else
#define WEFT_MASKS_SHUFFLES 0
#endif

// Two rows of a matrix of squares of `Size` reals: those off the diagonal change places.
template <int Size, class V, int... I>
WEFT_INLINE V swapped_upper(V a, V b, Indices<I...>) {
#if WEFT_MASKS_SHUFFLES
  if constexpr (Size * 4 == sizeof...(I)) return quarters<0, 0, 2, 2, 0b0101>(b, a);
  if constexpr (Size == 1 && sizeof...(I) == 16) return __builtin_ia32_movsldup512_mask(b, a, 0b1010101010101010);
#endif
  return __builtin_shufflevector(a, b, (I / Size % 2 ? int(sizeof...(I)) + I - Size : I)...);
}
template <int Size, class V, int... I>
WEFT_INLINE V swapped_lower(V a, V b, Indices<I...>) {
#if WEFT_MASKS_SHUFFLES
  if constexpr (Size * 4 == sizeof...(I)) return quarters<1, 1, 3, 3, 0b1010>(a, b);
  if constexpr (Size == 1 && sizeof...(I) == 16) return __builtin_ia32_movshdup512_mask(a, b, 0b0101010101010101);
#endif
  return __builtin_shufflevector(a, b, (I / Size % 2 ? int(sizeof...(I)) + I : I + Size)...);
}

// Transposes squares of `End` reals by `End` / `Width` rows, elements being of `Width` reals: squares of elements
// first, then squares of these.
template <int Width, int End, class Real, int Size = Width>
WEFT_INLINE void transpose_squares(Vector<Real>* rows) {
  if constexpr (Size < End) {
    constexpr int step = Size / Width;
    WEFT_UNROLL
    for (int i = 0; i < lanes_of<Real> / Width; i++) {
      if (i / step % 2 != 0) continue;
      const Vector<Real> a = rows[i], b = rows[i + step];
      rows[i] = swapped_upper<Size>(a, b, LaneIndices<Real>{});
      rows[i + step] = swapped_lower<Size>(a, b, LaneIndices<Real>{});
    }
    transpose_squares<Width, End, Real, 2 * Size>(rows);
  }
}

// Transposes the square of elements held in as many vectors as a vector has elements.
template <int Width, class Real>
WEFT_INLINE void transpose_elements(Vector<Real>* rows) {
  transpose_squares<Width, lanes_of<Real>, Real>(rows);
}

// Halves of vectors, where these are no smaller than a register.
constexpr bool has_halves = WEFT_VECTOR_BYTES > 16;
template <class Real>
struct HalfOf {
  typedef Real Type __attribute__((vector_size(WEFT_VECTOR_BYTES / 2)));
  typedef Real Unaligned __attribute__((vector_size(WEFT_VECTOR_BYTES / 2), aligned(alignof(Real)), may_alias));
};

template <class Half, class V, int... I>
WEFT_INLINE V joined(Half low, Half high, V, Indices<I...>) {
  return __builtin_shufflevector(low, high, I...);
}
template <int First, class V, int... I>
WEFT_INLINE auto half_of(V a, Indices<I...>) {
  return __builtin_shufflevector(a, a, (First + I)...);
}

// The first half of it at p, the second at q.
template <class Real>
WEFT_INLINE Vector<Real> load_halves(const Real* p, const Real* q) {
  using Half = typename HalfOf<Real>::Unaligned;
  using Type = typename HalfOf<Real>::Type;
  return joined(Type(*reinterpret_cast<const Half*>(p)), Type(*reinterpret_cast<const Half*>(q)), Vector<Real>{},
                LaneIndices<Real>{});
}
template <class Real>
WEFT_INLINE void store_halves(Real* p, Real* q, Vector<Real> a) {
  using Half = typename HalfOf<Real>::Unaligned;
  constexpr int half = lanes_of<Real> / 2;
  constexpr typename MakeIndices<half>::Type all{};
  *reinterpret_cast<Half*>(p) = half_of<0>(a, all);
#if defined(__AVX__) && WEFT_VECTOR_BYTES == 32 && !defined(__clang__)
  // GCC 12 would move the half to the front of another register first.
  using Type = typename HalfOf<Real>::Type;
  *reinterpret_cast<Half*>(q) = Type(__builtin_ia32_vextractf128_pd256(reinterpret_cast<Double4>(a), 1));
#else
  *reinterpret_cast<Half*>(q) = half_of<half>(a, all);
#endif
}
