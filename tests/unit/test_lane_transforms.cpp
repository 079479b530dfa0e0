// Lane transforms of every instruction set that this processor runs, against their defining sums in long double, and
// from and to points in memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "../naive_transforms.hpp"
#include "base/buffer.hpp"
#include "lane_fixture.hpp"

namespace weft::lane_test {
namespace {

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

template <class Real, class Transform>
void expect_accurate(const LaneKernels<Real>& kernels, const Case& c, const Transform& transform) {
  const auto reals = [&](const LaneData& data) {
    return static_cast<index_t>(data.lines[0].size()) * data.width * kernels.lanes;
  };
  const Buffer<Real> in(reals(c.in)), out(reals(c.out) + kernels.lanes);
  std::fill_n(out.data(), out.size(), untouched<Real>);
  c.in.fill(in.data(), kernels.lanes);
  transform(in.data(), out.data());
  const bool half_spectrum = c.real_line && c.out.width == 2;
  EXPECT_LE(c.out.error(out.data(), kernels.lanes, half_spectrum),
            error_bound(c.length, c.real_line, std::numeric_limits<Real>::epsilon()))
      << kernels.isa << " " << c.name << " of " << c.length << " in " << sizeof(Real) << " bytes";
  EXPECT_TRUE(
      std::all_of(out.data() + reals(c.out), out.data() + out.size(), [](Real x) { return x == untouched<Real>; }))
      << kernels.isa << " " << c.name << " of " << c.length << " writes behind its block";
}

// A few lines where the reference is quick, one where it is not.
unsigned line_count(index_t n) { return n <= 512 ? 3 : 1; }

template <class Real>
void expect_complex(index_t n, const Case& forward, const Case& backward) {
  const LaneTables<Real> tables(n);
  for (const auto* kernels : kernels_here<Real>()) {
    const auto blocks = [&](LanePointTransform<Real> transform) {
      return [&, transform](Real* in, Real* out) { transform(tables.plan(), {}, in, out); };
    };
    expect_accurate(*kernels, forward, blocks(kernels->c2c_forward));
    expect_accurate(*kernels, backward, blocks(kernels->c2c_backward));
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
    // Even lengths need no further blocks.
    const auto blocks = [&](LaneRealKind kind) {
      return [&, kind](Real* in, Real* out) {
        kernels->real({kind, n, 1, tables.plan(), nullptr}, in, out, nullptr, nullptr);
      };
    };
    expect_accurate(*kernels, forward, blocks(LaneRealKind::forward));
    expect_accurate(*kernels, backward, blocks(LaneRealKind::backward));
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

// --- from and to points in memory --------------------------------------------------------------------------------

// L neighbouring lines of complex points, each point at a place of its own.
template <class Real>
class Points {
 public:
  Points(index_t n, int lanes, index_t start, index_t step)
      : lanes_(lanes), memory_(static_cast<std::size_t>(start + n * step), untouched<Real>) {
    // Any order will do; exchanges leave every place taken once.
    std::vector<index_t> places;
    for (index_t j = 0; j < n; ++j) places.push_back(j);
    for (index_t j = 0; j < n; ++j)
      std::swap(places[static_cast<std::size_t>(j)], places[static_cast<std::size_t>(7 * j % n)]);
    for (const index_t place : places) addresses_.push_back(memory_.data() + start + place * step);
  }

  Real* const* addresses() const { return addresses_.data(); }
  /// Copies a block to the points, lanes side by side.
  void fill(const Real* block) {
    for_each([&](Real& value, index_t at) { value = block[at]; });
  }
  /// Whether the points hold the block times a scale and all other memory what it held.
  bool hold(const Real* block, Real scale) {
    bool same = true;
    for_each([&](Real& value, index_t at) {
      same = same && value == scale * block[at];
      value = untouched<Real>;
    });
    return same && std::all_of(memory_.begin(), memory_.end(), [](Real x) { return x == untouched<Real>; });
  }

 private:
  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t j = 0; j < addresses_.size(); ++j)
      for (int part = 0; part < 2; ++part)
        for (int lane = 0; lane < lanes_; ++lane)
          visit(addresses_[j][2 * lane + part], (static_cast<index_t>(j) * 2 + part) * lanes_ + lane);
  }

  int lanes_;
  AlignedVector<Real> memory_;
  std::vector<Real*> addresses_;
};

// Whatever the points come from and go to, the bits are those of the transform from block to block.
template <class Real>
void expect_same_from_points(const LaneKernels<Real>& kernels, LanePointTransform<Real> transform, index_t n) {
  const int lanes = kernels.lanes;
  const LaneTables<Real> tables(n);
  const index_t reals = 2 * n * lanes;
  const Buffer<Real> given(reals), in(reals), out(reals), expected(reals);
  const std::vector<naive::Line> lines{random_line(n, false, 1), random_line(n, false, 2)};
  LaneData{lines, 2}.fill(given.data(), lanes);
  const auto run = [&](const LanePoints<Real>& points) {
    if (points.from == nullptr) std::copy_n(given.data(), reals, in.data());
    transform(tables.plan(), points, in.data(), out.data());
    kernels.fence();
  };
  run({});
  std::copy_n(out.data(), reals, expected.data());
  Points<Real> from(n, lanes, 1, 2 * lanes + 3), to(n, lanes, 1, 2 * lanes + 5), vectors(n, lanes, 0, 3 * lanes);
  from.fill(given.data());
  const std::string name = std::string(kernels.isa) + ", " + std::to_string(n) + " points";
  run({from.addresses(), nullptr, 1, false});
  EXPECT_TRUE(std::equal(out.data(), out.data() + reals, expected.data())) << name << ", from points";
  for (const Real scale : {Real(1), Real(0.3)}) {
    run({nullptr, to.addresses(), scale, false});
    EXPECT_TRUE(to.hold(expected.data(), scale)) << name << ", to points";
    run({from.addresses(), to.addresses(), scale, false});
    EXPECT_TRUE(to.hold(expected.data(), scale)) << name << ", from and to points";
    run({from.addresses(), vectors.addresses(), scale, true});
    EXPECT_TRUE(vectors.hold(expected.data(), scale)) << name << ", streamed";
  }
}

template <class Real>
void expect_same_from_points(index_t n) {
  for (const auto* kernels : kernels_here<Real>()) {
    expect_same_from_points(*kernels, kernels->c2c_forward, n);
    expect_same_from_points(*kernels, kernels->c2c_backward, n);
  }
}

TEST(LaneTransforms, PointsInMemoryGiveTheSameBits) {
  for (index_t n = 1; n <= 200; ++n) {
    if (!smooth(n)) continue;
    expect_same_from_points<double>(n);
    expect_same_from_points<float>(n);
  }
}

}  // namespace
}  // namespace weft::lane_test
