// What the tests of plans in place share: their options, and what plans out of place make of the same numbers.
#pragma once

#include <gtest/gtest.h>

#include "plan_fixture.hpp"

namespace weft::plan_test {

inline PlanOptions in_place(Strategy strategy = Strategy::automatic) {
  PlanOptions options = quick(strategy);
  options.in_place = true;
  return options;
}

template <class Real>
Plan<Real> plan_of(const Case& c, const PlanOptions& options) {
  return {MPI_COMM_WORLD, c.shape, c.kinds, options};
}

/// What the plan out of place makes of this rank's part of the numbers.
template <class Real>
struct OutOfPlace {
  OutOfPlace(const Case& c, PlanOptions options) {
    options.in_place = false;
    Plan<Real> plan = plan_of<Real>(c, options);
    physical = plan.physical_box();
    spectral = plan.spectral_box();
    points = part(physical_numbers<Real>(c), c.shape, physical, c.physical_width());
    modes = plan.spectral_field();
    back = plan.physical_field();
    plan.forward(points, modes);
    EXPECT_EQ(points, part(physical_numbers<Real>(c), c.shape, physical, c.physical_width()))
        << "the input is preserved";
    const std::vector<Real> given = modes;
    plan.backward(modes, back);
    EXPECT_EQ(modes, given) << "the input is preserved";
  }
  Box physical, spectral;
  std::vector<Real> points, modes, back;
};

}  // namespace weft::plan_test
