// Batches of neighbouring lines whose results are stored side by side: where the rows of an array are a large power of
// two apart, many of them fall into the same few sets of the nearest cache. Stores that are under way want their cache
// lines there at once, and where these are more than a set has room for, they drive each other out before they are
// written. Results are stored in the order of their modes, so that one row after the other falls into another set;
// where few sets are left even so, that many batches are stored together. Included by lane_table.hpp only, inside the
// namespace of one instruction set.
#pragma once

#include "lane_points.hpp"

// What every set has room for while it is written: a row of so many bytes, or as many rows that fall into others.
constexpr int64_t page_bytes = 4096, row_bytes = 1024;
// Of 768 points in vectors of AVX-512.
constexpr int64_t large_block_bytes = 98304;

template <bool Forward, class Real>
struct Sides {
  using Load = PointLoad<Real, true, false>;
  using Work = BlockWork<Real>;
  using Store = PointStore<false, Real, true, Unscaled>;

  const LanePlan<Real>& plan;
  LanePlaces<Real> from, to;
  Real* block;
  int64_t distance;  // reals from the block of one batch to that of the next
  int64_t sides;

  WEFT_INLINE Work work(int64_t side) const { return {lanes_in(block + side * distance)}; }
  WEFT_INLINE static LanePlaces<Real> beside(LanePlaces<Real> places, int64_t side) {
    places.shift += side * 2 * lanes_of<Real>;
    return places;
  }

  struct Last {
    const Sides all;

    template <int R>
    WEFT_INLINE void run() const {
      const int64_t modes = all.plan.n / R;
      if constexpr (R == 16) {
        for (int64_t begin = 0; begin < modes; begin += 4) {
          const int64_t end = begin + 4 < modes ? begin + 4 : modes;
          for_each_mode(begin, end, Half<false>{});
          for_each_mode(begin, end, Half<true>{});
        }
      } else {
        for_each_mode(0, modes, Whole<R>{});
      }
    }
    template <bool Odd>
    struct Half {
      WEFT_INLINE void operator()(const auto& stage, int64_t block, int64_t mode) const {
        stage.template half<Odd, false>(block, mode);
      }
    };
    template <int R>
    struct Whole {
      WEFT_INLINE void operator()(const auto& stage, int64_t block, int64_t mode) const {
        stage.template whole<R, false>(block, mode);
      }
    };
    template <class Do>
    WEFT_INLINE void for_each_mode(int64_t begin, int64_t end, Do store) const {
      using Stage = LastStage<Forward, Real, Work, Store, NoLimit, Nothing>;
      Nothing next;
      for (int64_t mode = begin; mode < end; mode++)
        for (int64_t side = 0; side < all.sides; side++)
          store(Stage{all.plan, all.work(side), {beside(all.to, side), {}}, 0, 0, {}, next}, all.plan.block_of[mode],
                mode);
    }
  };

  // Points are loaded batch by batch: where batches took turns, the compiler kept the addresses of a butterfly in
  // memory, and those of radix 8 took 1.5 to 2.5 times as long.
  void run() const {
    Nothing next;
    const int64_t part = part_points(plan);
    for (int64_t side = 0; side < sides; side++) {
      first_stage<Forward>(plan, Load{beside(from, side)}, work(side), NoLimit{}, next);
      for (int64_t begin = 0; begin < plan.n; begin += part)
        middle_stages<Forward>(plan, work(side), begin, begin + part, next);
    }
    dispatch<largest_last_radix>(plan.stage[plan.stages - 1].radix, Last{*this});
  }
};

template <class Real>
int64_t row_pitch(const LanePoints<Real>& points) {
  return (points.to.at[1] - points.to.at[0]) * int64_t(sizeof(Real));
}

// Whether results that a butterfly stores, or those of the next ones, fall into the same set. Where rows are an odd
// number of cache lines apart or twice that, as in memory of the library's own, there are sets enough.
template <class Real>
bool collides(const LanePlan<Real>& plan, int64_t pitch) {
  const int64_t results = plan.n / plan.stage[plan.stages - 1].radix;
  if (pitch % (page_bytes / 16) != 0) return false;
  return pitch * results % page_bytes == 0 || pitch % (page_bytes / 4) == 0;
}

// Whatever the pitch, that order has measured best for larger blocks, and in place for those that fit the nearest cache
// twice. What is in main memory in place has its points fetched meanwhile.
template <class Real>
bool takes_sides(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  if (points.from.at == nullptr || points.to.at == nullptr || plan.stages < 2) return false;
  if (!is_near(points) || points.fetch.lines > 0 || !is_whole(plan, points)) return false;
  const int64_t block = plan.n * int64_t(sizeof(Lane<Real>));
  if (block > large_block_bytes || (block <= near_bytes && points.from.at == points.to.at)) return true;
  return collides(plan, row_pitch(points));
}

// As many as fill the row, where there is room for them.
template <class Real>
int64_t count_sides(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  const int64_t room = least_block_bytes / (plan.n * int64_t(sizeof(Lane<Real>))), most = room > 2 ? room : 2;
  int64_t sides = 1, bytes = int64_t(sizeof(Lane<Real>));
  for (int64_t distance = page_bytes; row_pitch(points) % distance != 0; distance /= 2) bytes *= 2;
  for (; bytes < row_bytes && 2 * sides <= most; bytes *= 2) sides *= 2;
  return sides < points.batches ? sides : points.batches;
}

template <bool Forward, class Real>
void move_sides(const LanePlan<Real>& plan, LanePoints<Real> points, Real* in, Real* out) {
  // Larger blocks have room for one batch each.
  const int64_t block = plan.n * 2 * lanes_of<Real>;
  const int64_t distance = 2 * block * int64_t(sizeof(Real)) > least_block_bytes ? out - in : block;
  while (points.batches > 0) {
    const int64_t sides = count_sides(plan, points);
    Sides<Forward, Real>{plan, points.from, points.to, in, distance, sides}.run();
    points.from.shift += sides * 2 * lanes_of<Real>;
    points.to.shift += sides * 2 * lanes_of<Real>;
    points.batches -= sides;
  }
}
