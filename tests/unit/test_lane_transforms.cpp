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

// Error of a fast transform in the 2-norm, relative to the result, in units of the roundoff u = eps/2, to first order.
// A stage of radix R multiplies by an orthogonal matrix (times a number), so the relative errors of the stages add
// (Higham, Accuracy and Stability of Numerical Algorithms, section 24.1, does this for R = 2):
//   R = 2     one addition, 1
//   R odd     sums of h = (R-1)/2 products of rounded factors with rounded sums: h + 4 roundings of terms whose
//   absolute
//             values form a matrix of norm sqrt(2) R, where that of the butterfly is sqrt(R)
//   rotation  by a twiddle factor: a complex product, 2 sqrt(2), and a rounded factor, 1
// Radices 4 and 8 save roundings against radix 2. This is c eps log2(n) with c = 2.4 for powers of two and at most 7.4.
constexpr double rotation = 2 * std::numbers::sqrt2 + 1;

double roundings(index_t n) {
  double sum = 0;
  for (const int radix : {2, 3, 5, 7, 11, 13}) {
    const double butterfly = radix == 2 ? 1 : ((radix - 1) / 2 + 4) * std::sqrt(2.0 * radix);
    for (; n % radix == 0; n /= radix) sum += butterfly + rotation;
  }
  return sum;
}

// Points of the real line whose DFT a kind is built on: type I continues it to a whole period.
index_t folded_length(Kind kind, index_t n) {
  if (kind == Kind::dct1) return 2 * (n - 1);
  return kind == Kind::dst1 ? 2 * (n + 1) : n;
}

// An even number of real points makes a complex line of half as many.
index_t complex_length(Kind kind, index_t n) {
  const index_t folded = folded_length(kind, n);
  return folded % 2 == 0 ? folded / 2 : folded;
}

// Real lines of even length are separated from the complex line by two additions and a rotation; types II and III
// rotate their modes, type IV points and modes. The matrices of cosines and sines are orthogonal up to factors between
// 1/sqrt(2) and sqrt(2) on either side, at the ends: relative errors may double.
double real_roundings(Kind kind, index_t n) {
  double sum = roundings(complex_length(kind, n));
  const bool type4 = kind == Kind::dct4 || kind == Kind::dst4;
  if (folded_length(kind, n) % 2 == 0 && !type4) sum += 2 + rotation;
  if (kind == Kind::r2c) return sum;
  const bool type1 = kind == Kind::dct1 || kind == Kind::dst1;
  return 2 * (sum + (type1 ? 0 : type4 ? 2 : 1) * rotation);
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

  /// Largest relative error of a lane in the 2-norm. `half_spectrum`: points of the real line, whose other modes count.
  template <class Real>
  naive::Real error(const Real* block, int lanes, index_t half_spectrum) const {
    naive::Real largest = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      naive::Real wrong = 0, all = 0;
      for (std::size_t j = 0; j < lines[0].size(); ++j) {
        const Real* from = block + j * static_cast<std::size_t>(width * lanes) + lane;
        const naive::Complex value(from[0], width == 2 ? from[lanes] : Real(0)), wanted = scale(lane) * of(lane)[j];
        const double weight = half_spectrum > 0 ? mode_weight(Kind::r2c, half_spectrum, static_cast<index_t>(j)) : 1;
        wrong += weight * std::norm(value - wanted);
        all += weight * std::norm(wanted);
      }
      largest = std::max(largest, std::sqrt(wrong / all));
    }
    return largest;
  }
};

struct Case {
  std::string name;
  LaneData in, out;
  double roundings;
  index_t half_spectrum = 0;  // points of the real line where `out` is half a spectrum
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
  const std::string name = std::string(kernels.isa) + " " + c.name + " in " + std::to_string(sizeof(Real)) + " bytes";
  EXPECT_LE(c.out.error(out.data(), kernels.lanes, c.half_spectrum),
            c.roundings * std::numeric_limits<Real>::epsilon() / 2)
      << name;
  EXPECT_TRUE(
      std::all_of(out.data() + reals(c.out), out.data() + out.size(), [](Real x) { return x == untouched<Real>; }))
      << name << " writes behind its block";
}

// A few lines where the reference is quick, one where it is not.
unsigned line_count(index_t n) { return n <= 512 ? 3 : 1; }

bool smooth(index_t n) {
  for (const int prime : {2, 3, 5, 7, 11, 13})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

// --- complex lines -----------------------------------------------------------------------------------------------

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
  const std::string of = " of " + std::to_string(n);
  const Case forward{"c2c forward" + of, {points, 2}, {modes, 2}, roundings(n)};
  const Case backward{"c2c backward" + of, {points, 2}, {reversed, 2}, roundings(n)};
  expect_complex<double>(n, forward, backward);
  expect_complex<float>(n, forward, backward);
}

TEST(LaneTransforms, PossibleLengthsHavePrimeFactorsUpTo13) {
  EXPECT_FALSE(LaneTables<double>::possible(0));
  for (index_t n = 1; n <= 500; ++n) EXPECT_EQ(LaneTables<double>::possible(n), smooth(n)) << n;
}

