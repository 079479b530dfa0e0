// Contiguous lines transformed a few at a time, by every instruction set that this processor runs: the bits of lane
// blocks, whatever the lines come from and go to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "lane_fixture.hpp"
#include "transform/engine/lane_line_tables.hpp"
#include "transform/engine/lane_real_tables.hpp"

namespace weft::lane_test {
namespace {

// Lines of `reals` each, the first `start` reals after an aligned address, `pitch` apart; memory in between is
// watched.
template <class Real>
class Rows {
 public:
  Rows(int lines, index_t reals, index_t start, index_t pitch)
      : reals_(reals), memory_(static_cast<std::size_t>(start + lines * pitch), untouched<Real>) {
    for (int l = 0; l < lines; ++l) lines_.push_back(memory_.data() + start + l * pitch);
  }
  Real* const* lines() const { return lines_.data(); }
  void fill(const std::vector<Real>& values) {
    for (std::size_t l = 0; l < lines_.size(); ++l)
      std::copy_n(values.begin() + static_cast<index_t>(l) * reals_, reals_, lines_[l]);
  }
  /// Whether the lines hold these values times a scale, bit for bit, what has no room in them in `other`, and all other
  /// memory is untouched.
  bool hold(const std::vector<Real>& values, Real scale, Rows* other = nullptr) {
    bool same = true;
    const index_t count = static_cast<index_t>(values.size() / lines_.size());
    for (std::size_t l = 0; l < lines_.size(); ++l)
      for (index_t i = 0; i < count; ++i) {
        const auto at = static_cast<index_t>(l) * count + i;
        Real& value = i < reals_ ? lines_[l][i] : other->lines_[l][i - reals_];
        const Real wanted = scale * values[static_cast<std::size_t>(at)];
        same = same && std::memcmp(&value, &wanted, sizeof(Real)) == 0;
        value = untouched<Real>;
      }
    return same && is_untouched() && (other == nullptr || other->is_untouched());
  }
  bool is_untouched() const {
    return std::all_of(memory_.begin(), memory_.end(), [](Real x) { return x == untouched<Real>; });
  }

 private:
  index_t reals_;
  AlignedVector<Real> memory_;
  std::vector<Real*> lines_;
};

template <class Real>
std::vector<Real> some_values(index_t count) {
  std::vector<Real> values;
  for (index_t i = 0; i < count; ++i) values.push_back(noise<Real>(i));
  return values;
}

// Line l is lane l of a block.
template <class Real>
void to_block(const std::vector<Real>& lines, int count, int lanes, Real* block) {
  const index_t reals = static_cast<index_t>(lines.size()) / count;
  for (int l = 0; l < count; ++l)
    for (index_t i = 0; i < reals; ++i) block[i * lanes + l] = lines[static_cast<std::size_t>(l * reals + i)];
}
template <class Real>
std::vector<Real> from_block(const Real* block, int count, index_t reals, int lanes) {
  std::vector<Real> lines;
  for (int l = 0; l < count; ++l)
    for (index_t i = 0; i < reals; ++i) lines.push_back(block[i * lanes + l]);
  return lines;
}

// One transform of both ways to do it.
template <class Real>
struct Ways {
  const LaneKernels<Real>& kernels;
  bool real, forward;
  index_t n;  ///< complex points of a line

  std::string name() const {
    return std::string(kernels.isa) + (real ? ", real" : ", complex") + (forward ? ", forward, " : ", backward, ") +
           std::to_string(n) + " complex points, " + std::to_string(sizeof(Real)) + " bytes";
  }
  index_t given() const { return real && !forward ? 2 * n + 2 : 2 * n; }
  index_t wanted() const { return real && forward ? 2 * n + 2 : 2 * n; }

  std::vector<Real> by_block(const std::vector<Real>& lines, int count) const {
    const int lanes = kernels.lanes;
    const index_t reals = (2 * n + 2) * lanes;
    const Buffer<Real> in(reals), out(reals), a(2 * n * lanes), b(2 * n * lanes);
    std::fill_n(in.data(), reals, Real(0));
    to_block(lines, count, lanes, in.data());
    const Real* result = nullptr;
    if (real) {
      const LaneRealTables<Real> tables(Kind::r2c, forward ? Direction::forward : Direction::backward, 2 * n, 1,
                                        every_point, lanes);
      result = kernels.real(tables.plan(), {}, in.data(), out.data(), {a.data(), b.data()});
    } else {
      const LaneDftTables<Real> tables(n, line_radices(n, lanes, sizeof(Real)));
      result = c2c(kernels, !forward, tables.plan(), {}, in.data(), out.data(), {a.data(), b.data()});
    }
    return from_block(result, count, wanted(), lanes);
  }

