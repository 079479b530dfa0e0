// Kinds: names, lengths, inverses, scaling, mode numbers and weights, against the sums that define the transforms.
#include "weft/kind.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

#include "../error_text.hpp"
#include "../naive_transforms.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

const std::vector<Kind> all_kinds{Kind::none, Kind::c2c,  Kind::r2c,  Kind::dct1, Kind::dct2, Kind::dct3,
                                  Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

std::vector<Kind> transforms() { return {all_kinds.begin() + 1, all_kinds.end()}; }

TEST(Kind, NamesAreParsedBack) {
  for (const Kind kind : all_kinds) EXPECT_EQ(parse_kind(to_string(kind)), kind);
  EXPECT_EQ(to_string(Kind::none), "none");
  EXPECT_EQ(to_string(Kind::c2c), "c2c");
  EXPECT_EQ(to_string(Kind::r2c), "r2c");
  EXPECT_EQ(to_string(Kind::dct1), "dct1");
  EXPECT_EQ(to_string(Kind::dst4), "dst4");
}

TEST(Kind, UnknownNameIsRefusedWithTheListOfKinds) {
  for (const char* name : {"", "dct5", "C2C", "r2c ", "c2r"}) {
    const std::string text = error_text([&] { parse_kind(name); });
    EXPECT_TRUE(mentions(text, "kinds", "'" + std::string(name) + "'", "none, c2c, r2c, dct1", "dst4")) << text;
  }
  EXPECT_TRUE(mentions(error_text([] { parse_kind("fft", "kinds[2]"); }), "kinds[2]: ", "'fft'"));
}

TEST(Kind, ClassesAreDisjoint) {
  for (const Kind kind : all_kinds) {
    EXPECT_EQ(is_fourier(kind), kind == Kind::c2c || kind == Kind::r2c);
    EXPECT_EQ(is_real_to_real(kind), kind != Kind::none && !is_fourier(kind));
  }
}

TEST(Kind, InverseOfTheInverseIsTheKind) {
  for (const Kind kind : all_kinds) EXPECT_EQ(inverse(inverse(kind)), kind);
  EXPECT_EQ(inverse(Kind::dct2), Kind::dct3);
  EXPECT_EQ(inverse(Kind::dst3), Kind::dst2);
  for (const Kind kind : {Kind::none, Kind::c2c, Kind::r2c, Kind::dct1, Kind::dct4, Kind::dst1, Kind::dst4})
    EXPECT_EQ(inverse(kind), kind);
}

TEST(Kind, OnlyRealToComplexChangesTheLength) {
  for (const Kind kind : all_kinds)
    for (index_t n = smallest_length(kind); n <= 9; ++n)
      EXPECT_EQ(output_length(kind, n), kind == Kind::r2c ? n / 2 + 1 : n) << to_string(kind);
  constexpr index_t large = index_t{1} << 40;
  EXPECT_EQ(output_length(Kind::r2c, large), large / 2 + 1);
}

// The unscaled round trip of a unit vector gives the factor and nothing else. Two direct sums of n terms of long double
// are within 2 (n+2)^2 of its epsilon, times the factor.
TEST(Kind, RoundTripFactorIsThatOfTheDefinition) {
  for (const Kind kind : transforms()) {
    for (index_t n = smallest_length(kind); n <= 12; ++n) {
      const naive::Transform transform(kind, n);
      const double factor = round_trip_factor(kind, n);
      const double bound = 2.0 * static_cast<double>((n + 2) * (n + 2)) * 1.1e-19 * factor;
      for (index_t j = 0; j < n; ++j) {
        naive::Line unit(static_cast<std::size_t>(n));
        unit[static_cast<std::size_t>(j)] = 1;
        const naive::Line back = transform.backward(transform.forward(unit));
        for (index_t i = 0; i < n; ++i) {
          const naive::Complex expected = i == j ? naive::Real{factor} : naive::Real{0};
          EXPECT_LE(std::abs(back[static_cast<std::size_t>(i)] - expected), bound) << to_string(kind) << " of " << n;
        }
      }
    }
  }
  EXPECT_EQ(round_trip_factor(Kind::none, 17), 1);
  EXPECT_EQ(round_trip_factor(Kind::dct2, index_t{1} << 40), 0x1p41);
}

TEST(Kind, FourierModesHaveTheOrderOfFftfreq) {
  const auto numbers = [](Kind kind, index_t n) {
    std::vector<double> result;
    for (index_t m = 0; m < output_length(kind, n); ++m) result.push_back(mode_number(kind, n, m));
    return result;
  };
  EXPECT_EQ(numbers(Kind::c2c, 1), (std::vector<double>{0}));
  EXPECT_EQ(numbers(Kind::c2c, 2), (std::vector<double>{0, -1}));
  EXPECT_EQ(numbers(Kind::c2c, 6), (std::vector<double>{0, 1, 2, -3, -2, -1}));
  EXPECT_EQ(numbers(Kind::c2c, 7), (std::vector<double>{0, 1, 2, 3, -3, -2, -1}));
  EXPECT_EQ(numbers(Kind::r2c, 6), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(numbers(Kind::r2c, 7), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(numbers(Kind::dct1, 3), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(numbers(Kind::dct2, 3), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(numbers(Kind::dst1, 3), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(numbers(Kind::dst2, 3), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(numbers(Kind::none, 3), (std::vector<double>{0, 0, 0})) << "no transform, no wavenumber";
  for (const Kind kind : {Kind::dct3, Kind::dct4, Kind::dst3, Kind::dst4})
    EXPECT_EQ(numbers(kind, 3), (std::vector<double>{0.5, 1.5, 2.5}));
}

// Parseval's theorem with a random-looking line: sum |X|^2 weight = n sum |x|^2, whatever part of the spectrum is kept.
// Squares of direct sums: the bound above, twice for the squares.
TEST(Kind, WeightsMakeHalfASpectrumCountAsAWhole) {
  for (const Kind kind : {Kind::c2c, Kind::r2c}) {
    for (index_t n = 1; n <= 12; ++n) {
      naive::Line line;
      for (index_t j = 0; j < n; ++j) line.emplace_back(static_cast<naive::Real>((j * j * 7 + 3 * j + 1) % 11 - 5));
      const naive::Line modes = naive::Transform(kind, n).forward(line);
      naive::Real sum = 0;
      for (index_t m = 0; m < output_length(kind, n); ++m)
        sum += static_cast<naive::Real>(mode_weight(kind, n, m)) * std::norm(modes[static_cast<std::size_t>(m)]);
      const naive::Real expected = static_cast<naive::Real>(n) * naive::norm(line) * naive::norm(line);
      EXPECT_LE(std::abs(sum - expected), 4.0L * static_cast<naive::Real>((n + 2) * n) * 1.1e-19L * expected) << n;
    }
  }
  for (const Kind kind : transforms()) {
    if (kind == Kind::r2c) continue;
    for (index_t m = 0; m < 8; ++m) EXPECT_EQ(mode_weight(kind, 8, m), 1) << to_string(kind);
  }
}

TEST(Kind, WholeAxisTransformsEveryPoint) {
  const AxisTransform t = whole_axis(Kind::r2c, 9, 1);
  EXPECT_EQ(t.kind, Kind::r2c);
  EXPECT_EQ(t.points, 9);
  EXPECT_EQ(t.length, 9);
  EXPECT_EQ(t.first_point, 0);
  EXPECT_EQ(t.count, 9);
  EXPECT_EQ(t.pad, 0);
  EXPECT_EQ(t.modes, 5);
  EXPECT_TRUE(t.ends.empty());
}

TEST(Kind, AxisTooShortForItsKindIsRefused) {
  const std::string text = error_text([] { whole_axis(Kind::dct1, 1, 2); });
  EXPECT_TRUE(mentions(text, "shape", "axis 2", "1 points", "dct1", "at least 2")) << text;
  EXPECT_TRUE(mentions(error_text([] { whole_axis(Kind::c2c, 0, 0); }), "axis 0", "0 points", "at least 1"));
  EXPECT_EQ(error_text([] { whole_axis(Kind::dst1, 1, 0); }), "no error");
}

}  // namespace
}  // namespace weft
