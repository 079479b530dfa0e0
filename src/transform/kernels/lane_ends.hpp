// Sources and destinations of transforms: a lane block, adjacent lines in memory, or contiguous lines. Included by
// lane_table.hpp only, inside the namespace of one instruction set.
#pragma once

#include "lane_butterfly.hpp"
#include "lane_prefetch.hpp"

// Order of the lanes of adjacent lines in memory: that of the lines, or the order that shuffles within pairs of lanes
// leave (split_parts).
enum class LaneOrder { in_order, shuffled };
enum class Stores { cached, streamed };

// The addresses of lines `reals` reals further on, as registers for a load or a store.
template <class Real>
WEFT_INLINE PointAddresses<Real> moved(const PointAddresses<Real>& from, int64_t reals = 0) {
  return {in_register(from.at), in_register(from.shift + reals), in_register(from.prefetch_distance),
          in_register(from.count), in_register(from.batch_step)};
}

// --- work in a block ---------------------------------------------------------------------------------------------

// Loads the points of a butterfly from a block, or stores them there; twiddled: times twiddle factors.
template <int R, class Point>
WEFT_INLINE void get_points(const Point* place, int64_t count, Point* x) {
  WEFT_UNROLL
  for (int j = 0; j < R; j++) x[j] = place[count * j];
}
template <int R, class Point>
WEFT_INLINE void put_points(Point* place, int64_t count, const Point* x) {
  WEFT_UNROLL
  for (int j = 0; j < R; j++) place[count * j] = x[j];
}
template <int R, class Real, class Point>
WEFT_INLINE void get_twiddled(const Point* place, int64_t count, const Real* w, Point* x) {
  x[0] = place[0];
  WEFT_UNROLL
  for (int j = 1; j < R; j++) x[j] = twiddle(place[count * j], w + 2 * (j - 1));
}
template <int R, class Real, class Point>
WEFT_INLINE void put_twiddled(Point* place, int64_t count, const Point* x, const Real* w) {
  place[0] = x[0];
  WEFT_UNROLL
  for (int j = 1; j < R; j++) place[count * j] = twiddle(x[j], w + 2 * (j - 1));
}

// --- loads -------------------------------------------------------------------------------------------------------

template <class Real>
Lane<Real>* lanes_in(Real* block) {
  return reinterpret_cast<Lane<Real>*>(block);
}

// Loads that support padding: points from some index on are zeros and not loaded. Loads of forward transforms do.
template <class Load>
constexpr bool may_be_padded = false;

// Loads from a lane block: number by number, since GCC would fuse other products of a butterfly with its sums if it
// copied a Lane as a whole, and bits would differ from those of other loads.
template <class Real>
struct BlockLoad {
  const Lane<Real>* block;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const { return {block[j].re, block[j].im}; }
};
// Whether a load takes the points of a block as they lie there.
template <class Load, class Point>
bool loads_from(const Load& load, const Point* block) {
  if constexpr (requires { load.block; }) return static_cast<const void*>(load.block) == block;
  return false;
}

// Loads complex points of adjacent lines.
template <class Real, LaneOrder Order, Numbers Which = Numbers::as_they_are>
struct PointLoad {
  PointAddresses<Real> addresses;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const {
    Vector<Real> parts[2];
    split_parts<2, Order == LaneOrder::shuffled>(addresses.at[j] + addresses.shift, parts, 1);
    return taken<Which>(Lane<Real>{parts[0], parts[1]});
  }
  WEFT_INLINE bool prefetches() const { return addresses.prefetch_distance != 0; }
  WEFT_INLINE void prefetch_next(int64_t j) const {
    prefetch_vectors<2, false>(addresses.at[j] + addresses.shift + addresses.prefetch_distance);
  }
};

// Loads points 2j and 2j + 1 of real lines as the real and imaginary parts of complex point j.
template <class Real>
struct RealPointLoad {
  PointAddresses<Real> addresses;
  WEFT_INLINE Lane<Real> operator()(int64_t j) const {
    return {load_unaligned(addresses.at[2 * j] + addresses.shift),
            load_unaligned(addresses.at[2 * j + 1] + addresses.shift)};
  }
  WEFT_INLINE bool prefetches() const { return addresses.prefetch_distance != 0; }
  WEFT_INLINE void prefetch_next(int64_t j) const {
    prefetch_vectors<1, false>(addresses.at[2 * j] + addresses.shift + addresses.prefetch_distance);
    prefetch_vectors<1, false>(addresses.at[2 * j + 1] + addresses.shift + addresses.prefetch_distance);
  }
};

template <class Real>
constexpr bool may_be_padded<BlockLoad<Real>> = true;
template <class Real, LaneOrder Order>
constexpr bool may_be_padded<PointLoad<Real, Order, Numbers::as_they_are>> = true;
template <class Real>
constexpr bool may_be_padded<RealPointLoad<Real>> = true;

// --- stores ------------------------------------------------------------------------------------------------------