  // What an engine has for a block is enough, and nothing after it is touched.
  void by_line(LaneLines<Real> lines, Real* const* last) const {
    lines.backward = !forward;
    const index_t reals = std::max(given(), wanted()) * kernels.lanes;
    AlignedVector<Real> work(static_cast<std::size_t>(reals + 16), untouched<Real>);
    if (real) {
      const LaneRealLineTables<Real> tables(forward, n, kernels.lanes);
      kernels.real_lines(tables.plan(), lines, last, work.data());
    } else {
      const LaneLineTables<Real> tables(n, kernels.lanes);
      kernels.lines(tables.plan(), lines, work.data());
    }
    kernels.fence();
    EXPECT_TRUE(std::all_of(work.begin() + reals, work.end(), [](Real x) { return x == untouched<Real>; })) << name();
  }
};

// The last mode of a real line in its row, and in a row by itself.
template <class Real>
void expect_same_bits(const Ways<Real>& ways, int count, Real scale) {
  const std::vector<Real> given = some_values<Real>(count * ways.given());
  const std::vector<Real> wanted = ways.by_block(given, count);
  const index_t n = ways.n;
  for (const bool apart : {false, true}) {
    if (apart && !ways.real) continue;
    const index_t row = apart ? 2 * n : 2 * n + 2;
    Rows<Real> from(count, ways.real && !ways.forward ? row : 2 * n, 3, row + 5);
    Rows<Real> to(count, ways.real && ways.forward ? row : 2 * n, 1, row + 3), last(count, 2, 1, 4);
    std::vector<Real*> ends;
    for (int l = 0; l < count; ++l)
      ends.push_back(apart ? last.lines()[l] : (ways.forward ? to : from).lines()[l] + 2 * n);
    for (int l = 0; l < count; ++l) {
      const Real* line = given.data() + l * ways.given();
      std::copy_n(line, 2 * n, from.lines()[l]);
      if (ways.given() > 2 * n) std::copy_n(line + 2 * n, 2, ends[static_cast<std::size_t>(l)]);
    }
    ways.by_line({from.lines(), to.lines(), count, scale, false, 2 * n}, ends.data());
    EXPECT_TRUE(to.hold(wanted, scale, ways.forward ? &last : nullptr)) << ways.name() << ", " << count << " lines";
  }
}

// Complex lines to where they come from, and past the cache.
template <class Real>
void expect_same_bits_elsewhere(const Ways<Real>& ways) {
  const int count = ways.kernels.lanes;
  const std::vector<Real> given = some_values<Real>(count * 2 * ways.n), wanted = ways.by_block(given, count);
  Rows<Real> same(count, 2 * ways.n, 1, 2 * ways.n + 1), aligned(count, 2 * ways.n, 0, round_up(2 * ways.n, 16));
  same.fill(given);
  ways.by_line({same.lines(), aligned.lines(), count, 1, true, 0}, nullptr);
  EXPECT_TRUE(aligned.hold(wanted, 1)) << ways.name() << ", streamed";
  ways.by_line({same.lines(), same.lines(), count, 1, false, 0}, nullptr);
  EXPECT_TRUE(same.hold(wanted, 1)) << ways.name() << ", in place";
}

// Real lines to where they come from, the last mode in a row by itself.
template <class Real>
void expect_same_bits_in_place(const Ways<Real>& ways, Real scale, std::ptrdiff_t prefetch_distance) {
  const int count = ways.kernels.lanes;
  const index_t n = ways.n;
  const std::vector<Real> given = some_values<Real>(count * ways.given()), wanted = ways.by_block(given, count);
  Rows<Real> lines(count, 2 * n, 1, 2 * n + 3), last(count, 2, 1, 4);
  for (int l = 0; l < count; ++l) {
    const Real* line = given.data() + l * ways.given();
    std::copy_n(line, 2 * n, lines.lines()[l]);
    if (!ways.forward) std::copy_n(line + 2 * n, 2, last.lines()[l]);
  }
  ways.by_line({lines.lines(), lines.lines(), count, scale, false, prefetch_distance}, last.lines());
  EXPECT_TRUE(lines.hold(wanted, scale, ways.forward ? &last : nullptr)) << ways.name() << ", in place";
}

template <class Real>
void expect_same_bits(index_t n) {
  for (const auto* kernels : kernels_here<Real>()) {
    if (!LaneLineTables<Real>::serves(n, kernels->lanes)) continue;
    const bool serves_real = LaneRealLineTables<Real>::serves(n, kernels->lanes);
    for (const bool forward : {true, false}) {
      for (const bool real : {false, true}) {
        if (real && !serves_real) continue;
        const Ways<Real> ways{*kernels, real, forward, n};
        expect_same_bits<Real>(ways, kernels->lanes, 1);
        expect_same_bits<Real>(ways, 1, Real(0.3));
        if (kernels->lanes > 3) expect_same_bits<Real>(ways, 3, Real(0.3));
      }
      expect_same_bits_elsewhere<Real>({*kernels, false, forward, n});
      if (!serves_real) continue;
      expect_same_bits_in_place<Real>({*kernels, true, forward, n}, Real(0.3), 2 * n);
      expect_same_bits_in_place<Real>({*kernels, true, forward, n}, 1, 0);
    }
  }
}

TEST(LaneLines, GiveTheBitsOfBlocks) {
  std::vector<index_t> lengths{384, 500, 512, 576, 640, 768, 1000, 1024, 2048, 2310 * 2, 6000};
  for (index_t n = 1; n <= 320; ++n) lengths.push_back(n);
  for (const index_t n : lengths) {
    expect_same_bits<double>(n);
    expect_same_bits<float>(n);
  }
}

// Without this the test above could pass for want of lengths.
TEST(LaneLines, ServePowersOfTwoAndTheirMultiples) {
  for (const index_t n : {64, 96, 128, 160, 192, 256, 320, 384, 500, 512, 576, 768, 1000, 1024, 4096})
    EXPECT_TRUE(LaneLineTables<double>::serves(n, 8)) << n;
  for (const index_t n : {16, 32, 48, 64, 1024}) {
    EXPECT_TRUE(LaneLineTables<double>::serves(n, 4)) << n;
    EXPECT_TRUE(LaneLineTables<double>::serves(n, 2)) << n;
  }
  for (const index_t n : {64, 96, 192, 256, 320, 384, 512, 1000, 1024})
    EXPECT_TRUE(LaneLineTables<float>::serves(n, 16)) << n;
  for (const index_t n : {64, 96, 128, 384, 1024}) EXPECT_TRUE(LaneRealLineTables<float>::serves(n, 16)) << n;
  for (const index_t n : {32, 48, 64, 128, 500}) EXPECT_TRUE(LaneRealLineTables<double>::serves(n, 8)) << n;
  for (const index_t n : {4, 6, 8, 10, 12})
    for (const int lanes : {4, 8}) EXPECT_TRUE(LaneRealLineTables<double>::serves(n, lanes)) << n;
  for (const index_t n : {1, 7, 17 * 64, 243, 127}) EXPECT_FALSE(LaneLineTables<double>::serves(n, 8)) << n;
}

// Nor should it pass for want of forms.
TEST(LaneLines, TakeTheFormThatSuitsTheirLength) {
  for (const index_t n : {64, 96, 128, 192, 384, 1024})
    EXPECT_EQ(LaneLineTables<float>::form(n, 16), LaneLineForm::interleaved) << n;
  for (const index_t n : {320, 1000}) EXPECT_EQ(LaneLineTables<float>::form(n, 16), LaneLineForm::split_two_lines) << n;
  EXPECT_EQ(LaneLineTables<float>::form(512, 8), LaneLineForm::split_two_lines);
  for (const index_t n : {64, 96, 128}) EXPECT_EQ(LaneLineTables<float>::form(n, 8), LaneLineForm::split) << n;
  for (const index_t n : {16, 64}) EXPECT_EQ(LaneLineTables<double>::form(n, 8), LaneLineForm::interleaved) << n;
  for (const index_t n : {32, 96, 128, 192, 256, 384, 500, 512})
    EXPECT_EQ(LaneLineTables<double>::form(n, 8), LaneLineForm::split_two_lines) << n;
  for (const index_t n : {576, 768, 1000, 1024, 2048, 4096})
    EXPECT_EQ(LaneLineTables<double>::form(n, 8), LaneLineForm::split) << n;
  for (const index_t n : {16, 128, 384}) EXPECT_EQ(LaneLineTables<double>::form(n, 4), LaneLineForm::split) << n;
  for (const index_t n : {96, 250}) EXPECT_EQ(LaneLineTables<double>::form(n, 4), LaneLineForm::split_two_lines) << n;
  EXPECT_EQ(LaneLineTables<double>::form(24, 2), LaneLineForm::split);
  for (const index_t n : {4, 6, 8, 10, 12}) EXPECT_EQ(LaneLineTables<double>::form(n, 4), LaneLineForm::across) << n;
  for (const index_t n : {8, 16}) EXPECT_EQ(LaneLineTables<float>::form(n, 16), LaneLineForm::across);
  EXPECT_NE(LaneLineTables<float>::form(4, 16), LaneLineForm::across);
  for (const int lanes : {4, 8})
    EXPECT_EQ(LaneRealLineTables<double>(true, 16, lanes).plan().complex.form, LaneLineForm::across) << lanes;
}

}  // namespace
}  // namespace weft::lane_test
