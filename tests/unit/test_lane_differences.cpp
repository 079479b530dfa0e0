// Tridiagonal and cyclic systems of lines in lane blocks, for every instruction set that this processor runs: the
// equations hold to the rounding of their own terms.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"

namespace weft::lane_test {
namespace {

/// Cells of uneven widths. Open lines end in walls with these couplings; 0: nothing flows.
struct Line {
  std::vector<double> widths, couplings;
  bool cyclic = false;

  Line(index_t cells, bool is_cyclic, double left, double right) : cyclic(is_cyclic) {
    for (index_t j = 0; j < cells; j++) widths.push_back(1 + 0.75 * noise<double>(j));
    couplings.push_back(left);
    for (std::size_t j = 1; j < widths.size(); j++) couplings.push_back(2 / (widths[j - 1] + widths[j]));
    couplings.push_back(right);
    if (cyclic) couplings.front() = couplings.back() = 2 / (widths.front() + widths.back());
  }

  double beyond(const std::vector<double>& u, bool right) const { return !cyclic ? 0 : right ? u.front() : u.back(); }
  /// The left side of equation j, and the sum of the moduli of its terms.
  std::pair<double, double> row(const std::vector<double>& u, std::size_t j, double shift) const {
    const double before = j == 0 ? beyond(u, false) : u[j - 1], after = j + 1 == u.size() ? beyond(u, true) : u[j + 1];
    const double value = couplings[j + 1] * (after - u[j]) - couplings[j] * (u[j] - before) - widths[j] * shift * u[j];
    const double size = couplings[j + 1] * (std::abs(after) + std::abs(u[j])) +
                        couplings[j] * (std::abs(u[j]) + std::abs(before)) + widths[j] * shift * std::abs(u[j]);
    return {value, size};
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
    kernels.solve_differences({cells, couplings.data(), widths.data(), line.cyclic}, shift, width, block,
                              {a.data(), b.data()});
    for (index_t i = 0; i < element; i++) {
      std::vector<double> u, f;
      for (index_t j = 0; j < cells; j++) {
        u.push_back(static_cast<double>(block[j * element + i]));
        f.push_back(static_cast<double>(rhs[static_cast<std::size_t>(j * element + i)]));
      }
      for (std::size_t j = 0; j < u.size(); j++) {
        const auto [value, size] = line.row(u, j, static_cast<double>(shift[i % lanes]));
        const double given = line.widths[j] * f[j];
        // Elimination of matrices of this kind errs as if each entry were off by a few units in its last place.
        const double bound = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * (size + std::abs(given));
        ASSERT_NEAR(value, given, bound + singular_slack(first_shift, i % lanes, f, line))
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
  for (const auto* kernels : tables_here<TypeParam>())
    for (const index_t cells : {1, 2, 3, 16, 37})
      for (const int width : {1, 2}) {
        this->expect_solved(*kernels, Line(cells, false, 2, 0.5), width, 0.1);
        this->expect_solved(*kernels, Line(cells, false, 0, 1), width, 1e-9);
        this->expect_solved(*kernels, Line(cells, true, 0, 0), width, 1e-9);
      }
}

TYPED_TEST(LaneDifferenceLines, LinesWithAFreeConstantEndInZero) {
  for (const auto* kernels : tables_here<TypeParam>())
    for (const index_t cells : {1, 2, 5, 37})
      for (const bool cyclic : {false, true}) this->expect_solved(*kernels, Line(cells, cyclic, 0, 0), 2, 0);
}

}  // namespace
}  // namespace weft::lane_test
