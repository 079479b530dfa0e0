// Batches of neighbouring lines side by side, butterfly by butterfly: where the rows of an array are a large power of
// two apart, many of them fall into the same few sets of the nearest cache. Stores that are under way want their cache
// lines there at once, and where these are more than a set has room for, they drive each other out before they are
// written. Results are stored in the order of their modes, so that one row after the other falls into another set;
// where few sets are left even so, that many batches are stored together. Included by lane_table.hpp only, inside the
// namespace of one instruction set.
#pragma once

#include "lane_points.hpp"

// What every set has room for while it is written: a row of so many bytes, or as many rows that fall into others.
constexpr int64_t page_bytes = 4096, row_bytes = 512;
// Blocks that are worked on together.
constexpr int64_t sides_bytes = 2 * least_block_bytes;

template <bool Forward, class Real>
struct Sides {
  using Load = PointLoad<Real, true, false>;
  using Work = BlockWork<Real>;
  using Store = PointStore<false, Real, true, Unscaled>;

  const LanePlan<Real>& plan;
  LanePlaces<Real> from, to;
  Lane<Real>* block[2];
  int64_t sides, parts;

  WEFT_INLINE Work work(int64_t side) const { return {block[side % 2] + side / 2 * plan.n}; }
  WEFT_INLINE static LanePlaces<Real> beside(LanePlaces<Real> places, int64_t side) {
    places.shift += side * 2 * lanes_of<Real>;
    return places;
  }

  struct First {
    const Sides all;
    template <int R>
    WEFT_INLINE void run() const {
      using Stage = FirstStage<Forward, Real, Load, Work, NoLimit, Nothing>;
      Nothing next;
      for (int64_t p = 0; p < all.plan.stage[0].count; p++)
        for (int64_t side = 0; side < all.sides; side++)
          Stage{all.plan, {beside(all.from, side)}, all.work(side), {}, next}.template run<R, R, false>(p, p + 1);
    }
  };

  // Of one part: its modes are `parts` apart.
  struct Last {
    const Sides all;
    int64_t part;

    template <int R>
    WEFT_INLINE void run() const {
      const int64_t modes = all.plan.n / R;
      if constexpr (R == 16) {
        const int64_t together = 4 * all.parts;
        for (int64_t begin = part; begin < modes; begin += together) {
          const int64_t end = begin + together < modes ? begin + together : modes;
          for_each_mode(begin, end, Half<false>{});
          for_each_mode(begin, end, Half<true>{});
        }
      } else {
        for_each_mode(part, modes, Whole<R>{});
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
      for (int64_t mode = begin; mode < end; mode += all.parts)
        for (int64_t side = 0; side < all.sides; side++)
          store(Stage{all.plan, all.work(side), {beside(all.to, side), {}}, 0, 0, {}, next}, all.plan.block_of[mode],
                mode);
    }
  };

  void run() const {
    Nothing next;
    dispatch(plan.stage[0].radix, First{*this});
    const int64_t points = plan.n / parts;
    for (int64_t part = 0; part < parts; part++) {
      for (int64_t side = 0; side < sides; side++)
        middle_stages<Forward>(plan, work(side), part * points, (part + 1) * points, next);
      dispatch<largest_last_radix>(plan.stage[plan.stages - 1].radix, Last{*this, part});
    }
  }
};

template <class Real>
int64_t row_pitch(const LanePoints<Real>& points) {
  return (points.to.at[1] - points.to.at[0]) * int64_t(sizeof(Real));
}

// Whether results that a butterfly stores, or those of the next ones, fall into the same set. Where rows are an odd
// number of cache lines apart or twice that, as in memory of the library's own, there are sets enough; and what is in
// main memory in place has its points fetched meanwhile.
template <class Real>
bool takes_sides(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  if (points.from.at == nullptr || points.to.at == nullptr || plan.stages < 2) return false;
  if (!is_near(points) || points.fetch.lines > 0 || !is_whole(plan, points)) return false;
  const int64_t pitch = row_pitch(points), results = plan.n / plan.stage[plan.stages - 1].radix;
  if (pitch % (row_bytes / 2) != 0) return false;
  return pitch * results % page_bytes == 0 || pitch % (page_bytes / 4) == 0;
}

// Larger blocks are transformed part by part after the first stage.
template <class Real>
int64_t parts_of_sides(const LanePlan<Real>& plan) {
  const bool whole = plan.stages < 3 || plan.n * int64_t(sizeof(Lane<Real>)) <= sides_bytes;
  return whole ? 1 : plan.stage[0].radix;
}

// As many as fill the row, where there is room for them.
template <class Real>
int64_t count_sides(const LanePlan<Real>& plan, const LanePoints<Real>& points, int64_t parts) {
  const int64_t block = plan.n * int64_t(sizeof(Lane<Real>)), step = row_pitch(points) * parts;
  const int64_t most = parts > 1 ? 2 : sides_bytes / block;
  int64_t sides = 1, bytes = int64_t(sizeof(Lane<Real>));
  for (int64_t distance = page_bytes; step % distance != 0; distance /= 2) bytes *= 2;
  for (; bytes < row_bytes && 2 * sides <= most && 2 * sides * block / parts <= sides_bytes; bytes *= 2) sides *= 2;
  return sides < points.batches ? sides : points.batches;
}

template <bool Forward, class Real>
void move_sides(const LanePlan<Real>& plan, LanePoints<Real> points, Real* in, Real* out) {
  const int64_t parts = parts_of_sides(plan);
  while (points.batches > 0) {
    const int64_t sides = count_sides(plan, points, parts);
    Sides<Forward, Real>{plan, points.from, points.to, {lanes_in(in), lanes_in(out)}, sides, parts}.run();
    points.from.shift += sides * 2 * lanes_of<Real>;
    points.to.shift += sides * 2 * lanes_of<Real>;
    points.batches -= sides;
  }
}
