// Lane kernels of every instruction set that this processor runs: loads and stores of lane blocks, and transforms
// against their defining sums in long double.
#include "transform/kernels/lane_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "../error_text.hpp"
#include "../naive_transforms.hpp"
#include "base/buffer.hpp"
#include "transform/lane_tables.hpp"

namespace weft {
namespace {

using testing::error_text;
using testing::mentions;

template <class Real>
const LaneKernels<Real>& pick(const LaneKernels<double>& for_double, const LaneKernels<float>& for_float) {
  if constexpr (std::is_same_v<Real, double>) return for_double;
  if constexpr (std::is_same_v<Real, float>) return for_float;
}

template <class Real>
std::vector<const LaneKernels<Real>*> kernels_here() {
  std::vector<const LaneKernels<Real>*> all{&pick<Real>(baseline::kernels_double, baseline::kernels_float)};
#if defined(__x86_64__)
  all.push_back(&pick<Real>(avx2::kernels_double, avx2::kernels_float));
  all.push_back(&pick<Real>(avx512::kernels_double, avx512::kernels_float));
#endif
  const std::vector<std::string> names = available_simd();
  std::erase_if(all, [&](const auto* table) { return std::count(names.begin(), names.end(), table->isa) == 0; });
  EXPECT_EQ(all.size(), names.size());
  return all;
}

template <class Real>
class LaneCopies : public ::testing::Test {};
using Precisions = ::testing::Types<double, float>;
TYPED_TEST_SUITE(LaneCopies, Precisions);

// --- tables ------------------------------------------------------------------------------------------------------

TYPED_TEST(LaneCopies, BestInstructionSetIsTakenAndNamesItself) {
  EXPECT_EQ(available_simd().back(), "baseline");
  for (const auto* table : kernels_here<TypeParam>()) {
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
  index_t step;  // from point to point
  index_t line;  // from line to line
  bool adjacent;
};

constexpr index_t unaligned = 1;  // the first line begins here: no line is aligned

std::vector<Pattern> patterns(int lanes, int width, index_t points) {
  return {{"adjacent", lanes * width + 3, width, true},
          {"contiguous", width, points * width + 5, false},
          {"general", 3 * width + 1, (3 * width + 1) * points + 2, false},
          {"neighbours, some unused", lanes * width + 3, width, false}};
}

template <class Real>
class Copier {
 public:
  static constexpr Real untouched = -7;

  Copier(const LaneKernels<Real>& kernels, int width, const Pattern& pattern, index_t points)
      : kernels_(kernels), lanes_(kernels.lanes), width_(width), pattern_(pattern), points_(points) {
    const index_t span = unaligned + lanes_ * pattern.line + (points + 1) * pattern.step + 1;
    memory_.resize(static_cast<std::size_t>(span));
    for (int l = 0; l < lanes_; ++l) {
      // Lines need not come in the order of their addresses.
      const int place = pattern.adjacent ? l : lanes_ - 1 - l;
      lines_.push_back(memory_.data() + unaligned + place * pattern.line);
    }
  }

  /// Whether load fills the elements first .. first+count of used lanes with the right values and no other element.
  bool loads(index_t first, index_t count, int used) {
    for (std::size_t i = 0; i < memory_.size(); ++i) memory_[i] = static_cast<Real>(i);
    const Buffer<Real> block = filled_block(first);
    kernels_.load(copy(first, count, used), block.data());
    bool right = true;
    for_each_place(first, [&](index_t element, int part, int lane, index_t at) {
      const index_t j = element - first;
      if (j < 0 || j >= count) right = right && block.data()[at] == untouched;
      if (j >= 0 && j < count && lane < used) right = right && block.data()[at] == *value(lane, j, part);
    });
    return right;
  }

  /// Whether store writes the points of the used lines, times the scale, and leaves all other memory alone.
  bool stores(index_t first, index_t count, int used) {
    std::fill(memory_.begin(), memory_.end(), untouched);
    const Buffer<Real> block = filled_block(first);
    for (index_t i = 0; i < block.size(); ++i) block.data()[i] = static_cast<Real>(2 * i);
    std::vector<Real> expected = memory_;
    for_each_place(first, [&](index_t element, int part, int lane, index_t at) {
      const index_t j = element - first;
      if (j >= 0 && j < count && lane < used)
        expected[static_cast<std::size_t>(value(lane, j, part) - memory_.data())] = static_cast<Real>(at);
    });
    kernels_.store(copy(first, count, used), block.data(), Real(0.5));
    return memory_ == expected;
  }

 private:
  Real* value(int lane, index_t j, int part) const {
    return lines_[static_cast<std::size_t>(lane)] + j * pattern_.step + part;
  }

  LineCopy<Real> copy(index_t first, index_t count, int used) {
    all_lines_ = lines_;
    std::fill(all_lines_.begin() + used, all_lines_.end(), lines_[0]);
    return {all_lines_.data(), first, count, pattern_.step, width_, used, pattern_.adjacent};
  }

  index_t elements(index_t first) const { return first + points_ + 1; }

  Buffer<Real> filled_block(index_t first) const {
    Buffer<Real> block(elements(first) * width_ * lanes_);
    std::fill_n(block.data(), block.size(), untouched);
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
  std::vector<Real> memory_;
  std::vector<Real*> lines_, all_lines_;
};

// Every count up to two register transposes and a rest, every number of used lanes, with and without an offset.
TYPED_TEST(LaneCopies, MoveJustThePointsOfTheUsedLines) {
  for (const auto* kernels : kernels_here<TypeParam>()) {
    const int lanes = kernels->lanes;
    const index_t points = 2 * lanes + 1;
    for (const int width : {1, 2}) {
      for (const Pattern& pattern : patterns(lanes, width, points)) {
        Copier<TypeParam> copier(*kernels, width, pattern, points);
        for (index_t count = 0; count <= points; ++count) {
          for (int used = pattern.adjacent ? lanes : 1; used <= lanes; ++used) {
            for (const index_t first : {0, 3}) {
              EXPECT_TRUE(copier.loads(first, count, used)) << kernels->isa << " load " << pattern.name << " width "
                                                            << width << " count " << count << " used " << used;
              EXPECT_TRUE(copier.stores(first, count, used)) << kernels->isa << " store " << pattern.name << " width "
                                                             << width << " count " << count << " used " << used;
            }
          }
        }
      }
    }
  }
}

TYPED_TEST(LaneCopies, MultiplyScalesBothPartsByOneFactor) {
  constexpr index_t n = 5;
  for (const auto* kernels : kernels_here<TypeParam>()) {
    const int lanes = kernels->lanes;
    for (const int width : {1, 2}) {
      const Buffer<TypeParam> block(n * width * lanes), factor(n * lanes);
      for (index_t i = 0; i < block.size(); ++i) block.data()[i] = static_cast<TypeParam>(i);
      for (index_t i = 0; i < factor.size(); ++i) factor.data()[i] = static_cast<TypeParam>(2 + i % 7);
      kernels->multiply(block.data(), factor.data(), n, width);
      for (index_t i = 0; i < block.size(); ++i) {
        const index_t element = i / lanes / width, lane = i % lanes;
        EXPECT_EQ(block.data()[i], static_cast<TypeParam>(i * (2 + (element * lanes + lane) % 7))) << kernels->isa;
      }
    }
  }
}

// --- transforms --------------------------------------------------------------------------------------------------

// Error of the fast transform in the 2-norm, relative to the result, in units of the roundoff u = eps/2, to first
// order. A stage of radix R multiplies by an orthogonal matrix (times a number), so the relative errors of the stages
// add (Higham, Accuracy and Stability of Numerical Algorithms, section 24.1, does this for R = 2):
//   twiddle factors   a complex product, 2 sqrt(2), and a rounded factor, 1
//   R = 2             one addition, 1
//   R odd             sums of h = (R-1)/2 products of rounded factors with rounded sums: h + 4 roundings of terms whose
//                     absolute values form a matrix of norm sqrt(2) R, where that of the butterfly is sqrt(R)
//   real lines        two additions and one product with a factor to separate the two halves
// Radices 4 and 8 save roundings against radix 2. This is c eps log2(n) with c = 2.4 for powers of two and at most 7.4.
double error_bound(index_t n, bool real_line, double eps) {
  constexpr double product = 2 * std::numbers::sqrt2 + 1;
  double roundings = 0;
  index_t rest = real_line ? n / 2 : n;
  for (const int radix : {2, 3, 5, 7, 11, 13}) {
    const double butterfly = radix == 2 ? 1 : ((radix - 1) / 2 + 4) * std::sqrt(2.0 * radix);
    for (; rest % radix == 0; rest /= radix) roundings += butterfly + product;
  }
  if (real_line) roundings += 2 + product;
  return roundings * eps / 2;
}

// Values that float holds exactly, so that one reference serves both precisions.
naive::Line random_line(index_t n, bool real, unsigned seed) {
  unsigned state = seed * 2654435761U + 12345U;
  const auto next = [&state] {
    state = state * 1664525U + 1013904223U;
    return static_cast<naive::Real>(static_cast<int>(state >> 20) - 2048) / 2048;
  };
  naive::Line line;
  for (index_t j = 0; j < n; ++j) {
    const naive::Real re = next(), im = next();
    line.emplace_back(re, real ? 0 : im);
  }
  return line;
}

// Lines in the lanes of a block: lane l holds line l mod k times a power of two, which changes no relative error and
// makes every lane another line.
struct LaneData {
  const std::vector<naive::Line>& lines;
  int width;

  const naive::Line& of(int lane) const { return lines[static_cast<std::size_t>(lane) % lines.size()]; }
  naive::Real scale(int lane) const { return std::ldexp(naive::Real{1}, lane / static_cast<int>(lines.size())); }

  template <class Real>
  void fill(Real* block, int lanes) const {
    for (int lane = 0; lane < lanes; ++lane) {
      for (std::size_t j = 0; j < lines[0].size(); ++j) {
        const naive::Complex value = scale(lane) * of(lane)[j];
        Real* to = block + j * static_cast<std::size_t>(width * lanes) + lane;
        to[0] = static_cast<Real>(value.real());
        if (width == 2) to[lanes] = static_cast<Real>(value.imag());
      }
    }
  }

  /// Largest relative error of a lane in the 2-norm; modes 1 .. size-2 count twice in half a spectrum.
  template <class Real>
  naive::Real error(const Real* block, int lanes, bool half_spectrum) const {
    naive::Real largest = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      naive::Real wrong = 0, all = 0;
      for (std::size_t j = 0; j < lines[0].size(); ++j) {
        const Real* from = block + j * static_cast<std::size_t>(width * lanes) + lane;
        const naive::Complex value(from[0], width == 2 ? from[lanes] : Real(0)), wanted = scale(lane) * of(lane)[j];
        const naive::Real weight = half_spectrum && j > 0 && j + 1 < lines[0].size() ? 2 : 1;
        wrong += weight * std::norm(value - wanted);
        all += weight * std::norm(wanted);
      }
      largest = std::max(largest, std::sqrt(wrong / all));
    }
    return largest;
  }
};

struct Case {
  const char* name;
  index_t length;  // of the line in points: 2n for the real transforms
  bool real_line;
  LaneData in, out;
};

template <class Real>
void expect_accurate(const LaneKernels<Real>& kernels, LaneTransform<Real> transform, const LanePlan<Real>& plan,
                     const Case& c) {
  constexpr Real untouched = -7;
  const auto reals = [&](const LaneData& data) {
    return static_cast<index_t>(data.lines[0].size()) * data.width * kernels.lanes;
  };
  const Buffer<Real> in(reals(c.in)), out(reals(c.out) + kernels.lanes);
  std::fill_n(out.data(), out.size(), untouched);
  c.in.fill(in.data(), kernels.lanes);
  transform(plan, in.data(), out.data());
  const bool half_spectrum = c.real_line && c.out.width == 2;
  EXPECT_LE(c.out.error(out.data(), kernels.lanes, half_spectrum),
            error_bound(c.length, c.real_line, std::numeric_limits<Real>::epsilon()))
      << kernels.isa << " " << c.name << " of " << c.length << " in " << sizeof(Real) << " bytes";
  EXPECT_TRUE(std::all_of(out.data() + reals(c.out), out.data() + out.size(), [](Real x) { return x == untouched; }))
      << kernels.isa << " " << c.name << " of " << c.length << " writes behind its block";
}

// A few lines where the reference is quick, one where it is not.
unsigned line_count(index_t n) { return n <= 512 ? 3 : 1; }

template <class Real>
void expect_complex(index_t n, const Case& forward, const Case& backward) {
  const LaneTables<Real> tables(n);
  for (const auto* kernels : kernels_here<Real>()) {
    expect_accurate(*kernels, kernels->c2c_forward, tables.plan(), forward);
    expect_accurate(*kernels, kernels->c2c_backward, tables.plan(), backward);
  }
}

void check_complex(index_t n) {
  const naive::Transform transform(Kind::c2c, n);
  std::vector<naive::Line> points, modes, reversed;
  for (unsigned seed = 1; seed <= line_count(n); ++seed) {
    points.push_back(random_line(n, false, seed));
    modes.push_back(transform.forward(points.back()));
    reversed.push_back(modes.back());  // the backward sum for j is the forward sum for -j
    std::reverse(reversed.back().begin() + 1, reversed.back().end());
  }
  const Case forward{"c2c forward", n, false, {points, 2}, {modes, 2}};
  const Case backward{"c2c backward", n, false, {points, 2}, {reversed, 2}};
  expect_complex<double>(n, forward, backward);
  expect_complex<float>(n, forward, backward);
}

template <class Real>
void expect_real(index_t n, const Case& forward, const Case& backward) {
  const LaneTables<Real> tables(n / 2);
  for (const auto* kernels : kernels_here<Real>()) {
    expect_accurate(*kernels, kernels->r2c, tables.plan(), forward);
    expect_accurate(*kernels, kernels->c2r, tables.plan(), backward);
  }
}

void check_real(index_t n) {
  const naive::Transform transform(Kind::r2c, n);
  std::vector<naive::Line> points, modes, half_spectra, sums;
  for (unsigned seed = 1; seed <= line_count(n); ++seed) {
    points.push_back(random_line(n, true, seed));
    modes.push_back(transform.forward(points.back()));
    half_spectra.push_back(random_line(n / 2 + 1, false, seed));
    half_spectra.back().front().imag(0);
    half_spectra.back().back().imag(0);
    sums.push_back(transform.backward(half_spectra.back()));
  }
  const Case forward{"r2c", n, true, {points, 1}, {modes, 2}};
  const Case backward{"c2r", n, true, {half_spectra, 2}, {sums, 1}};
  expect_real<double>(n, forward, backward);
  expect_real<float>(n, forward, backward);
}

bool smooth(index_t n) {
  for (const int prime : {2, 3, 5, 7, 11, 13})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

TEST(LaneTransforms, PossibleLengthsHavePrimeFactorsUpTo13) {
  EXPECT_FALSE(LaneTables<double>::possible(0));
  for (index_t n = 1; n <= 500; ++n) EXPECT_EQ(LaneTables<double>::possible(n), smooth(n)) << n;
}

TEST(LaneTransforms, AllComplexLengthsTo200) {
  for (index_t n = 1; n <= 200; ++n)
    if (smooth(n)) check_complex(n);
}

TEST(LaneTransforms, AllRealLengthsTo200) {
  for (index_t n = 2; n <= 200; n += 2)
    if (smooth(n / 2)) check_real(n);
}

TEST(LaneTransforms, LongLines) {
  for (const index_t n : {256, 343, 512, 729, 1001, 1331, 2048, 2197, 2310, 4096}) check_complex(n);
  for (const index_t n : {512, 1250, 2002, 4096}) check_real(n);
}

}  // namespace
}  // namespace weft
