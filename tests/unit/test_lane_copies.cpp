// Loads and stores of lane blocks, for every instruction set that this processor runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"

namespace weft::lane_test {
namespace {

template <class Real>
class LaneCopies : public ::testing::Test {};
using Precisions = ::testing::Types<double, float>;
TYPED_TEST_SUITE(LaneCopies, Precisions);

// --- tables ------------------------------------------------------------------------------------------------------

TYPED_TEST(LaneCopies, BestInstructionSetIsTakenAndNamesItself) {
#if defined(__aarch64__)
  EXPECT_EQ(available_simd().back(), "neon");
#else
  EXPECT_EQ(available_simd().back(), "baseline");
#endif
#if defined(__x86_64__)
  const bool fma = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  EXPECT_EQ(available_simd().size(), fma ? (__builtin_cpu_supports("avx512dq") != 0 ? 3U : 2U) : 1U);
#endif
  for (const auto* table : available_kernels<TypeParam>()) {
    const std::string name = table->isa;
    const int bytes = name == "avx512" ? 64 : name == "avx2" ? 32 : 16;
    EXPECT_EQ(table->lanes, bytes / static_cast<int>(sizeof(TypeParam))) << name;
  }
  const char* asked = std::getenv("WEFT_SIMD");
  EXPECT_EQ(lane_kernels<TypeParam>().isa, asked == nullptr ? available_simd().front() : std::string(asked));
}

// --- loads and stores --------------------------------------------------------------------------------------------

// How L lines lie in memory, in reals.
struct Pattern {
  const char* name;
  index_t start;  // of the first line, from the beginning of a cache line
  index_t step;   // from point to point
  index_t line;   // from line to line
  bool adjacent;
};

std::vector<Pattern> patterns(int lanes, int width, index_t points) {
  const index_t vectors = round_up(points * width, lanes);
  return {{"adjacent", 1, lanes * width + 3, width, true},
          {"adjacent, whole vectors", 0, 2 * lanes * width, width, true},
          {"adjacent, step of no whole vector", 0, lanes * width + 1, width, true},
          {"contiguous", 1, width, points * width + 5, false},
          {"contiguous, whole vectors", 0, width, vectors + lanes, false},
          {"contiguous, some lines aligned", 0, width, vectors + 1, false},
          {"general", 1, 3 * width + 1, (3 * width + 1) * points + 2, false},
          {"neighbours, some unused", 1, lanes * width + 3, width, false}};
}

template <class Real>
class Copier {
 public:
  Copier(const LaneKernels<Real>& kernels, int width, const Pattern& pattern, index_t points)
      : kernels_(kernels), lanes_(kernels.lanes), width_(width), pattern_(pattern), points_(points) {
    const index_t span = pattern.start + lanes_ * pattern.line + (points + 1) * pattern.step + 1;
    memory_.resize(static_cast<std::size_t>(span));
    for (int l = 0; l < lanes_; ++l) {
      // Lines need not come in the order of their addresses.
      const int place = pattern.adjacent ? l : lanes_ - 1 - l;
      lines_.push_back(memory_.data() + pattern.start + place * pattern.line);
    }
  }

  /// Whether load fills the elements first .. first+count of used lanes with the right values and no other element.
  bool loads(index_t first, index_t count, int used) {
    for (std::size_t i = 0; i < memory_.size(); ++i) memory_[i] = static_cast<Real>(i);
    const Buffer<Real> block = filled_block(first);
    kernels_.load(copy(first, count, used, false), block.data());
    bool right = true;
    for_each_place(first, [&](index_t element, int part, int lane, index_t at) {
      const index_t j = element - first;
      if (j < 0 || j >= count) right = right && block.data()[at] == untouched<Real>;
      if (j >= 0 && j < count && lane < used) right = right && block.data()[at] == *value(lane, j, part);
    });
    return right;
  }

  /// Whether store writes the points of the used lines, times the scale, and leaves all other memory alone. To stream
  /// is a wish.
  bool stores(index_t first, index_t count, int used, bool stream) {
    std::fill(memory_.begin(), memory_.end(), untouched<Real>);
    const Buffer<Real> block = filled_block(first);
    for (index_t i = 0; i < block.size(); ++i) block.data()[i] = static_cast<Real>(2 * i);
    AlignedVector<Real> expected = memory_;
    for_each_place(first, [&](index_t element, int part, int lane, index_t at) {
      const index_t j = element - first;
      if (j >= 0 && j < count && lane < used)
        expected[static_cast<std::size_t>(value(lane, j, part) - memory_.data())] = static_cast<Real>(at);
    });
    kernels_.store(copy(first, count, used, stream), block.data(), Real(0.5));
    kernels_.fence();
    return memory_ == expected;
  }

