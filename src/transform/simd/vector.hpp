// Vectors of L lanes. The compiler's vector extension provides arithmetic; this file adds the shuffles that turn lines
// in memory into lane blocks. Operations that an instruction set does in its own way are in its file in this folder,
// which announces them by macros. Included by the kernels only, inside the namespace of one instruction set.
#pragma once

#include WEFT_VECTORS  // the file of the instruction set, for example "avx2.hpp"

constexpr std::int64_t cache_line_bytes = 64;
constexpr bool fills_cache_line = vector_bytes == cache_line_bytes;

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

// The first `used` reals of a vector; other lanes are loaded as 0, and not stored.
template <class Real>
WEFT_INLINE Vector<Real> load_first(const Real* from, int used) {
  if (used == lanes_of<Real>) return load_unaligned(from);
  Vector<Real> part{};
  for (int i = 0; i < used; i++) part[i] = from[i];
  return part;
}
template <class Real>
WEFT_INLINE void store_first(Real* to, Vector<Real> a, int used) {
  if (used == lanes_of<Real>) return store_unaligned(to, a);
  for (int i = 0; i < used; i++) to[i] = a[i];
}

// Copies a number so that the compiler cannot combine several copies into a vector. A vector copy of numbers just
// written one by one waits until these reach the cache.
template <class Number>
WEFT_INLINE Number in_register(Number a) {
  asm("" : "+r"(a));
  return a;
}

// Whether every address p + j * step is aligned to a vector.
template <class Real>
WEFT_INLINE bool is_aligned(const Real* p, std::int64_t step) {
  constexpr std::int64_t bytes = vector_bytes, size = sizeof(Real);
  return reinterpret_cast<std::intptr_t>(p) % bytes == 0 && step * size % bytes == 0;
}

// 1 / x, and 0 for x = 0.
template <class Real>
WEFT_INLINE Vector<Real> inverse_or_zero(Vector<Real> x) {
  const Vector<Real> none{}, one = none + Real(1), divisor = x == none ? one : x;
  return x == none ? none : one / divisor;
}

// Stores a vector, with a streaming store to aligned p if `Stream` is set and the processor has one.
template <bool Stream, class Real>
WEFT_INLINE void put(Real* p, Vector<Real> a) {
  if constexpr (!Stream) return store_unaligned(p, a);
#if defined(__clang__)
  __builtin_nontemporal_store(a, reinterpret_cast<Vector<Real>*>(p));
#elif defined(WEFT_HAS_STREAMING_STORES)
  streaming_store<Real>(p, a);
#else
  store_unaligned(p, a);
#endif
}

// If only shuffles within halves are cheap, data cross halves by exchanges of whole halves alone.

// Half `Half` of a, then of b.
template <int Half, class V, int... I>
WEFT_INLINE V same_halves(V a, V b, Indices<I...>) {
  constexpr int lanes = sizeof...(I), half = lanes / 2;
  return __builtin_shufflevector(a, b, (Half * half + I % half + (I < half ? 0 : lanes))...);
}
// a0 b0 a1 b1 .. from quarter `Quarter` of either half.
template <int Quarter, class V, int... I>
WEFT_INLINE V interleave_in_halves(V a, V b, Indices<I...>) {
  constexpr int lanes = sizeof...(I), half = lanes / 2, quarter = Quarter * lanes / 4;
  return __builtin_shufflevector(a, b, (I / half * half + I % half / 2 + quarter + (I % 2 ? lanes : 0))...);
}
// Within each half every second element of a, then of b, from element `First` on.
template <int First, class V, int... I>
WEFT_INLINE V pick_in_halves(V a, V b, Indices<I...>) {
  constexpr int lanes = sizeof...(I), half = lanes / 2, quarter = lanes / 4;
  return __builtin_shufflevector(
      a, b, (I / half * half + I % half % quarter * 2 + First + (I % half < quarter ? 0 : lanes))...);
}

// The lower (upper) half of a0 b0 a1 b1 ..
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
// Every second element of a, then of b, from element `First` on.
template <int First, class V, int... I>
WEFT_INLINE V pick(V a, V b, Indices<I...> lanes) {
  if constexpr (has_cheap_halves)
    return pick_in_halves<First>(same_halves<0>(a, b, lanes), same_halves<1>(a, b, lanes), lanes);
  return __builtin_shufflevector(a, b, (2 * I + First)...);
}

// The first complex number of `from`, then those of `before` from the last one down.
template <class V, int... I>
WEFT_INLINE V mirrored(V before, V from, Indices<I...>) {
  constexpr int lanes = sizeof...(I);
  return __builtin_shufflevector(before, from, (I < 2 ? lanes + I : lanes - I / 2 * 2 + I % 2)...);
}

// The first half of a and one complex number more, then the rest of b.
template <class V, int... I>
WEFT_INLINE V first_half_of(V a, V b, Indices<I...>) {
  constexpr int lanes = sizeof...(I);
  return __builtin_shufflevector(a, b, (I < lanes / 2 + 2 ? I : lanes + I)...);
}

// Two rows of a matrix of squares of `Size` reals: exchanges the squares off the diagonal.
template <int Size, class V, int... I>
WEFT_INLINE V swapped_upper(V a, V b, Indices<I...>) {
  return __builtin_shufflevector(a, b, (I / Size % 2 ? int(sizeof...(I)) + I - Size : I)...);
}
template <int Size, class V, int... I>
WEFT_INLINE V swapped_lower(V a, V b, Indices<I...>) {
  return __builtin_shufflevector(a, b, (I / Size % 2 ? int(sizeof...(I)) + I : I + Size)...);
}

