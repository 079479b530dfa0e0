// Kernels that users give as functions: what they are called with, and what is refused.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "error_text.hpp"
#include "weft/green.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

const std::vector<GreenAxis> mixture{{true, 0.5, 4}, {false, 1, 1}, {true, 0.25, 8}};

TEST(UserKernel, OfDistanceGetsDistancesAndWavenumbers) {
  const auto kernel = make_kernel(Kernel::of_distance([](double r, double k) { return r + 100 * k; }), mixture);
  EXPECT_TRUE(kernel->half_periods().empty());
  EXPECT_DOUBLE_EQ(kernel->value(std::array{3.0, 7.0, 4.0}), 705);
  GreenGrid grid{{{0, 3}, {0, 7}, {0, 4}}};
  std::vector<double> values(8);
  kernel->sample(grid, values.data(), 4);
  EXPECT_EQ(values, (std::vector<double>{0, 4, 700, 704, 3, 5, 703, 705}));
}

TEST(UserKernel, OfDistanceMayFillManyAtOnce) {
  std::vector<std::vector<double>> seen;
  const Kernel many = Kernel::of_distance([&](std::span<const double> r, double k, std::span<double> values) {
    seen.emplace_back(r.begin(), r.end());
    for (std::size_t i = 0; i < r.size(); i++) values[i] = k;
  });
  std::vector<double> values(8);
  make_kernel(many, mixture)->sample({{{0, 3}, {2, 7}, {3, 4}}}, values.data(), 1);
  // Once for each wavenumber, with each distance once.
  EXPECT_EQ(seen, (std::vector<std::vector<double>>(2, {3, 4, std::sqrt(18.0), 5})));
  EXPECT_EQ(values, (std::vector<double>{2, 2, 7, 7, 2, 2, 7, 7}));
}

TEST(UserKernel, OfWavenumberGetsTheVector) {
  const auto kernel = make_kernel(
      Kernel::of_wavenumber([](std::span<const double> k) { return 100 * k[0] + 10 * k[1] + k[2]; }), mixture);
  EXPECT_EQ(kernel->half_periods(), (std::vector<index_t>{4, 0, 8}));
  std::vector<double> values(4);
  kernel->sample({{{1}, {2, 3}, {4, 5}}}, values.data(), 4);
  EXPECT_EQ(values, (std::vector<double>{124, 125, 134, 135}));
}

TEST(UserKernel, OfWavenumberMayFillManyAtOnce) {
  const Kernel many = Kernel::of_wavenumber([](const GreenGrid& grid, std::span<double> values) {
    EXPECT_EQ(grid.size(), static_cast<index_t>(values.size()));
    for (double& value : values) value = grid.coordinates[2][0];
  });
  std::vector<double> values(2);
  make_kernel(many, mixture)->sample({{{1}, {2, 3}, {4}}}, values.data(), 1);
  EXPECT_EQ(values, (std::vector<double>{4, 4}));
}

TEST(UserKernel, IsNotAmongTheNames) {
  for (const std::string& name : kernel_names()) EXPECT_FALSE(name.starts_with("of_")) << name;
  EXPECT_TRUE(mentions(error_text([] { make_kernel("of_distance", mixture); }), "unknown kernel 'of_distance'"));
}

TEST(UserKernel, RefusesWhatIsNotAllowed) {
  const auto text = [](const Kernel& kernel, double screening = 0) {
    return error_text([&] { make_kernel(kernel, mixture, screening)->value(std::array{0.0, 2.0, 0.0}); });
  };
  const Kernel singular = Kernel::of_distance([](double r, double) { return -1 / r; });
  EXPECT_TRUE(mentions(text(singular), "kernel", "-inf", "r = 0, k = 2", "finite"));
  const Kernel undefined =
      Kernel::of_wavenumber([](std::span<const double>) { return std::numeric_limits<double>::quiet_NaN(); });
  EXPECT_TRUE(mentions(text(undefined), "kernel", "nan", "wavenumber (0, 2, 0)", "finite"));
  const Kernel failing = Kernel::of_distance([](double, double) -> double { throw std::runtime_error("no table"); });
  EXPECT_TRUE(mentions(text(failing), "kernel", "failed", "no table"));
  const Kernel good = Kernel::of_distance([](double, double k) { return k; });
  EXPECT_TRUE(mentions(text(good, 0.5), "of_distance", "screening", "0.5", "into the function"));
  EXPECT_TRUE(mentions(error_text([] { Kernel::of_distance(Kernel::OneOfDistance()); }), "kernel", "no function"));
  EXPECT_TRUE(mentions(error_text([] { Kernel::of_wavenumber(Kernel::ManyOfWavenumber()); }), "kernel", "no function"));
}

}  // namespace
}  // namespace weft
