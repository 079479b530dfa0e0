// Where transforms take their points from, work on them and leave their modes: a lane block or neighbouring lines in
// memory. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_butterfly.hpp"
#include "lane_copy.hpp"

// Where the points of a transform come from, are worked on and go to: a lane block, or neighbouring lines in memory,
// where element j of all lines is one stretch. Work in memory keeps the form of a block, parts one behind the other;
// where vectors are cache lines, half of the lines may be worked on as they lie in memory instead (lane_points.hpp).
template <class Point>
struct LoadOf {
  const Point* block;
  WEFT_INLINE Point operator()(int64_t j) const { return block[j]; }
};
template <class Real>
using BlockLoad = LoadOf<Lane<Real>>;

template <class Real>
Lane<Real>* lanes_in(Real* block) {
  return reinterpret_cast<Lane<Real>*>(block);
}

template <class Real>
struct BlockStore {
  Lane<Real>* block;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const { block[j] = a; }
  WEFT_INLINE void operator()(int64_t j, int64_t far, Lane<Real> a) const { (block + far)[j] = a; }
};

// Stores element j + far. A store that takes both apart lets what does not change from one butterfly to the next be
// computed once.
template <class Store, class Point>
WEFT_INLINE void put_result(const Store& store, int64_t j, int64_t far, Point a) {
  if constexpr (requires { store(j, far, a); }) {
    store(j, far, a);
  } else {
    store(j + far, a);
  }
}

// Points that a stage finds in a place to work in.
template <class Work>
using PointOf = decltype(Work{}.get(0));

template <class Point>
struct WorkOf {
  Point* block;
  WEFT_INLINE Point get(int64_t j) const { return block[j]; }
  WEFT_INLINE void put(int64_t j, Point a) const { block[j] = a; }
};
template <class Real>
using BlockWork = WorkOf<Lane<Real>>;
template <class Real>
using InterleavedWork = WorkOf<Interleaved<Real>>;
template <class Work>
constexpr bool is_interleaved = false;
template <class Real>
constexpr bool is_interleaved<InterleavedWork<Real>> = true;

template <class Real>
struct PointWork {
  LanePlaces<Real> places;
  WEFT_INLINE Lane<Real> get(int64_t j) const {
    const Real* p = places.at[j] + places.shift;
    return {load_unaligned(p), load_unaligned(p + lanes_of<Real>)};
  }
  WEFT_INLINE void put(int64_t j, Lane<Real> a) const {
    Real* p = places.at[j] + places.shift;
    store_unaligned(p, a.re);
    store_unaligned(p + lanes_of<Real>, a.im);
  }
};

// `Fetching` what lies ahead of each point as it is loaded.
template <class Real, bool Paired = false, bool Fetching = true>
struct PointLoad {
  LanePlaces<Real> places;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const {
    const Real* p = places.at[j] + places.shift;
    if (Fetching && places.ahead != 0) fetch<2, false>(p + places.ahead);
    Vector<Real> parts[2];
    split_parts<2, Paired>(p, parts, 1);
    return {parts[0], parts[1]};
  }
  // Where points are cache lines. Halves of lines would be fetched twice, for nothing.
  WEFT_INLINE void fetch_near(int64_t j) const requires(sizeof(Lane<Real>) == cache_line_bytes) {
    __builtin_prefetch(places.at[j] + places.shift);
  }
};

// What is stored Unscaled has nothing fetched ahead of it.
template <class Scale>
constexpr bool fetches_stores = true;
template <>
constexpr bool fetches_stores<Unscaled> = false;

template <bool Stream, class Real, bool Paired = false, class Scale = Real>
struct PointStore {
  LanePlaces<Real> places;
  Scale scale;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const { operator()(j, 0, a); }
  WEFT_INLINE void operator()(int64_t j, int64_t far, Lane<Real> a) const {
    Real* p = (places.at + far)[j] + places.shift;
    if (!Stream && fetches_stores<Scale> && places.ahead != 0) fetch<2, true>(p + places.ahead);
    const Vector<Real> parts[2] = {scaled(scale, a.re), scaled(scale, a.im)};
    join_parts<2, Stream, Paired>(p, parts, 1);
  }
};

// The same for points of half as many lines, which fill a vector as they lie in memory.
template <class Real, bool Fetching>
struct InterleavedLoad {
  LanePlaces<Real> places;
  WEFT_INLINE Interleaved<Real> operator()(int64_t j) const {
    const Real* p = places.at[j] + places.shift;
    if (Fetching && places.ahead != 0) fetch<1, false>(p + places.ahead);
    return {load_unaligned(p)};
  }
  WEFT_INLINE void fetch_near(int64_t j) const { __builtin_prefetch(places.at[j] + places.shift); }
};

template <class Real, class Scale>
struct InterleavedStore {
  LanePlaces<Real> places;
  Scale scale;
  WEFT_INLINE void operator()(int64_t j, Interleaved<Real> a) const { operator()(j, 0, a); }
  WEFT_INLINE void operator()(int64_t j, int64_t far, Interleaved<Real> a) const {
    store_unaligned((places.at + far)[j] + places.shift, scaled(scale, a.v));
  }
};

// Points and modes in a cache: what transforms of these have no need of is left out, 3 to 10 % of their time.
template <class Real>
bool is_near(const LanePoints<Real>& points) {
  return !points.stream && points.scale == 1 && points.from.ahead == 0 && points.to.ahead == 0;
}
