// Engines on lane blocks: every kind, length and direction against the sums that define them, the same on every rank.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "../error_text.hpp"
#include "../naive_transforms.hpp"
#include "base/buffer.hpp"
#include "environment.hpp"
#include "transform/chosen_kernels.hpp"
#include "transform/engine/line_engine.hpp"
#include "world.hpp"

namespace weft {
namespace {

using testing::Environment;
using testing::error_text;
using testing::mentions;

const std::vector<Kind> transforms{Kind::c2c,  Kind::r2c,  Kind::dct1, Kind::dct2, Kind::dct3,
                                   Kind::dct4, Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4};

/// One line per lane, different in every lane, of numbers that float holds exactly.
std::vector<naive::Line> lines_for(index_t elements, int lanes, bool complex_elements) {
  std::uint32_t state = 12345U + static_cast<std::uint32_t>(elements);
  const auto next = [&state] {
    state = state * 1664525U + 1013904223U;
    return static_cast<naive::Real>(static_cast<int>(state >> 20) - 2048) / 2048;
  };
  std::vector<naive::Line> lines(static_cast<std::size_t>(lanes));
  for (naive::Line& line : lines) {
    for (index_t j = 0; j < elements; ++j) {
      const naive::Real re = next(), im = next();
      line.emplace_back(re, complex_elements ? im : 0);
    }
  }
  return lines;
}

/// What a half spectrum must fulfil to be that of a real line: real modes 0 and n/2.
void make_half_spectrum(naive::Line& line, index_t n) {
  line.front().imag(0);
  if (n % 2 == 0) line.back().imag(0);
}

template <class Real>
class LineBlock {
 public:
  LineBlock(const LineEngine<Real>& engine, int width)
      : lanes_(lane_kernels<Real>().lanes), width_(width), data_(engine.reals_per_lane() * lanes_) {}

  void fill(const std::vector<naive::Line>& lines) {
    for (int lane = 0; lane < lanes_; ++lane)
      for (std::size_t j = 0; j < lines[0].size(); ++j) {
        const naive::Complex value = lines[static_cast<std::size_t>(lane)][j];
        *place(lane, j) = static_cast<Real>(value.real());
        if (width_ == 2) place(lane, j)[lanes_] = static_cast<Real>(value.imag());
      }
  }
  /// 2-norm of the difference of a lane and a line.
  naive::Real distance(int lane, naive::Line line) const {
    for (std::size_t j = 0; j < line.size(); ++j)
      line[j] -= naive::Complex(*place(lane, j), width_ == 2 ? place(lane, j)[lanes_] : Real(0));
    return naive::norm(line);
  }
  Real* data() const { return data_.data(); }
  std::string bytes(std::size_t elements) const {
    return {reinterpret_cast<const char*>(data()), elements * static_cast<std::size_t>(width_ * lanes_) * sizeof(Real)};
  }

 private:
  Real* place(int lane, std::size_t j) const {
    return data_.data() + j * static_cast<std::size_t>(width_ * lanes_) + lane;
  }