// Transposes blocks of `End` reals by `End` / `Width` rows, with elements of `Width` reals: first squares of elements,
// then squares of these.
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

// Transposes a square of elements of `Width` reals, in as many vectors as a vector has elements.
template <int Width, class Real>
WEFT_INLINE void transpose_elements(Vector<Real>* rows) {
  transpose_squares<Width, lanes_of<Real>, Real>(rows);
}

template <class Half, int... I>
WEFT_INLINE auto joined(Half low, Half high, Indices<I...>) {
  return __builtin_shufflevector(low, high, I...);
}
template <int First, class V, int... I>
WEFT_INLINE auto half_of(V a, Indices<I...>) {
  return __builtin_shufflevector(a, a, (First + I)...);
}

// Loads the first half of a vector from p, the second from q.
template <class Real>
WEFT_INLINE Vector<Real> load_halves(const Real* p, const Real* q) {
  using Half = VectorOf<Real, vector_bytes / 2>;
  return joined(typename Half::Type(*reinterpret_cast<const typename Half::Unaligned*>(p)),
                typename Half::Type(*reinterpret_cast<const typename Half::Unaligned*>(q)), LaneIndices<Real>{});
}
template <class Real>
WEFT_INLINE void store_halves(Real* p, Real* q, Vector<Real> a) {
  using Half = VectorOf<Real, vector_bytes / 2>;
  constexpr int half = lanes_of<Real> / 2;
  constexpr typename MakeIndices<half>::Type all{};
  *reinterpret_cast<typename Half::Unaligned*>(p) = half_of<0>(a, all);
#if defined(WEFT_TAKES_UPPER_HALF)
  *reinterpret_cast<typename Half::Unaligned*>(q) = upper_half<typename Half::Type>(a);
#else
  *reinterpret_cast<typename Half::Unaligned*>(q) = half_of<half>(a, all);
#endif
}

// Loads a number of two parts from each of `Count` lines, at `offset` reals from their beginnings.
template <int Count, class Real>
WEFT_INLINE auto gather_pairs(Real* const* lines, int64_t offset) {
  if constexpr (Count == 1) {
    using Pair = VectorOf<Real, 2 * sizeof(Real)>;
    return typename Pair::Type(*reinterpret_cast<const typename Pair::Unaligned*>(lines[0] + offset));
  } else {
    const auto low = gather_pairs<Count / 2, Real>(lines, offset);
    const auto high = gather_pairs<Count / 2, Real>(lines + Count / 2, offset);
    return joined(low, high, typename MakeIndices<2 * Count>::Type{});
  }
}
// Stores the numbers of gather_pairs() to the first `used` lines.
template <int Count, class Real, class V>
WEFT_INLINE void scatter_pairs(Real* const* lines, int64_t offset, int used, V a) {
  if constexpr (Count == 1) {
    if (used > 0) *reinterpret_cast<typename VectorOf<Real, 2 * sizeof(Real)>::Unaligned*>(lines[0] + offset) = a;
  } else {
    constexpr typename MakeIndices<Count>::Type half{};
    scatter_pairs<Count / 2, Real>(lines, offset, used, half_of<0>(a, half));
    scatter_pairs<Count / 2, Real>(lines + Count / 2, offset, used - Count / 2, half_of<Count>(a, half));
  }
}

// Exchanges the two lanes of each pair.
template <class V, int... I>
WEFT_INLINE V swapped_pairs(V a, Indices<I...>) {
  return __builtin_shufflevector(a, a, (I ^ 1)...);
}
// `even` and `odd` alternating.
template <class Real, int... I>
WEFT_INLINE Vector<Real> alternating(Real even, Real odd, Indices<I...>) {
  return Vector<Real>{(I % 2 == 0 ? even : odd)...};
}
// c + a b, or c - a b, fused.
template <bool Minus, class Real>
WEFT_INLINE Vector<Real> add_product(Vector<Real> c, Vector<Real> a, Vector<Real> b) {
#if defined(WEFT_FUSES_BY_NAME)
  return fused_add_product<Minus, Real>(c, a, b);
#else
  return Minus ? c - a * b : c + a * b;
#endif
}

// a b - c in even lanes and a b + c in odd lanes, fused.
template <class Real>
WEFT_INLINE Vector<Real> product_and_sums(Vector<Real> a, Vector<Real> b, Vector<Real> c) {
#if defined(WEFT_ALTERNATES_BY_NAME)
  return fused_product_and_sums<Real>(a, b, c);
#else
  return add_product<false, Real>(c * alternating<Real>(-1, 1, LaneIndices<Real>{}), a, b);
#endif
}

// Sums as fused multiply-adds by a one that the compiler cannot see through. Processors with adders as well as
// multipliers (AMD's) are bound by the adders, and do a butterfly faster if both share its sums. For other processors
// the work is the same, except where the registers have no room for the one.
#if defined(WEFT_FUSES_SUMS)
constexpr bool fuses_sums = true;
#else
constexpr bool fuses_sums = false;
#endif
template <class Real>
WEFT_INLINE Vector<Real> opaque_one() {
  Vector<Real> one = Vector<Real>{} + Real(1);
#if defined(WEFT_FUSES_SUMS)
  hide(one);
#endif
  return one;
}
