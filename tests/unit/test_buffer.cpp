// Buffers and views: alignment, padded strides, what an array spans.
#include "base/buffer.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace weft {
namespace {

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

TEST(Buffer, BeginsOnACacheLineAndCountsItsBytes) {
  for (const index_t count : {1, 7, 8, 9, 1000}) {
    const Buffer<double> buffer(count);
    EXPECT_EQ(address(buffer.data()) % 64, 0U);
    EXPECT_EQ(buffer.size(), count);
    EXPECT_EQ(buffer.bytes(), count * 8);
    buffer.data()[0] = buffer.data()[count - 1] = 1;  // the sanitisers watch
  }
}

TEST(Buffer, LargeOnesBeginOnAHugePage) {
  constexpr index_t huge_page = index_t{2} << 20;
  const Buffer<float> buffer(huge_page / 4 + 1);
  EXPECT_EQ(address(buffer.data()) % huge_page, 0U);
  EXPECT_EQ(buffer.bytes(), huge_page + 4);
}

TEST(Memory, VectorsAreAlignedToo) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{100}, std::size_t{1} << 19}) {
    AlignedVector<double> values(count, 1.5);
    const AlignedVector<double> copy = values;
    EXPECT_EQ(address(values.data()) % 64, 0U);
    EXPECT_EQ(address(copy.data()) % 64, 0U);
    EXPECT_EQ(copy, values);
    values.push_back(2);
    EXPECT_EQ(values.back(), 2);
  }
}

TEST(Buffer, EmptyOnesHoldNothing) {
  for (const Buffer<double>& buffer : {Buffer<double>(), Buffer<double>(0)}) {
    EXPECT_EQ(buffer.data(), nullptr);
    EXPECT_EQ(buffer.size(), 0);
    EXPECT_EQ(buffer.bytes(), 0);
  }
}

TEST(Buffer, MovesKeepTheMemory) {
  Buffer<double> first(10);
  double* data = first.data();
  const Buffer<double> second = std::move(first);
  EXPECT_EQ(second.data(), data);
  EXPECT_EQ(second.size(), 10);
}

TEST(Views, RealStridesCountRealsOfCOrderedElements) {
  EXPECT_EQ(real_strides({3, 4, 5}, 1), (Extents{20, 5, 1}));
  EXPECT_EQ(real_strides({3, 4, 5}, 2), (Extents{40, 10, 2}));
  EXPECT_EQ(real_strides({7}, 2), (Extents{2}));
}

TEST(Views, WholeViewIsOneSegment) {
  double data[6] = {};
  const auto view = whole_view(data, {2, 3}, {3, 1}, 1, 1);
  EXPECT_EQ(view.width, 1);
  ASSERT_EQ(view.segments.size(), 1U);
  EXPECT_EQ(view.segments[0].first, 0);
  EXPECT_EQ(view.segments[0].count, 3);
  EXPECT_EQ(view.segments[0].base, data);
  EXPECT_EQ(view.segments[0].stride, (Extents{3, 1}));
}

// Rows, planes and so on: short ones are packed, others begin an odd number of cache lines apart.
template <class Real>
void expect_padded(const Extents& extents, int width) {
  constexpr index_t line = 64 / static_cast<index_t>(sizeof(Real));
  const Extents strides = padded_strides<Real>(extents, width);
  EXPECT_EQ(strides[extents.dims() - 1], width);
  for (int axis = extents.dims() - 2; axis >= 0; axis--) {
    const index_t inner = extents[axis + 1] * strides[axis + 1];
    if (inner <= 4 * line) {
      EXPECT_EQ(strides[axis], inner);
      continue;
    }
    EXPECT_EQ(strides[axis] % line, 0) << to_string(extents);
    EXPECT_EQ(strides[axis] / line % 2, 1) << "an even number of cache lines walks through few sets of the cache";
    EXPECT_GE(strides[axis], inner);
    EXPECT_LT(strides[axis], inner + 2 * line) << "no more padding than that takes";
  }
  EXPECT_EQ(reals_spanned(extents, strides), extents[0] * strides[0]);
}

TEST(Views, RowsAndPlanesAreAnOddNumberOfCacheLines) {
  for (const int width : {1, 2}) {
    for (index_t row = 1; row <= 70; row++) {
      expect_padded<double>({5, row}, width);
      expect_padded<float>({3, 4, row}, width);
      expect_padded<double>({2, 3, 4, row}, width);
    }
  }
  EXPECT_EQ(padded_strides<double>({2, 64, 64}, 2), (Extents{64 * 136 + 8, 136, 2}));
}

TEST(Views, LinesAreNotPadded) {
  EXPECT_EQ(padded_strides<double>({100}, 2), (Extents{2}));
  EXPECT_EQ(reals_spanned({100}, {2}), 200);
}

TEST(Views, ArraysWithoutElementsSpanNothing) {
  EXPECT_EQ(reals_spanned({3, 0, 5}, padded_strides<double>({3, 0, 5}, 1)), 0);
  EXPECT_EQ(reals_spanned({0, 4}, padded_strides<double>({0, 4}, 1)), 0);
}

TEST(Views, RoundUpGivesTheNextMultiple) {
  EXPECT_EQ(round_up(0, 64), 0);
  EXPECT_EQ(round_up(1, 64), 64);
  EXPECT_EQ(round_up(64, 64), 64);
  EXPECT_EQ(round_up(65, 64), 128);
}

}  // namespace
}  // namespace weft
