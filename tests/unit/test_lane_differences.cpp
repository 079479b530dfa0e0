// Tridiagonal and cyclic systems of lines in lane blocks, for every instruction set that this processor runs: the
// equations hold to the rounding of their own terms.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <vector>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"

namespace weft::lane_test {
namespace {

/// Cells of uneven widths. Open lines end in walls with these couplings; 0: nothing flows.
struct Line {
  std::vector<double> widths, couplings;
  std::vector<double> before, middle, after;
  std::array<LaneWall<double>, 2> walls{};
  double given = 0.75;  ///< at both walls of compact lines
  bool cyclic = false;

  Line(index_t cells, bool is_cyclic, double left, double right) : cyclic(is_cyclic) {
    for (index_t j = 0; j < cells; j++) widths.push_back(1 + 0.75 * noise<double>(j));
    couplings.push_back(left);
    for (std::size_t j = 1; j < widths.size(); j++) couplings.push_back(2 / (widths[j - 1] + widths[j]));
    couplings.push_back(right);
    if (cyclic) couplings.front() = couplings.back() = 2 / (widths.front() + widths.back());
  }

  /// The same with rows that count neighbours, and with walls, whose values depend on all that they can.
  void make_compact() {
    const std::size_t cells = widths.size();
    for (std::size_t j = 0; j < cells; j++) {
      const auto k = static_cast<index_t>(j);
      before.push_back(0.1 * widths[j] * noise<double>(3 * k + 1));
      after.push_back(0.1 * widths[j] * noise<double>(3 * k + 2));
      middle.push_back(widths[j] - before[j] - after[j]);
    }
    walls = {LaneWall<double>{{1.5, 0.5}, {0.25, 0.125}, {1, 0.5}, {0.5, -0.25, 0.125}, {0.0625, 0.25, -0.125}},
             LaneWall<double>{{2, 0.25}, {1, 0.5}, {0.5, 0.25}, {0.25, 0.5, -0.5}, {-0.125, 0.25, 0.5}}};
    for (double* end : {&couplings.front(), &couplings.back()}) *end = cyclic ? *end : 1.5;
  }
  bool is_compact() const { return !before.empty(); }

  double beyond(const std::vector<double>& u, bool right) const { return !cyclic ? 0 : right ? u.front() : u.back(); }
  /// The left side of equation j, and the sum of the moduli of its terms.
  std::pair<double, double> row(const std::vector<double>& u, std::size_t j, double shift) const {
    const double before = j == 0 ? beyond(u, false) : u[j - 1], after = j + 1 == u.size() ? beyond(u, true) : u[j + 1];
    const double value = couplings[j + 1] * (after - u[j]) - couplings[j] * (u[j] - before) - widths[j] * shift * u[j];
    const double size = couplings[j + 1] * (std::abs(after) + std::abs(u[j])) +
                        couplings[j] * (std::abs(u[j]) + std::abs(before)) + widths[j] * shift * std::abs(u[j]);
    return {value, size};
  }

  /// The left side of compact equation j less its right side, and the sum of the moduli of the terms.
  std::pair<double, double> compact_row(const std::vector<double>& u, const std::vector<double>& f, std::size_t j,
                                        double shift) const {
    const auto [first, value_before] = beside(u, f, j, 0, shift);
    const auto [last, value_after] = beside(u, f, j, 1, shift);
    const std::array<double, 8> terms{couplings[j + 1] * (value_after - u[j]),
                                      -couplings[j] * (u[j] - value_before),
                                      -shift * before[j] * value_before,
                                      -shift * middle[j] * u[j],
                                      -shift * after[j] * value_after,
                                      -first,
                                      -middle[j] * f[j],
                                      -last};
    double size = (couplings[j] + couplings[j + 1]) * std::abs(u[j]);
    for (const double term : terms) size += std::abs(term);
    return {std::accumulate(terms.begin(), terms.end(), 0.0), size};
  }
  /// Beside cell j: what f counts there in its row, and the value of u.
  std::pair<double, double> beside(const std::vector<double>& u, const std::vector<double>& f, std::size_t j, int side,
                                   double shift) const {
    const std::size_t n = u.size(), other = side == 0 ? (j + n - 1) % n : (j + 1) % n;
    const double weight = side == 0 ? before[j] : after[j];
    if (cyclic || (side == 0 ? j > 0 : j + 1 < n)) return {weight * f[other], u[other]};
    const LaneWall<double>& wall = walls[static_cast<std::size_t>(side)];
    const auto at = [shift](const double* polynomial) { return polynomial[0] + polynomial[1] * shift; };
    double inner = 0, value = (at(wall.pivot) - at(wall.excess)) * u[j] + at(wall.given) * given;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, n); i++) {
      const double near = f[side == 0 ? i : n - 1 - i];
      inner += wall.inner[i] * near;
      value -= wall.moved[i] * near;
    }
    return {inner, value / at(wall.pivot)};
  }
};

/// What a compact line is in a precision.
template <class Real>
struct CompactLine {
  std::array<std::vector<Real>, 3> weights;
  LaneCompact<Real> rows{};

  explicit CompactLine(const Line& line) {
    const std::array<const std::vector<double>*, 3> from{&line.before, &line.middle, &line.after};
    for (std::size_t i = 0; i < 3; i++) weights[i].assign(from[i]->begin(), from[i]->end());
    rows.before = weights[0].data();
    rows.middle = weights[1].data();
    rows.after = weights[2].data();
    for (std::size_t side = 0; side < 2; side++) {
      const LaneWall<double>& wall = line.walls[side];
      LaneWall<Real>& to = rows.walls[side];
      for (int i = 0; i < 3; i++) {
        to.moved[i] = static_cast<Real>(wall.moved[i]);
        to.inner[i] = static_cast<Real>(wall.inner[i]);
        if (i == 2) continue;
        to.pivot[i] = static_cast<Real>(wall.pivot[i]);
        to.excess[i] = static_cast<Real>(wall.excess[i]);
        to.given[i] = static_cast<Real>(wall.given[i]);
      }
    }
  }
};

