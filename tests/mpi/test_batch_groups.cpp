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

/// Transforms of a batch, in two arrays and in place, have the bits of its transforms one by one.
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
  std::vector<Real> wanted = one.spectral_field(), wanted_back = one.physical_field();
  const auto count = static_cast<std::size_t>(batch.shape[0]);
  for (std::size_t i = 0; i < count; i++) {
    one.forward(piece(points, i, points.size() / count), wanted);
    one.backward(wanted, wanted_back);
    ASSERT_TRUE(same_bits(piece(modes, i, wanted.size()), wanted)) << i;
    ASSERT_TRUE(same_bits(piece(back, i, wanted_back.size()), wanted_back)) << i;
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

}  // namespace
}  // namespace weft::plan_test
