// Local updates of tensor transforms, and what they are made of: partitions, matrix entries, rings, the BLAS itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "../error_text.hpp"
#include "tensor/blas.hpp"
#include "tensor/local_update.hpp"
#include "tensor/product_ring.hpp"
#include "weft/tensor.hpp"

namespace weft {
namespace {

using Long = std::complex<long double>;

// exp(-+ 2 pi i n k / N)
Long entry(index_t n, index_t k, index_t length, Direction direction) {
  const long double turn = static_cast<long double>(n * k % length) / static_cast<long double>(length);
  const long double angle = 2 * std::numbers::pi_v<long double> * turn;
  return {std::cos(angle), direction == Direction::forward ? -std::sin(angle) : std::sin(angle)};
}

// The points of a share in the order of its memory.
std::vector<index_t> members(const AxisShare& share) {
  std::vector<index_t> result;
  for (const Range& range : share.ranges)
    for (index_t n = range.lo; n < range.hi; n++) result.push_back(n);
  return result;
}

TEST(AxisPartitions, HaveEveryPointOnce) {
  for (index_t n = 1; n <= 20; n++)
    for (int parts = 1; parts <= 7; parts++)
      for (const AxisPartition& partition : {partition_in_blocks(n, parts), partition_in_pairs(n, parts)}) {
        std::vector<int> seen(static_cast<std::size_t>(n));
        for (const AxisShare& share : partition) {
          EXPECT_EQ(share.count(), static_cast<index_t>(members(share).size()));
          for (const index_t point : members(share)) seen.at(static_cast<std::size_t>(point))++;
        }
        EXPECT_EQ(seen, std::vector<int>(static_cast<std::size_t>(n), 1)) << n << " points, " << parts << " parts";
      }
}

TEST(AxisPartitions, PairsAreTogether) {
  for (index_t n = 1; n <= 20; n++)
    for (int parts = 1; parts <= 7; parts++) {
      index_t sums = 0, differences = 0;
      for (const AxisShare& share : partition_in_pairs(n, parts)) {
        sums += share.even.size();
        differences += share.odd.size();
        const std::vector<index_t> points = members(share);
        for (const index_t point : points)
          EXPECT_EQ(std::count(points.begin(), points.end(), (n - point) % n), 1) << n << ": " << point;
        EXPECT_EQ(share.count(), share.even.size() + share.odd.size());
      }
      EXPECT_EQ(sums, n / 2 + 1);
      EXPECT_EQ(differences, (n - 1) / 2);
    }
}

TEST(DftMatrices, EntriesAreRoundedOnce) {
  const double u = std::numeric_limits<double>::epsilon() / 2;
  for (const index_t n : {1, 2, 7, 12, 96, 251}) {
    const DftMatrix matrix(n, Direction::forward, ProductKind::complex_to_complex, false, 1);
    const AxisShare all = partition_in_blocks(n, 1).front();
    std::vector<double> block(static_cast<std::size_t>(matrix.reals(all, all)));
    ASSERT_EQ(static_cast<index_t>(block.size()), 2 * n * n);
    matrix.fill(all, all, block.data());
    for (index_t i = 0; i < n * n; i++) {
      const Long exact = entry(i / n, i % n, n, Direction::forward);
      const auto at = static_cast<std::size_t>(2 * i);
      // Half a unit of the last place of a number below 1, and what long double itself is off.
      EXPECT_NEAR(static_cast<double>(static_cast<long double>(block[at]) - exact.real()), 0, u * 1.01);
      EXPECT_NEAR(static_cast<double>(static_cast<long double>(block[at + 1]) - exact.imag()), 0, u * 1.01);
    }
  }
}

// Quarters and eighths of a turn come out exactly: 0 and 1, and cosines that equal sines.
TEST(DftMatrices, QuartersOfATurnAreExact) {
  const DftMatrix matrix(8, Direction::forward, ProductKind::complex_to_complex, false, 1);
  const AxisShare all = partition_in_blocks(8, 1).front();
  std::vector<double> block(128);
  matrix.fill(all, all, block.data());
  const double* const row = block.data() + 2 * 8;  // n = 1
  EXPECT_EQ(row[2 * 2], 0);
  EXPECT_EQ(row[2 * 2 + 1], -1);
  EXPECT_EQ(row[2 * 4], -1);
  EXPECT_EQ(row[2 * 4 + 1], 0);
  EXPECT_EQ(row[2 * 1], -row[2 * 1 + 1]);
  EXPECT_EQ(row[2 * 3], row[2 * 3 + 1]);
}

// One product, spread over the ranks of a ring.
struct UpdateCase {
  SliceShape slices;
  index_t length;
  int parts;
  ProductKind kind;
  Direction direction;
  bool folded;
  UpdateKernel kernel = UpdateKernel::own;
};

std::string to_string(const UpdateCase& c) {
  return "axis " + std::to_string(c.slices.axis) + ", " + std::to_string(c.length) + " in " + std::to_string(c.parts) +
         ", kind " + std::to_string(static_cast<int>(c.kind)) +
         (c.direction == Direction::forward ? "" : ", backward") + (c.folded ? ", folded, " : ", ") +
         kernel_name(c.kernel);
}

AxisPartition partition_of(const UpdateCase& c, bool half) {
  if (half) return partition_half_spectrum(c.length, c.parts);
  return c.folded ? partition_in_pairs(c.length, c.parts) : partition_in_blocks(c.length, c.parts);
}

// Number `i` of a sequence in [-1, 1) that single precision holds exactly.
double number(index_t i) { return static_cast<double>((i * 7919 + 13) % 4096 - 2048) / 2048; }

// The element of line `line` at point n of the global axis.
Long element(index_t line, index_t n, ProductKind kind) {
  return {number(1000 * line + 2 * n), kind == ProductKind::real_to_half ? 0 : number(1000 * line + 2 * n + 1)};
}

// Where the point with local index i of a line is, in elements, for an array of `count` points along the axis.
index_t position(const SliceShape& shape, index_t count, index_t line, index_t i) {
  const index_t last = shape.others[2];
  if (shape.axis == 2) return line * count + i;
  if (shape.axis == 1) return (line / last * count + i) * last + line % last;
  return i * shape.others[1] * last + line;
}

std::size_t size(index_t n) { return static_cast<std::size_t>(n); }

// The array of a share.
template <class Real>
std::vector<Real> array_of(const UpdateCase& c, const AxisShare& in) {
  const index_t lines = c.slices.slices() * c.slices.lines();
  const int width = width_in(c.kind);
  std::vector<Real> x(size(lines * in.count() * width));
  const std::vector<index_t> points = members(in);
  for (index_t line = 0; line < lines; line++)
    for (index_t i = 0; i < in.count(); i++) {
      const Long value = element(line, points[size(i)], c.kind);
      const index_t at = width * position(c.slices, in.count(), line, i);
      x[size(at)] = static_cast<Real>(value.real());
      if (width == 2) x[size(at + 1)] = static_cast<Real>(value.imag());
    }
  return x;
}

// A whole axis at once, as a rank does it that has all of it.
template <class Real>
std::vector<Real> whole_product(const UpdateCase& c, const AxisShare& in, const AxisShare& out) {
  const DftMatrix matrix(c.length, c.direction, c.kind, c.folded, 1);
  const LocalUpdate<Real> update(c.slices, matrix, c.kernel);
  const index_t slices = c.slices.slices();
  const std::vector<Real> x = array_of<Real>(c, in);
  std::vector<Real> y(size(slices * c.slices.lines() * out.count() * width_out(c.kind)));
  AlignedVector<Real> block(size(matrix.reals(in, out))), panels(block.size());
  AlignedVector<Real> scratch(size(update.transform_scratch(in, out)));
  matrix.fill(in, out, block.data());
  const Real* const factors = update.factors(in, out, block.data(), panels.data());
  for (index_t slice = 0; slice < slices; slice++)
    update.transform_slice(slice, in, out, x.data(), factors, y.data(), scratch.data());
  return y;
}

// What a rank with the share `out` has after all steps: each share of the points multiplied and added up.
template <class Real>
std::vector<Real> product(const UpdateCase& c, const AxisPartition& ins, const AxisShare& out) {
  const DftMatrix matrix(c.length, c.direction, c.kind, c.folded, 1);
  const LocalUpdate<Real> update(c.slices, matrix, c.kernel);
  const index_t slices = c.slices.slices();
  std::vector<Real> y(size(slices * c.slices.lines() * out.count() * width_out(c.kind)));
  std::vector<Real> sum(c.folded ? size(update.folded_slice(out) * slices) : y.size());
  for (const AxisShare& in : ins) {
    const std::vector<Real> x = array_of<Real>(c, in);
    std::vector<Real> folded(size(update.travelling_reals(in)));
    AlignedVector<Real> block(size(matrix.reals(in, out))), panels(block.size());
    AlignedVector<Real> scratch(size(update.multiply_scratch(in, out)));
    matrix.fill(in, out, block.data());
    const Real* const factors = update.factors(in, out, block.data(), panels.data());
    for (index_t slice = 0; slice < slices; slice++) {
      if (c.folded) update.fold_slice(slice, in, x.data(), folded.data());
      update.multiply(slice, in, out, c.folded ? folded.data() : x.data(), factors, &in != &ins.front(), sum.data(),
                      scratch.data());
    }
  }
  if (!c.folded) return sum;
  for (index_t slice = 0; slice < slices; slice++) update.unfold_slice(slice, out, sum.data(), y.data());
  return y;
}

struct Exact {
  Long value = 0;
  long double terms = 0;  // sum of the absolute values of all that is added up
};

Exact exact(const UpdateCase& c, index_t line, index_t mode) {
  const bool half = c.kind == ProductKind::half_to_real;
  Exact result;
  for (index_t n = 0; n < (half ? c.length / 2 + 1 : c.length); n++) {
    const long double weight = half && n > 0 && 2 * n != c.length ? 2 : 1;
    const Long value = weight * element(line, n, c.kind);
    result.value += value * entry(n, mode, c.length, c.direction);
    result.terms += std::abs(value.real()) + std::abs(value.imag());
  }
  return result;
}

template <class Real>
void check_kernel(const UpdateCase& c) {
  SCOPED_TRACE(to_string(c));
  const AxisPartition ins = partition_of(c, c.kind == ProductKind::half_to_real);
  const int width = width_out(c.kind);
  for (const AxisShare& out : partition_of(c, c.kind == ProductKind::real_to_half)) {
    const std::vector<Real> result =
        c.parts == 1 ? whole_product<Real>(c, ins.front(), out) : product<Real>(c, ins, out);
    const std::vector<index_t> modes = members(out);
    for (index_t line = 0; line < c.slices.slices() * c.slices.lines(); line++)
      for (index_t i = 0; i < out.count(); i++) {
        const Exact wanted = exact(c, line, modes[size(i)]);
        // Sums of 2N products, whose factors were rounded once, and twice more by folding: Higham, section 3.
        const double u = std::numeric_limits<Real>::epsilon() / 2;
        const double tolerance = (2 * static_cast<double>(c.length) + 4) * u * static_cast<double>(wanted.terms);
        const index_t at = width * position(c.slices, out.count(), line, i);
        const Long got(result[size(at)], width == 2 ? result[size(at + 1)] : 0);
        EXPECT_LE(std::abs(got.real() - wanted.value.real()), tolerance);
        EXPECT_LE(width == 2 ? std::abs(got.imag() - wanted.value.imag()) : 0, tolerance);
      }
  }
}

template <class Real>
void check(UpdateCase c) {
  for (const UpdateKernel kernel : {UpdateKernel::blas, UpdateKernel::own}) {
    c.kernel = kernel;
    check_kernel<Real>(c);
  }
}

TEST(LocalUpdates, AreTheSumsThatDefineThem) {
  for (const index_t length : {1, 2, 5, 12})
    for (const int parts : {1, 2, 5})
      for (const bool folded : {false, true}) {
        for (const Direction direction : {Direction::forward, Direction::backward})
          for (int axis = 0; axis < 3; axis++) {
            const UpdateCase c{{axis, {3, 2, 5}}, length, parts, ProductKind::complex_to_complex, direction, folded};
            check<double>(c);
            check<float>(c);
          }
        // 9 lines: a group of 8 and one alone.
        check<double>({{2, {2, 9, 1}}, length, parts, ProductKind::real_to_half, Direction::forward, folded});
        check<double>({{2, {2, 9, 1}}, length, parts, ProductKind::half_to_real, Direction::backward, folded});
        check<float>({{2, {1, 17, 1}}, length, parts, ProductKind::real_to_half, Direction::forward, folded});
        check<float>({{2, {1, 17, 1}}, length, parts, ProductKind::half_to_real, Direction::backward, folded});
      }
}

// Whole axes and shares of them in own kernels: all remainders of panels and strips.
TEST(LocalUpdates, OfEveryLength) {
  constexpr ProductKind complex_to_complex = ProductKind::complex_to_complex, real_to_half = ProductKind::real_to_half,
                        half_to_real = ProductKind::half_to_real;
  for (index_t length = 1; length <= 40; length++) {
    const index_t lines = 1 + 7 * length % 30;
    const int axis = static_cast<int>(length % 3);
    const Extents others = axis == 2 ? Extents{2, lines, 1} : axis == 1 ? Extents{2, 1, lines} : Extents{1, 2, lines};
    for (const bool folded : {false, true}) {
      const int parts = length % 2 == 0 ? 1 : 3;
      check_kernel<double>({{axis, others}, length, 1, complex_to_complex, Direction::forward, folded});
      check_kernel<float>({{axis, others}, length, 1, complex_to_complex, Direction::backward, folded});
      check_kernel<double>({{axis, others}, length, 2, complex_to_complex, Direction::backward, folded});
      check_kernel<double>({{2, {2, lines, 1}}, length, parts, real_to_half, Direction::forward, folded});
      check_kernel<float>({{2, {2, lines, 1}}, length, parts, half_to_real, Direction::backward, folded});
    }
  }
}

// Every rank multiplies every block of its ring once, has the right matrix block when it does, and passes the array
// block on to the rank that needs it next.
TEST(ProductRings, MeetEveryBlockOnce) {
  for (int along = 1; along <= 6; along++)
    for (int across = 1; across <= 8; across++)
      for (const bool own : {false, true}) {
        SCOPED_TRACE(std::to_string(along) + " along, " + std::to_string(across) + " across");
        const ProcessGrid mesh({1, across, along});
        const ProductRing ring(mesh, 2, 1, own);
        for (int rank = 0; rank < mesh.size(); rank++) {
          const ProductRing::Position position = ring.position(mesh, rank);
          std::vector<int> met(static_cast<std::size_t>(along));
          for (int step = 0; step < along; step++) {
            const int block = ring.block(position, step);
            met[static_cast<std::size_t>(block)]++;
            EXPECT_EQ(ring.block(ring.position(mesh, position.prev), step + 1), block);
            // The rank that gets the matrix block next wants it when it has used up those in its queue.
            const ProductRing::Position before = ring.position(mesh, position.prev_across);
            if (step + before.queue < along) {
              EXPECT_EQ(ring.block(before, step + before.queue), block);
            }
          }
          EXPECT_EQ(met, std::vector<int>(static_cast<std::size_t>(along), 1));
          EXPECT_TRUE(position.alone() || !own);
          EXPECT_GE(position.queue, 1);
        }
      }
}

TEST(ProductRings, OnASquareAreCannons) {
  const ProcessGrid mesh({1, 5, 5});
  const ProductRing ring(mesh, 2, 1, false);
  for (int rank = 0; rank < 25; rank++) {
    const ProductRing::Position position = ring.position(mesh, rank);
    EXPECT_EQ(position.queue, 1);
    EXPECT_EQ(position.skew, mesh.coordinate(rank, 1));
  }
}

// Small whole numbers, so that every product and sum is exact.
template <class T>
void check_blas() {
  const index_t rows = 5, columns = 7, inner = 3;
  std::vector<T> a(15), b(21), c(35, T(1));
  for (std::size_t i = 0; i < a.size(); i++) a[i] = static_cast<float>(i % 4);
  for (std::size_t i = 0; i < b.size(); i++) b[i] = static_cast<float>(i % 5);
  multiply<T>({rows, columns, inner}, true, {a.data(), rows}, {b.data(), columns}, true, {c.data(), columns});
  for (std::size_t i = 0; i < 5; i++)
    for (std::size_t j = 0; j < 7; j++) {
      T exact = 1;
      for (std::size_t k = 0; k < 3; k++) exact += a[k * 5 + i] * b[k * 7 + j];
      EXPECT_EQ(c[i * 7 + j], exact);
    }
}

TEST(Blas, MultipliesAllTypes) {
  check_blas<float>();
  check_blas<double>();
  check_blas<std::complex<float>>();
  check_blas<std::complex<double>>();
}

// It is chosen by variables of the environment, which are as they were afterwards.
TEST(Blas, LeavesTheEnvironmentAlone) {
  const auto value = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text == nullptr ? "(none)" : text);
  };
  const std::string kernel = value("OPENBLAS_CORETYPE"), threads = value("OPENBLAS_NUM_THREADS");
  require_blas();
  EXPECT_FALSE(blas_kernel().empty());
  EXPECT_EQ(value("OPENBLAS_CORETYPE"), kernel);
  EXPECT_EQ(value("OPENBLAS_NUM_THREADS"), threads);
}

TEST(UpdateRates, AreMeasured) {
  for (const bool folded : {false, true}) {
    const TensorUpdateRate rate = tensor_update_rate<double>(16, 2, folded, 1, 0.01);
    EXPECT_GT(rate.seconds, 0);
    EXPECT_GT(rate.best_gflops, 0);
    EXPECT_DOUBLE_EQ(rate.gflops * rate.seconds, 8 * 16 * 16 * 16 * 16 * 1e-9);
    EXPECT_EQ(rate.blas, blas_kernel());
    EXPECT_TRUE(rate.kernel == blas_kernel() || rate.kernel == kernel_name(UpdateKernel::own)) << rate.kernel;
  }
  EXPECT_TRUE(testing::mentions(testing::error_text([] { tensor_update_rate<float>(0, 1, true); }), "block", "0"));
  EXPECT_TRUE(testing::mentions(testing::error_text([] { tensor_update_rate<float>(8, 1, true, 3); }), "axis", "3"));
}

}  // namespace
}  // namespace weft
