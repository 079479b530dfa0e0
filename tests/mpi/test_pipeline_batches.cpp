// Batches that are larger than the caches: some of the transforms take all passes before the next ones do, to the same
// bits.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "in_place_fixture.hpp"

namespace weft::plan_test {
namespace {

template <class Real>
std::vector<Real> piece(const std::vector<Real>& of, std::size_t number, std::size_t reals) {
  const auto begin = of.begin() + static_cast<std::ptrdiff_t>(number * reals);
  return {begin, begin + static_cast<std::ptrdiff_t>(reals)};
}

/// One real factor for each mode, the same for all transforms of a batch if `batch`.
template <class Real>
typename Plan<Real>::Symbol symbol_of(const std::vector<Real>& factors, const Extents& modes, bool batch) {
  Extents strides(modes.dims());
  index_t stride = 1;
  for (int axis = modes.dims() - 1; axis >= (batch ? 1 : 0); stride *= modes[axis--]) strides[axis] = stride;
  return {factors.data(), strides, false};
}

/// Transforms and convolutions of a batch have the bits of those one by one.
template <class Real>
void expect_bits_one_by_one(const Case& batch, PlanOptions options) {
  SCOPED_TRACE(to_string(batch) + ", " + text_of(options));
  Case single = batch;
  single.kinds.erase(single.kinds.begin());
  single.shape = Extents(batch.shape.dims() - 1);
  for (int axis = 0; axis < single.shape.dims(); axis++) single.shape[axis] = batch.shape[axis + 1];
  Plan<Real> one(MPI_COMM_SELF, single.shape, single.kinds, quick()),
      all(MPI_COMM_SELF, batch.shape, batch.kinds, options);
  EXPECT_NE(all.explain().find("take all passes before the next do"), std::string::npos);
  const std::vector<Real> points = physical_numbers<Real>(batch);
  std::vector<Real> modes = all.spectral_field(), back = all.physical_field();
  for (int round = 0; round < 2; round++) {  // the second one begins where the first one did
    all.forward(points, modes);
    all.backward(modes, back);
  }
  std::vector<Real> wanted = one.spectral_field(), wanted_back = one.physical_field(), wanted_apart = wanted_back;
  std::vector<Real> factors(wanted.size()), convolved = all.physical_field(), same = points;
  for (std::size_t k = 0; k < factors.size(); k++) factors[k] = Real(1) / static_cast<Real>(1 + k % 7);
  const auto symbol = symbol_of<Real>(factors, all.spectral_box().extents(), true);
  all.apply(points.data(), convolved.data(), symbol);
  all.apply(same.data(), same.data(), symbol);
  EXPECT_TRUE(same_bits(same, convolved));
  options.in_place = true;
  Plan<Real> inside(MPI_COMM_SELF, batch.shape, batch.kinds, options);
  with_field(inside, [&](const auto& field) {
    store(field.physical, points);
    inside.forward(field);
    EXPECT_TRUE(same_bits(values_in<Real>(field.spectral), modes));
    inside.backward(field);
    EXPECT_TRUE(same_bits(values_in<Real>(field.physical), back));
    store(field.physical, points);
    inside.apply(field, symbol);
    EXPECT_TRUE(same_bits(values_in<Real>(field.physical), convolved));
  });
  const auto count = static_cast<std::size_t>(batch.shape[0]);
  for (std::size_t i = 0; i < count; i++) {
    one.forward(piece(points, i, points.size() / count), wanted);
    one.backward(wanted, wanted_back);
    ASSERT_TRUE(same_bits(piece(modes, i, wanted.size()), wanted)) << i;
    ASSERT_TRUE(same_bits(piece(back, i, wanted_back.size()), wanted_back)) << i;
    one.apply(piece(points, i, points.size() / count).data(), wanted_apart.data(),
              symbol_of<Real>(factors, one.spectral_box().extents(), false));
    ASSERT_TRUE(same_bits(piece(convolved, i, wanted_apart.size()), wanted_apart)) << i;
  }
}

// Their number is prime, so that the last group is shorter, and passes load and store more than 20 MB.
TEST(BatchGroups, GiveTheBitsOfTransformsOneByOne) {
  PlanOptions options = quick();
  options.batch_axes = {0};
  expect_bits_one_by_one<double>({{401, 18, 16, 20}, {Kind::none, Kind::c2c, Kind::c2c, Kind::r2c}}, options);
  options.threads = 3;
  expect_bits_one_by_one<double>({{199, 18, 16, 20}, {Kind::none, Kind::c2c, Kind::c2c, Kind::c2c}}, options);
  expect_bits_one_by_one<float>({{503, 17, 16, 20}, {Kind::none, Kind::dct2, Kind::dst1, Kind::dct4}}, options);
  options.threads = 1;
  options.fuse = false;
  expect_bits_one_by_one<double>({{1201, 40, 30}, {Kind::none, Kind::c2c, Kind::r2c}}, options);
}

// Points and modes of a rank have strides of their own in the memory of a plan in place that does not share it, so that
// modes of one group lie where points of the next ones are. Up to three ranks have a batch that is larger than caches.
TEST(BatchGroups, InOneMemoryLeaveTheOthersAlone) {
  const Case batch{{3 * 217, 18, 16, 20}, {Kind::none, Kind::c2c, Kind::c2c, Kind::r2c}};
  PlanOptions options = in_place(Strategy::alltoallv);
  options.grid = {ranks(), 1, 1};
  const OutOfPlace<double> expected(batch, options);
  Plan<double> plan = plan_of<double>(batch, options);
  with_field(plan, [&](const auto& field) {
    store(field.physical, expected.points);
    plan.forward(field);
    EXPECT_TRUE(same_bits(values_in<double>(field.spectral), expected.modes));
    plan.backward(field);
    EXPECT_TRUE(same_bits(values_in<double>(field.physical), expected.back));
  });
}

}  // namespace
}  // namespace weft::plan_test