// Stores result j + far. A store that takes both arguments separately computes the part that is common to all
// butterflies once.
template <class Store, class Point>
WEFT_INLINE void put_result(const Store& store, int64_t j, int64_t far, Point a) {
  if constexpr (requires { store.put(j, far, a); }) {
    store.put(j, far, a);
  } else {
    store(j + far, a);
  }
}
// Stores results j, j + far, ..
template <int Count, class Store, class Point>
WEFT_INLINE void put_results(const Store& store, int64_t j, int64_t far, const Point* x) {
  if constexpr (requires { store.prefetches(); }) {
    if (store.prefetches()) {
      WEFT_UNROLL
      for (int i = 0; i < Count; i++) store.prefetch_next(j, far * i);
    }
  }
  WEFT_UNROLL
  for (int i = 0; i < Count; i++) put_result(store, j, far * i, x[i]);
}

// Stores element j of a lane block.
template <class Real>
struct BlockStore {
  Lane<Real>* block;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const { put(j, 0, a); }
  WEFT_INLINE void put(int64_t j, int64_t far, Lane<Real> a) const { (block + far)[j] = a; }
};

// Conjugates the results of a transform that stay in a block, as stores to memory do.
template <class Real>
void conjugate_block(int64_t n, Lane<Real>* block) {
  const Scale<Real> scale = scale_of(Real(1), Numbers::conjugate);
  for (int64_t j = 0; j < n; j++) block[j] = scale(block[j]);
}

// Stores to memory multiply by `scale`, even by 1: a second form without the product has not been worth its code.
template <class Real, LaneOrder Order, Stores How>
struct PointStore {
  PointAddresses<Real> addresses;
  Scale<Real> scale;
  WEFT_INLINE void operator()(int64_t j, Lane<Real> a) const { put(j, 0, a); }
  WEFT_INLINE void put(int64_t j, int64_t far, Lane<Real> a) const {
    const Vector<Real> parts[2] = {a.re, a.im};
    join_parts<2, How == Stores::streamed, Order == LaneOrder::shuffled>((addresses.at + far)[j] + addresses.shift,
                                                                         parts, 1, scale);
  }
  // The destination of a streaming store need not be prefetched.
  WEFT_INLINE bool prefetches() const { return How == Stores::cached && addresses.prefetch_distance != 0; }
  WEFT_INLINE void prefetch_next(int64_t j, int64_t far) const {
    prefetch_vectors<2, true>((addresses.at + far)[j] + addresses.shift + addresses.prefetch_distance);
  }
  // Moves on by `reals` reals, to other lines of the same row.
  WEFT_INLINE void move(int64_t reals) { addresses.shift += reals; }
};

// Stores the parts of a complex point as two adjacent points of real lines.
template <class Real, Stores How>
struct RealPointStore {
  PointAddresses<Real> addresses;
  Scale<Real> scale;
  WEFT_INLINE void put(int64_t j, int64_t far, Lane<Real> a) const {
    Real* const* at = addresses.at + 2 * far;
    const Lane<Real> b = scale(a);
    weft::WEFT_ISA::put<How == Stores::streamed>(at[2 * j] + addresses.shift, b.re);
    weft::WEFT_ISA::put<How == Stores::streamed>(at[2 * j + 1] + addresses.shift, b.im);
  }
  WEFT_INLINE bool prefetches() const { return How == Stores::cached && addresses.prefetch_distance != 0; }
  WEFT_INLINE void prefetch_next(int64_t j, int64_t far) const {
    prefetch_vectors<1, true>((addresses.at + 2 * far)[2 * j] + addresses.shift + addresses.prefetch_distance);
    prefetch_vectors<1, true>((addresses.at + 2 * far)[2 * j + 1] + addresses.shift + addresses.prefetch_distance);
  }
};

// Stores element j of contiguous lines, j * step reals after the first. `second` is the distance in reals to the second
// half of a point: the next vector of the line, or the same place in another line.
template <class Point, Stores How, bool Halves>
struct LineStore;

template <class Real, Stores How>
struct LineStore<Lane<Real>, How, false> {
  Real* first;
  std::ptrdiff_t second;
  int64_t step;
  Scale<Real> scale;
  WEFT_INLINE void put(int64_t j, int64_t far, Lane<Real> a) const {
    constexpr LaneIndices<Real> lanes{};
    Real* p = first + far * step + j * step;
    weft::WEFT_ISA::put<How == Stores::streamed>(p, scale(swapped_upper<1>(a.re, a.im, lanes)));
    weft::WEFT_ISA::put<How == Stores::streamed>(p + second, scale(swapped_lower<1>(a.re, a.im, lanes)));
  }
};

template <class Real, Stores How, bool Halves>
struct LineStore<Interleaved<Real>, How, Halves> {
  Real* first;
  std::ptrdiff_t second;
  int64_t step;
  Scale<Real> scale;
  WEFT_INLINE void put(int64_t j, int64_t far, Interleaved<Real> a) const {
    const Vector<Real> v = scale(a.v);
    Real* p = first + far * step + j * step;
    if constexpr (Halves) {
      store_halves(p, p + second, v);
    } else {
      weft::WEFT_ISA::put<How == Stores::streamed>(p, v);
    }
  }
};
