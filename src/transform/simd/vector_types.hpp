// Types of vectors of `vector_bytes`, and lists of lanes. Included by the file of each instruction set after its width.
#pragma once

#define WEFT_ALWAYS __attribute__((always_inline))  // a lambda that is inlined
#define WEFT_INLINE WEFT_ALWAYS inline
// GCC leaves register arrays in memory unless loops over them are unrolled by hand.
#define WEFT_UNROLL _Pragma("GCC unroll 16")

template <class Real, int Bytes = vector_bytes>
struct VectorOf {
  typedef Real Type __attribute__((vector_size(Bytes)));
  typedef Real Unaligned __attribute__((vector_size(Bytes), aligned(alignof(Real)), may_alias));
};
template <class Real>
using Vector = typename VectorOf<Real>::Type;
template <class Real>
constexpr int lanes_of = vector_bytes / int(sizeof(Real));

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