TEST(LaneTransforms, AllComplexLengthsTo200) {
  for (index_t n = 1; n <= 200; ++n)
    if (smooth(n)) check_complex(n);
}

TEST(LaneTransforms, LongComplexLines) {
  for (const index_t n : {256, 343, 512, 729, 1001, 1331, 2048, 2197, 2310, 4096}) check_complex(n);
}

// --- real lines --------------------------------------------------------------------------------------------------

LaneRealKind lane_kind(Kind kind, bool forward) {
  if (kind == Kind::r2c) return forward ? LaneRealKind::forward : LaneRealKind::backward;
  const int type = static_cast<int>(kind) - static_cast<int>(Kind::dct1);
  return static_cast<LaneRealKind>(static_cast<int>(LaneRealKind::dct1) + type);
}

// Cosines and sines as LaneRealPlan asks for.
template <class Real>
std::vector<Real> roots(Kind kind, index_t n) {
  std::vector<Real> result;
  const auto add = [&](index_t p, index_t half_turn) {
    const auto angle =
        std::numbers::pi_v<naive::Real> * static_cast<naive::Real>(p) / static_cast<naive::Real>(half_turn);
    result.push_back(static_cast<Real>(std::cos(angle)));
    result.push_back(static_cast<Real>(std::sin(angle)));
  };
  if (kind == Kind::dct4 || kind == Kind::dst4) {
    for (index_t j = 0; j < n / 2; ++j) add(4 * j + 1, 4 * n);
    for (index_t k = 0; k < n / 2; ++k) add(k, n);
  } else {
    for (index_t k = 0; k <= n / 2; ++k) add(k, 2 * n);
  }
  return result;
}

template <class Real>
void expect_real(Kind kind, bool forward, index_t n, int width, const Case& c) {
  const LaneTables<Real> tables(complex_length(kind, n));
  const std::vector<Real> factors = roots<Real>(kind, n);
  const LaneRealPlan<Real> plan{lane_kind(kind, forward), n, width, tables.plan(), factors.data()};
  for (const auto* kernels : kernels_here<Real>()) {
    const index_t spare = (2 * folded_length(kind, n) + 2) * kernels->lanes;
    const Buffer<Real> a(spare), b(spare);
    expect_accurate(*kernels, c, [&](Real* in, Real* out) { kernels->real(plan, in, out, a.data(), b.data()); });
  }
}

// The real-to-real kinds are checked forward only: backward is another of them.
void check_real(Kind kind, bool forward, index_t n, int width) {
  const naive::Transform transform(kind, n);
  const bool half_spectrum = kind == Kind::r2c;
  std::vector<naive::Line> in, out;
  for (unsigned seed = 1; seed <= line_count(n); ++seed) {
    in.push_back(random_line(forward ? n : transform.modes(), forward && width == 1, seed));
    if (!forward) {
      in.back().front().imag(0);
      if (n % 2 == 0) in.back().back().imag(0);
    }
    out.push_back(forward ? transform.forward(in.back()) : transform.backward(in.back()));
  }
  const std::string name =
      to_string(kind) + (forward ? "" : " backward") + " of " + std::to_string(n) + ", width " + std::to_string(width);
  const Case c{name,
               {in, half_spectrum && !forward ? 2 : width},
               {out, half_spectrum && forward ? 2 : width},
               real_roundings(kind, n),
               half_spectrum && forward ? n : 0};
  expect_real<double>(kind, forward, n, width, c);
  expect_real<float>(kind, forward, n, width, c);
}

const std::vector<Kind> cosines_and_sines{Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                                          Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

bool possible(Kind kind, index_t n) {
  const bool type4 = kind == Kind::dct4 || kind == Kind::dst4;
  return n >= smallest_length(kind) && (!type4 || n % 2 == 0) && smooth(complex_length(kind, n));
}

TEST(LaneTransforms, AllRealLengthsTo200) {
  for (index_t n = 1; n <= 200; ++n) {
    if (!possible(Kind::r2c, n)) continue;
    check_real(Kind::r2c, true, n, 1);
    check_real(Kind::r2c, false, n, 1);
  }
}

TEST(LaneTransforms, AllCosineAndSineLengthsTo200) {
  for (const Kind kind : cosines_and_sines) {
    for (index_t n = 1; n <= 200; ++n) {
      if (!possible(kind, n)) continue;
      check_real(kind, true, n, 1);
      if (n <= 40) check_real(kind, true, n, 2);
    }
  }
}

TEST(LaneTransforms, LongRealLines) {
  for (const index_t n : {512, 735, 1250, 2002, 4096}) {
    check_real(Kind::r2c, true, n, 1);
    check_real(Kind::r2c, false, n, 1);
  }
  for (const Kind kind : cosines_and_sines)
    for (const index_t n : {728, 730, 1024}) {
      if (possible(kind, n)) check_real(kind, true, n, 1);
    }
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
