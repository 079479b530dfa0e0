// Fields of plans in place are handles of memory that lives as long as any of them, whatever becomes of the plan; what
// does not fit together is refused on every rank.
#include <cmath>
#include <optional>

#include "in_place_fixture.hpp"
#include "nodes.hpp"

namespace weft::plan_test {
namespace {

TEST(InPlaceFields, FieldsBeginAsZerosAndKnowTheirPlaces) {
  const Case c = rfftn({8, 6, 10});
  auto plan = plan_of<double>(c, in_place());
  const auto field = plan.in_place_field();
  for (const double value : values_in<double>(field.physical)) EXPECT_EQ(value, 0);
  field.physical.fill([](double x, double y, double z) { return std::cos(-3 * x + y + 2 * z); });
  plan.forward(field);
  // A single wave is half a mode and half its conjugate. Of both, only the one with kz >= 0 is stored. The arguments of
  // the cosine are within 8 roundings of up to 12 pi.
  const double count = 8 * 6 * 10, eps = std::numeric_limits<double>::epsilon();
  const double tolerance = forward_bound(c, eps) * std::sqrt(count) + 8 * 38 * eps * count;
  field.spectral.for_each([&](const Place& k, const std::complex<double>& value) {
    const bool wave = k[0] == -3 && k[1] == 1 && k[2] == 2;
    EXPECT_NEAR(value.real(), wave ? count / 2 : 0, tolerance) << k[0] << " " << k[1] << " " << k[2];
    EXPECT_NEAR(value.imag(), 0, tolerance) << k[0] << " " << k[1] << " " << k[2];
  });
}

TEST(InPlaceFields, IndicesReachTheirElements) {
  const Case c = rfftn({5, 6, 7});
  for (const Strategy strategy : {Strategy::automatic, Strategy::alltoallv}) {
    auto plan = plan_of<double>(c, in_place(strategy));
    const auto field = plan.in_place_field();
    const Extents n = plan.physical_box().extents();
    std::vector<double> values = numbers<double>(n.product());
    store(field.physical, values);
    auto next = values.cbegin();
    for (index_t i = 0; i < n[0]; i++)
      for (index_t j = 0; j < n[1]; j++)
        for (index_t k = 0; k < n[2]; k++) EXPECT_EQ(field.physical(i, j, k), *next++);
  }
}

TEST(InPlaceFields, CopiesReferToTheSameMemory) {
  const Case c = rfftn({7, 6, 10});
  for (const Strategy strategy : {Strategy::automatic, Strategy::alltoallv}) {
    const OutOfPlace<double> expected(c, in_place(strategy));
    auto plan = plan_of<double>(c, in_place(strategy));
    std::optional field(plan.in_place_field());
    const auto copy = *field;
    store(field->physical, expected.points);
    field.reset();
    plan.forward(copy);
    EXPECT_TRUE(same_bits(values_in<double>(copy.spectral), expected.modes));
  }
}

TEST(InPlaceFields, FieldsOutliveTheirPlan) {
  const Case c = rfftn({7, 6, 10});
  for (const Strategy strategy : {Strategy::automatic, Strategy::alltoallv}) {
    const OutOfPlace<double> expected(c, in_place(strategy));
    std::optional plan(plan_of<double>(c, in_place(strategy)));
    const auto field = plan->in_place_field();
    store(field.physical, expected.points);
    plan->forward(field);
    plan.reset();
    EXPECT_TRUE(same_bits(values_in<double>(field.spectral), expected.modes));
    // A later plan that is the same takes it on.
    auto later = plan_of<double>(c, in_place(strategy));
    later.backward(field);
    EXPECT_TRUE(same_bits(values_in<double>(field.physical), expected.back));
  }
}

TEST(InPlaceFields, FieldsOfOnePlanAreTheirOwn) {
  const Case c = rfftn({7, 6, 10});
  for (const Strategy strategy : {Strategy::automatic, Strategy::alltoallv}) {
    const OutOfPlace<double> expected(c, in_place(strategy));
    auto plan = plan_of<double>(c, in_place(strategy));
    const std::vector fields{plan.in_place_field(), plan.in_place_field(), plan.in_place_field()};
    const auto factor = [](std::size_t i) { return std::ldexp(1.0, static_cast<int>(i)); };
    for (std::size_t i = 0; i < fields.size(); i++) store(fields[i].physical, times(expected.points, factor(i)));
    for (const auto& field : fields) plan.forward(field);
    for (std::size_t i = 0; i < fields.size(); i++)
      EXPECT_TRUE(same_bits(values_in<double>(fields[i].spectral), times(expected.modes, factor(i)))) << i;
    plan.backward(fields[1]);
    EXPECT_TRUE(same_bits(values_in<double>(fields[1].physical), times(expected.back, factor(1))));
    EXPECT_TRUE(same_bits(values_in<double>(fields[2].spectral), times(expected.modes, factor(2))));
  }
}

// Ranks drop them in another order each, as garbage collectors do.
TEST(InPlaceFields, HundredsOfFieldsComeAndGo) {
  const Case c = rfftn({4, 5, 6});
  const OutOfPlace<double> expected(c, in_place());
  auto plan = plan_of<double>(c, in_place());
  std::vector<InPlaceField<double, std::complex<double>, double>> held;
  for (int i = 0; i < 200; i++) {
    held.push_back(plan.in_place_field());
    store(held.back().physical, expected.points);
    plan.forward(held.back());
    ASSERT_TRUE(same_bits(values_in<double>(held.back().spectral), expected.modes)) << "field " << i;
    if (held.size() > 5) held.erase(held.begin() + (world().rank() + i) % 5);
  }
}

// --- what is refused ---------------------------------------------------------------------------------------------

template <class Field>
void expect_other_field_refused(Plan<double>& plan, const Field& field) {
  const std::vector<std::string> parts{"field: ", "plan of another", "in_place_field()"};
  expect_refused([&] { plan.forward(field); }, parts);
  expect_refused([&] { plan.backward(field); }, parts);
  expect_refused([&] { plan.apply(field, {nullptr, {0, 0, 0}, false}); }, parts);
}

TEST(InPlaceFields, FieldsOfAnotherPlanAreRefused) {
  auto plan = plan_of<double>(rfftn({8, 6, 10}), in_place());
  expect_other_field_refused(plan, plan_of<double>(rfftn({8, 6, 12}), in_place()).in_place_field());
  // As many points, cut the same way.
  expect_other_field_refused(plan, plan_of<double>(rfftn({8, 6, 11}), in_place()).in_place_field());
  const auto c2c = std::vector<Kind>(3, Kind::c2c);
  using Complex = std::complex<double>;
  expect_other_field_refused(plan, plan_of<double>({{8, 6, 10}, c2c}, in_place()).in_place_field<Complex, Complex>());
  if (ranks() == 1) return;
  const auto with_grid = [](const std::vector<int>& grid) {
    PlanOptions options = in_place();
    options.grid = grid;
    return plan_of<double>(rfftn({8, 6, 10}), options);
  };
  auto slabs = with_grid({ranks()});
  expect_other_field_refused(slabs, with_grid({1, ranks()}).in_place_field());
  if (!testing::one_node()) return;  // both have messages
  auto messages = plan_of<double>(rfftn({8, 6, 10}), in_place(Strategy::alltoallv));
  expect_other_field_refused(plan, messages.in_place_field());
  expect_other_field_refused(messages, plan.in_place_field());
}

TEST(InPlaceFields, CallsOutOfPlaceAreRefused) {
  auto plan = plan_of<double>(rfftn({8, 6, 10}), in_place());
  const std::vector<std::string> parts{"in_place", "works in place", "in_place_field()"};
  std::vector<double> points = plan.physical_field(), modes = plan.spectral_field();
  expect_refused([&] { plan.forward(points, modes); }, parts);
  expect_refused([&] { plan.backward(modes, points); }, parts);
  expect_refused([&] { plan.forward(points.data(), modes.data()); }, parts);
  auto u = plan.physical();
  auto uh = plan.spectral();
  expect_refused([&] { plan.forward(u, uh); }, parts);
  expect_refused([&] { plan.apply(u, u, uh); }, parts);
}

TEST(InPlaceFields, CallsInPlaceOfPlansOutOfPlaceAreRefused) {
  auto plan = plan_of<double>(rfftn({8, 6, 10}), quick(Strategy::automatic));
  const auto field = plan_of<double>(rfftn({8, 6, 10}), in_place()).in_place_field();
  const std::vector<std::string> parts{"in_place", "works out of place", "PlanOptions::in_place"};
  expect_refused([&] { plan.in_place_field(); }, parts);
  expect_refused([&] { plan.forward(field); }, parts);
  expect_refused([&] { plan.backward(field); }, parts);
  expect_refused([&] { plan.apply(field, plan.spectral()); }, parts);
}

TEST(InPlaceFields, FieldsOfTheOtherTypeAreRefused) {
  using Complex = std::complex<double>;
  auto plan = plan_of<double>(rfftn({8, 6, 10}), in_place());
  expect_refused([&] { plan.in_place_field<Complex, Complex>(); }, {"T: ", "real"});
  expect_refused([&] { plan.in_place_field<double, double>(); }, {"T: ", "complex"});
}

TEST(InPlaceFields, HalfSpectraAlongOtherAxesAreRefused) {
  const auto refused = [](const Case& c, const std::vector<std::string>& parts) {
    for (const Strategy strategy : {Strategy::automatic, Strategy::alltoallv})
      expect_refused([&] { plan_of<double>(c, in_place(strategy)); }, parts);
  };
  refused({{8, 6, 10}, {Kind::c2c, Kind::r2c, Kind::c2c}}, {"in_place: r2c is on axis 1", "the last axis (2)"});
  refused({{8, 6}, {Kind::r2c, Kind::dct2}}, {"in_place: r2c is on axis 0", "the last axis (1)", "without in_place"});
}

TEST(InPlaceFields, MustBeWantedOnAllRanks) {
  if (ranks() == 1) GTEST_SKIP() << "one rank agrees with itself";
  PlanOptions options = quick(Strategy::automatic);
  options.in_place = world().rank() == ranks() - 1;
  expect_refused([&] { plan_of<double>(rfftn({8, 6, 10}), options); }, {"options", "in_place no", "in_place yes"});
}

}  // namespace
}  // namespace weft::plan_test
