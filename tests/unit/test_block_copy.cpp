// Copies of blocks put every element where it belongs and nothing elsewhere, for any strides, sizes and alignments,
// past the cache or through it, on every instruction set.
#include "exchange/block_copy.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "base/buffer.hpp"

namespace weft {
namespace {

/// Byte strides of an array whose axes lie in memory in the order given (slowest first), `gap` bytes after each run.
Extents strides_of(const Extents& extents, const std::vector<int>& order, index_t element_bytes, index_t gap) {
  Extents strides(extents.dims());
  index_t stride = element_bytes;
  for (auto axis = order.rbegin(); axis != order.rend(); ++axis) {
    strides[*axis] = stride;
    stride = stride * extents[*axis] + gap;
  }
  return strides;
}

template <class Visit>
void for_each_index(const Extents& extents, const Visit& visit) {
  for (index_t i = 0; i < extents.product(); ++i) {
    Extents index(extents.dims());
    index_t rest = i;
    for (int axis = extents.dims() - 1; axis >= 0; --axis) {
      index[axis] = rest % extents[axis];
      rest /= extents[axis];
    }
    visit(index);
  }
}

index_t offset(const Extents& index, const Extents& strides) {
  return std::inner_product(index.begin(), index.end(), strides.begin(), index_t{0});
}

struct Case {
  Extents extents;
  index_t element_bytes;
  std::vector<int> from_order, to_order;
  index_t from_gap = 0, to_gap = 0, from_start = 0, to_start = 0;
};

void expect_copied(const Case& c, const CopyOptions& options) {
  const Extents from = strides_of(c.extents, c.from_order, c.element_bytes, c.from_gap);
  const Extents to = strides_of(c.extents, c.to_order, c.element_bytes, c.to_gap);
  const auto bytes_spanned = [&c](const Extents& strides) {
    index_t bytes = 256;
    for (int axis = 0; axis < strides.dims(); ++axis) bytes += strides[axis] * c.extents[axis];
    return bytes;
  };
  const Buffer<char> source(bytes_spanned(from)), target(bytes_spanned(to));
  std::vector<char> expected(static_cast<std::size_t>(target.size()), 'x');
  std::fill_n(target.data(), target.size(), 'x');
  for (index_t i = 0; i < source.size(); ++i) source.data()[i] = static_cast<char>(i * 37 % 101);
  for_each_index(c.extents, [&](const Extents& index) {
    const char* element = source.data() + c.from_start + offset(index, from);
    std::copy_n(element, c.element_bytes, expected.begin() + c.to_start + offset(index, to));
  });
  copy_block({source.data() + c.from_start, from}, {target.data() + c.to_start, to}, c.extents, c.element_bytes,
             options);
  index_t wrong = 0;
  for (index_t i = 0; i < target.size(); ++i) wrong += target.data()[i] != expected[static_cast<std::size_t>(i)];
  EXPECT_EQ(wrong, 0) << to_string(c.extents) << " of " << c.element_bytes << " bytes, stream " << options.stream;
}

void expect_copied(const Case& c) {
  for (const bool stream : {false, true})
    for (const int threads : {1, 3}) expect_copied(c, {threads, stream});
}

TEST(BlockCopy, RunsOfAnyLengthAndAlignment) {
  for (const index_t bytes : {1, 3, 8, 16})
    for (const index_t start : {0, 8, 24, 1})
      for (const index_t length : {1, 7, 64, 333})
        expect_copied({{3, length}, bytes, {0, 1}, {0, 1}, 8, 64, start, 3 * start});
}

TEST(BlockCopy, RowsOfShortRunsAreSharedAmongThreads) {
  expect_copied({{40000, 3}, 4, {0, 1}, {0, 1}, 8, 4});
  expect_copied({{2, 20000, 2}, 8, {0, 1, 2}, {0, 1, 2}, 8, 16});
}

TEST(BlockCopy, LongRunsAreSharedAmongThreads) {
  expect_copied({{90001}, 8, {0}, {0}});
  expect_copied({{300, 301}, 8, {0, 1}, {0, 1}});
}

TEST(BlockCopy, ElementsAreTransposed) {
  for (const index_t bytes : {4, 8, 16, 24})
    for (const Extents& extents :
         {Extents{37, 3, 70}, Extents{64, 3, 70}, Extents{16, 2, 130}, Extents{1, 5, 9}, Extents{65, 1, 4}})
      for (const index_t gap : {0, 64, 48})
        for (const index_t start : {0, 16}) {
          expect_copied({extents, bytes, {0, 1, 2}, {2, 1, 0}, gap, gap, 0, start});
          expect_copied({extents, bytes, {0, 1, 2}, {1, 2, 0}, 0, gap, start, 0});
        }
}

TEST(BlockCopy, ShortRunsOnEitherSide) {
  for (const index_t bytes : {1, 2, 4, 5, 8, 16}) expect_copied({{6, 5, 7, 2}, bytes, {0, 1, 2, 3}, {3, 2, 0, 1}});
}

TEST(BlockCopy, NegativeAndRepeatedSteps) {
  const std::vector<double> from{1, 2, 3, 4, 5, 6};
  std::vector<double> to(6);
  copy_block({reinterpret_cast<const char*>(from.data() + 5), {-8}}, {reinterpret_cast<char*>(to.data()), {8}}, {6}, 8,
             {});
  EXPECT_EQ(to, (std::vector<double>{6, 5, 4, 3, 2, 1}));
  copy_block({reinterpret_cast<const char*>(from.data()), {8, 0}}, {reinterpret_cast<char*>(to.data()), {24, 8}},
             {2, 3}, 8, {});
  EXPECT_EQ(to, (std::vector<double>{1, 1, 1, 2, 2, 2}));
}

TEST(BlockCopy, NothingToCopy) {
  char byte = 'x';
  copy_block({nullptr, {8, 8}}, {&byte, {8, 8}}, {0, 4}, 8, {});
  EXPECT_EQ(byte, 'x');
}

}  // namespace
}  // namespace weft