template <class Real>
class LaneDifferenceLines : public ::testing::Test {
 protected:
  /// Solves with noise on the right and expects every equation of every lane to hold. `first_shift` is that of lane 0.
  void expect_solved(const LaneKernels<Real>& kernels, const Line& line, int width, double first_shift) const {
    const auto cells = static_cast<index_t>(line.widths.size());
    const index_t lanes = kernels.lanes, element = lanes * width;
    const std::vector<Real> couplings(line.couplings.begin(), line.couplings.end());
    const std::vector<Real> widths(line.widths.begin(), line.widths.end());
    const Buffer<Real> shifts(lanes), blocks(cells * element), a(cells * lanes), b(cells * lanes);
    Real *shift = shifts.data(), *block = blocks.data();
    for (index_t l = 0; l < lanes; l++)
      shift[l] = static_cast<Real>(l == 0 ? first_shift : std::pow(10.0, static_cast<double>(l % 7) - 4));
    for (index_t i = 0; i < cells * element; i++) block[i] = noise<Real>(i);
    if (first_shift == 0) take_sum_out(widths, element, lanes, width, block);
    const std::vector<Real> rhs(block, block + cells * element);
    const CompactLine<Real> compact(line);
    const Buffer<Real> given(element);
    std::fill_n(given.data(), element, static_cast<Real>(line.given));
    LaneDifferences<Real> systems{cells, couplings.data(), widths.data(), line.cyclic, &compact.rows};
    if (!line.is_compact()) systems.compact = nullptr;
    if (line.is_compact() && !line.cyclic) systems.given[0] = systems.given[1] = given.data();
    kernels.solve_differences(systems, shift, width, block, {a.data(), b.data()});
    for (index_t i = 0; i < element; i++) {
      std::vector<double> u, f;
      for (index_t j = 0; j < cells; j++) {
        u.push_back(static_cast<double>(block[j * element + i]));
        f.push_back(static_cast<double>(rhs[static_cast<std::size_t>(j * element + i)]));
      }
      for (std::size_t j = 0; j < u.size(); j++) {
        const auto one = static_cast<double>(shift[i % lanes]);
        const auto [value, size] = line.is_compact() ? line.compact_row(u, f, j, one) : line.row(u, j, one);
        const double wanted = line.is_compact() ? 0 : line.widths[j] * f[j];
        // Elimination of matrices of this kind errs as if each entry were off by a few units in its last place.
        const double bound = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * (size + std::abs(wanted));
        ASSERT_NEAR(value, wanted, bound + singular_slack(first_shift, i % lanes, f, line))
            << kernels.isa << ", " << cells << " cells, width " << width << ", lane " << i % lanes << ", cell " << j;
      }
    }
  }

 private:
  // Lines in which a constant is free want a sum of zero.
  static void take_sum_out(const std::vector<Real>& widths, index_t element, index_t lanes, int width, Real* block) {
    double all = 0;
    for (const Real w : widths) all += static_cast<double>(w);
    for (int part = 0; part < width; part++) {
      double sum = 0;
      for (std::size_t j = 0; j < widths.size(); j++)
        sum += static_cast<double>(widths[j]) *
               static_cast<double>(block[static_cast<index_t>(j) * element + part * lanes]);
      for (std::size_t j = 0; j < widths.size(); j++)
        block[static_cast<index_t>(j) * element + part * lanes] -= static_cast<Real>(sum / all);
    }
  }
  // The last equation of such a line gets what rounding has left of the sum: half a unit of each value.
  static double singular_slack(double first_shift, index_t lane, const std::vector<double>& f, const Line& line) {
    if (first_shift != 0 || lane != 0) return 0;
    double slack = 0;
    for (std::size_t j = 0; j < f.size(); j++) slack += line.widths[j] * std::abs(f[j]);
    return 4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * slack;
  }
};

using Precisions = ::testing::Types<double, float>;
TYPED_TEST_SUITE(LaneDifferenceLines, Precisions);

TYPED_TEST(LaneDifferenceLines, EquationsHold) {
  for (const auto* kernels : available_kernels<TypeParam>())
    for (const index_t cells : {1, 2, 3, 16, 37})
      for (const int width : {1, 2}) {
        this->expect_solved(*kernels, Line(cells, false, 2, 0.5), width, 0.1);
        this->expect_solved(*kernels, Line(cells, false, 0, 1), width, 1e-9);
        this->expect_solved(*kernels, Line(cells, true, 0, 0), width, 1e-9);
      }
}

// Shifts from those that a wall stands out of to those that change the sign of what couples cells.
TYPED_TEST(LaneDifferenceLines, CompactEquationsHold) {
  for (const auto* kernels : available_kernels<TypeParam>())
    for (const index_t cells : {1, 2, 3, 4, 16, 37})
      for (const int width : {1, 2})
        for (const bool cyclic : {false, true})
          for (const double shift : {1e-9, 0.1, 200.0}) {
            Line line(cells, cyclic, 0, 0);
            line.make_compact();
            this->expect_solved(*kernels, line, width, shift);
          }
}

TYPED_TEST(LaneDifferenceLines, LinesWithAFreeConstantEndInZero) {
  for (const auto* kernels : available_kernels<TypeParam>())
    for (const index_t cells : {1, 2, 5, 37})
      for (const bool cyclic : {false, true}) this->expect_solved(*kernels, Line(cells, cyclic, 0, 0), 2, 0);
}

}  // namespace
}  // namespace weft::lane_test
