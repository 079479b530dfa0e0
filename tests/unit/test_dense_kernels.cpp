// Products of dense matrices with slices: every remainder of rows, columns and depth, for every instruction set that
// this processor runs, against sums in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"
#include "transform/kernels/dense_kernels.hpp"

namespace weft::lane_test {
namespace {

template <class Real>
class DenseKernelTest : public ::testing::Test {};
using Precisions = ::testing::Types<double, float>;
TYPED_TEST_SUITE(DenseKernelTest, Precisions);

constexpr index_t most = 40;

// Number `i` of a sequence in [-1, 1) that single precision holds exactly.
template <class Real>
Real number(index_t i) {
  return static_cast<Real>((i * 7919 + 13) % 4096 - 2048) / 2048;
}

struct Case {
  index_t rows, columns, depth;  // of the result, the result, and the matrix
  int width;                     // 0: rows are contiguous; else lines of elements of so many reals
  bool complex;                  // the rows of the matrix are real and imaginary parts
  bool accumulate;
  int group;
  bool stream = false;  // past the cache: rows or lines are whole cache lines apart
};

// A slice of `rows` times `columns` reals, a few more from row to row or line to line, or up to a multiple of `unit`.
template <class Real>
class Slice {
 public:
  Slice(index_t rows, index_t columns, int width, index_t gap, index_t unit = 1)
      : width_(width),
        pitch_(round_up((width == 0 ? columns : rows * width) + gap, unit)),
        memory_(pitch_ * (width == 0 ? rows : columns / width) + gap) {
    std::fill_n(memory_.data(), memory_.size(), untouched<Real>);
  }
  Real& at(index_t row, index_t column) const {
    if (width_ == 0) return memory_.data()[row * pitch_ + column];
    return memory_.data()[column / width_ * pitch_ + row * width_ + column % width_];
  }
  Real* data() const { return memory_.data(); }
  index_t pitch() const { return pitch_; }
  index_t touched() const {
    return std::count_if(memory_.data(), memory_.data() + memory_.size(), [](Real a) { return a != untouched<Real>; });
  }

