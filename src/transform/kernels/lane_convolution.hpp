// Forward transform, multiplication by factors and backward transform of L lines in one go. The backward stages undo
// the forward stages in reverse order (decimation in time after decimation in frequency), so modes need not be sorted.
// The last forward stage, the factors and the first backward stage are one step in registers. After the first stage,
// the rest is done part by part in the nearest cache. Included by lane_table.hpp only, inside the namespace of one
// instruction set.
#pragma once

#include "lane_factors.hpp"
#include "lane_points.hpp"

// The last stage of points begin .. end, the factors, and the inverse of the stage.
template <class Real>
struct FactorStage {
  const LanePlan<Real>& plan;
  Lane<Real>* work;
  const LineFactors<Real>& factors_of;
  FactorForm form;
  int64_t begin, end;

  template <int R>
  WEFT_INLINE void run() const {
    const LineFactors<Real> factors = factors_of;
    const int64_t blocks = plan.n / R;
    const int64_t* order = plan.order;
    for (int64_t block = begin / R; block < end / R; block++) {
      Lane<Real>* place = work + block * R;
      Lane<Real> x[R];
      get_points<R>(place, 1, x);
      butterfly<R, true>(x);
      multiply_all<R>(factors, order[block], blocks, x);
      butterfly<R, true>(x);
      put_points<R>(place, 1, x);
    }
  }

  template <int R>
  WEFT_INLINE void multiply_all(const LineFactors<Real>& factors, int64_t mode, int64_t far, Lane<Real>* x) const {
    const auto multiply_as = [&]<FactorForm Form>() WEFT_ALWAYS {
      WEFT_UNROLL
      for (int j = 0; j < R; j++) {
        Lane<Real> product = multiplied<Form>(x[j], factor_address(factors, mode + far * j));
        if constexpr (Form == FactorForm::real_and_sum) {
          const Vector<Real>* sum = rows_of(factors.added) + 2 * (mode + far * j);
          product = product + Lane<Real>{sum[0], sum[1]};
        }
        x[j] = conjugate(product);  // a backward transform follows
      }
    };
    if (form == FactorForm::real) return multiply_as.template operator()<FactorForm::real>();
    if (form == FactorForm::real_and_sum) return multiply_as.template operator()<FactorForm::real_and_sum>();
    if (form == FactorForm::interleaved) return multiply_as.template operator()<FactorForm::interleaved>();
    multiply_as.template operator()<FactorForm::complex>();
  }
};

// The inverse of FirstStage; stores points in natural order.
template <class Real, class Store>
struct FirstStageBack {
  const LanePlan<Real>& plan;
  const Lane<Real>* work;
  const Store& store_of;
  int64_t wanted;

  template <int R>
  WEFT_INLINE void run() const {
    const int64_t count = plan.stage[0].count;
    if constexpr (R % 2 != 0) {
      run<R, R>(0, count);
    } else {
      const int64_t full = full_butterflies(wanted, count * (R / 2), count);
      run<R, R>(0, full);
      run<R, R / 2>(full, count);
    }
  }

  template <int R, int Wanted>
  WEFT_INLINE void run(int64_t begin, int64_t end) const {
    const Store store = store_of;
    const int64_t count = plan.stage[0].count;
    const Real* w = plan.twiddles + begin * (R - 1) * 2;
    for (int64_t p = begin; p < end; p++, w += (R - 1) * 2) {
      Lane<Real> x[R];
      get_twiddled<R>(work + p, count, w, x);
      if constexpr (Wanted == R) {
        butterfly<R>(x);
      } else {
        butterfly_to_half<R>(x);
      }
      put_results<Wanted>(store, p, count, x);
    }
  }
};

template <class Real, class Store>
void first_stage_back(const LanePlan<Real>& plan, const Lane<Real>* work, const Store& store, int64_t wanted) {
  if (plan.stages > 1)
    return dispatch<largest_first_radix>(plan.stage[0].radix, FirstStageBack<Real, Store>{plan, work, store, wanted});
  for (int64_t j = 0; j < plan.n && j < wanted; j++) store(j, work[j]);
}

// All stages between the first forward stage and the last backward stage, and the factors.
template <class Real>
void multiply_modes(const LanePlan<Real>& plan, const LineFactors<Real>& factors, Lane<Real>* work) {
  const FactorForm form = factors.added != nullptr ? FactorForm::real_and_sum : form_of(factors);
  Prefetch<Real> nothing;
  const int64_t part = part_points<Lane<Real>>(plan);
  for (int64_t begin = 0; begin < plan.n; begin += part) {
    const int64_t end = begin + part;
    middle_stages(plan, work, begin, end, nothing);
    dispatch<largest_radix>(plan.stage[plan.stages - 1].radix,
                            FactorStage<Real>{plan, work, factors, form, begin, end});
    for (int i = plan.stages - 2; i > 0; i--)
      dispatch_middle(plan.stage[i].radix,
                      MiddleStage<Real, Lane<Real>, true>{plan, plan.stage[i], work, begin, end, nothing});
  }
}

template <class Real>
void convolve_line(const LanePlan<Real>& plan, const LanePoints<Real>& points, const LineFactors<Real>& factors,
                   Real* block) {
  Lane<Real>* work = lanes_in(block);
  Prefetch<Real> prefetch(points, plan.butterflies);
  with_load(points, work, [&](auto load) { first_stage(plan, load, work, points.from.count, prefetch); });
  multiply_modes(plan, factors, work);
  with_store(points, Numbers::conjugate, work,
             [&](auto store) { first_stage_back(plan, work, store, points.to.count); });
  if (points.to.at == nullptr) conjugate_block(plan.n, work);
}
