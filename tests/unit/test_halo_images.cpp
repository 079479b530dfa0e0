// What the points beyond an axis show, against waves that have the same symmetries by themselves.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "halo/axis_images.hpp"

namespace weft {
namespace {

/// A sum of waves, no two points of which have the same value on the axis: periodic, or even or odd at the ends.
double wave(const HaloAxis& axis, index_t point) {
  const bool cell = axis.centring == Centring::cell;
  const double length = static_cast<double>(cell ? axis.points : axis.points - 1);
  const double turn = std::numbers::pi * (static_cast<double>(point) + (cell ? 0.5 : 0.0)) / length;
  const End left = axis.boundary.left, right = axis.boundary.right;
  if (left == End::periodic) return std::sin(2 * turn) + std::cos(2 * turn - 1) + 0.3 * std::sin(4 * turn);
  const double half = left == right ? 0.0 : 0.5;
  return left == End::even ? std::cos((1 - half) * turn) + 0.3 * std::cos((2 - half) * turn)
                           : std::sin((1 - half) * turn) + 0.3 * std::sin((2 - half) * turn);
}

std::string name(const HaloAxis& axis) {
  return to_string(axis.boundary) + " " + to_string(axis.centring) + " " + std::to_string(axis.points);
}

/// Every point of the range in turn, with the value that its image gives it; returns how many there are.
index_t check_values(const HaloAxis& axis, Range range) {
  index_t next = range.lo, shown = 0;
  for (const AxisImage& image : axis_images(axis, range)) {
    EXPECT_GE(image.target.lo, next);
    EXPECT_EQ(image.target.size(), image.source.size());
    EXPECT_TRUE(image.source.lo >= 0 && image.source.hi <= axis.points);
    for (index_t i = 0; i < image.target.size(); ++i) {
      const index_t point = image.reversed ? image.source.hi - 1 - i : image.source.lo + i;
      const double value = wave(axis, point) * (image.negated ? -1 : 1);
      // Angles of up to 8 pi err by less than their own rounding, 8 pi * 2^-53; waves have slopes of up to 2.
      EXPECT_NEAR(value, wave(axis, image.target.lo + i), 1e-13) << name(axis) << " at " << image.target.lo + i;
    }
    next = image.target.hi;
    shown += image.target.size();
  }
  return shown;
}

TEST(HaloImages, HaveTheSymmetriesOfWaves) {
  for (const Boundary& boundary : {Boundary(End::periodic), Boundary(End::even), Boundary(End::odd),
                                   Boundary(End::even, End::odd), Boundary(End::odd, End::even)})
    for (const Centring centring : {Centring::cell, Centring::node})
      for (const index_t points : {1, 2, 3, 6}) {
        if (centring == Centring::node && points == 1) continue;
        const HaloAxis axis{points, boundary, centring};
        const Range range{-3 * points - 1, 4 * points + 1};
        EXPECT_EQ(check_values(axis, range), range.size()) << name(axis);
      }
}

TEST(HaloImages, AreLeftOutBeyondUnboundedEnds) {
  const HaloAxis axis{5, Boundary(End::unbounded, End::even), Centring::cell};
  const std::vector<AxisImage> images = axis_images(axis, {-2, 12});
  ASSERT_EQ(images.size(), 2U);
  EXPECT_EQ(images[0].target, (Range{0, 5}));
  // Ten points beyond the mirror would show what lies beyond the unbounded end.
  EXPECT_EQ(images[1].target, (Range{5, 10}));
  EXPECT_EQ(images[1].source, (Range{0, 5}));
  EXPECT_TRUE(images[1].reversed);
}

TEST(HaloImages, AreAsLongAsTheyCanBe) {
  const HaloAxis mirrors{8, Boundary(End::odd, End::even), Centring::node};
  EXPECT_EQ(axis_images(mirrors, {-3, 11}).size(), 3U);
  const HaloAxis ring{8, Boundary(End::periodic), Centring::cell};
  EXPECT_EQ(axis_images(ring, {-8, 16}).size(), 3U);
  EXPECT_EQ(axis_images(ring, {5, 9}).size(), 2U);
  EXPECT_TRUE(axis_images(ring, {4, 4}).empty());
}

}  // namespace
}  // namespace weft