  int lanes_, width_;
  Buffer<Real> data_;
};

// Error at most that of direct summation in the precision of the engine, see naive_transforms.hpp.
template <class Real>
void expect_defined(const LineSpec& spec, EngineChoice choice, Effort effort = Effort::estimate) {
  const auto engine = make_engine<Real>(world(), spec, choice, effort);
  const bool forward = spec.direction == Direction::forward;
  const int widths[2] = {spec.width, spectral_width(spec)};
  const index_t lengths[2] = {spec.length, output_length(spec.kind, spec.length)};
  const int from = forward ? 0 : 1, lanes = lane_kernels<Real>().lanes;
  std::vector<naive::Line> lines = lines_for(lengths[from], lanes, widths[from] == 2);
  if (spec.kind == Kind::r2c && !forward)
    for (naive::Line& line : lines) make_half_spectrum(line, spec.length);
  LineBlock<Real> in(*engine, widths[from]), out(*engine, widths[1 - from]);
  in.fill(lines);
  const Real* result = engine->transform(in.data(), out.data());
  if (result != out.data()) std::copy_n(result, lengths[1 - from] * widths[1 - from] * lanes, out.data());

  const naive::Transform transform(spec.kind, spec.length);
  const auto bound = naive::direct_sum_bound(spec.kind, spec.length, std::numeric_limits<Real>::epsilon());
  const std::string name = engine->name() + " " + to_string(spec.kind) + " of " + std::to_string(spec.length) +
                           (forward ? " forward" : " backward") + ", width " + std::to_string(spec.width);
  for (int lane = 0; lane < lanes; ++lane) {
    const naive::Line& line = lines[static_cast<std::size_t>(lane)];
    const naive::Line expected = forward ? transform.forward(line) : transform.backward(line);
    EXPECT_LE(out.distance(lane, expected), bound * naive::norm(line)) << name << ", lane " << lane;
  }
  const std::string bytes = out.bytes(static_cast<std::size_t>(lengths[1 - from]));
  EXPECT_TRUE(bytes == world().broadcast(bytes, 0)) << name << " differs from rank 0";
}

template <class Real>
void expect_all_defined(Kind kind, index_t n) {
  for (const Direction direction : {Direction::forward, Direction::backward}) {
    for (const int width : {1, 2}) {
      if (is_fourier(kind) && width != (kind == Kind::c2c ? 2 : 1)) continue;
      const LineSpec spec{kind, direction, n, width};
      expect_defined<Real>(spec, EngineChoice::fftw);
      expect_defined<Real>(spec, testing::lanes_here());
    }
  }
}

// Every rank does the same work, so with several of them a few lengths are enough: small ones, 17, 26 and 35.
TEST(Engine, EveryKindAndLengthIsItsDefinition) {
  for (const Kind kind : transforms) {
    for (index_t n = smallest_length(kind); n <= 40; n += world().size() == 1 || n < 8 ? 1 : 9) {
      expect_all_defined<double>(kind, n);
      expect_all_defined<float>(kind, n);
    }
  }
}

TEST(Engine, MeasuredTransformsAreTheSameOnEveryRank) {
  for (const Kind kind : {Kind::c2c, Kind::r2c, Kind::dct2, Kind::dst1}) {
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const LineSpec spec{kind, direction, 37, kind == Kind::c2c ? 2 : 1};
      expect_defined<double>(spec, EngineChoice::fftw, Effort::measure);
      expect_defined<float>(spec, EngineChoice::fftw, Effort::measure);
      expect_defined<double>(spec, EngineChoice::automatic, Effort::measure);
      expect_defined<float>(spec, EngineChoice::automatic, Effort::measure);
    }
  }
}

// --- the choice --------------------------------------------------------------------------------------------------

template <class Real>
std::string chosen(Kind kind, index_t n, EngineChoice choice = EngineChoice::automatic,
                   Effort effort = Effort::estimate) {
  const LineSpec spec{kind, Direction::forward, n, kind == Kind::c2c ? 2 : 1};
  return make_engine<Real>(world(), spec, choice, effort)->name();
}

template <class Real>
std::string lanes_name() {
  if (!lane_kernels<Real>().transforms_lines()) return "fftw";
  return std::string("lanes ") + lane_kernels<Real>().isa;
}

TEST(Engine, EstimateTakesLanesButForChirpsInNarrowVectors) {
  const Environment none("WEFT_ENGINE", nullptr);
  for (const Kind kind : transforms) {
    EXPECT_EQ(chosen<double>(kind, 26), lanes_name<double>()) << to_string(kind);
    EXPECT_EQ(chosen<double>(kind, 34), lanes_name<double>()) << to_string(kind);
    const index_t n = kind == Kind::dct1 ? 1020 : kind == Kind::dst1 ? 1018 : 1019;  // a prime that takes a chirp
    const bool wide = lane_kernels<double>().lanes > 4;
    EXPECT_EQ(chosen<double>(kind, n), wide ? lanes_name<double>() : "fftw") << to_string(kind);
  }
}

TEST(Engine, EffortMeasuresOnlyWherePrimesAreLarge) {
  const Environment none("WEFT_ENGINE", nullptr);
  for (const Kind kind : {Kind::c2c, Kind::dct3})
    EXPECT_EQ(chosen<float>(kind, 64, EngineChoice::automatic, Effort::measure), lanes_name<float>());
  const std::string name = chosen<float>(Kind::c2c, 1019, EngineChoice::automatic, Effort::measure);
  EXPECT_TRUE(name == "fftw" || name == lanes_name<float>()) << name;
  EXPECT_EQ(name, world().broadcast(name, 0)) << "rank 0 measures for all";
}

TEST(Engine, EnvironmentSaysWhatAutomaticIs) {
  const auto all = [](const std::string& automatic) {
    EXPECT_EQ(chosen<double>(Kind::c2c, 24), automatic);
    EXPECT_EQ(chosen<double>(Kind::c2c, 24, EngineChoice::automatic, Effort::measure), automatic);
    EXPECT_EQ(chosen<double>(Kind::c2c, 24, testing::lanes_here()), lanes_name<double>());
    EXPECT_EQ(chosen<double>(Kind::c2c, 24, EngineChoice::fftw), "fftw");
  };
  for (const std::string& value : {std::string("auto"), to_string(testing::lanes_here())}) {
    const Environment set("WEFT_ENGINE", value.c_str());
    all(lanes_name<double>());
  }
  const Environment set("WEFT_ENGINE", "fftw");
  all("fftw");
}

TEST(Engine, EnvironmentThatMeansNothing) {
  const Environment set("WEFT_ENGINE", "quick");
  const std::string text = error_text([] { chosen<float>(Kind::c2c, 8); });
  EXPECT_TRUE(mentions(text, "WEFT_ENGINE", "'quick'", "auto, lanes, fftw")) << text;
  EXPECT_EQ(chosen<float>(Kind::c2c, 8, EngineChoice::fftw), "fftw") << "a choice needs no environment";
}

TEST(Engine, LanesNeedAnInstructionSetThatHasLineTransforms) {
  if (testing::lanes_here() == EngineChoice::lanes) GTEST_SKIP() << "these vectors have them";
  const std::string text = error_text([] { chosen<double>(Kind::c2c, 8, EngineChoice::lanes); });
  EXPECT_TRUE(mentions(text, "engine: 'lanes'", lane_kernels<double>().isa, "'auto' or 'fftw'")) << text;
  const Environment set("WEFT_ENGINE", "lanes");
  const std::string asked = error_text([] { chosen<double>(Kind::c2c, 8); });
  EXPECT_TRUE(mentions(asked, "WEFT_ENGINE: 'lanes'", "'auto' or 'fftw'")) << asked;
}

TEST(Engine, EnginesAreMadeOnce) {
  const auto engine = [](Direction direction, index_t n, EngineChoice choice, Effort effort = Effort::estimate) {
    return make_engine<double>(world(), {Kind::dct2, direction, n, 1}, choice, effort);
  };
  const auto fftw = engine(Direction::forward, 17, EngineChoice::fftw);
  EXPECT_EQ(engine(Direction::forward, 17, EngineChoice::fftw), fftw);
  EXPECT_NE(engine(Direction::backward, 17, EngineChoice::fftw), fftw);
  if (testing::lanes_here() == EngineChoice::lanes) {
    const auto lanes = engine(Direction::forward, 17, EngineChoice::lanes);
    EXPECT_NE(lanes, fftw);
    EXPECT_EQ(engine(Direction::forward, 17, EngineChoice::lanes, Effort::measure), lanes) << "nothing to measure";
  }
  const auto measured = engine(Direction::forward, 17, EngineChoice::automatic, Effort::measure);
  EXPECT_EQ(engine(Direction::forward, 17, EngineChoice::automatic, Effort::measure), measured);
}

TEST(Engine, BlocksHoldTheLargerSide) {
  EXPECT_EQ(block_reals_per_lane({Kind::r2c, Direction::forward, 8, 1}), 10);
  EXPECT_EQ(block_reals_per_lane({Kind::r2c, Direction::forward, 7, 1}), 8);
  EXPECT_EQ(block_reals_per_lane({Kind::c2c, Direction::backward, 7, 2}), 14);
  EXPECT_EQ(block_reals_per_lane({Kind::dct2, Direction::forward, 7, 1}), 7);
  EXPECT_EQ(block_reals_per_lane({Kind::dct2, Direction::forward, 7, 2}), 14);
}

}  // namespace
}  // namespace weft