 private:
  int width_;
  index_t pitch_;
  Buffer<Real> memory_;
};

template <class Real>
Real entry(index_t row, index_t p) {
  return number<Real>(57 * row + p);
}

// [depth][rows of the panel] for as many rows at a time as a panel has.
template <class Real>
Buffer<Real> panels(const DenseKernels<Real>& kernels, index_t rows, index_t depth) {
  Buffer<Real> result(std::max<index_t>(rows * depth, 1));
  Real* to = result.data();
  for (index_t first = 0; first < rows; first += kernels.panel_rows)
    for (index_t p = 0; p < depth; p++)
      for (index_t row = first; row < std::min(rows, first + kernels.panel_rows); row++) *to++ = entry<Real>(row, p);
  return result;
}

template <class Real>
void multiply(const DenseKernels<Real>& kernels, const Case& c, const Slice<Real>& from, const Slice<Real>& to) {
  const index_t products = c.complex ? 2 * c.rows : c.rows;
  const Buffer<Real> matrix = panels(kernels, products, c.depth);
  const index_t scratch = (c.group * (c.depth + c.rows) + 2 * kernels.panel_rows) * kernels.strip_columns;
  const Buffer<Real> work(scratch);
  DenseProduct<Real> product{};
  product.in = {c.depth, 0, c.depth};
  product.out = {products, 0, products};
  product.load = DenseLoad::rows;
  product.store = c.complex ? DenseStore::complex : DenseStore::rows;
  product.rows_in = c.depth;
  product.rows_out = c.rows;
  product.columns = c.columns;
  product.width = c.width;
  product.rotation = 1;
  product.accumulate = c.accumulate;
  product.panels = matrix.data();
  product.group = c.group;
  kernels.multiply(product, {from.data(), from.pitch(), to.data(), to.pitch(), nullptr, c.stream, work.data()});
}

struct Exact {
  long double value = 0, terms = 0;
  void add(long double a) {
    value += a;
    terms += std::abs(a);
  }
};

template <class Real>
Exact exact(const Case& c, const Slice<Real>& from, index_t row, index_t column) {
  Exact result;
  if (c.accumulate) result.add(number<Real>(row + 3 * column));
  for (index_t p = 0; p < c.depth; p++) {
    const long double x = from.at(p, column);
    result.add(entry<Real>(c.complex ? 2 * row : row, p) * x);
    if (!c.complex) continue;
    // i (a + ib) = -b + ia
    const long double other = from.at(p, column ^ 1), sign = column % 2 == 0 ? -1 : 1;
    result.add(sign * entry<Real>(2 * row + 1, p) * other);
  }
  return result;
}

template <class Real>
void check(const DenseKernels<Real>& kernels, const Case& c) {
  const Slice<Real> from(c.depth, c.columns, c.width, 3), to(c.rows, c.columns, c.width, 5, c.stream ? 64 : 1);
  for (index_t p = 0; p < c.depth; p++)
    for (index_t column = 0; column < c.columns; column++) from.at(p, column) = number<Real>(31 * p + column);
  for (index_t row = 0; c.accumulate && row < c.rows; row++)
    for (index_t column = 0; column < c.columns; column++) to.at(row, column) = number<Real>(row + 3 * column);
  multiply(kernels, c, from, to);
  const double u = std::numeric_limits<Real>::epsilon() / 2;
  index_t wrong = 0;
  for (index_t row = 0; row < c.rows; row++)
    for (index_t column = 0; column < c.columns; column++) {
      const Exact wanted = exact(c, from, row, column);
      // Every term is rounded at most once for each term after it and once for its product: Higham, section 3.
      const double terms = static_cast<double>((c.complex ? 2 : 1) * c.depth + 2);
      const double error = static_cast<double>(std::abs(to.at(row, column) - wanted.value));
      wrong += error <= terms * u * static_cast<double>(wanted.terms) ? 0 : 1;
    }
  EXPECT_EQ(wrong, 0) << c.rows << " x " << c.depth << " times " << c.columns << ", width " << c.width << ", group "
                      << c.group << (c.complex ? ", complex" : "") << (c.accumulate ? ", accumulating" : "");
  EXPECT_EQ(to.touched(), c.rows * c.columns) << "wrote beside the slice";
}

TYPED_TEST(DenseKernelTest, EveryRemainder) {
  for (const auto* table : available_kernels<TypeParam>()) {
    SCOPED_TRACE(table->isa);
    for (index_t rows = 1; rows <= most; rows++)
      for (index_t depth = 1; depth <= most; depth++) {
        const index_t i = rows * most + depth, columns = (7 * rows + 11 * depth) % most + 1;
        const int width = static_cast<int>(i % 3);
        const bool whole = width != 2 && i % 2 == 0;
        check(*table->dense, {rows, whole ? columns : 2 * (columns / 2 + 1), depth, width, !whole && width != 1,
                              i % 5 < 2, i % 7 < 3 ? 2 : 1, i % 4 < 2});
      }
  }
}

// Columns from one to several groups of strips.
TYPED_TEST(DenseKernelTest, EveryNumberOfColumns) {
  for (const auto* table : available_kernels<TypeParam>()) {
    SCOPED_TRACE(table->isa);
    for (index_t columns = 1; columns <= 5 * table->dense->strip_columns + 1; columns++)
      for (const int width : {0, 1, 2}) {
        const index_t used = width == 2 ? 2 * columns : columns;
        check(*table->dense,
              {9, used, 5, width, width == 2, columns % 2 == 0, columns % 3 == 0 ? 1 : 3, columns % 4 < 2});
      }
  }
}

// A share of an axis may have no points: zeros, or nothing to add.
TYPED_TEST(DenseKernelTest, NoDepth) {
  for (const auto* table : available_kernels<TypeParam>())
    for (const bool accumulate : {false, true}) check(*table->dense, {3, 5, 0, 0, false, accumulate, 1});
}

}  // namespace
}  // namespace weft::lane_test
