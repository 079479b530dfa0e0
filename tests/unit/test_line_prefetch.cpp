// What sets of lines fetch for those after them.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/buffer.hpp"
#include "plan/pass/line_prefetch.hpp"
#include "transform/simd/processor.hpp"

namespace weft {
namespace {

/// How often each element of each set of a row of so many sets is fetched, one set after the other, and how early.
class Fetched {
 public:
  Fetched(index_t sets, index_t elements, index_t reals)
      : sets_(sets), times_(static_cast<std::size_t>(sets * elements)), early_(times_.size()) {
    const LineSet next{};
    for (index_t set = 0; set < sets; ++set) {
      const RowPosition row{set, sets - 1 - set, &next};
      note(set, prefetch_range<double>(row, elements, reals, 0), reals);
    }
  }
  int times(index_t element, index_t set) const { return times_[place(element, set)]; }
  index_t early(index_t element, index_t set) const { return early_[place(element, set)]; }

 private:
  std::size_t place(index_t element, index_t set) const { return static_cast<std::size_t>(element * sets_ + set); }
  void note(index_t set, const PrefetchRange& range, index_t reals) {
    const index_t first = set + range.distance / reals, count = range.lines * cache_line_reals<double> / reals;
    for (index_t element = range.first; element < range.end; ++element)
      for (index_t s = first; s < first + count; ++s) {
        ASSERT_LT(s, sets_) << "after the row";
        ++times_[place(element, s)];
        early_[place(element, s)] = s - set;
      }
  }

  index_t sets_;
  std::vector<int> times_;
  std::vector<index_t> early_;
};

// 256 bytes together at most: four sets of one cache line each, which the set after them begins to fetch.
TEST(LinePrefetch, EveryElementIsFetchedOnceAndBeforeItIsWanted) {
  for (const index_t reals : {8, 16, 32, 64})
    for (const index_t sets : {1, 2, 3, 7, 16, 17})
      for (const index_t elements : {1, 3, 64, 65, 256}) {
        const Fetched row(sets, elements, reals);
        for (index_t element = 0; element < elements; ++element)
          for (index_t set = 4; set < sets; ++set) {
            EXPECT_EQ(row.times(element, set), 1) << reals << " reals, set " << set << " of " << sets;
            EXPECT_GE(row.early(element, set), 1);
            EXPECT_LT(row.early(element, set), 8);
          }
      }
}

TEST(LinePrefetch, TheLastSetFetchesTheNextRow) {
  const LineSet next{};
  const PrefetchRange known = prefetch_range<double>({15, 0, &next}, 256, 16, -4096);
  EXPECT_EQ(known.first, 0);
  EXPECT_EQ(known.end, 256);
  EXPECT_EQ(known.distance, -4096);
  EXPECT_GE(known.lines, 2);
  EXPECT_EQ(prefetch_range<double>({15, 0, nullptr}, 256, 16, 0).lines, 0);
}

constexpr double mega = 1 << 20;

// Caches of the second level have a quarter of a megabyte to some megabytes a core.
TEST(LinePrefetch, ArraysOfMegabytesAreInACacheAndLargeOnesAreNot) {
  EXPECT_EQ(memory_of(mega), Memory::cache);
  EXPECT_EQ(memory_of(128 * mega), Memory::main);
  if (second_cache_bytes() == 0) return;  // the system does not say
  const auto second = static_cast<double>(second_cache_bytes());
  const double limit = has_far_third_cache() ? second : std::min(10 * second, 20 * mega);
  EXPECT_EQ(memory_of(limit), Memory::cache);
  EXPECT_EQ(memory_of(limit + 1), Memory::main);
}

// What is stored past the caches is not looked for in them. Limits of servers of Intel go with the second level.
TEST(LinePrefetch, PassesThatStreamAreInMemory) {
  EXPECT_EQ(memory_of(stream_from_bytes() + 1), Memory::main);
  EXPECT_EQ(stream_from_bytes(), has_far_third_cache() ? 2.5 * second_cache() : 20 * mega);
  EXPECT_EQ(meet_from_bytes(), has_far_third_cache() ? second_cache() : 20 * mega);
}

}  // namespace
}  // namespace weft
