// Transforms allocate nothing, counted where memory is allocated.
#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <vector>

#include "memory/allocations.hpp"
#include "weft/plan.hpp"

namespace weft {
namespace {

using namespace testing;

TEST(TransformMemory, TransformsAllocateNothing) {
  if (Comm(MPI_COMM_WORLD).size() > 1) GTEST_SKIP() << "MPI allocates for the barriers between ranks";
  for (const bool in_place : {false, true})
    for (const Extents& shape : {Extents{16, 16, 16}, Extents{12, 9}, Extents{40}, Extents{3, 8, 5, 4}}) {
      if (in_place && shape.dims() == 1) continue;
      PlanOptions options;
      options.threads = 1;
      options.strategy = Strategy::shared;
      options.in_place = in_place;
      std::vector<Kind> kinds(static_cast<std::size_t>(shape.dims()), Kind::c2c);
      kinds.back() = Kind::r2c;
      Plan<double> plan(MPI_COMM_WORLD, shape, kinds, options);
      std::vector<double> points = plan.physical_field(), modes = plan.spectral_field();
      const auto field =
          in_place ? std::make_shared<InPlaceField<double, std::complex<double>, double>>(plan.in_place_field())
                   : nullptr;
      const auto round = [&] {
        in_place ? plan.forward(*field) : plan.forward(points.data(), modes.data());
        in_place ? plan.backward(*field) : plan.backward(modes.data(), points.data());
      };
      round();  // what a sweep has to remember has room from now on
      const std::ptrdiff_t without_calls = allocated_bytes();
      round();
      EXPECT_GT(allocated_bytes(), without_calls) << "no calls of passes are kept for " << to_string(shape);
      (void)largest_allocated_bytes();
      const std::ptrdiff_t before = allocated_bytes();
      round();
      EXPECT_EQ(largest_allocated_bytes() - before, 0) << to_string(shape) << (in_place ? " in place" : "");
    }
}

// Fields and vectors are checked in each call.
TEST(TransformMemory, ChecksOfFieldsAllocateNothing) {
  if (Comm(MPI_COMM_WORLD).size() > 1) GTEST_SKIP() << "MPI allocates for the barriers between ranks";
  Plan<double> plan(MPI_COMM_WORLD, {8, 8, 8}, {Kind::c2c, Kind::c2c, Kind::r2c});
  std::vector<double> points = plan.physical_field(), modes = plan.spectral_field();
  auto field = plan.physical();
  auto spectrum = plan.spectral();
  const FieldView<double> view(plan.physical_box(), nullptr, field.data(), Extents{64, 8, 1});
  const FieldView<std::complex<double>> spectral_view(plan.spectral_box(), nullptr, spectrum.data(), {40, 5, 1});
  const auto round = [&] {
    plan.forward(points, modes);
    plan.backward(modes, points);
    plan.forward(field, spectrum);
    plan.backward(spectrum, field);
    plan.forward(view, spectral_view);
    plan.backward(spectral_view, view);
  };
  for (int i = 0; i < 3; i++) round();  // calls of passes are kept from now on
  (void)largest_allocated_bytes();
  const std::ptrdiff_t before = allocated_bytes();
  round();
  EXPECT_EQ(largest_allocated_bytes() - before, 0);
}

// More arrays than a plan keeps calls for.
TEST(TransformMemory, TransformsOfManyArraysAllocateNothing) {
  if (Comm(MPI_COMM_WORLD).size() > 1) GTEST_SKIP() << "MPI allocates for the barriers between ranks";
  Plan<double> plan(MPI_COMM_WORLD, {8, 8, 8}, Kind::c2c);
  std::vector<std::vector<double>> points(50, plan.physical_field());
  std::vector<double> modes = plan.spectral_field();
  const auto round = [&] {
    for (std::vector<double>& any : points) {
      plan.forward(any.data(), modes.data());
      plan.backward(modes.data(), any.data());
    }
  };
  round();
  (void)largest_allocated_bytes();
  const std::ptrdiff_t before = allocated_bytes();
  round();
  EXPECT_EQ(largest_allocated_bytes() - before, 0);
}

}  // namespace
}  // namespace weft