 private:
  Real* value(int lane, index_t j, int part) const {
    return lines_[static_cast<std::size_t>(lane)] + j * pattern_.step + part;
  }

  LineCopy<Real> copy(index_t first, index_t count, int used, bool stream) {
    all_lines_ = lines_;
    std::fill(all_lines_.begin() + used, all_lines_.end(), lines_[0]);
    return {all_lines_.data(), first, count, pattern_.step, width_, used, pattern_.adjacent, stream};
  }

  index_t elements(index_t first) const { return first + points_ + 1; }

  Buffer<Real> filled_block(index_t first) const {
    Buffer<Real> block(elements(first) * width_ * lanes_);
    std::fill_n(block.data(), block.size(), untouched<Real>);
    return block;
  }

  template <class Visit>
  void for_each_place(index_t first, Visit visit) const {
    index_t at = 0;
    for (index_t element = 0; element < elements(first); ++element)
      for (int part = 0; part < width_; ++part)
        for (int lane = 0; lane < lanes_; ++lane) visit(element, part, lane, at++);
  }

  const LaneKernels<Real>& kernels_;
  int lanes_, width_;
  Pattern pattern_;
  index_t points_;
  AlignedVector<Real> memory_;
  std::vector<Real*> lines_, all_lines_;
};

template <class Real>
void expect_right_copies(const LaneKernels<Real>& kernels, int width, const Pattern& pattern, index_t points) {
  Copier<Real> copier(kernels, width, pattern, points);
  const std::string where = std::string(kernels.isa) + ", " + pattern.name + ", width " + std::to_string(width);
  for (index_t count = 0; count <= points; ++count) {
    for (int used = pattern.adjacent ? kernels.lanes : 1; used <= kernels.lanes; ++used) {
      for (const index_t first : {0, 3}) {
        EXPECT_TRUE(copier.loads(first, count, used)) << where << ": load " << count << " of " << used << " lines";
        for (const bool stream : {false, true})
          EXPECT_TRUE(copier.stores(first, count, used, stream))
              << where << ": store " << count << " of " << used << " lines" << (stream ? ", streamed" : "");
      }
    }
  }
}

// Every count up to two register transposes and a rest, every number of used lanes, with and without an offset.
TYPED_TEST(LaneCopies, MoveJustThePointsOfTheUsedLines) {
  for (const auto* kernels : available_kernels<TypeParam>()) {
    const index_t points = 2 * kernels->lanes + 1;
    for (const int width : {1, 2})
      for (const Pattern& pattern : patterns(kernels->lanes, width, points))
        expect_right_copies(*kernels, width, pattern, points);
  }
}

// Lines that are streamed in several pieces, and begin anywhere in a cache line.
TYPED_TEST(LaneCopies, StreamLongLinesThatAreNotAligned) {
  constexpr index_t points = 700;
  for (const auto* kernels : available_kernels<TypeParam>())
    for (const int width : {1, 2})
      for (const index_t start : {0, 1, 5}) {
        Copier<TypeParam> copier(*kernels, width, {"contiguous", start, width, points * width + 3, false}, points);
        for (const index_t count : {points, points / 2, points / 2 + 1})
          for (const int used : {1, kernels->lanes - 1, kernels->lanes})
            EXPECT_TRUE(copier.stores(2, count, used, true))
                << kernels->isa << ", width " << width << ", start " << start << ": " << count << " of " << used;
      }
}

TYPED_TEST(LaneCopies, MultiplyScalesBothPartsByOneFactor) {
  constexpr index_t n = 5;
  for (const auto* kernels : available_kernels<TypeParam>()) {
    const int lanes = kernels->lanes;
    for (const int width : {1, 2}) {
      const Buffer<TypeParam> block(n * width * lanes), factor(n * lanes);
      for (index_t i = 0; i < block.size(); ++i) block.data()[i] = static_cast<TypeParam>(i);
      for (index_t i = 0; i < factor.size(); ++i) factor.data()[i] = static_cast<TypeParam>(2 + i % 7);
      kernels->multiply({.data = factor.data(), .step = lanes}, n, width, block.data());
      for (index_t i = 0; i < block.size(); ++i) {
        const index_t element = i / lanes / width, lane = i % lanes;
        EXPECT_EQ(block.data()[i], static_cast<TypeParam>(i * (2 + (element * lanes + lane) % 7))) << kernels->isa;
      }
    }
  }
}

}  // namespace
}  // namespace weft::lane_test
