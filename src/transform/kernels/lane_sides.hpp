// Two batches of neighbouring lines at once, butterfly by butterfly: where the rows of an array are a multiple of the
// page apart, all of them fall into the same few places of the nearest cache, and those of a row that is written bit by
// bit are out of it again before they are whole. Included by lane_table.hpp only, inside the namespace of one
// instruction set.
#pragma once

#include "lane_points.hpp"

// Both outer stages of both batches, and those between of one after the other.
template <bool Forward, class Real>
struct TwoSides {
  static constexpr int sides = 2;
  using Load = PointLoad<Real, true, false>;
  using Work = BlockWork<Real>;
  using Store = PointStore<false, Real, true, Unscaled>;

  const LanePlan<Real>& plan;
  Load load[sides];
  Work work[sides];
  Store store[sides];

  struct First {
    const TwoSides& both;
    template <int R>
    WEFT_INLINE void run() const {
      using Stage = FirstStage<Forward, Real, Load, Work, NoLimit, Nothing>;
      Nothing next;
      for (int64_t p = 0; p < both.plan.stage[0].count; p++)
        for (int side = 0; side < sides; side++)
          Stage{both.plan, both.load[side], both.work[side], {}, next}.template run<R, R, false>(p, p + 1);
    }
  };

  struct Last {
    const TwoSides& both;
    template <int R>
    WEFT_INLINE void run() const {
      using Stage = LastStage<Forward, Real, Work, Store, NoLimit, Nothing>;
      Nothing next;
      for (int64_t begin = 0; begin < both.plan.n; begin += R)
        for (int side = 0; side < sides; side++)
          Stage{both.plan, both.work[side], both.store[side], begin, begin + R, {}, next}.template run<R, false>();
    }
  };

  void run() const {
    Nothing next;
    dispatch(plan.stage[0].radix, First{*this});
    for (const Work& block : work) middle_stages<Forward>(plan, block, 0, plan.n, next);
    dispatch<largest_last_radix>(plan.stage[plan.stages - 1].radix, Last{*this});
  }
};

// Whether that is worth it, and both blocks stay in the nearest cache.
template <class Real>
bool takes_two_sides(const LanePlan<Real>& plan, const LanePoints<Real>& points) {
  constexpr int64_t page = 4096;
  if (points.from.at == nullptr || points.to.at == nullptr || points.from.at == points.to.at) return false;
  if (plan.stages < 2 || plan.n * int64_t(sizeof(Lane<Real>)) > near_bytes) return false;
  return is_near(points) && is_whole(plan, points) &&
         (points.to.at[1] - points.to.at[0]) * int64_t(sizeof(Real)) % page == 0;
}

// As many batches of a row as go in twos; the others are left.
template <bool Forward, class Real>
void move_two_sides(const LanePlan<Real>& plan, LanePoints<Real>& points, Real* in, Real* out) {
  using Both = TwoSides<Forward, Real>;
  constexpr int64_t batch = 2 * lanes_of<Real>;
  const auto behind = [](LanePlaces<Real> places, int64_t reals) {
    places.shift += reals;
    return places;
  };
  for (; points.batches >= Both::sides; points.batches -= Both::sides) {
    Both{plan,
         {{points.from}, {behind(points.from, batch)}},
         {{lanes_in(in)}, {lanes_in(out)}},
         {{points.to, {}}, {behind(points.to, batch), {}}}}
        .run();
    points.from.shift += Both::sides * batch;
    points.to.shift += Both::sides * batch;
  }
}
