// Where transforms take their points from, work on them and leave their modes: a lane block or neighbouring lines in
// memory. Included by lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_butterfly.hpp"
#include "lane_copy.hpp"

// Where the points of a transform come from, are worked on and go to: a lane block, or neighbouring lines in memory,
// where element j of all lines is one stretch. Work in memory keeps the form of a block, parts one behind the other.
template <class Real>
struct BlockLoad {
  const Lane<Real>* block;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const { return block[j]; }
};

template <class Real>
struct BlockStore {
  Lane<Real>* block;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const { block[j] = a; }
  WEFT_INLINE void operator()(int64_t j, int64_t far, Lane<Real> a) const { (block + far)[j] = a; }
};

// Stores element j + far. A store that takes both apart lets what does not change from one butterfly to the next be
// computed once.
template <class Store, class Real>
WEFT_INLINE void put_result(const Store& store, int64_t j, int64_t far, Lane<Real> a) {
  if constexpr (requires { store(j, far, a); }) {
    store(j, far, a);
  } else {
    store(j + far, a);
  }
}

template <class Real>
struct BlockWork {
  Lane<Real>* block;
  WEFT_INLINE Lane<Real> get(int64_t j) const { return block[j]; }
  WEFT_INLINE void put(int64_t j, Lane<Real> a) const { block[j] = a; }
};

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

template <bool Stream, class Real, bool Paired = false>
struct PointStore {
  LanePlaces<Real> places;
  Real scale;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const { operator()(j, 0, a); }
  WEFT_INLINE void operator()(int64_t j, int64_t far, Lane<Real> a) const {
    Real* p = (places.at + far)[j] + places.shift;
    if (!Stream && places.ahead != 0) fetch<2, true>(p + places.ahead);
    const Vector<Real> parts[2] = {scale * a.re, scale * a.im};
    join_parts<2, Stream, Paired>(p, parts, 1);
  }
};
