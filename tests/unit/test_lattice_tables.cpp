// The two representations of the lattice Green's functions, tables near the origin and expansions far from it, against
// each other and against the published expansion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "poisson/lattice_near.hpp"

namespace weft {
namespace {

using std::numbers::pi;

const std::vector<std::string> separable{"lgf2", "lgf4", "lgf6", "lgf8"};
const std::vector<std::string> compact{"mehr4l", "mehr6l", "mehr4f", "mehr6f"};

void expect_coefficients(const LatticeFarField::Coefficients& found, const LatticeFarField::Coefficients& expected) {
  for (std::size_t b = 0; b < expected.size(); ++b)
    for (std::size_t c = 0; c < expected[b].size(); ++c)
      EXPECT_NEAR(found[b][c], expected[b][c] / pi, 1e-15 * std::max(1.0, std::abs(expected[b][c]))) << b << " " << c;
}

/// Martinsson and Rodin (2002) have for the 7-point stencil
///   pi F_1 = sum n^4/16 - 3/16 sum_{i<j} n_i^2 n_j^2,
///   pi F_2 = 23/128 sum n^8 - 61/32 sum_{i!=j} n_i^6 n_j^2 + 621/128 sum_{i<j} n_i^4 n_j^4 - 57/32 sum n_i^4 n_j^2
///   n_k^2,
/// and for the 5-point stencil
///   pi F_1 = sum n^4/24 - n_1^2 n_2^2/4,
///   pi F_2 = 43/480 sum n^8 - 193/120 sum_{i!=j} n_i^6 n_j^2 + 157/48 n_1^4 n_2^4,
/// here in e2 and e3 with sum n^2 = 1: sum n^4 = 1 - 2 e2, sum n^8 = 1 - 4 e2 + 2 e2^2 + 4 e3, sum_{i!=j} n_i^6 n_j^2 =
/// e2 - 2 e2^2 - e3, sum_{i<j} n_i^4 n_j^4 = e2^2 - 2 e3.
TEST(LatticeTables, ExpansionsOfTheSecondOrderStencils) {
  const LatticeFarField space(lattice_symbol("lgf2"), 3), plane(lattice_symbol("lgf2"), 2);
  expect_coefficients(space.terms()[0], {{{1.0 / 16}, {-5.0 / 16}}});
  expect_coefficients(space.terms()[1], {{{23.0 / 128, -1134.0 / 128}, {-336.0 / 128}, {1155.0 / 128}}});
  expect_coefficients(plane.terms()[0], {{{1.0 / 24}, {-1.0 / 3}}});
  expect_coefficients(plane.terms()[1], {{{43.0 / 480}, {-944.0 / 480}, {3200.0 / 480}}});
}

/// The leading anisotropy is that of the order of the stencil: r^-(order + d - 2), and r^-(3 + 2) for compact ones.
TEST(LatticeTables, ExpansionsStartAtTheOrderOfTheStencil) {
  const auto first_term = [](const std::string& name) {
    const LatticeFarField far(lattice_symbol(name), 3);
    std::size_t order = 2;
    for (const auto& term : far.terms()) {
      double largest = 0;
      for (const auto& row : term)
        for (const double x : row) largest = std::max(largest, std::abs(x));
      if (largest > 1e-12) break;
      order += 2;
    }
    return order;
  };
  EXPECT_EQ(first_term("lgf2"), 2U);
  EXPECT_EQ(first_term("lgf4"), 4U);
  EXPECT_EQ(first_term("lgf6"), 6U);
  EXPECT_EQ(first_term("lgf8"), 8U);
  EXPECT_EQ(first_term("mehr4l"), 4U);
  EXPECT_EQ(first_term("mehr6l"), 4U);
  EXPECT_EQ(first_term("mehr4f"), 4U);
  EXPECT_EQ(first_term("mehr6f"), 6U);
}

/// The largest difference of two functions over 0 <= k <= j <= i, first < i <= last.
template <class Left, class Right>
double difference(const Left& left, const Right& right, int first, int last) {
  double largest = 0;
  for (int i = first + 1; i <= last; ++i)
    for (int j = 0; j <= i; ++j)
      for (int k = 0; k <= j; ++k) largest = std::max(largest, std::abs(left(i, j, k) - right(i, j, k)));
  return largest;
}

/// A table that reaches beyond the usual one.
struct Table {
  std::vector<double> values;
  int near;
  double operator()(int i, int j, int k) const {
    return values[static_cast<std::size_t>((i * (near + 1) + j) * (near + 1) + k)];
  }
};

/// Rounding of quadratures whose terms add up to 0.3 at most, and an expansion whose first neglected term is 1e-15 of
/// 1/(4 pi r) = 0.0024 at r = 33.
TEST(LatticeTables, QuadratureAndExpansionAgree) {
  for (const std::string& name : separable) {
    const LatticeFarField far(lattice_symbol(name), 3);
    const Table table{lattice_heat_table(lattice_symbol(name), 40), 40};
    EXPECT_LT(difference(table, far, LatticeSpace::near, 40), 0.3 * 1e-15) << name;
  }
}

/// Boundary values at index 33 and at index 41, and six transforms of values up to 0.3, each of 33 or 41 terms.
TEST(LatticeTables, CubesOfTwoSizesAgree) {
  for (const std::string& name : compact) {
    const LatticeFarField far(lattice_symbol(name), 3);
    const Table table{lattice_stencil_table(lattice_symbol(name), far, 40), 40};
    const LatticeSpace& space = lattice_space(lattice_symbol(name), 3);
    EXPECT_LT(difference(table, far, LatticeSpace::near, 40), 0.3 * 6e-15) << name;
    EXPECT_LT(difference(table, space, -1, LatticeSpace::near), 0.3 * 6e-15) << name;
  }
}

/// Ranks cut lines at different places, so a value must not depend on whether it is in a whole vector. A point by
/// itself may omit terms of less than 1e-18; two sums, a root and a division round.
TEST(LatticeTables, PointsOfALineAreThoseOfEachByItself) {
  const LatticeFarField far(lattice_symbol("lgf4"), 3);
  std::vector<double> z(19), values(z.size());
  for (std::size_t i = 0; i < z.size(); i++) z[i] = 33 + 7 * static_cast<double>(i);
  far.line(5, 12, z, 33, values.data());
  for (std::size_t i = 0; i < z.size(); i++) {
    double alone = 0;
    far.line(5, 12, std::span<const double>(&z[i], 1), 33, &alone);
    EXPECT_EQ(values[i], alone) << z[i];
    const double r = std::sqrt(25 + 144 + z[i] * z[i]);
    EXPECT_NEAR(values[i], far(5, 12, z[i]), 4 * std::numeric_limits<double>::epsilon() / (4 * pi * r)) << z[i];
  }
}

}  // namespace
}  // namespace weft
