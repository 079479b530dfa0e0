// What happens to the numbers of a line depends on its kind and length alone: not on the axis that it lies along, how
// many lines there are, or what else the plan transforms.
#include <gtest/gtest.h>

#include "plan_fixture.hpp"

namespace weft::plan_test {
namespace {

constexpr Kind kinds[] = {Kind::c2c,  Kind::r2c,  Kind::dct1, Kind::dct2, Kind::dct3,
                          Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

/// One axis of an array is transformed. Lines lie one after the other: number i of line l is values[l * points + i].
template <class Real>
class Lines {
 public:
  Lines(Kind kind, index_t points, index_t lines) : points_(points), lines_(lines), line_{{points}, {kind}} {}

  /// The modes of all lines, and those transformed back, line after line, of an array of `shape` whose axis `axis` has
  /// the points and whose other axes have the lines.
  std::vector<Real> along(int axis, const Extents& shape) const {
    Case c{shape, std::vector<Kind>(static_cast<std::size_t>(shape.dims()), Kind::none)};
    c.kinds[static_cast<std::size_t>(axis)] = line_.kinds.front();
    const int width = line_.physical_width(), spectral_width = line_.spectral_width();
    Plan<Real> plan(MPI_COMM_SELF, c.shape, c.kinds, quick());
    const std::vector<Real> values = numbers<Real>(points_ * lines_ * width);
    auto physical = moved(values, c.shape, axis, width, false), spectral = plan.spectral_field();
    plan.forward(physical, spectral);
    std::vector<Real> result = moved(spectral, c.spectral_shape(), axis, spectral_width, true);
    plan.backward(spectral, physical);
    const std::vector<Real> restored = moved(physical, c.shape, axis, width, true);
    result.insert(result.end(), restored.begin(), restored.end());
    return result;
  }

 private:
  // An array to lines one after the other, or the other way round.
  static std::vector<Real> moved(const std::vector<Real>& from, const Extents& shape, int axis, int width,
                                 bool to_lines) {
    std::vector<Real> to(from.size());
    const index_t count = shape[axis], inner = c_strides(shape)[axis];
    for (index_t l = 0; l < shape.product() / count; ++l)
      for (index_t i = 0; i < count; ++i)
        for (int part = 0; part < width; ++part) {
          const index_t in_array = (l / inner * count + i) * inner + l % inner, in_line = l * count + i;
          const auto a = static_cast<std::size_t>(in_array * width + part);
          const auto b = static_cast<std::size_t>(in_line * width + part);
          to_lines ? to[b] = from[a] : to[a] = from[b];
        }
    return to;
  }

  index_t points_, lines_;
  Case line_;
};

template <class Real>
void expect_same_bits_everywhere(Kind kind, index_t points) {
  constexpr index_t lines = 21;  // not a multiple of the lanes
  const Lines<Real> all(kind, points, lines);
  const std::vector<Real> contiguous = all.along(1, {lines, points});
  EXPECT_TRUE(same_bits(all.along(0, {points, lines}), contiguous)) << to_string(kind) << ", strided, " << points;
  EXPECT_TRUE(same_bits(all.along(1, {3, points, 7}), contiguous)) << to_string(kind) << ", in the middle, " << points;
  EXPECT_TRUE(same_bits(all.along(2, {3, 7, points}), contiguous)) << to_string(kind) << ", of three, " << points;
}

TEST(LineBits, DoNotDependOnTheAxis) {
  for (const Kind kind : kinds)
    for (const index_t points : {4, 6, 15, 16, 20, 24, 40, 60, 64, 96, 97, 100, 120, 128, 200, 256}) {
      expect_same_bits_everywhere<double>(kind, points);
      expect_same_bits_everywhere<float>(kind, points);
    }
}

}  // namespace
}  // namespace weft::plan_test
